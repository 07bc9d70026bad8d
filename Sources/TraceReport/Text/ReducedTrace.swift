import LifecycleModel
import TraceAnalysis
import TraceText

/// A reduced trace as a file in notation: a regression test to paste.
public struct ReducedTrace {
  private let finding: Finding
  private let rule: RuleDescription
  private let events: [Event]
  private let culprit: Event
  private let vocabulary: Vocabulary

  /// Makes a file of `events`, which are what is left of the trace that `finding` is of.
  ///
  /// `culprit` is the event of the finding as it stands in `events`.
  public init(
    _ finding: Finding, of rule: RuleDescription, _ events: [Event], culprit: Event,
    _ vocabulary: Vocabulary
  ) {
    (self.finding, self.rule, self.events) = (finding, rule, events)
    (self.culprit, self.vocabulary) = (culprit, vocabulary)
  }

  /// The file's name: the rule, and the number of the culprit among the events of its writer.
  public var name: String { "\(finding.rule)-\(culprit.sequence)" }

  /// The whole text; comments say what it shows, and stand under the culprit with the `◀` that ends
  /// its line in a rule's example.
  public var text: String {
    let number = rule.number.map { " (R\($0))" } ?? ""
    var lines = [
      "# \(finding.rule)\(number), \(finding.severity.rawValue): \(finding.message)",
      "# \(rule.summary)",
      "# Reduced: the finding needs every line below, each call with its return.",
    ]

    let printer = TraceNotation.Printer(vocabulary: vocabulary)
    let missing = finding.missing.map { (index: $0.dueIndex(in: events), line: $0.unnumbered) }
    func comments(_ index: Int) -> [String] {
      missing.filter { $0.index == index }.map { "# \($0.line)" }
    }

    for (index, event) in events.enumerated() {
      lines += comments(index)
      lines.append(printer.line(event))
      if event == culprit { lines.append("# ◀ \(finding.rule)") }
    }

    lines += comments(events.count)
    return lines.joined(separator: "\n") + "\n"
  }
}
