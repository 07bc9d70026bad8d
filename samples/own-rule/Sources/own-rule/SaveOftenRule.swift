import LifecycleModel
import TraceAnalysis

/// An app saves after at most three edits.
///
/// No pattern counts, so the rule is code.
struct SaveOftenRule: Rule {
  static let description: RuleDescription = .init(
    id: "save-often",
    number: nil,
    topic: .own,
    summary: "no more than three edits wait for a save",
    severity: .error,
    sources: [],
    why: "A crash costs what was not saved.",
    remedy: "Save on a timer, or after every third edit.",
    limits: "All documents count together.",
    needs: RuleNeeds(hooks: [[.data]]),
    examples: [
      .clean(
        "saved in time",
        """
        0s - profile hooks=data
        1s main data.dirty app "letter"
        2s main data.dirty app "list"
        3s main data.save app "letter"
        4s main data.dirty app "list"
        5s main data.dirty app "letter"
        """),
      .violating(
        "the fourth edit without a save",
        """
        0s - profile hooks=data
        1s main data.dirty app "letter"
        2s main data.dirty app "list"
        3s main data.dirty app "plan"
        4s main data.dirty app "letter" ◀
        """),
      .cannotTell(
        "a save may be missing",
        """
        0s - profile hooks=data
        1s main data.dirty app "letter"
        2s main data.dirty app "list"
        3s main data.dirty app "plan"
        3.5s main gap overflow 4
        4s main data.dirty app "letter"
        """),
    ])

  static let interests: [EventPattern] = [.verbs(.dataDirty, .dataSave)]

  /// The edits since the last save; the analyzer clears it when the process ends.
  private var edits = Remembered<OpenEvent>(3, beyond: .oldestGoes)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .dataSave {
      edits.removeAll()
      return findings.foundClean()
    }
    if edits.isFull, let first = edits.first {
      // Refused, and told as a doubt, where a gap may hide a save.
      findings.report(
        event, since: first, says: "{label} was edited; nothing was saved since {since}")
    }
    edits.append(moment.state.nextFact(event))
  }
}
