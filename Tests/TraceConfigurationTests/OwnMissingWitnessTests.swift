import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceConfiguration
import TraceText

/// Rules of one's own say what did not come, as those of the catalogue do.
@Suite struct OwnMissingWitnessTests {
  private func findings(_ pattern: String, _ notation: String) throws -> [Finding] {
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
    let trace = try TraceNotation.parse(notation)
    var analyzer = Analyzer(trace.vocabulary, rules: [rule])
    analyzer.observe(trace.events)
    return analyzer.finish().findings
  }

  private func missing(_ pattern: String, _ notation: String) throws -> [[String]] {
    try findings(pattern, notation).map { finding in
      finding.missing.map { missing in
        missing.words
          + (missing.until.map { " until \(InstantText.print($0.nanoseconds))" } ?? "")
      }
    }
  }

  /// Each label by itself: the letter had to be saved ten seconds after 1 s.
  @Test func aDeadlineForEachLabelNamesTheLabel() throws {
    #expect(
      try missing(
        "every: data.dirty\nthen: data.save\nwithin: 10s\nper: label",
        """
        0s - profile hooks=data
        1s main data.dirty app "letter"
        2s main data.dirty app "list"
        9s main data.save app "list"
        30s main note
        """) == [["data.save app \"letter\" until 11s"]])
  }

  @Test func byTheWallClockSuspensionCounts() throws {
    #expect(
      try missing(
        "every: data.dirty\nthen: data.save\nwithin: 10s\nclock: wall",
        """
        0s - profile hooks=data,system
        1s main data.dirty app "letter"
        2s - suspend app
        20s - resume app
        """) == [["data.save app \"letter\" until 11s"]])
  }

  /// What the pattern says of label and thread is said, and each alternative.
  @Test func conditionsAreSaid() throws {
    #expect(
      try missing(
        "every: call sceneDidBecomeActive scene\nthen: work.begin load \"a\"|\"b\" thread=main\n"
          + "before: call sceneWillResignActive scene\nper: scene",
        """
        0s - profile mode=scene hooks=scene-delegate,work
        1s main call sceneDidBecomeActive scene:3
        2s main call sceneWillResignActive scene:3
        """) == [
          [
            "work.begin load scene:3 \"a\" on main or work.begin load scene:3 \"b\" on main"
          ]
        ])
  }

  @Test func anOrderThatBeginsNamesWhatHadToComeFirst() throws {
    #expect(
      try missing(
        "order: work.end load scene \"theme\"\nthen: work.instant frame scene\n"
          + "how: begins\nper: scene",
        """
        0s - profile mode=scene hooks=scene-delegate,work,system
        0s - process.start app
        2s main work frame scene:4
        """) == [["work.end load scene:4 \"theme\""]])
  }

  /// A window that the app itself breaks shows too much; one that a suspension breaks, too little.
  @Test func aWindowSaysItOnlyForWhatTheAppDoesNotChoose() throws {
    let lock = "between: {from: acquire lock, until: release lock}\nper: label"
    #expect(
      try missing(
        "never: acquire lock\n" + lock,
        """
        0s - profile hooks=resources
        1s main acquire lock app "a"
        2s main acquire lock app "a"
        """) == [[]])

    #expect(
      try missing(
        "never: suspend\nbetween: {from: acquire lock \"a\", until: release lock \"a\"}",
        """
        0s - profile hooks=resources,system
        1s main acquire lock app "a"
        2s - suspend app
        """) == [["release lock app \"a\""]])
  }

  /// `config check` says it beside a finding that no mark stands for.
  @Test func anExampleThatFailsNamesIt() throws {
    let result = ConfigurationFiles.readRules(
      text: """
        patterns:
          - id: own
            summary: a pattern
            why: a test
            remedy: none
            every: data.dirty
            then: data.save
            within: 10s
            violating: |
              0s - profile hooks=data
              1s main data.dirty app "letter" ◀
              30s main note
            clean: |
              0s - profile hooks=data
              1s main data.dirty app "letter"
              30s main note
        """)
    let rule = try #require(result.configuration.ownRules.first)
    #expect("\(rule.failures)".contains("; missing: data.save app"), "\(rule.failures)")
  }
}
