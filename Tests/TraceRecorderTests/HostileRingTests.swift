import Foundation
import LifecycleModel
import Testing
import TraceLog
import TraceText
import Traces

@testable import TraceRecorder

/// A ring may be damaged in any way: it is read to its end, and never past it.
@Suite struct HostileRingTests {
  @Test(arguments: 0..<60) func damagedRingsAreReadToTheEnd(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bench = try RecordingBench { $0.threads = 3 }
    for number in 0..<200 {
      bench.recorder.call(.sceneDidBecomeActive, .scene(UInt32(number)))
      bench.recorder.sample(.memory, Int64(number))
      bench.recorder.taskBegins(UInt32(number), "task \(number)", hasHandler: true)
    }

    let ring = bench.drain.ring
    // The sizes are checked when the ring is opened; everything behind them may be anything.
    for _ in 0..<Int.random(in: 1...400, using: &random) {
      let region = Int.random(in: 0..<3, using: &random)
      let start = [RingFormat.Header.wordsHead, RingFormat.page, RingFormat.page + (1 << 20)][
        region]
      let span = [3992, 12_000, 3 * (RingFormat.page + 16 * 1024)][region]
      let place = start + Int.random(in: 0..<(span / 8), using: &random) * 8
      let value: UInt64 =
        random.oneIn(3) ? .max : random.next() >> UInt64.random(in: 0..<64, using: &random)
      ring.base.storeBytes(of: value, toByteOffset: place & ~7, as: UInt64.self)
    }

    var reader = try LogReader(path: bench.log)
    let trace = try reader.readAll()
    #expect(trace.events.count <= 4 * 3 * 1024, "seed \(seed)")
    #expect(!TraceNotation.print(trace).contains("\u{0}"), "seed \(seed)")
  }

  @Test func aRingThatCannotBeReadIsToldAsAGap() throws {
    let bench = try RecordingBench()
    bench.recorder.note("kept in the ring")
    let copy = bench.log + ".copy"
    try FileManager.default.copyItem(atPath: bench.log, toPath: copy)
    try FileManager.default.copyItem(atPath: bench.drain.ringPath, toPath: copy + ".ring")

    var whole = try LogReader(path: copy)
    #expect(try whole.readAll().events.count == 1)
    let handle = try #require(FileHandle(forUpdatingAtPath: copy + ".ring"))
    try handle.truncate(atOffset: 5000)
    var cut = try LogReader(path: copy)
    let trace = try cut.readAll()
    #expect(trace.events.compactMap { Gap($0, in: trace.vocabulary)?.cause } == ["source-hole"])
  }

  /// A log was renamed while its last events lay in the ring; the next one begins in its place.
  @Test func theRingOfAnotherLogIsMovedAside() throws {
    let first = try RecordingBench()
    first.recorder.note("the last word")
    let place = first.folder.appendingPathComponent("new.bin").path
    try FileManager.default.copyItem(atPath: first.drain.ringPath, toPath: place + ".ring")
    let next = try Drain(log: place, options: Drain.Options())
    try next.finish()

    let home = first.folder.appendingPathComponent("renamed.bin").path
    try FileManager.default.copyItem(atPath: first.log, toPath: home)
    try FileManager.default.moveItem(atPath: place + ".ring.old", toPath: home + ".ring")
    var reader = try LogReader(path: home)
    #expect(try reader.readAll().events.count == 1)
  }

  /// What was moved into its log is kept nowhere else.
  @Test func anEmptyRingIsNotKept() throws {
    let first = try RecordingBench()
    let place = first.folder.appendingPathComponent("new.bin").path
    try FileManager.default.copyItem(atPath: first.drain.ringPath, toPath: place + ".ring")
    try Drain(log: place, options: Drain.Options()).finish()
    #expect(!FileManager.default.fileExists(atPath: place + ".ring.old"))
  }

  @Test func theRingOfAnotherLogIsNotJoined() throws {
    let first = try RecordingBench()
    first.recorder.note("of the first")
    let second = try RecordingBench()
    try FileManager.default.removeItem(atPath: second.drain.ringPath)
    try FileManager.default.copyItem(atPath: first.drain.ringPath, toPath: second.drain.ringPath)
    #expect(try second.read() == [])
  }
}

/// What lies where a ring is to be made, or to be found, is not trusted.
@Suite struct RingPlaceTests {
  private func scratch() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tracectl-place-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test func aPipeInTheRingsPlaceDoesNotHoldAReader() throws {
    let bench = try RecordingBench()
    bench.recorder.note("in the log")
    bench.drain.drain()
    let copy = bench.log + ".copy"
    try FileManager.default.copyItem(atPath: bench.log, toPath: copy)
    #expect(mkfifo(copy + ".ring", 0o600) == 0)

    var reader = try LogReader(path: copy)
    let trace = try reader.readAll()
    #expect(trace.events.compactMap { Gap($0, in: trace.vocabulary)?.cause } == ["source-hole"])
    #expect(try VerifyReport(path: copy).problems.map(\.kind) == [.ring])
    #expect(throws: LogError.self) { try Drain(attachingTo: copy) }
  }

