import Foundation
import LifecycleModel
import Testing
import TraceLog

@testable import TraceRecorder

@Suite struct PreviousRunTests {
  private static let ends: [(PreviousRun.End, AppState?, Bool?)] = [
    (.exited(status: 0), .active, true), (.exited(status: nil), nil, true),
    (.exited(status: 3), .background, false), (.gone, .active, false), (.gone, .inactive, false),
    (.gone, .background, nil), (.gone, .suspended, nil), (.gone, nil, nil),
    (.killed, .active, false),
  ]

  @Test(arguments: ends)
  func anEndIsGoodBadOrNotKnown(end: PreviousRun.End, state: AppState?, endedWell: Bool?) {
    func run(_ open: [String] = [], terminating: Bool = false) -> PreviousRun {
      PreviousRun(
        logs: ["flight.bin.2"], end: end, appState: state, openCallbacks: open,
        wasTerminating: terminating)
    }
    #expect(run().endedWell == endedWell)
    if case .exited = end { return }
    #expect(run(["applicationDidEnterBackground"]).endedWell == false)
    #expect(run(terminating: true).endedWell == true)
  }

  /// The state does not count the instant of a profile; the end of the run is behind it all the same.
  @Test func theEndOfARunStandsBehindItsProfile() throws {
    let path = NSTemporaryDirectory() + "/\(UUID().uuidString).bin"
    defer { for file in [path, path + ".2"] { try? FileManager.default.removeItem(atPath: file) } }
    func open(_ body: (DrivenRecording) throws -> Void) throws {
      let clock = VirtualClock()
      clock.set(to: SystemCalls.monotonicNanoseconds())
      let recording = try DrivenRecording(log: path, options: Drain.Options(), clock: clock)
      try body(recording)
    }

    try open { recording in
      _ = recording.asThread("main") {
        recording.recorder.profile(Profile([Attribute(.mode, "scene")]))
      }
      recording.drain.drain()
    }
    try open { try $0.drain.finish() }

    let trace = try Trace(log: path)
    #expect(trace.events.map(\.verb).contains(.exit))
    #expect(try VerifyReport(path: path).problems.isEmpty)
  }
}
