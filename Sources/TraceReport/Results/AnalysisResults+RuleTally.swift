import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

extension AnalysisResults {
  /// What a rule concluded, over all logs.
  struct RuleTally: Equatable, Sendable {
    /// What is known of the rule.
    struct Rule: NamedRule, Hashable, Codable, Sendable {
      var id: String
      /// What it was called before; `nil` for a rule that has had one name.
      var formerly: [String]?
      var number: Int?
      var severity: Severity
      var summary: String
      var why: String
      var contradiction: String?
      var remedy: String
      var sources: [String]
      var links: [String]?
    }

    var rule: Rule
    /// In how many logs it found something.
    var violated = 0
    /// In how many logs all was as it should be.
    var satisfied = 0
    var cannotTell: [String: Int] = [:]
    var otherDoubts: [String: Int] = [:]
    var notApplicable: [String: Int] = [:]
    /// How often it looked and found all as it should be.
    var checks = 0
  }
}

extension AnalysisResults.RuleTally {
  /// The place of a rule among the rules.
  struct Order: Comparable {
    let number: Int
    let id: String

    static func < (lhs: Order, rhs: Order) -> Bool {
      lhs.number == rhs.number ? lhs.id < rhs.id : lhs.number < rhs.number
    }
  }

  /// By number, then by id.
  var order: Order { Order(number: rule.number ?? .max, id: rule.id) }

  /// In how many logs it could not tell.
  var doubtful: Int { cannotTell.values.reduce(0, +) }

  /// In how many logs it was in force, and what it is about did not happen.
  var idle: Int { notApplicable[Outcome.nothingHappened] ?? 0 }

  /// Why it could not tell, the most frequent reason first.
  var reasons: [String] { Self.sorted(cannotTell) }

  /// Whether it says *cannot tell*: it found nothing, and some log did not let it judge.
  var isDoubtful: Bool { violated == 0 && doubtful > 0 }

  /// Whether it judged, and all was as it should be.
  var isKept: Bool { violated == 0 && doubtful == 0 && satisfied > 0 }

  /// Whether no log had anything for it to judge.
  var hadNothingToJudge: Bool { violated == 0 && satisfied == 0 && doubtful == 0 }

  init(_ outcome: RuleOutcome) {
    rule = Rule(outcome.rule)
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

  mutating func merge(_ other: Self) {
    // Where two say different things of one rule, the choice must not depend on the order.
    if other.rule != rule, other.rule.words.lexicographicallyPrecedes(rule.words) {
      rule = other.rule
    }
    violated += other.violated
    satisfied += other.satisfied
    cannotTell.merge(other.cannotTell, uniquingKeysWith: +)
    otherDoubts.merge(other.otherDoubts, uniquingKeysWith: +)
    notApplicable.merge(other.notApplicable, uniquingKeysWith: +)
    checks += other.checks
  }

  private static func sorted(_ reasons: [String: Int]) -> [String] {
    reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
  }
}

extension AnalysisResults.RuleTally: Codable {
  private enum CodingKeys: String, CodingKey {
    case violated, satisfied, cannotTell, otherDoubts, notApplicable, checks, verdict, reasons
  }

  /// Reads what ``encode(to:)`` has written; what follows from the counts is not read.
  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    rule = try Rule(from: decoder)
    violated = try members.decode(Int.self, forKey: .violated)
    satisfied = try members.decode(Int.self, forKey: .satisfied)
    cannotTell = try members.decode([String: Int].self, forKey: .cannotTell)
    otherDoubts = try members.decode([String: Int].self, forKey: .otherDoubts)
    notApplicable = try members.decode([String: Int].self, forKey: .notApplicable)
    checks = try members.decode(Int.self, forKey: .checks)
  }

  /// Writes the members of the rule, the counts, and the verdict over all logs with its reasons.
  func encode(to encoder: any Encoder) throws {
    try rule.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(violated, forKey: .violated)
    try members.encode(satisfied, forKey: .satisfied)
    try members.encode(cannotTell, forKey: .cannotTell)
    try members.encode(otherDoubts, forKey: .otherDoubts)
    try members.encode(notApplicable, forKey: .notApplicable)
    try members.encode(checks, forKey: .checks)

    let (verdict, reasons) = verdict
    try members.encode(verdict, forKey: .verdict)
    if !reasons.isEmpty { try members.encode(reasons, forKey: .reasons) }
  }

  private var verdict: (word: String, reasons: [String]) {
    if violated > 0 { return ("violated", []) }
    if doubtful > 0 { return ("cannot-tell", reasons + Self.sorted(otherDoubts)) }
    if satisfied > 0 { return ("satisfied", []) }
    return ("not-applicable", Self.sorted(notApplicable))
  }
}

extension AnalysisResults.RuleTally.Rule {
  init(_ rule: RuleDescription) {
    id = rule.id
    formerly = rule.formerNames.isEmpty ? nil : rule.formerNames
    number = rule.number
    severity = rule.severity
    summary = rule.summary
    why = rule.why
    contradiction = rule.contradiction
    remedy = rule.remedy
    sources = rule.sources.map { "\($0.title) [\($0.key)]" }

    let known = rule.sources.compactMap(\.url)
    links = known.isEmpty ? nil : known
  }

  var formerNames: [String] { formerly ?? [] }

  /// `task-one-end (R74)`.
  var title: String { number.map { "\(id) (R\($0))" } ?? id }

  /// `tracectl explain R78`.
  var explainCommand: String {
    "tracectl explain \(number.map { "R\($0)" } ?? InertText.word(id))"
  }

  /// Whether its findings are about the recording, and not about the app.
  var isAboutRecording: Bool { RuleRegistry.isAboutRecording(id) }

  fileprivate var words: [String] {
    [severity.rawValue, summary, why, contradiction ?? "", remedy] + sources + (links ?? [])
  }
}
