import Foundation
import LifecycleModel
import LogUpload
import Testing
import TraceLog
import TraceRecorder

/// How the logs of earlier launches leave a device, and when they stay.
@Suite struct LogUploadTests {
  /// A folder with the log of an app that was launched some times, and runs.
  struct Device {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("upload-\(UUID().uuidString)", isDirectory: true)
    var log: URL { folder.appendingPathComponent("flight.bin") }
    var bucket: URL { folder.appendingPathComponent("bucket") }

    /// Launches the app so often; the last one goes on, and is to be finished by the caller.
    func launch(_ count: Int, statesBoot: Bool = false) throws -> Recorder {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var options = Drain.Options()
      options.statesBoot = statesBoot
      for launch in 1..<count {
        let recorder = try Recorder.open(log: log.path, options: options)
        recorder.note("launch \(launch)")
        recorder.finish()
      }
      let recorder = try Recorder.open(log: log.path, options: options)
      recorder.note("launch \(count)")
      return recorder
    }

    func names(_ folder: URL) -> [String] {
      ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    /// The files of the log.
    var files: [String] { names(folder).filter { $0.hasPrefix("flight.bin") } }
    /// The logs in the bucket.
    var stored: [String] { names(bucket).filter { $0.hasSuffix(".bin") } }

    func remove() { try? FileManager.default.removeItem(at: folder) }
  }

  /// A store that answers as it is told, and stores in a folder when it is told nothing.
  actor MoodyStore: LogStore {
    private let folder: FolderStore
    private var moods: [StoreError]
    private(set) var asked = 0

    init(_ folder: URL, _ moods: [StoreError]) {
      (self.folder, self.moods) = (FolderStore(folder), moods)
    }

    func put(_ file: URL, as name: String) async throws -> Receipt {
      asked += 1
      if !moods.isEmpty { throw moods.removeFirst() }
      return try await folder.put(file, as: name)
    }
  }

  /// Counts, from any thread.
  final class Count: @unchecked Sendable {
    // Sound because the lock guards the number.
    private let lock = NSLock()
    private var number = 0
    func next() -> Int {
      lock.withLock {
        number += 1
        return number
      }
    }
  }

  private var impatient: LogUpload.Options {
    var options = LogUpload.Options()
    options.pause = { _ in }
    return options
  }

  @Test func finishedPartsAreSentAndTheOneThatIsWrittenStays() async throws {
    let device = Device()
    defer { device.remove() }
    let recorder = try device.launch(3)
    let upload = LogUpload(log: device.log, to: FolderStore(device.bucket)) { true }
    #expect(upload.parts.map(\.lastPathComponent) == ["flight.bin.1", "flight.bin.2"])

    let results = await upload.run()
    #expect(results.map(\.outcome) == [.sent, .sent])
    #expect(device.files == ["flight.bin", "flight.bin.3", "flight.bin.ring"])
    let id = try #require(try LogReader(path: device.log.path).identity).logID
    let folder = id.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(device.stored == ["\(folder)/1.bin", "\(folder)/2.bin"])

    // What was sent is whole, and the log goes on.
    for name in device.stored {
      let trace = try Trace(log: device.bucket.appendingPathComponent(name).path)
      #expect(trace.events.contains { $0.verb == .processStart })
      #expect(trace.events.contains { $0.verb == .exit })
    }
    recorder.note("after")
    recorder.finish()
    let trace = try Trace(log: device.log.path)
    let notes = trace.events.filter { $0.verb == .note }.map { trace.vocabulary.text($0.label) }
    #expect(notes == ["launch 3", "after"])
    #expect(await LogUpload(log: device.log, to: FolderStore(device.bucket)) { true }.run() == [])
  }

  @Test func withoutConsentNothingIsSent() async throws {
    let device = Device()
    defer { device.remove() }
    let recorder = try device.launch(3)
    defer { recorder.finish() }
    try RotatingLog.separateHead(of: device.log.path)
    let before = device.files

    let never = LogUpload(log: device.log, to: FolderStore(device.bucket)) { false }
    #expect(await never.run() == [])
    #expect(device.files == before && device.stored == [])

    // Taken back after the first file.
    let asked = Count()
    let once = LogUpload(log: device.log, to: FolderStore(device.bucket)) { asked.next() == 1 }
    #expect(await once.run().map(\.outcome) == [.sent])
    #expect(device.files == before.filter { $0 != "flight.bin.1" } && device.stored.count == 1)
  }

  @Test func whatCannotBeSentNowIsSentAtTheNextLaunch() async throws {
    let device = Device()
    defer { device.remove() }
    let recorder = try device.launch(3)
    defer { recorder.finish() }
    try RotatingLog.separateHead(of: device.log.path)
    let before = device.files

    // Three attempts, and then none for the part behind it.
    let offline = MoodyStore(device.bucket, Array(repeating: .unreachable, count: 9))
    let failed = LogUpload(log: device.log, to: offline, options: impatient) { true }
    #expect(await failed.run().map(\.outcome) == [.unreachable])
    #expect(await offline.asked == 3)
    #expect(device.files == before)

    // Two failures in a row are not three.
    let shaky = MoodyStore(device.bucket, [.unreachable, .unreachable])
    let upload = LogUpload(log: device.log, to: shaky, options: impatient) { true }
    #expect(await upload.run().map(\.outcome) == [.sent, .sent])
    #expect(await shaky.asked == 4)
  }

