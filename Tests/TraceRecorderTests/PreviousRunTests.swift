import LifecycleModel
import Testing

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
        logs: ["flight.bin.1"], end: end, appState: state, openCallbacks: open,
        wasTerminating: terminating)
    }
    #expect(run().endedWell == endedWell)
    if case .exited = end { return }
    #expect(run(["applicationDidEnterBackground"]).endedWell == false)
    #expect(run(terminating: true).endedWell == true)
  }
}
