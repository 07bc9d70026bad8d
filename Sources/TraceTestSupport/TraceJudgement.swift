import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceReport

/// What rules say of a trace, for a test; its description is the report.
public struct TraceJudgement: CustomStringConvertible {
  /// All that the analyzer says.
  public let analysis: Analysis
  private let vocabulary: Vocabulary

  init(_ trace: Trace, _ rules: [ActiveRule]?) {
    analysis = Analyzer.analyze(trace, rules: rules)
    vocabulary = trace.vocabulary
  }

  /// Whether every rule looked, and found all as it should be.
  ///
  /// A rule that cannot tell is not satisfied, nor is one that had nothing to judge: a test that
  /// asks for it is to notice when the trace no longer shows it.
  public var isSatisfied: Bool { analysis.outcomes.allSatisfy { $0.outcome == .satisfied } }

  /// Whether a rule found something.
  public var isViolated: Bool { !analysis.findings.isEmpty }

  /// What was found, and what rules concluded.
  public var description: String {
    let results = AnalysisResults(analysis, of: "trace", vocabulary)
    return "\n" + TextReport(results).text
  }
}

extension Trace {
  /// What the rules with these ids, such as `resign-before-background`, say of the trace; with
  /// no id what the whole catalogue says.
  ///
  /// Throws an ``UnknownRule`` when there is no rule of that id.
  public func judged(by ids: String...) throws(UnknownRule) -> TraceJudgement {
    try judged(by: ids)
  }

  func judged(by ids: [String]) throws(UnknownRule) -> TraceJudgement {
    var rules: [ActiveRule] = []
    for id in ids {
      guard let rule = RuleRegistry.all.first(where: { $0.description.isCalled(id) }) else {
        throw UnknownRule(id: id)
      }
      rules.append(rule)
    }
    return TraceJudgement(self, ids.isEmpty ? nil : rules)
  }

  /// What rules, such as ones of one's own, say of the trace.
  public func judged(by rules: [ActiveRule]) -> TraceJudgement { TraceJudgement(self, rules) }
}

/// A rule that is asked for and does not exist.
public struct UnknownRule: Error, CustomStringConvertible {
  /// What was asked for.
  public let id: String

  /// What happened, and what to do.
  public var description: String {
    "there is no rule \(id); tracectl explain lists all rules"
  }
}
