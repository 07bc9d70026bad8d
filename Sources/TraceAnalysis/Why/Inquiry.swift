import LifecycleModel
import TraceText

/// Asks one rule about one event: why it found something there, or did not.
///
/// Reads the whole trace as the analyzer does, by that rule alone, and stops at the event to look.
public struct Inquiry {
  /// What a rule needs of a log, and whether it has it there.
  public struct Need: Sendable {
    /// The need alone.
    public var need: RuleNeeds
    /// Why it is not met; `nil` when it is.
    public var missing: String?
  }

  /// What one pattern of the rule made of the event.
  public struct Clause: Sendable {
    /// The pattern in words.
    public var pattern: String
    /// The parts that the event plays in it, such as "culprit"; empty when it is about other events.
    public var roles: [String]
    /// What it was compared with, each with the value that it had at that moment.
    public var values: [String]
  }

  /// What came of it.
  public enum Outcome: Sendable {
    /// It is a finding, or part of one.
    case found(Finding, Finding.Role)
    /// It is one more of a finding that stands already, or one beyond those that are kept.
    case counted
    /// All was as it should be.
    case kept
    /// The rule could not tell.
    case cannotTell([Doubt])
    /// It is not in force there.
    case notInForce(String)
    /// The rule looks at such events, and came to no conclusion at this one.
    case noted
    /// The rule does not look at such events.
    case notAsked
  }

  /// The answer.
  public struct Answer: Sendable {
    /// The event.
    public var event: Event
    /// What the rule needs.
    public var needs: [Need]
    /// What was true before the event, a sentence each.
    public var state: [String]
    /// The patterns of the rule; empty for a rule that is code.
    public var clauses: [Clause]
    /// The events that the rule's code looks at, in words; empty when it has none.
    public var code: [String]
    /// What came of it.
    public var outcome: Outcome
    /// Where the rule does not look at the event: the nearest ones before and behind it that it looks
    /// at, each with its number and its line.
    public var nearest: [String]
  }

  private let vocabulary: Vocabulary
  private let asked: AskedRule
  private let writer: String
  private let sequence: UInt64
  private var answer: Answer?
  private var last: UInt64 = 0
  /// The last event before the one that is asked about that the rule looked at.
  private var lookedAtBefore: String?
  private var hasLookedAtAfter = false
  /// For each window clause and instance what closed its window last.
  private var closings: [Inspection.Instance: String] = [:]

  /// Asks `rule` about the event that is the `sequence`th of `writer`; it stands for the rules of the
  /// catalogue.
  package init(
    _ vocabulary: Vocabulary, rule: ActiveRule, _ catalogue: Catalogue, writer: String,
    sequence: UInt64
  ) {
    (self.vocabulary, self.writer, self.sequence) = (vocabulary, writer, sequence)
    asked = AskedRule(vocabulary, rule, catalogue)
  }

  /// The highest sequence of the writer so far; 0 when it has recorded nothing.
  public var lastSequence: UInt64 { last }

  /// Takes the next events of the trace.
  public mutating func observe(_ events: [Event]) {
    for event in events {
      if vocabulary.name(of: event.writer) == writer && event.verb != .gap {
        last = max(last, event.sequence)
        if event.sequence == sequence && answer == nil {
          look(event)
          continue
        }
      }
      if answer == nil {
        let inspection = Inspection(analyzer: asked.analyzer, event: event)
        for instance in inspection.closedWindows { closings[instance] = inspection.told(event) }
        if inspection.isLookedAt { lookedAtBefore = numbered(event) }
      } else if !hasLookedAtAfter, Inspection(analyzer: asked.analyzer, event: event).isLookedAt {
        let line = numbered(event)
        answer?.nearest.append(line)
        hasLookedAtAfter = true
      }
      asked.analyzer.observe([event])
    }
    if answer == nil { asked.analyzer.forgetUnusedWords() }
  }

  /// Takes what a person knows of the app; see ``Analyzer/use(answers:)``.
  public mutating func use(answers: Profile) { asked.analyzer.use(answers: answers) }

  /// The answer; `nil` when there is no such event.
  public mutating func finish() -> Answer? {
    guard var answer else { return nil }
    // A deadline, or the end of a window, may make a finding of it only later.
    let analysis = asked.analyzer.finish()
    for finding in analysis.findings {
      let witness = finding.witnesses.first {
        $0.event?.writer == answer.event.writer && $0.event?.sequence == answer.event.sequence
          && $0.event?.verb != .gap
      }
      if let witness, answer.outcome.isLess(than: witness.role, of: finding) {
        answer.outcome = .found(finding, witness.role)
      }
    }
    return answer
  }

  private func numbered(_ event: Event) -> String {
    "\(EventReference(event, vocabulary).text)  \(asked.printer.line(event))"
  }

  private mutating func look(_ event: Event) {
    let inspection = Inspection(analyzer: asked.analyzer, event: event, closings: closings)
    let (force, needs) = (asked.force, asked.needs)
    let (clauses, state) = (inspection.clauses, inspection.state)
    let (answer, doubts) = asked.take(event)

    let outcome: Outcome =
      switch (force, answer) {
      case (.doubt(let doubt), _): .notInForce(doubt.reason)
      case (.notApplicable(let reason), _): .notInForce(reason)
      case (.inForce, .found): .counted
      case (.inForce, .cannotTell): .cannotTell(doubts)
      case (.inForce, .kept): .kept
      case (.inForce, .noted): inspection.isAsked ? .noted : .notAsked
      }

    self.answer = Answer(
      event: event, needs: needs, state: state, clauses: clauses,
      code: asked.rule.interests.map(\.words), outcome: outcome,
      nearest: lookedAtBefore.map { [$0] } ?? [])
  }
}

extension Inquiry.Outcome {
  /// Whether being part of a finding says more: the culprit of one always, what closes it when it
  /// counts but once, any other part where nothing was concluded at the event itself.
  fileprivate func isLess(than role: Finding.Role, of finding: Finding) -> Bool {
    switch self {
    case .found(_, let known): role == .culprit && known != .culprit
    case .noted, .notAsked: true
    case .counted: role == .culprit || role == .closes && finding.occurrences == 1
    case .kept, .cannotTell, .notInForce: role == .culprit
    }
  }
}
