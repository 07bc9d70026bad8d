import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

extension AnalysisResults {
  /// What a rule concluded, over all logs.
  package struct RuleTally: Sendable {
    package var rule: RuleDescription
    /// In how many logs it found something.
    package var violated = 0
    /// In how many logs all was as it should be.
    package var satisfied = 0
    package var cannotTell: [String: Int] = [:]
    var otherDoubts: [String: Int] = [:]
    package var notApplicable: [String: Int] = [:]
    /// How often it looked and found all as it should be.
    package var checks = 0
  }
}

extension AnalysisResults.RuleTally {
  /// By number, then by id.
  package static func comesFirst(_ first: Self, _ second: Self) -> Bool {
    (first.rule.number ?? .max, first.rule.id) < (second.rule.number ?? .max, second.rule.id)
  }

  /// In how many logs it could not tell.
  package var doubtful: Int { cannotTell.values.reduce(0, +) }

  /// In how many logs it was in force, and what it is about did not happen.
  package var idle: Int { notApplicable[Outcome.nothingHappened] ?? 0 }

  /// Why it could not tell, the most frequent reason first.
  package var reasons: [String] {
    cannotTell.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }

  /// Whether it says *cannot tell*: it found nothing, and some log did not let it judge.
  package var isDoubtful: Bool { violated == 0 && doubtful > 0 }

  /// Whether it judged, and all was as it should be.
  package var isKept: Bool { violated == 0 && doubtful == 0 && satisfied > 0 }

  /// Whether it found something, or all as it should be, in some log.
  var hasJudged: Bool { violated + satisfied > 0 }

  /// Whether no log had anything for it to judge.
  package var hadNothingToJudge: Bool { violated == 0 && satisfied == 0 && doubtful == 0 }

  init(_ outcome: RuleOutcome) {
    rule = outcome.rule
    checks = outcome.checks
    switch outcome.outcome {
    case .violated: violated = 1
    case .satisfied: satisfied = 1
    case .cannotTell(let doubts):
      let reasons = doubts.map(\.reason)
      cannotTell = [reasons.first ?? "": 1]
      otherDoubts = Dictionary(reasons.dropFirst().map { ($0, 1) }) { first, _ in first }
    case .notApplicable(let reason): notApplicable = [reason: 1]
    }
  }

  package mutating func merge(_ other: Self) {
    violated += other.violated
    satisfied += other.satisfied
    cannotTell.merge(other.cannotTell, uniquingKeysWith: +)
    otherDoubts.merge(other.otherDoubts, uniquingKeysWith: +)
    notApplicable.merge(other.notApplicable, uniquingKeysWith: +)
    checks += other.checks
  }
}

extension AnalysisResults.RuleTally: Equatable {
  /// Whether both are of one rule, and it concluded the same.
  package static func == (lhs: Self, rhs: Self) -> Bool {
    (lhs.rule.id, lhs.violated, lhs.satisfied, lhs.checks)
      == (rhs.rule.id, rhs.violated, rhs.satisfied, rhs.checks)
      && lhs.cannotTell == rhs.cannotTell && lhs.otherDoubts == rhs.otherDoubts
      && lhs.notApplicable == rhs.notApplicable
  }
}

extension AnalysisResults.RuleTally: Encodable {
  private enum CodingKeys: String, CodingKey {
    case id, number, violated, satisfied, cannotTell, otherDoubts, notApplicable, checks, verdict
    case formerly, severity, summary, why, contradiction, remedy, sources, links
  }

  /// Writes which rule it is, the verdict over all logs, and the counts that are not 0.
  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(rule.id, forKey: .id)
    try members.encodeIfPresent(rule.number, forKey: .number)
    try members.encode(verdict, forKey: .verdict)
    for (count, key) in [(violated, .violated), (satisfied, .satisfied), (checks, .checks)]
      as [(Int, CodingKeys)] where count > 0
    {
      try members.encode(count, forKey: key)
    }

    for (logs, key) in [
      (cannotTell, .cannotTell), (otherDoubts, .otherDoubts), (notApplicable, .notApplicable),
    ] as [([String: Int], CodingKeys)] where !logs.isEmpty {
      try members.encode(logs, forKey: key)
    }
  }

  /// Writes what the rule states of itself; what it does not state is left out.
  func encodeTexts(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    let texts: [(CodingKeys, String?)] = [
      (.severity, rule.severity.rawValue), (.summary, rule.summary), (.why, rule.why),
      (.contradiction, rule.contradiction), (.remedy, rule.remedy),
    ]
    for (key, text) in texts { try members.encodeIfPresent(text, forKey: key) }

    let (names, links) = (rule.formerNames, rule.sources.compactMap(\.url))
    if !names.isEmpty { try members.encode(names, forKey: .formerly) }
    try members.encode(rule.sources.map(\.text), forKey: .sources)
    if !links.isEmpty { try members.encode(links, forKey: .links) }
  }

  private var verdict: String {
    if violated > 0 { return "violated" }
    return doubtful > 0 ? "cannot-tell" : satisfied > 0 ? "satisfied" : "not-applicable"
  }
}

extension RuleDescription {
  /// `task-one-end (R74)`.
  package var title: String { number.map { "\(id) (R\($0))" } ?? id }

  /// `tracectl explain R78`.
  package var explainCommand: String {
    "tracectl explain \(number.map { "R\($0)" } ?? InertText.word(id))"
  }
}

extension Citation {
  /// What it is called, and how other documents name it.
  package var text: String { "\(title) [\(key)]" }
}
