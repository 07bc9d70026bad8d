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

/// A rule as JSON has it.
struct RuleInJSON: Encodable {
  private let tally: AnalysisResults.RuleTally
  /// Whether a report has what the rule states of itself, too.
  private let isNamed: Bool

  init(_ tally: AnalysisResults.RuleTally, isNamed: Bool) {
    (self.tally, self.isNamed) = (tally, isNamed)
  }

  /// Writes which rule it is, the verdict over all logs, and the counts that are not 0.
  func encode(to encoder: any Encoder) throws {
    func unlessZero(_ count: Int) -> Int? { count > 0 ? count : nil }

    let rule = tally.rule
    try encoder.write([
      "id": rule.id, "number": rule.number, "verdict": verdict,
      "violated": unlessZero(tally.violated), "satisfied": unlessZero(tally.satisfied),
      "checks": unlessZero(tally.checks), "cannotTell": tally.cannotTell.unlessEmpty,
      "otherDoubts": tally.otherDoubts.unlessEmpty,
      "notApplicable": tally.notApplicable.unlessEmpty,
    ])
    guard isNamed else { return }

    try encoder.write([
      "severity": rule.severity, "summary": rule.summary, "why": rule.why,
      "contradiction": rule.contradiction, "remedy": rule.remedy,
      "formerly": rule.formerNames.unlessEmpty, "sources": rule.sources.map(\.text),
      "links": rule.sources.compactMap(\.url).unlessEmpty,
    ])
  }

  private var verdict: String {
    if tally.violated > 0 { return "violated" }
    return tally.doubtful > 0
      ? "cannot-tell" : tally.satisfied > 0 ? "satisfied" : "not-applicable"
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
