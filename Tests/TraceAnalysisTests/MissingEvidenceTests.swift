import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

/// Missing evidence never makes a violation: every violating example, with evidence taken away.
@Suite struct MissingEvidenceTests {
  static let violating = RuleCase.all.filter(\.example.isViolating)

  /// The rules that judge single events, or the words of the system, which a gap before or after them
  /// does not excuse; and that a task ended twice, since its number is not given again.
  private static let ofSingleEvents: Set = [
    "excl-one-delegate", "ident-notification-object", "ident-main-thread", "launch-scene-adoption",
    "lost-events", "task-one-end", "task-missing-handler",
    "work-decided-by-remaining-time", "pm-recorder-joined-late", "death",
  ]

  /// Whether a gap leaves the finding as it is: UIKit's own warnings stand too, whatever was lost.
  private static func isExcused(_ item: RuleCase) -> Bool {
    ofSingleEvents.contains(item.rule.description.id) || item.example.notation.contains(" warning=")
  }

  private func findings(_ item: RuleCase, _ lines: [String]) throws -> [String] {
    Analyzer.analyze(try TraceNotation.parse(lines.joined(separator: "\n")), rules: [item.rule])
      .findings.map(\.message)
  }

  private func lines(_ item: RuleCase) -> [String] {
    item.example.notation.replacing(String(RuleExample.mark), with: "")
      .split(separator: "\n").map(String.init)
  }

  @Test(arguments: violating) func nothingIsFoundAcrossGaps(_ item: RuleCase) throws {
    if Self.isExcused(item) { return }
    let broken = lines(item).flatMap { line in
      line.contains(" profile ")
        ? [line] : [line, "\(line.split(separator: " ")[0]) - gap ring-full 1"]
    }
    #expect(broken.count > lines(item).count)
    #expect(try findings(item, broken) == [])
  }

  @Test(arguments: violating) func nothingIsFoundWhileEventsAreLost(_ item: RuleCase) throws {
    if Self.isExcused(item) { return }
    let lines = lines(item)
    let first = lines.firstIndex { !$0.contains(" profile ") } ?? 0
    let instant = lines[first].split(separator: " ")[0]
    let broken =
      lines[..<first] + ["\(instant) - gap ring-full 1 within=1000000s"] + lines[first...]
    #expect(try findings(item, Array(broken)) == [])
  }

  /// Other threads go on while the lane of one is full: its silence proves nothing until the loss ends.
  @Test(arguments: [("1s", true), ("6s", false)])
  func aLossEndsWhereItSays(within: String, isFound: Bool) throws {
    let text = """
      0s - profile mode=app hooks=app-delegate,work
      0s - process.start app launch=user
      1s main call applicationDidFinishLaunching app
      1.1s main return applicationDidFinishLaunching app
      2s main call applicationDidBecomeActive app
      2s main return applicationDidBecomeActive app
      2.5s net work timer app
      2.5s - gap ring-full 9 writer=net from=2 to=10 within=\(within)
      3.7s main call applicationDidEnterBackground app
      9.5s net work timer app
      10s main return applicationDidEnterBackground app
      """
    let found = Analyzer.analyze(try TraceNotation.parse(text)).findings.map(\.rule)
    #expect(found.contains("budget-did-enter-background") == isFound, "\(found)")
  }

  @Test(arguments: violating) func nothingIsFoundWithoutHooks(_ item: RuleCase) throws {
    if item.rule.description.needs.hooks.isEmpty { return }
    let blind = lines(item).map { line in
      line.split(separator: " ").filter { !$0.hasPrefix("hooks=") }.joined(separator: " ")
    }
    #expect(try findings(item, lines(item)) != [])
    #expect(try findings(item, blind) == [])
  }

  @Test(arguments: violating) func nothingIsFoundWhenNoProfileIsThere(_ item: RuleCase) throws {
    if item.rule.description.needs.hooks.isEmpty { return }
    #expect(try findings(item, lines(item).filter { !$0.contains(" profile ") }) == [])
  }
}

/// What a profile can say so that silence counts.
@Suite struct SettledDoubtTests {
  private func verdict(_ rule: String, _ notation: String) throws -> Outcome {
    let rule = try #require(RuleRegistry.all.first { $0.description.id == rule })
    let analysis = Analyzer.analyze(try TraceNotation.parse(notation), rules: [rule])
    return try #require(analysis.outcomes.first).outcome
  }

  /// An app without a resign, by its delegate alone.
  private func active(_ said: String) -> String {
    """
    0s - profile mode=app hooks=app-delegate \(said)
    1s main call applicationDidBecomeActive app
    1.1s main return applicationDidBecomeActive app
    6s main call applicationDidEnterBackground app
    """
  }

  @Test func theSilenceOfACallbackCountsThatTheAppImplements() throws {
    let rule = "resign-before-background"
    let unknown = try verdict(rule, active(""))
    #expect(unknown == .cannotTell([.callbackNeverSeen]))
    #expect(try verdict(rule, active("implements=applicationWillResignActive")) == .violated)
    #expect(
      try verdict(rule, active("implements=applicationWillTerminate"))
        == .cannotTell([.callbackNeverSeen]))
    #expect(try verdict(rule, active("implements=none")) == .cannotTell([.callbackNeverSeen]))
  }

  @Test func whatIsLabelledIsKnownToBeAbsent() throws {
    func snapshot(_ said: String) throws -> Outcome {
      try verdict(
        "work-sensitive-in-snapshot",
        """
        0s - profile mode=app hooks=app-delegate,resources \(said)
        2s main return applicationDidEnterBackground app
        """)
    }

    #expect(try snapshot("") == .cannotTell([.notMarked(.sensitive)]))
    #expect(try snapshot("marks=alert") == .cannotTell([.notMarked(.sensitive)]))
    #expect(try snapshot("marks=alert,sensitive") == .satisfied)
  }

  @Test func aKeyThatIsMissingIsTheReason() throws {
    let verdict = try verdict(
      "resign-before-background", active("").replacing("mode=app ", with: ""))
    #expect(verdict == .cannotTell([.profileKeyMissing(.mode)]))
  }

  /// A rule that had nothing to check says why.
  @Test func aShortSessionIsToldAsOne() throws {
    let verdict = try verdict(
      "data-not-only-on-lifecycle",
      """
      0s - profile mode=app hooks=app-delegate,data
      1s main call applicationDidBecomeActive app
      3s main data.dirty app "draft"
      4s main call applicationWillResignActive app
      4.1s main data.save app "draft"
      """)

    #expect(
      verdict
        == .notApplicable(
          "the item draft was saved once in a process, as the app left; the rule needs 3 saves"))
  }
}
