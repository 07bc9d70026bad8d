import LifecycleModel
import Testing
import TraceLog
import TraceText

@testable import TraceRecorder

/// A recording in virtual time: two writers on one thread, a clock that stands still, and equal bytes.
@Suite struct VirtualRecordingTests {
  private func lines(_ recording: VirtualRecording) throws -> [String] {
    try recording.finish()
    var reader = try LogReader(bytes: recording.bytes)
    let trace = try reader.readAll()
    let printer = TraceNotation.Printer(vocabulary: trace.vocabulary)
    return trace.events.map { event in
      "\(event.sequence) "
        + printer.line(event).split(separator: " ").filter { !$0.hasPrefix("at=") }
        .joined(separator: " ")
    }
  }

  @Test func theAppAndTheSystemSpeakInOneOrder() throws {
    let recording = try VirtualRecording(seed: 7)
    recording.system.record(.processStart, subject: .app, attributes: [Attribute(.pid, "1")])
    recording.clock.advance(to: 1_000_000_000)
    recording.asApp { recording.recorder.callback(.applicationDidBecomeActive) {} }
    recording.system.record(.suspend, subject: .app)
    recording.clock.advance(to: 5)
    recording.asApp { recording.recorder.work(.timer, .app, "late") }
    #expect(
      try lines(recording) == [
        "1 0s - process.start app pid=1",
        "1 1s main call applicationDidBecomeActive app",
        "2 1.000000001s main return applicationDidBecomeActive app",
        "2 1.000000002s - suspend app",
        "3 1.000000003s main work timer app \"late\"",
      ])
  }

  /// What a dead process still says is not heard, and costs no sequence.
  @Test func theDeadAreNotHeard() throws {
    let recording = try VirtualRecording(seed: 7)
    let recorder = recording.recorder
    recording.asApp {
      recorder.call(.applicationDidEnterBackground)
      recording.mute(true)
      recorder.work(.timer)
      recorder.returned(.applicationDidEnterBackground)
      recorder.record(.note, label: "from the grave")
    }

    recording.system.record(.kill, subject: .app)
    recording.mute(false)
    recording.asApp { recorder.work(.frame) }
    #expect(
      try lines(recording).map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") } == [
        "main call applicationDidEnterBackground app", "- kill app", "main work frame app",
      ])
  }

  /// More than the ring holds is drained on the way, and none is lost.
  @Test func theRingNeverFills() throws {
    let recording = try VirtualRecording(seed: 7)
    for _ in 0..<100_000 {
      recording.asApp { recording.recorder.work(.timer, .app, "tick") }
      recording.drainIfUrgent()
    }

    try recording.finish()
    var reader = try LogReader(bytes: recording.bytes)
    let trace = try reader.readAll()
    #expect(trace.events.count == 100_000)
    #expect(trace.events.last?.sequence == 100_000)
    #expect(!trace.events.contains { $0.verb == .gap })
  }

  /// More words than are kept: those of events that wait for their block are not forgotten.
  @Test func wordsThatWaitAreNotForgotten() throws {
    let recording = try VirtualRecording(seed: 7)
    let count = 14_000
    // The ring holds some thousand words, of which each is a list of words of the log.
    func attributes(_ number: Int) -> [Attribute] {
      "abcdef".map { Attribute(String($0), "\($0)\(number)") }
    }
    for number in 0..<count {
      recording.system.record(.note, subject: .app, attributes: attributes(number))
      for _ in 0..<3 { recording.system.record(.sample) }
      recording.drainIfUrgent()
    }

    try recording.finish()
    var reader = try LogReader(bytes: recording.bytes)
    let trace = try reader.readAll()
    let wrong = trace.events.enumerated().first { index, event in
      trace.vocabulary.attributes(event.attributes)
        != (index % 4 == 0 ? attributes(index / 4) : [])
    }
    #expect(trace.events.count == 4 * count)
    #expect(wrong == nil, "\(String(describing: wrong))")
    #expect(recording.heldWordCount < 7 * count)
  }

  /// A ring that was used before leaves nothing behind.
  @Test func equalFactsGiveEqualBytes() throws {
    func bytes(_ seed: UInt64, _ label: String) throws -> [UInt8] {
      let recording = try VirtualRecording(seed: seed)
      recording.asApp { recording.recorder.work(.timer, .scene(3), label: label) }
      try recording.finish()
      return recording.bytes
    }
    let first = try bytes(1, "one")
    _ = try bytes(2, "another word")
    #expect(try bytes(1, "one") == first)
    #expect(try bytes(2, "one") != first)
  }
}
