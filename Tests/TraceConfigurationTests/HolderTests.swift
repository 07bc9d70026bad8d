import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceConfiguration
import TraceText

/// Instances that outlast what began them: holders and sessions, and what a gap hides of reused keys.
@Suite struct HolderTests {
  /// What a rule finds, or else why it cannot tell.
  private func answer(_ pattern: String, _ notation: String) throws -> [String] {
    let body = pattern.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    let text = """
      patterns:
        - id: own
          summary: a pattern
          why: a test
          remedy: none
          violating: |
            0s - note ◀
          clean: |
            0s - note
      """ + "\n" + body

    let result = ConfigurationFiles.readRules(text: text)
    let rule = try #require(result.configuration.ownRules.first?.active, "\(result.problems)")
    return try answer([rule], notation)
  }

  private func answer(_ rules: [ActiveRule], _ notation: String) throws -> [String] {
    let trace = try TraceNotation.parse(
      "0s - profile mode=scene hooks=work,tasks,resources,"
        + "app-delegate,scene-delegate\n" + notation)
    let analysis = Analyzer.analyze(trace, rules: rules)
    return analysis.findings.map { "found \(trace.events[Int($0.ordinal) - 1].sequence)" }
      + analysis.outcomes.flatMap { $0.doubts.map(\.doubt.reason) }
  }

  private func builtIn(_ id: String) -> [ActiveRule] {
    RuleRegistry.all.filter { $0.description.id == id }
  }

  // MARK: What a thread holds

  private static let underLock =
    "never: work.begin network\nbetween: {from: acquire lock, until: release lock}\nper: holder"

  private static let twoLocks = """
    1s db acquire lock app "a"
    2s db acquire lock app "b"

    """

  /// Whichever is released first.
  @Test(arguments: ["a", "b"]) func aThreadHoldsWhatItHasNotReleased(first: String) throws {
    let other = first == "a" ? "b" : "a"
    let one = Self.twoLocks + "3s db release lock app \"\(first)\"\n"
    #expect(try answer(Self.underLock, one + "4s db work.begin network app") == ["found 4"])
    let both = one + "4s db release lock app \"\(other)\"\n"
    #expect(try answer(Self.underLock, both + "5s db work.begin network app") == [])
  }

  @Test func whatFollowsFromOneCauseIsFoundOnce() throws {
    let life =
      Self.twoLocks + """
        3s db work.begin network app "one"
        4s db release lock app "b"
        5s db work.begin network app "two"
        """
    #expect(try answer(Self.underLock, life) == ["found 3"])
  }

  // MARK: What does not say where it belongs

  private static let stray = "1s main task.begin task:9 \"other\"\n"
  private static let kept = "main task.begin task:2 \"sync\" holder=syncTask"

  @Test func aTaskWithoutHolderHidesNothingOnceItHasEnded() throws {
    let ended = Self.stray + "2s main task.end task:9 \"other\"\n3s \(Self.kept)"
    #expect(try answer(builtIn("task-overwrite-leak"), ended) == [])
  }

  @Test func aDoubtNamesTheEventThatDoesNotSayItsHolder() throws {
    #expect(
      try answer(builtIn("task-overwrite-leak"), Self.stray + "3s \(Self.kept)") == [
        "the log does not state the holder of an earlier task.begin"
      ])
  }

  @Test func aSceneWithoutSessionHidesNothingOnceItHasGone() throws {
    let request = "3s main call applicationConfigurationForConnecting session:2"
    let open = "1s main call sceneWillConnect scene:1\n"
    let gone = open + "2s main call sceneDidDisconnect scene:1\n"
    #expect(try answer(builtIn("scene-config-before-connect"), gone + request) == [])
    #expect(
      try answer(builtIn("scene-config-before-connect"), open + request) == [
        "the log does not state the session of an earlier sceneWillConnect"
      ])
  }

  // MARK: Across gaps

  private func closedTwice(_ opening: String, _ closing: String, gap: String) -> String {
    "1s main \(opening)\n2s main \(closing)\n\(gap)4s main \(closing)"
  }

  /// A camera may have been acquired again in the gap; a task number is never used again.
  @Test func aSecondCloseIsCertainWhereNothingMayHaveOpenedAgain() throws {
    let gap = "3s - gap ring-full 1\n"
    let camera = "balance: acquire camera\nclosed-by: release camera\nper: label"
    let (taken, given) = ("acquire camera app \"back\"", "release camera app \"back\"")
    #expect(try answer(camera, closedTwice(taken, given, gap: "")) == ["found 3"])
    #expect(try answer(camera, closedTwice(taken, given, gap: gap)) == [Doubt.gap.reason])

    let task = "balance: task.begin\nclosed-by: task.end\nper: task"
    let (begin, end) = ("task.begin task:1", "task.end task:1")
    #expect(try answer(task, closedTwice(begin, end, gap: gap)) == ["found 3"])
  }

  // MARK: Names of holders

  /// However many there are, no variable is taken for another.
  @Test func variablesAreToldApartByTheirNames() throws {
    let begins = (1...2000).map { "\($0)s main task.begin task:\($0) \"t\" holder=v\($0)" }
    #expect(try answer(builtIn("task-overwrite-leak"), begins.joined(separator: "\n")) == [])
    let again = begins + ["3000s main task.begin task:3000 \"t\" holder=v7"]
    #expect(
      try answer(builtIn("task-overwrite-leak"), again.joined(separator: "\n")) == ["found 2001"])
  }
}
