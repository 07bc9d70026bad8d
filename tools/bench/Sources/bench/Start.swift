import CBench
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// Prints what it costs to begin and end the analysis of a log, however small it is, in microseconds.
enum Start {
  private static let logs = 500

  static func run() throws {
    let hooks = Hook.allCases.map(\.rawValue).joined(separator: ",")
    let trace = try TraceNotation.parse(
      """
      0s - profile mode=scene os=18.2 launch=user background-modes=none hooks=\(hooks)
      0.1s - process.start app launch=user
      1s main call applicationDidFinishLaunching app
      1.1s main return applicationDidFinishLaunching app
      """)

    let program = RuleProgram(.lifecycle)
    let measuring = RuleProgram(.lifecycle, statistics: true)
    show("make an analyzer") { Analyzer(trace.vocabulary) }
    show("make an analyzer of a program") { program.analyzer(trace.vocabulary) }
    show("analyze a small log") { analyze(trace, program.analyzer(trace.vocabulary)) }
    show("analyze it with statistics") { analyze(trace, measuring.analyzer(trace.vocabulary)) }
  }

  private static func analyze(_ trace: Trace, _ analyzer: Analyzer) -> Analysis {
    var analyzer = analyzer
    analyzer.observe(trace.events)
    return analyzer.finish()
  }

  private static func show<Result>(_ name: String, _ body: () -> Result) {
    let time = measured {
      for _ in 0..<logs { _ = body() }
      return logs
    }.time
    Bench.show(name, Double(time) / Double(logs) / 1000)
  }
}
