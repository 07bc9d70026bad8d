import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis

/// A trace to which is added what a finding misses.
enum Supplement {
  /// What a rule finds by itself.
  static func findings(_ trace: Trace, _ rule: ActiveRule) -> [Finding] {
    var analyzer = Analyzer(trace.vocabulary, rules: [rule])
    analyzer.observe(trace.events)
    return analyzer.finish().findings
  }

  /// Which of the kinds that would have done are tried: each once.
  static func choices(_ finding: Finding) -> Range<Int> {
    0..<(finding.missing.map(\.kinds.count).max() ?? 0)
  }

  /// The trace with one of the kinds for each that is missing in these findings.
  static func made(_ trace: Trace, _ findings: [Finding], _ choice: Int) throws -> Trace {
    var made = trace
    for missing in findings.flatMap(\.missing) {
      try put(missing.kinds[min(choice, missing.kinds.count - 1)], of: missing, into: &made)
    }
    made.orderAndNumber()
    return made
  }

  /// Whether two findings are the same, in traces that number their events differently.
  static func isSame(_ one: Finding, _ other: Finding) -> Bool {
    func events(_ finding: Finding) -> [Event] {
      finding.witnesses.filter { $0.role == .opens || $0.role == .culprit }
        .compactMap(\.event).map(RuleExample.unnumbered)
    }
    return events(one) == events(other)
  }

  /// Puts an event right before the one before which it was due, else, or with a deadline, right behind
  /// the one after which.
  private static func put(
    _ kind: MissingEvent.Kind, of missing: MissingEvent, into trace: inout Trace
  ) throws {
    let events = trace.events
    func place(_ event: Event) -> Int? {
      events.firstIndex { RuleExample.unnumbered($0) == RuleExample.unnumbered(event) }
    }

    // With a deadline the end of the window may be too late.
    let before = missing.until == nil ? missing.before : nil
    let index: Int
    if let before {
      index = try #require(place(before))
    } else {
      index = try #require(missing.after.flatMap(place)) + 1
    }

    let neighbor = events[before == nil ? index - 1 : index]
    let vocabulary = trace.vocabulary
    var event = Event(
      instant: neighbor.instant, writer: .main, verb: kind.verb,
      name: kind.name.isEmpty ? .none : vocabulary.symbol(kind.name), subject: kind.subject,
      label: kind.label.map(vocabulary.symbol) ?? .none, value: kind.value)

    // A callback returns where it was called.
    if kind.verb == .return, let call = missing.after { event.writer = call.writer }
    if kind.thread == .other { event.writer = try vocabulary.writer("worker") }
    if kind.subject.kind == .none, let after = missing.after { event.subject = after.subject }
    trace.events.insert(event, at: index)
  }
}
