import LifecycleModel
import Testing

@testable import TraceSources

/// The grammar of the text in which the system says why it ends a process.
struct TerminationTextTests {
  private func read(_ text: String) throws -> Termination {
    try #require(TerminationText.context(in: Array(text.utf8)[...]))
  }

  @Test(arguments: [
    ("explanation:too slow>", "too slow"),
    ("explanation:too slow", "too slow"),
    ("explanation:too slow>>.", "too slow"),
    ("explanation:<no explanation given>>", "<no explanation given>"),
    ("explanation:<no explanation given> reportType:CrashLog x>", "<no explanation given>"),
    ("explanation:went from a -> b>", "went from a -> b"),
    ("explanation:went from a -> b", "went from a -> b"),
    (
      "explanation:application<com.example.Notes>:4 was slow>",
      "application<com.example.Notes>:4 was slow"
    ),
    (
      "explanation:[app<com.example.Notes>:4] Failed to terminate gracefully after 5.0s\n"
        + "ProcessVisibility: Unknown>",
      "[app<com.example.Notes>:4] Failed to terminate gracefully after 5.0s"
    ),
    ("explanation:BG Kill reportType:None maxTerminationResistance:NonInteractive>", "BG Kill"),
    (
      "explanation:was suspended with locked system files:\n/private/var/mobile/notes.sqlite\n"
        + "/private/var/mobile/index.db>",
      "was suspended with locked system files: /private/var/mobile/notes.sqlite, "
        + "/private/var/mobile/index.db"
    ),
  ])
  func theExplanationEndsWhereItShould(text: String, reason: String) throws {
    #expect(
      try read("<RBSTerminateContext| domain:15 code:0xDEAD10CC \(text)").reason == reason)
  }

  @Test func theWatchdogsFieldsAreKept() throws {
    let end = try read(
      """
      <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-create watchdog \
      transgression: app<com.example.Notes>:4 exhausted real (wall clock) time allowance of 20 seconds
      ProcessVisibility: Foreground
      ProcessState: Running
      WatchdogEvent: scene-create
      WatchdogVisibility: Background
      WatchdogCPUStatistics: (
      "Elapsed total CPU time (seconds): 7.770 (user 7.770, system 0.000), 6% CPU",
      "Elapsed application CPU time (seconds): 0.258, 0% CPU"
      )>
      """)

    #expect(end.kind == .killed(namespace: "FRONTBOARD", code: 0x8bad_f00d))
    #expect(end.visibility == "foreground")
    #expect(end.watchdogEvent == "scene-create")
    #expect(end.processorTime == "application 0.258s 0%, total 7.770s 6%")
  }

  @Test func withoutKnowledgeOfTheProcessTheWatchdogsOwnVisibilityCounts() throws {
    let end = try read(
      "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:x\nProcessVisibility: Unknown\n"
        + "WatchdogEvent: process-exit\nWatchdogVisibility: Background>")
    #expect(end.visibility == "background")
  }

  @Test(
    arguments: [
      ("Namespace <0xF>, Code 0xdead10cc", "RUNNINGBOARD", 0xdead_10cc),
      ("Namespace TCC, Code 0x0", "TCC", 0),
      ("FRONTBOARD 2343432205 ", "FRONTBOARD", 0x8bad_f00d),
      ("FRONTBOARD 0xbaadca11 ", "FRONTBOARD", 0xbaad_ca11),
      ("SIGNAL 5 Trace/BPT trap: 5", "SIGNAL", 5),
    ] as [(String, String, UInt64)])
  func theHeadingIsRead(text: String, namespace: String, code: UInt64) throws {
    let kind = Termination.Kind.killed(namespace: namespace, code: code)
    #expect(TerminationText.end(headed: text)?.kind == kind)
    let message = Array("Termination Reason: \(text)".utf8)[...]
    #expect(TerminationText.report(message)?.kind == kind)
  }

  @Test func namespaceAndCodeAreExplainedByTheirWords() throws {
    let words = "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:too slow\n>"
    let end = try #require(
      TerminationText.end((namespace: "RUNNINGBOARD", code: 1), Array(words.utf8)[...]))
    #expect(end.kind == .killed(namespace: "RUNNINGBOARD", code: 0x8bad_f00d))
    #expect(end.reason == "too slow")
    #expect(TerminationText.end((namespace: "JETSAM", code: 7), []) == .jetsam(7))
    #expect(TerminationText.end(nil, []) == nil)
  }
}
