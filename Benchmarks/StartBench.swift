import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// Prints what it costs to begin and end the analysis of a log, however small it is.
enum StartBench {
  private static let logs = 500

  static func run() throws {
    let small = """
      0s - profile mode=scene os=18.2 launch=user background-modes=none \
      hooks=\(Hook.allCases.map(\.rawValue).joined(separator: ","))
      0.1s - process.start app launch=user
      1s main call applicationDidFinishLaunching app
      1.1s main return applicationDidFinishLaunching app
      """

    let trace = try TraceNotation.parse(small)
    print("microseconds a log, of \(logs)")
    row("make an analyzer") { _ = Analyzer(trace.vocabulary) }
    row("analyze \(trace.events.count) events") { _ = analyze(trace, Analyzer(trace.vocabulary)) }
    let program = RuleProgram()
    row("make an analyzer of a program") { _ = program.analyzer(trace.vocabulary) }
    row("analyze with it") { _ = analyze(trace, program.analyzer(trace.vocabulary)) }

    let measuring = RuleProgram(statistics: true)
    row("analyze no event with it") {
      var analyzer = program.analyzer(trace.vocabulary)
      _ = analyzer.finish()
    }
    row("analyze with statistics") { _ = analyze(trace, measuring.analyzer(trace.vocabulary)) }
  }

  private static func analyze(_ trace: Trace, _ analyzer: Analyzer) -> Analysis {
    var analyzer = analyzer
    analyzer.observe(trace.events)
    return analyzer.finish()
  }

  private static func row(_ name: String, _ body: () -> Void) {
    let time = Measure.nanoseconds { for _ in 0..<logs { body() } }
    let padding = String(repeating: " ", count: max(1, 40 - name.count))
    print("  \(name)\(padding)\((time / Double(logs) / 100).rounded() / 10)")
  }
}
