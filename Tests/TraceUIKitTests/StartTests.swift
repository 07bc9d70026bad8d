import Foundation
import LifecycleModel
import Platform
import Testing
import TraceLog
import TraceRecorder
import UIKitStub

@testable import TraceUIKit

/// What becomes of a recording that cannot begin, and of one that goes to the background.
@MainActor
@Suite(.serialized)
struct StartTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("start-\(UUID().uuidString)", isDirectory: true)
  private let options: LifecycleTracing.Options
  private let process: UIKitProcess
  private let complaints = Complaints()

  private final class Complaints: Sendable {
    let all = Lock<[String]>([])
  }

  init() {
    var options = LifecycleTracing.Options()
    (options.watchesMethods, options.busyThreshold, options.directory) = (false, nil, folder)
    self.options = options
    var process = MainQueue.process
    let complaints = complaints
    process.complain = { text in complaints.all.withLock { $0.append(text) } }
    self.process = process
  }

  private func end() {
    let recorder = LifecycleTracing.current?.recorder
    LifecycleTracing.current?.stop()
    recorder?.finish()
    LifecycleTracing.failure = nil
    try? FileManager.default.removeItem(at: folder)
  }

  private func start() -> Recorder {
    let options = options
    return LifecycleTracing.start(options, process) { try LifecycleTracing.Opened(options) }
      .recorder
  }

  private func becomeAvailable() {
    process.center.post(
      name: UIApplication.protectedDataDidBecomeAvailableNotification, object: nil)
  }

  @Test func aLogThatCannotBeMadeIsTriedAgainWhenDataAreAvailable() throws {
    defer { end() }
    // A file stands where the directory belongs.
    try Data().write(to: folder)
    #expect(!start().isOn)
    #expect(LifecycleTracing.failure != nil)
    #expect(complaints.all.withLock { $0 }.count == 1)
    #expect(complaints.all.withLock { $0 }.first?.hasPrefix("nothing is recorded: ") == true)

    becomeAvailable()
    #expect(LifecycleTracing.current?.recorder.isOn == false)
    #expect(complaints.all.withLock { $0 }.count == 2)

    try FileManager.default.removeItem(at: folder)
    becomeAvailable()
    #expect(LifecycleTracing.failure == nil)
    let recorder = try #require(LifecycleTracing.current?.recorder)
    #expect(recorder.isOn)
    recorder.note("after the unlock")

    becomeAvailable()
    #expect(LifecycleTracing.current?.recorder.logID == recorder.logID)
    let trace = try Trace(log: folder.appendingPathComponent("flight.bin").path)
    #expect(trace.events.contains { trace.vocabulary.text($0.label) == "after the unlock" })
  }

  @Test func anUploadHasNoRingAndNothingIsLeftWhenAllIsErased() throws {
    defer { end() }
    let recorder = start()
    recorder.note("before consent was withdrawn")
    let number = folder.appendingPathComponent("installation-com.example.notes")
    try Data("9f2b833506aa6973".utf8).write(to: number)
    let other = folder.appendingPathComponent("notes.txt")
    try Data().write(to: other)

    func names(_ files: [URL]) -> [String] { files.map(\.lastPathComponent) }
    let all = names(LifecycleTracing.files(in: folder))
    #expect(all.contains("flight.bin.ring") && all.contains("flight.bin"))
    let sent = names(LifecycleTracing.files(in: folder, forUpload: true))
    #expect(sent == all.filter { $0 != "flight.bin.ring" })

    LifecycleTracing.stop()
    #expect(LifecycleTracing.current == nil)
    let trace = try Trace(log: folder.appendingPathComponent("flight.bin").path)
    #expect(trace.events.contains { $0.verb == .note })
    try LifecycleTracing.erase(in: folder)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left == ["notes.txt"])
    try LifecycleTracing.erase(in: folder.appendingPathComponent("none"))
  }

  /// As when the library is linked into the app and into a framework of it.
  @Test func aSecondCopyOfTheLibraryRecordsNothing() throws {
    defer { end() }
    let files = try TraceFiles(folder)
    let first = try files.open()
    defer { first.finish() }
    #expect(!start().isOn)
    #expect(
      LifecycleTracing.failure as? LogError
        == .inUseHere(path: folder.appendingPathComponent("flight.bin").path))
    #expect(complaints.all.withLock { $0 }.first?.contains("link the library once") == true)
    becomeAvailable()
    #expect(complaints.all.withLock { $0 }.count == 1)

    first.note("the first copy")
    let trace = try Trace(log: folder.appendingPathComponent("flight.bin").path)
    #expect(trace.events.contains { trace.vocabulary.text($0.label) == "the first copy" })
  }

  /// Each has a directory of its own, so that no file shows it.
  @Test func aSecondCopyWithAnotherDirectoryRecordsNothing() throws {
    let (app, framework) = (TracingMark(), TracingMark())
    defer { app.remove() }
    try app.take("/app/flight.bin")
    try app.take("/app/flight.bin")
    #expect(throws: LogError.inUseHere(path: "/app/flight.bin")) {
      try framework.take("/framework/flight.bin")
    }

    framework.remove()
    #expect(throws: LogError.self) { try framework.take("/framework/flight.bin") }
    app.remove()
    try framework.take("/framework/flight.bin")
    framework.remove()
  }
}
