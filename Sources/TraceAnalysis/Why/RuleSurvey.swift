import LifecycleModel
import TraceText

/// Follows one rule through a whole trace: which events it looks at, and what it made of each.
///
/// Memory: the last ``kept`` of these events, as text.
public struct RuleSurvey {
  /// So many events are kept.
  public static let kept = 20

  /// What the rule made of an event.
  public enum Answer: String, CaseIterable, Sendable {
    /// It is a finding.
    case found
    /// All was as it should be.
    case kept = "passed"
    /// The rule could not tell.
    case cannotTell = "cannot tell"
    /// It was noted, and nothing was concluded at it.
    case noted
  }

  /// An event that the rule looked at.
  public struct Seen: Sendable {
    /// The event's writer.
    public var writer: String
    /// The event's sequence.
    public var sequence: UInt64
    /// The event as a line of notation.
    public var line: String
    /// What came of it.
    public var answer: Answer
    /// The finding, or why the rule cannot tell; empty otherwise.
    public var says: String

    /// How reports name the event.
    package var reference: EventReference { EventReference(writer: writer, sequence: sequence) }
  }

  /// The rule's id.
  public var id: String { asked.rule.description.id }
  /// How many events the rule looked at.
  public private(set) var lookedAt = 0
  /// How many answers of each kind there were.
  public private(set) var counts: [Answer: Int] = [:]
  /// The last of the events, in their order; findings from the whole trace stand before them.
  public private(set) var seen: [Seen] = []
  /// Why the rule is not in force under the profile that holds by now; `nil` when it is.
  public var notInForce: String? {
    switch asked.force {
    case .inForce: nil
    case .doubt(let doubt): "cannot tell: \(doubt.reason)"
    case .notApplicable(let reason): reason
    }
  }
  /// What the rule needs of a log, and whether it has it there.
  public var needs: [Inquiry.Need] { asked.needs }
  /// The events that the rule looks at, in words.
  public var interests: [String] {
    asked.rule.description.patterns.map(\.words) + asked.rule.interests.map(\.words)
  }

  /// How the processes ended, once the trace is over.
  package private(set) var deaths = Deaths()
  package let vocabulary: Vocabulary
  private let asked: AskedRule

  /// Makes a survey of a trace whose events belong to `vocabulary`; `rule` stands for those of the
  /// catalogue.
  package init(_ vocabulary: Vocabulary, _ rule: ActiveRule, _ catalogue: Catalogue) {
    self.vocabulary = vocabulary
    asked = AskedRule(vocabulary, rule, catalogue)
  }

  /// Takes what a person knows of the app; see ``Analyzer/use(answers:)``.
  public mutating func use(answers: Profile) { asked.analyzer.use(answers: answers) }

  /// Takes the next event; returns whether the rule looks at it.
  public mutating func observe(_ event: Event) -> Bool {
    let isLookedAt = Inspection(analyzer: asked.analyzer, event: event).isLookedAt
    guard isLookedAt else {
      asked.analyzer.observe([event])
      return false
    }

    let (answer, doubts) = asked.take(event)
    lookedAt += 1
    counts[answer, default: 0] += 1
    if seen.count == RuleSurvey.kept { seen.removeFirst() }
    seen.append(
      Seen(
        writer: vocabulary.name(of: event.writer), sequence: event.sequence,
        line: asked.printer.line(event), answer: answer,
        says: doubts.first?.reason ?? ""))
    return true
  }

  /// Forgets words that nothing holds any more; call it between two batches.
  public mutating func forgetUnusedWords() { asked.analyzer.forgetUnusedWords() }

  /// Ends the trace: what is found only then, or at another event than its culprit, is told there.
  public mutating func finish() {
    let analysis = asked.analyzer.finish()
    deaths = analysis.deaths
    let findings = analysis.findings
    counts[.found] = findings.isEmpty ? nil : findings.reduce(0) { $0 + $1.occurrences }

    for finding in findings.prefix(RuleSurvey.kept).reversed() {
      guard let culprit = finding.culprit else { continue }
      let found = Seen(
        writer: vocabulary.name(of: culprit.writer), sequence: culprit.sequence,
        line: asked.printer.line(culprit), answer: .found, says: finding.message)
      let index = seen.firstIndex {
        $0.writer == found.writer && $0.sequence == found.sequence && $0.line == found.line
      }
      if let index { seen[index] = found } else { seen.insert(found, at: 0) }
    }
  }
}
