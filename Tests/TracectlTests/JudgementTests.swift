import Testing

/// What must be said of a life or a death, and what must not.
private struct Judgement: CustomTestStringConvertible, Sendable {
  let file: String
  /// Each finding as its severity and its rule, in the order of the report.
  var finds: [String] = []
  /// What the verdict says.
  var says: [String] = []
  /// What no line of the report says.
  var never: [String] = []

  /// Whether the recording has a fault, which is reported apart.
  var isRecordingFaulty = false

  var testDescription: String { file }

  /// A report has no words of these kinds where they would be wrong.
  private static let contradictions = [
    "disagree", "no action is needed", "(R39)",
  ]

  static let all = [
    Judgement(file: "r39-min.trace"),
    Judgement(file: "ios26-return.trace"),
    Judgement(
      file: "allowance.trace", finds: ["error budget-main-blocked-foreground", "info launch-slow"],
      says: [
        "killed by the watchdog (0x8badf00d)",
        "sceneWillEnterForeground, which held the main thread for 10s (limit 10s)",
        "the main thread waited",
      ], never: ["limit 5s", "in the background for 24.8s."]),
    Judgement(
      file: "async-span-blamed.trace", finds: ["error death"],
      says: [
        "The log shows nothing on the main thread for 11s: a hang outside any recorded callback"
      ],
      never: ["held the main thread for 1min"]),
    Judgement(
      file: "audio-span-on-main-fg-kill.trace",
      finds: ["error budget-did-enter-background", "info work-goes-on-while-inactive"],
      says: ["Likely cause: sceneDidEnterBackground, which held the main thread for 5.5s"]),
    Judgement(
      file: "w-callback-9.95.trace", finds: ["error budget-main-blocked-foreground"],
      says: [
        "Likely cause: sceneWillResignActive, which held the main thread for 9.98s (limit 10s, "
          + "counted from before it)"
      ]),
    Judgement(
      file: "w-observer-open.trace", finds: ["error budget-resign"],
      says: [#"Likely cause: UIScene.willDeactivateNotification "CloudSync""#]),
    Judgement(
      file: "w-two-candidates.trace", finds: ["error budget-main-blocked-foreground"],
      says: ["Likely cause: sceneWillResignActive"], never: ["more like it"]),
    Judgement(
      file: "watchdog-fg-after-callback-shared.trace",
      finds: ["error budget-main-blocked-foreground"],
      says: [
        "sceneDidBecomeActive, 5.95s, and sceneWillEnterForeground, 3.9s",
        "together for 9.85s of the 10s allowed",
      ]),
    Judgement(
      file: "w-idle-main-no-evidence.trace", finds: ["error death"],
      says: [
        "The log shows nothing on the main thread for 30s: a hang outside any recorded callback"
      ]),
    Judgement(
      file: "dead10cc-lock-released.trace", finds: ["error death"],
      says: ["No recorded lock was open; look for one that the log does not record"]),
    Judgement(
      file: "cpu-kill-real-words.trace", finds: ["error death"],
      says: ["it exceeded a CPU time limit", "48 seconds cpu time over 50 seconds"]),
    Judgement(
      file: "cpu_fatal.ips", finds: ["error death"], says: ["it exceeded a CPU time limit"]),
    Judgement(
      file: "unknown-kill-running-bg.trace",
      finds: ["warning work-survives-suspension", "warning death"],
      says: ["for a reason that no documentation lists", #"save "db", begun at 6s, was cut off"#],
      never: ["memoryPressure"]),
    Judgement(
      file: "kill-during-save-bg.trace", finds: ["warning work-survives-suspension"],
      says: [#"save "db", begun at 5.5s, was cut off"#]),
    Judgement(
      file: "fg-9s-silent.trace", finds: ["error budget-main-blocked-foreground"],
      says: ["sceneWillEnterForeground", "9.4s"]),
    Judgement(
      file: "gap-second-launch.trace", says: ["The next process started"],
      isRecordingFaulty: true),
    Judgement(file: "wall-jump.trace"),
    Judgement(file: "dispatch-in-banner.trace", finds: ["info work-new-dispatch-while-inactive"]),
    Judgement(file: "timer-held.trace", finds: ["info timer-held-at-suspension"]),
  ]

  /// The exit status that follows from the findings.
  var status: Int32 {
    let counts = finds.contains { $0.hasPrefix("error") || $0.hasPrefix("warning") }
    return counts || isRecordingFaulty ? 1 : 0
  }

  func check() throws {
    let run = try CommandRun("analyze", "-v", "Tests/TracectlTests/Judgement/\(file)")
    #expect(run.status == status, "\(run.output)\(run.errors)")
    let lines = run.output.split(separator: "\n").map(String.init)
    let found = lines.compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard words.count > 2, ["error", "warning", "info"].contains(words[0]),
        line.contains("(R")
      else { return nil }
      return "\(words[0]) \(words[1])"
    }
    #expect(found == finds, "\(run.output)")

    let text = run.output.split { " \n".contains($0) }.joined(separator: " ")
    for words in says { #expect(text.contains(words), "\(words)\n\(run.output)") }
    for words in never + Judgement.contradictions {
      #expect(!text.contains(words), "\(words)\n\(run.output)")
    }
  }
}

/// Traces of an audit by an outsider, and what a person who knows UIKit says of each.
@Suite struct JudgementTests {
  @Test(arguments: Judgement.all)
  fileprivate func theJudgementIsThatOfAPersonWhoKnowsUIKit(_ judgement: Judgement) throws {
    try judgement.check()
  }
}