  @Test func whatTheStoreRefusesStaysAndHoldsNothingUp() async throws {
    let device = Device()
    defer { device.remove() }
    let recorder = try device.launch(3)
    defer { recorder.finish() }
    let store = MoodyStore(device.bucket, [.refused(status: 413)])
    let upload = LogUpload(log: device.log, to: store, options: impatient) { true }
    #expect(await upload.run().map(\.outcome) == [.refused(status: 413), .sent])
    #expect(device.files.contains("flight.bin.1") && !device.files.contains("flight.bin.2"))
  }

  @Test func whatIsTooLargeOrNoLogStays() async throws {
    let device = Device()
    defer { device.remove() }
    let recorder = try device.launch(2)
    defer { recorder.finish() }
    let alien = device.folder.appendingPathComponent("flight.bin.0")
    try Data("a photo".utf8).write(to: alien)

    var options = impatient
    options.mostBytes = 16
    let small = LogUpload(log: device.log, to: FolderStore(device.bucket), options: options) {
      true
    }
    let bytes = try Data(contentsOf: small.parts[1]).count
    #expect(await small.run().map(\.outcome) == [.unreadable, .tooLarge(bytes: bytes)])
    #expect(device.stored == [] && FileManager.default.fileExists(atPath: alien.path))
  }

  /// Apple forbids to send it, unless the user sends a report.
  @Test func theBootIsNotSentUnlessTheUserSendsIt() async throws {
    let device = Device()
    defer { device.remove() }
    let recorder = try device.launch(2, statesBoot: true)
    defer { recorder.finish() }
    let silent = LogUpload(log: device.log, to: FolderStore(device.bucket)) { true }
    #expect(await silent.run().map(\.outcome) == [.namesBoot])
    #expect(device.stored == [] && device.files.contains("flight.bin.1"))

    var options = impatient
    options.sendsBoot = true
    let report = LogUpload(log: device.log, to: FolderStore(device.bucket), options: options) {
      true
    }
    #expect(await report.run().map(\.outcome) == [.sent])
  }

  @Test func aPartIsPreparedBeforeItsSizeCounts() async throws {
    let device = Device()
    defer { device.remove() }
    let recorder = try device.launch(2)
    defer { recorder.finish() }

    var options = impatient
    options.prepare = { part in
      // Cut to its header, it still is a log of the same id.
      let bytes = try Data(contentsOf: part)
      try bytes.prefix(200).write(to: part, options: .atomic)
    }
    options.mostBytes = 200
    let upload = LogUpload(log: device.log, to: FolderStore(device.bucket), options: options) {
      true
    }
    #expect(await upload.run().map(\.outcome) == [.sent])
    let sent = device.bucket.appendingPathComponent(try #require(device.stored.first))
    #expect(try Data(contentsOf: sent).count == 200)
  }

  /// A store whose system sends a file already.
  private struct BusyStore: LogStore {
    func put(_ file: URL, as name: String) async throws -> Receipt { .stored }
    func isInTransit(_ file: URL) async -> Bool { true }
  }

  @Test func aPartThatIsBeingSentStaysAsItIs() async throws {
    let device = Device()
    defer { device.remove() }
    let recorder = try device.launch(2)
    defer { recorder.finish() }
    try RotatingLog.separateHead(of: device.log.path)
    let part = device.folder.appendingPathComponent("flight.bin.1")
    let bytes = try Data(contentsOf: part)

    var options = impatient
    options.prepare = { try Data().write(to: $0) }
    let upload = LogUpload(log: device.log, to: BusyStore(), options: options) { true }
    #expect(await upload.run().map(\.outcome) == [.inTransit])
    #expect(try Data(contentsOf: part) == bytes)
  }

  @Test func aPartThatIsSentTwiceIsStoredOnce() async throws {
    let device = Device()
    defer { device.remove() }
    let recorder = try device.launch(2)
    defer { recorder.finish() }
    try RotatingLog.separateHead(of: device.log.path)
    let part = device.folder.appendingPathComponent("flight.bin.1")
    let bytes = try Data(contentsOf: part)
    for _ in 0..<2 {
      let upload = LogUpload(log: device.log, to: FolderStore(device.bucket)) { true }
      #expect(await upload.run().map(\.outcome) == [.sent])
      // As if the app had died before it removed the part.
      try bytes.write(to: part)
    }
    #expect(device.stored.count == 1)
  }

  @Test(
    arguments: [
      (200, nil), (204, nil), (403, .refused(status: 403)), (413, .refused(status: 413)),
      (429, .unreachable), (503, .unreachable),
    ] as [(Int, StoreError?)])
  func statusesSayWhetherItIsTriedAgain(status: Int, failure: StoreError?) {
    #expect(StoreError(status: status) == failure)
  }
}
