import LifecycleModel
import TraceAnalysis

extension AnalysisResults: Encodable {
  /// The version of the schema; it changes when a member changes its meaning or goes.
  static let schemaVersion = 4

  /// These results as JSON, of one log or of many: the same results give the same bytes.
  ///
  /// The article `JSONReportFormat` has each member.
  package var json: String {
    get throws { try EncodedJSON.text(self) }
  }

  /// Writes what was found and how each rule concluded, with the texts of the rules that are named, and the ids of
  /// the rules that judged in no log by their reasons.
  public func encode(to encoder: any Encoder) throws {
    let named = namedRules
    try encoder.write([
      "schema": "tracectl-analysis", "version": Self.schemaVersion,
      "headline": Headline(self).whole, "verdict": Verdict(self).items, "logs": logs,
      "logsWithFindings": logsWithFindings, "logsInconclusive": logsInconclusive,
      "events": events, "gaps": gaps, "verdicts": verdicts,
      "verdictsLeftOut": ended - verdicts.count, "deaths": deaths, "findings": findings,
      "fingerprints": groups, "baseline": comparison,
      "rules": rules.filter(\.hasJudged).map {
        RuleInJSON($0, isNamed: named.contains($0.rule.id))
      },
      "unreadable": unreadable, "unknownWords": unknownWords.unlessEmpty,
      "statistics": statistics, "rulesOff": rulesOff.unlessEmpty,
      "suppressions": suppressions.unlessEmpty, "log": log,
    ])

    func ids(_ tallies: [RuleTally], _ reasons: (RuleTally) -> [String]) -> [String: [String]] {
      let pairs = tallies.flatMap { tally in reasons(tally).map { ($0, tally.rule.id) } }
      return Dictionary(grouping: pairs, by: \.0).mapValues { $0.map(\.1) }
    }
    let others = rules.filter { !$0.hasJudged }
    let doubtful = ids(others.filter(\.isDoubtful)) {
      Array($0.cannotTell.keys) + Array($0.otherDoubts.keys)
    }
    let idle = ids(others.filter { !$0.isDoubtful }) { Array($0.notApplicable.keys) }
    try encoder.write(["cannotTell": doubtful, "notApplicable": idle])
  }
}

extension AnalysisResults {
  /// The ids of the rules whose texts a report carries: those of findings, and of what is fixed.
  package var namedRules: Set<String> {
    Set(rules.filter { $0.violated > 0 }.map(\.rule.id) + fixed.map(\.rule))
  }
}

extension AnalysisResults.UnknownWordOfLog: Encodable {
  /// Writes the members of the word, the log, and a sentence.
  package func encode(to encoder: any Encoder) throws {
    try word.encode(to: encoder)
    try encoder.write(["log": log, "text": word.text])
  }
}

extension AppState: Encodable {}
extension DeathClass: Encodable {}
extension DeathVerdict.Audience: Encodable {}
extension DeathVerdict.Manner: Encodable {}
extension Finding.BaselineState: Encodable {}
extension Finding.Role: Encodable {}
extension SceneActivation: Encodable {}
extension Severity: Encodable {}

extension Instant: Encodable {
  /// Writes its nanoseconds.
  public func encode(to encoder: any Encoder) throws { try nanoseconds.encode(to: encoder) }
}
