import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces

/// What is clean for one rule is clean for all of them, but for what is listed here with its reason.
@Suite struct OtherRulesTests {
  /// They tell of the recording and not of the app.
  private static let ofTheRecording: Set = ["lost-events", "pm-recorder-joined-late"]
  /// They ask for what an example leaves out that is about something else: the return of each call, each
  /// notification that UIKit promises, a launch in less than a second.
  static let ofWholeLogs: Set = [
    "budget-main-blocked-foreground", "notification-promised", "launch-slow",
  ]

  /// The findings of other rules that are right, by rule and title of the example; with the reason.
  static let right: [String: Set<String>] = [
    // A watchdog kill needs something that took the watchdog's time.
    "budget-last-work-not-slowest: one piece took it all": ["budget-did-enter-background"],
    "budget-last-work-not-slowest: work before a pause does not count, nor does another thread's": [
      "budget-did-enter-background"
    ],
    "pm-code-without-evidence: a callback was open beyond its time": [
      "budget-did-enter-background"
    ],
    // A kill that fits its code has its fault in the trace.
    "pm-code-without-evidence: a lock was held at the suspension": ["lock-at-suspend"],
    "pm-code-without-evidence: a task was left open, the main thread being idle": [
      "task-leak-at-suspend"
    ],
    "pm-code-without-evidence: the same after a background launch, which may get no background call":
      ["task-leak-at-suspend"],
    // The specification gives these to the other rule.
    "launch-order: the app delegate is called after the launch and before a scene connects":
      ["excl-one-delegate"],
    "task-invalid-id: number 0 on a port, and a second end, covered by another rule": [
      "task-one-end"
    ],
    "task-invalid-id: UIKit refused a second end, covered by another rule": ["task-one-end"],
    "pm-code-without-evidence: a hang that began inside the callback": [
      "budget-will-terminate", "budget-last-work-not-slowest",
    ],
    // That the object is a scene is wrong, and nothing else is.
    "order-background-once: the app's notification has a scene as its object": [
      "ident-notification-object"
    ],
    // The task is not what kept the main thread, and is too old all the same.
    "task-leak-at-suspend: a main thread that hangs is not idle": [
      "budget-did-enter-background", "budget-assertion-total", "task-one-end",
    ],
  ]

  private static let cases = RuleCase.all.filter { !$0.example.isViolating }

  @Test(arguments: cases) func noOtherRuleFindsAnything(_ item: RuleCase) throws {
    var stream = TraceStream(try TraceNotation.parse(item.example.notation))
    let found = try Analyzer.analyze(&stream).allFindings.map(\.rule)
    var others = Set(found).subtracting(Self.ofTheRecording)
      .subtracting(Self.ofWholeLogs)
    // Whoever ends a process for a fault is found, too.
    if item.example.notation.contains(" kill ") || item.example.notation.contains(" exit ") {
      others.remove("death")
    }
    #expect(others == Self.right[item.testDescription] ?? [])
  }

  @Test func everyExceptionIsThatOfAnExample() {
    let names = Set(Self.cases.map(\.testDescription))
    #expect(Self.right.keys.filter { !names.contains($0) } == [])
  }
}
