import TraceAnalysis

/// A row of `rules`.
struct RuleRow: TableRow, Hashable, Comparable {
  let rule, severity, verdict: String
  var reason: String?
  var checks = 0
  /// The number of logs of a cohort with this conclusion.
  var logs = 0

  static let meaning = "what one rule concluded"
  static let columns: [Column<RuleRow>] = [
    Column("rule", "the rule") { $0.rule },
    Column("severity", "how serious its findings are at the most") { $0.severity },
    Column("verdict", "violated, satisfied, cannot-tell or not-applicable") { $0.verdict },
    Column("reason", "why it cannot tell, or does not apply") { $0.reason },
    Column("checks", "how often it found all as it should be") { $0.checks },
  ]
  /// The columns behind those of the cohort, where it is summed over logs.
  static let summed: [Column<RuleRow>] =
    columns[...2] + [Column("logs", "in how many logs") { $0.logs }]

  init(_ outcome: RuleOutcome) {
    (rule, severity) = (outcome.rule.id, outcome.rule.severity.rawValue)
    (verdict, reason) = (outcome.outcome.word, outcome.outcome.reason)
    checks = outcome.checks
  }

  static func < (lhs: RuleRow, rhs: RuleRow) -> Bool {
    (lhs.rule, lhs.verdict, lhs.severity) < (rhs.rule, rhs.verdict, rhs.severity)
  }
}

extension Outcome {
  /// The outcome in a word.
  var word: String {
    switch self {
    case .violated: "violated"
    case .satisfied: "satisfied"
    case .cannotTell: "cannot-tell"
    case .notApplicable: "not-applicable"
    }
  }

  /// Why it is no judgement; `nil` of one.
  var reason: String? {
    switch self {
    case .violated, .satisfied: nil
    case .cannotTell(let doubts): doubts.map(\.reason).joined(separator: "; ")
    case .notApplicable(let reason): reason
    }
  }
}