  @Test func verifyTellsARingOfAnotherLog() throws {
    let (first, second) = (try RecordingBench(), try RecordingBench())
    let copy = second.log + ".copy"
    try FileManager.default.copyItem(atPath: second.log, toPath: copy)
    try FileManager.default.copyItem(atPath: first.drain.ringPath, toPath: copy + ".ring")
    let problems = try VerifyReport(path: copy).problems
    func hex(_ id: [UInt8]) -> String { id.map { String(format: "%02x", $0) }.joined() }

    let ids = try [first, second].map {
      hex(try #require(LogSummary(path: $0.log).identity).logID)
    }
    #expect(
      problems.map(\.description) == [
        "ring: the log id of \(copy).ring: expected the id of this log, \(ids[1]), found the id of a "
          + "log that is not here, with the id \(ids[0]); move it beside its log, as LOG.ring, or remove it"
      ])
    #expect(try VerifyReport(path: second.log).isWhole)
  }

  @Test func aRingBesideALogWithADamagedHeaderIsTold() throws {
    let bench = try RecordingBench()
    bench.recorder.note("in the log")
    bench.drain.drain()
    bench.recorder.note("in the ring")
    let copy = bench.log + ".copy"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: bench.log))
    bytes[20] ^= 0xff
    try bytes.write(to: URL(fileURLWithPath: copy))
    try FileManager.default.copyItem(atPath: bench.drain.ringPath, toPath: copy + ".ring")

    let stray = try #require(try LogReader(path: copy).strayRing)
    #expect(
      stray.text == "\(copy).ring: is ignored: the file header of \(copy) is damaged, so it is "
        + "not known whether the ring belongs to it; keep both: the ring may hold the last events")
    #expect(try VerifyReport(path: copy).problems.contains { $0.kind == .ring })
  }

  @Test func verifyCountsWhatTheRingHolds() throws {
    let bench = try RecordingBench()
    for _ in 0..<5 { bench.recorder.work(.timer) }
    let report = try VerifyReport(path: bench.log)
    #expect(report.isWhole && report.eventCount == 0 && report.ringEventCount == 5)
  }

  @Test func aFileThatIsNoRingIsNotWrittenOver() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = folder.appendingPathComponent("log.bin").path
    let file = folder.appendingPathComponent("letter.txt").path
    try Data("dear reader".utf8).write(to: URL(fileURLWithPath: file))

    var options = Drain.Options()
    options.ringPath = file
    #expect(throws: LogError.self) { try Drain(log: log, options: options) }
    try FileManager.default.moveItem(atPath: file, toPath: log + ".ring")
    #expect(throws: LogError.self) { try Drain(log: log) }
    #expect(try String(contentsOfFile: log + ".ring", encoding: .utf8) == "dear reader")
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  @Test func aLinkInARingsOrPartsPlaceIsNotFollowed() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let log = folder.appendingPathComponent("log.bin").path
    let file = folder.appendingPathComponent("letter.txt").path
    try Data("dear reader".utf8).write(to: URL(fileURLWithPath: file))
    for place in [log + ".ring", log + ".2"] {
      try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: file)
    }

    var options = Drain.Options()
    options.limits = LogLimits(maxPartBytes: 1)
    let drain = try Drain(log: log, options: options)
    let recorder = Recorder(RecorderCore.make(drain.ring))

    for _ in 0..<2 {
      recorder.work(.timer)
      drain.drain()
    }

    #expect(drain.partCount == 2 && drain.failure == nil)
    try drain.finish()
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "dear reader")
  }

  @Test func whatIsNoLogIsNotReplaced() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("letter.txt").path
    try Data("dear reader".utf8).write(to: URL(fileURLWithPath: path))
    var options = Drain.Options()
    options.replacesLog = true
    #expect(throws: LogError.notOurs(path: path)) { try Drain(log: path, options: options) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "dear reader")
    try Data().write(to: URL(fileURLWithPath: path))
    try Drain(log: path, options: options).finish()
    try Drain(log: path, options: options).finish()
  }

  @Test(arguments: [UInt64.max, UInt64.max - 7, UInt64(1) << 63, 12] as [UInt64])
  func aDamagedHeadOfTheWordsCostsWordsAlone(head: UInt64) throws {
    let bench = try RecordingBench()
    bench.recorder.work(.timer, .app, "before")
    bench.drain.ring.store(RingFormat.Header.wordsHead, head)
    for number in 0..<20 { bench.recorder.work(.timer, .app, label: "word \(number)") }
    let events = try bench.trace().events
    #expect(events.count == 21)
  }

  @Test func wordsThatAreWrittenOverAreNoOtherWords() throws {
    let bench = try RecordingBench()
    bench.recorder.work(.timer, .app, "before")
    bench.drain.ring.store(RingFormat.Header.wordsHead, 0)
    for number in 0..<20 { bench.recorder.work(.timer, .app, label: "word \(number)") }
    let trace = try bench.trace()
    // The lane ends where a word is not what was written, and says so.
    let last = try #require(trace.events.last)
    #expect(Gap(last, in: trace.vocabulary)?.cause == GapCause.corruptBlock.rawValue)
    for event in trace.events.dropLast() {
      #expect(trace.vocabulary.text(event.name) == WorkCategory.timer.rawValue)
    }
  }
}
