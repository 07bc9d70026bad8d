import AnalysisTestSupport
import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceConfiguration
import TraceText

/// What YAML says beyond the rules of the catalogue: the analyzer and the second evaluator agree.
@Suite struct OwnPatternTests {
  /// Rules of all forms with labels, states, roles, deadlines and clocks, without examples.
  private static let patterns = [
    "never: work timer \"a\"\nwhile: in-background",
    "never: work * scene\nunless: [task-open, in-background]",
    "never: acquire lock\nwhile: [unsaved, app-active]",
    "never: [work gpu \"a\", call sceneDidBecomeActive scene, observe * app \"b\"]",
    "never: work save app\nbetween: {from: data.dirty, until: data.save}\nper: label",
    "never: work frame\nbetween: {from: suspend, until: process-end}\nwithin: 3s\nclock: wall",
    "never: work dispatch\nbetween: {from: resume, until: suspend}\nwithin: 2s\nunless: inactive",
    "never: work ui\nbetween: {from: call sceneWillConnect scene, until: process-end}\n"
      + "per: scene\nrole: [window, carplay]",
    "every: data.dirty\nthen: data.save\nwithin: 4s\nper: label",
    "every: data.dirty\nthen: data.save\nwithin: 4s\nclock: wall\nper: subject",
    "every: data.dirty\nthen: data.save\nwithin: 9s\ninfo: 1s\nwarning: 4s\nper: subject",
    "every: acquire *\nthen: release *\nbefore: suspend\nwithin: 6s\nwarning: 2s\nper: name",
    "count: work timer\ntimes: 3\nwithin: 2s",
    "count: acquire * kind!=c\ntimes: 2\nwithin: 3s\nper: label\nclock: wall\nunless: task-open",
    "every: acquire * \"a\"\nthen: release * \"a\"\nbefore: suspend\nwithin: 6s\nwhile: app-active",
    "every: call sceneDidBecomeActive scene\nthen: call sceneWillResignActive scene\n"
      + "before: call sceneDidEnterBackground scene\nper: scene\nunless: unsaved",
    "order: data.save\nthen: task.begin\nhow: begins\nunless: in-background",
    "order: acquire lock\nthen: work save\nuntil: suspend\nwhile: task-open",
    "order: acquire file \"b\"\nthen: release file \"b\"\nhow: once",
    "budget: work.begin * \"a\"\nwarning: 1s\nerror: 3s\nclock: wall",
    "budget: [call sceneDidEnterBackground scene, observe *]\nerror: 500ms\nof: sum\nper: subject\n"
      + "until: call sceneDidBecomeActive scene\nrole: window",
    "budget: acquire *\nwarning: 2s\nper: label\nunless: task-open",
    "balance: acquire * \"a\"\nclosed-by: release * \"a\"\nper: name",
    "never: work * thread=other\nlaunch: [user, push]",
    "never: acquire * kind=a|b by!=system\nunless: task-open",
    "never: acquire * kind=a\nwhile: in-background",
    "never: work ui by!=*\nbetween: {from: acquire * kind=a, until: acquire * kind=b}",
    "every: acquire file kind=a\nthen: release file kind=b\nbefore: suspend",
    "every: acquire * kind!=b\nthen: release * kind=a\nwithin: 4s\nwhile: app-active",
    "order: acquire * kind=a\nthen: work save\nuntil: release * kind=b",
    "order: acquire * kind=a\nthen: release * kind=*\nhow: once\nper: name",
    "order: release * kind=a\nthen: acquire * kind=a\nhow: begins",
    "budget: acquire * kind=*\nwarning: 2s\nper: scene",
    "budget: acquire * kind=a\nwarning: 2s\nof: sum\nuntil: release * kind=b",
    "balance: acquire * kind=a\nclosed-by: release * kind=a",
  ]

  static let rules: [ActiveRule] = patterns.enumerated().compactMap { index, pattern in
    let body = pattern.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    let text = """
      patterns:
        - id: own-\(index)
          summary: a pattern
          severity: error
          why: a test
          remedy: none
          violating: |
            0s - note ◀
          clean: |
            0s - note
      """ + "\n" + body
    return ConfigurationFiles.readRules(text: text).configuration.ownRules.first?.active
  }

  @Test func allAreRead() { #expect(Self.rules.count == Self.patterns.count) }

  /// On the first lives, and for each pattern on one in which it finds something: in some patterns much
  /// has to meet.
  @Test func theyAgreeOnArbitraryLives() {
    var found: Set<String> = []
    let seeds = EvaluatorTests.seeds.upperBound
    for seed in 0..<seeds * 25 {
      var maker = ArbitraryLife(seed: seed)
      let trace = maker.trace(count: 120)
      let rules = Analyzer.analyze(trace, rules: Self.rules).allFindings.map(\.rule)
      if seed >= seeds * 2 && found.isSuperset(of: rules) { continue }
      let differences = Comparison.differences(trace, rules: Self.rules)
      #expect(differences == [], "seed \(seed)\n\(TraceNotation.print(trace))")
      if !differences.isEmpty { return }
      found.formUnion(rules)
    }
    #expect(found == Set(Self.rules.map(\.description.id)))
  }
}
