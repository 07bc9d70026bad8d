import LifecycleModel
import TraceAnalysis

extension AnalysisResults: Encodable {
  private enum CodingKeys: String, CodingKey {
    case schema, version, headline, verdict, logs, logsWithFindings, logsInconclusive, events, gaps,
      verdicts
    case verdictsLeftOut, deaths, findings, fingerprints, baseline, rules, cannotTell
    case notApplicable, unreadable, unknownWords, statistics, rulesOff, suppressions, log
  }

  /// The version of the schema; it changes when a member changes its meaning or goes.
  static let schemaVersion = 4

  /// These results as JSON, of one log or of many: the same results give the same bytes.
  ///
  /// The article `JSONReportFormat` has each member.
  package var json: String {
    get throws { try EncodedJSON.text(self) }
  }

  /// Writes what was found and how each rule concluded, with the texts of the rules that are named.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode("tracectl-analysis", forKey: .schema)
    try members.encode(Self.schemaVersion, forKey: .version)
    try members.encode(Headline(self).whole, forKey: .headline)
    try members.encode(Verdict(self).items, forKey: .verdict)
    try members.encode(logs, forKey: .logs)
    try members.encode(logsWithFindings, forKey: .logsWithFindings)
    try members.encode(logsInconclusive, forKey: .logsInconclusive)
    try members.encode(events, forKey: .events)
    try members.encode(gaps, forKey: .gaps)
    try members.encode(verdicts, forKey: .verdicts)
    try members.encode(ended - verdicts.count, forKey: .verdictsLeftOut)
    try members.encode(deaths, forKey: .deaths)

    try members.encode(findings, forKey: .findings)
    try members.encode(groups, forKey: .fingerprints)
    try members.encodeIfPresent(comparison, forKey: .baseline)

    try encodeRules(to: &members)
    try members.encode(unreadable, forKey: .unreadable)
    if !unknownWords.isEmpty { try members.encode(unknownWords, forKey: .unknownWords) }
    try members.encodeIfPresent(statistics, forKey: .statistics)
    if !rulesOff.isEmpty { try members.encode(rulesOff, forKey: .rulesOff) }
    if !suppressions.isEmpty { try members.encode(suppressions, forKey: .suppressions) }
    try members.encodeIfPresent(log, forKey: .log)
  }

  /// Writes the rules that judged in some log, and the ids of the others by their reasons.
  private func encodeRules(to members: inout KeyedEncodingContainer<CodingKeys>) throws {
    let named = namedRules
    var list = members.nestedUnkeyedContainer(forKey: .rules)
    for tally in rules where tally.hasJudged {
      let rule = list.superEncoder()
      if named.contains(tally.rule.id) { try tally.encodeTexts(to: rule) }
      try tally.encode(to: rule)
    }

    func ids(_ tallies: [RuleTally], _ reasons: (RuleTally) -> [String]) -> [String: [String]] {
      let pairs = tallies.flatMap { tally in reasons(tally).map { ($0, tally.rule.id) } }
      return Dictionary(grouping: pairs, by: \.0).mapValues { $0.map(\.1) }
    }
    let others = rules.filter { !$0.hasJudged }
    let doubtful = ids(others.filter(\.isDoubtful)) {
      Array($0.cannotTell.keys) + Array($0.otherDoubts.keys)
    }
    let idle = ids(others.filter { !$0.isDoubtful }) { Array($0.notApplicable.keys) }
    try members.encode(doubtful, forKey: .cannotTell)
    try members.encode(idle, forKey: .notApplicable)
  }
}

extension AnalysisResults {
  /// The ids of the rules whose texts a report carries: those of findings, and of what is fixed.
  package var namedRules: Set<String> {
    Set(rules.filter { $0.violated > 0 }.map(\.rule.id) + fixed.map(\.rule))
  }
}

extension AnalysisResults.UnknownWordOfLog: Encodable {
  private enum CodingKeys: String, CodingKey { case log, text }

  /// Writes the members of the word, the log, and a sentence.
  package func encode(to encoder: any Encoder) throws {
    try word.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(log, forKey: .log)
    try members.encode(word.text, forKey: .text)
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
