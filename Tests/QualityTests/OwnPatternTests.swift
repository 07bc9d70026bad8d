import AnalysisTestSupport
import LifecycleModel
import TestTime
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
    "never: call applicationConfigurationForConnecting\nbetween: {from: call sceneWillConnect, "
      + "until: [call sceneDidDisconnect, notify UIScene.didDisconnectNotification]}\nper: session",
    "never: notify * scene\nbetween: {from: call applicationDidDiscardSceneSessions, "
      + "until: call sceneWillConnect}\nper: session\nwithin: 9s",
    "never: task.begin\nbetween: {from: task.begin, until: task.end}\nper: holder",
    "never: work *\nbetween: {from: acquire *, until: [release *, task.end]}\nper: holder",
    "never: deliver *\nbetween: {from: deliver *, until: complete *}\nper: value",
    "every: call applicationDidDiscardSceneSessions\nthen: notify * scene\n"
      + "before: call applicationConfigurationForConnecting\nper: session",
    "every: task.begin\nthen: task.granted\nwithin: 3s\nper: task",
    "never: work *\nbetween: {from: acquire *, until: release *}\nper: holder\nwithin: 4s",
    "never: acquire *\nbetween: {from: [acquire *, work.begin *], until: [release *, work.end *, "
      + "notify *]}\nper: holder",
    "every: deliver *\nthen: complete *\nwithin: 3s\nwarning: 1s\nper: value",
    "order: call sceneWillConnect\nthen: call applicationConfigurationForConnecting\n"
      + "until: call sceneDidDisconnect\nper: session",
    "order: notify * scene\nthen: call applicationDidDiscardSceneSessions\nhow: once\nper: session",
    "order: acquire *\nthen: work.begin *\nhow: once\nper: holder",
    "order: work.begin *\nthen: acquire *\nuntil: release *\nper: holder",
    "budget: call * scene\nwarning: 2s\nof: sum\nuntil: call sceneWillConnect\nper: session",
    "budget: task.begin\nwarning: 3s\nper: task",
    "budget: call *\nwarning: 3s\nper: holder",
    "budget: [work.begin *, acquire *]\nwarning: 2s\nof: sum\nper: holder",
    "budget: deliver *\nwarning: 2s\nof: sum\nper: value",
    "count: [call * session, call * scene]\ntimes: 3\nwithin: 9s\nper: session",
    "count: task.begin\ntimes: 2\nwithin: 3s\nper: holder\nunless: app-active",
    "balance: call sceneWillConnect\nclosed-by: call sceneDidDisconnect\nper: session",
    "balance: task.begin\nclosed-by: task.end\nper: task",
    "balance: acquire *\nclosed-by: release *\nper: label",
    "balance: deliver *\nclosed-by: complete *\nper: value",
    "never: suspend\nwhile: {open: acquire * kind=a}",
    "never: work *\nwhile: {open: [acquire file kind!=a by!=system, work.begin save]}",
    "never: call * scene\nwhile: {open: [acquire *, data.dirty], of: leaving}",
    "never: work *\nbetween: {from: data.dirty, until: data.save}\n"
      + "unless: {open: acquire * app kind=b}",
    "never: suspend\nwhile: {open: acquire *}\nunless: {declares: [voip, audio]}",
    "never: work ui\nunless: [{declares: audio}, inactive]",
    "count: work *\ntimes: 2\nwithin: 3s\nwhile: {open: [observe *, 'acquire * \"a\"']}",
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

  /// On the first lives, as many as there are seeds; and each pattern that finds nothing in them on the first
  /// life in which it does: in some patterns much has to meet.
  @Test(.tags(.nightly)) func theyAgreeOnArbitraryLives() {
    var missing = Self.rules
    let seeds = EvaluatorTests.seeds.upperBound
    for seed in 0..<seeds * 600 {
      if seed >= seeds && missing.isEmpty { break }
      var maker = ArbitraryLife(seed: seed)
      let trace = maker.trace(count: 120)
      let found = Set(Analyzer.analyze(trace, rules: missing).allFindings.map(\.rule))
      let new = missing.filter { found.contains($0.description.id) }
      let compared = seed < seeds ? Self.rules : new
      if compared.isEmpty { continue }
      let differences = Comparison.differences(trace, rules: compared)
      #expect(differences == [], "seed \(seed)\n\(TraceNotation.print(trace))")
      if !differences.isEmpty { return }
      missing.removeAll { found.contains($0.description.id) }
    }
    #expect(missing.map(\.description.id) == [])
  }
}
