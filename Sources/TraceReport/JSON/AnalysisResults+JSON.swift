import TraceAnalysis

/// Results as they stand in JSON: the findings in one list, whatever their fingerprints.
extension AnalysisResults: Codable {
  private enum CodingKeys: String, CodingKey {
    case headline, logs, logsWithFindings, logsInconclusive, events, gaps, verdicts
    case verdictsLeftOut, deaths, findings, fingerprints, causes, baseline, rules, unreadable
    case unknownWords, statistics, rulesOff, suppressions, digests, log
  }

  /// How often findings of a fingerprint were made.
  private struct Count: Codable {
    var fingerprint: String
    var count: Int
    var logs: Int
  }

  /// How the findings stand to what was known before.
  private struct Known: Codable {
    var entries: [Baseline.Entry]
    var new: Int
    var known: Int
    var fixed: [Baseline.Entry]
    var notJudged: [Baseline.Entry]

    init(_ baseline: Baseline, _ comparison: BaselineComparison) {
      entries = baseline.entries
      (new, known) = (comparison.new, comparison.known)
      (fixed, notJudged) = (comparison.fixed, comparison.notJudged)
    }
  }

  /// Reads what ``encode(to:)`` has written; what follows from the rest is not read.
  public init(from decoder: any Decoder) throws {
    self.init()
    let members = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys) throws -> Value {
      try members.decode(Value.self, forKey: key)
    }
    func readIfThere<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
      try members.decodeIfPresent(Value.self, forKey: key)
    }

    (logs, logsWithFindings) = (try read(.logs), try read(.logsWithFindings))
    (logsInconclusive, events, gaps) = (
      try read(.logsInconclusive), try read(.events), try read(.gaps)
    )
    (verdicts, deaths, digests) = (try read(.verdicts), try read(.deaths), try read(.digests))
    (causes, rules, unreadable) = (try read(.causes), try read(.rules), try read(.unreadable))
    (unknownWords, log) = (try readIfThere(.unknownWords), try readIfThere(.log))
    (statistics, suppressions) = (try readIfThere(.statistics), try readIfThere(.suppressions))
    rulesOff = try readIfThere(.rulesOff)

    let known: Known? = try readIfThere(.baseline)
    baseline = known.map { Baseline($0.entries) }
    let counts: [Count] = try read(.fingerprints)
    let findings: [ReportedFinding] = try read(.findings)
    groups = AnalysisResults.groups(findings, counts)
    if groups.reduce(0, { $0 + $1.examples.count }) != findings.count {
      throw DecodingError.dataCorruptedError(
        forKey: .fingerprints, in: members, debugDescription: "a finding has no count")
    }
  }

  private static func groups(_ findings: [ReportedFinding], _ counts: [Count]) -> [Group] {
    let examples = Dictionary(grouping: findings, by: \.fingerprint)
    return counts.map { count in
      Group(
        count.fingerprint, examples[count.fingerprint] ?? [], count: count.count, logs: count.logs)
    }
  }

  /// Writes all that is known, and what follows from it for programs that do not merge.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(Headline(self).whole, forKey: .headline)
    try members.encode(logs, forKey: .logs)
    try members.encode(logsWithFindings, forKey: .logsWithFindings)
    try members.encode(logsInconclusive, forKey: .logsInconclusive)
    try members.encode(events, forKey: .events)
    try members.encode(gaps, forKey: .gaps)
    try members.encode(verdicts, forKey: .verdicts)
    try members.encode(ended - verdicts.count, forKey: .verdictsLeftOut)
    try members.encode(deaths, forKey: .deaths)

    try members.encode(findings, forKey: .findings)
    let counts = groups.map {
      Count(fingerprint: $0.fingerprint, count: $0.count, logs: $0.logs)
    }
    try members.encode(counts, forKey: .fingerprints)
    try members.encode(causes, forKey: .causes)
    let known = baseline.flatMap { baseline in comparison.map { Known(baseline, $0) } }
    try members.encodeIfPresent(known, forKey: .baseline)

    try members.encode(rules, forKey: .rules)
    try members.encode(unreadable, forKey: .unreadable)
    try members.encodeIfPresent(unknownWords, forKey: .unknownWords)
    try members.encodeIfPresent(statistics, forKey: .statistics)
    try members.encodeIfPresent(rulesOff, forKey: .rulesOff)
    try members.encodeIfPresent(suppressions, forKey: .suppressions)
    try members.encode(digests, forKey: .digests)
    try members.encodeIfPresent(log, forKey: .log)
  }
}

extension AnalysisResults.UnknownWordOfLog: Codable {
  private enum CodingKeys: String, CodingKey { case log, text }

  init(from decoder: any Decoder) throws {
    log = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .log)
    word = try UnknownWord(from: decoder)
  }

  /// Writes the members of the word, the log, and a sentence.
  func encode(to encoder: any Encoder) throws {
    try word.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(log, forKey: .log)
    try members.encode(word.text, forKey: .text)
  }
}

extension DeathClass: Codable {}
extension Finding.BaselineState: Codable {}
extension Finding.Role: Codable {}
extension Severity: Codable {}
