import Foundation
import Testing

/// In real time the system's kill is a kill: no code of the app runs any more, and the log says why.
@Suite struct DeathTests {
  private static let app = CommandRun.built("deaths")

  @Test(arguments: [
    ("slow", "code=0x8badf00d namespace=FRONTBOARD reason=scene-update"),
    ("stuck", "code=0x8badf00d namespace=FRONTBOARD reason=scene-update"),
    ("leak", "code=0x8badf00d namespace=RUNNINGBOARD reason=background-task-assertion"),
    ("lock", "code=0xdead10cc namespace=RUNNINGBOARD reason=suspended-with-locked-file"),
  ])
  func theProcessEndsAndTheLogSaysWhy(fault: String, reason: String) throws {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let run = try CommandRun("record", "-o", log, "-q", "--", Self.app, fault)
    #expect(run.status == 128 + 9, "\(run.errors)")
    let dump = try CommandRun("dump", log).output
    #expect(dump.contains(reason), "\(dump)")
    let verified = try CommandRun("verify", log)
    #expect(verified.status == 0, "\(verified.output)")
  }

  @Test func anAppThatBehavesEndsByItself() throws {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let run = try CommandRun("record", "-o", log, "-q", "--", Self.app, "nothing")
    // Suspended in real time the process still has its thread: swiping it away is a kill.
    #expect(run.status == 128 + 9, "\(run.errors)")
    let dump = try CommandRun("dump", log).output
    #expect(dump.contains("suspend"))
    #expect(dump.contains("reason=closed-in-the-switcher"))
  }
}
