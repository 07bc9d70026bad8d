import LifecycleModel

extension RulePattern {
  /// Fewer than `times` of these events come within a time, of which the last is at its end at most.
  package static func fewer(
    than times: Int, _ events: EventPattern, within time: Nanoseconds, by clock: TimeLimit.Clock,
    per scope: Scope, says message: String
  ) -> RulePattern {
    let form = CountForm(events, times: times, within: TimeLimit(time, by: clock))
    return RulePattern(.count(form), per: scope, says: message)
  }
}

/// So many events in some time.
package struct CountForm: PatternForm {
  /// What is counted; the last one is the culprit.
  package var counted: EventPattern
  /// How many are too many; at least two.
  package var times: Int
  /// The time from the first to the last of them, at the most.
  package var limit: TimeLimit

  /// So many are remembered at the most.
  package static let most = 1000

  /// Makes a form.
  package init(_ counted: EventPattern, times: Int, within limit: TimeLimit) {
    (self.counted, self.times, self.limit) = (counted, max(2, times), limit)
  }

  package var roles: [FormRole] {
    [FormRole(CountClause.Part.counted, "counted", counted, needs: .one, isGuarded: true)]
  }

  package var words: String { "\(counted.words) fewer than \(times) times" }

  package var timeWords: String { limit.words }

  package func transitions(asked: String) -> FormTransitions {
    let time = InstantText.print(limit.time)
    return [
      ("few", "\(counted.words)\(asked), the last of \(times) within \(time)", "FOUND, many"),
      ("many", "\(counted.words)\(asked), and fewer than \(times) within \(time)", "few"),
    ]
  }
}

/// The last events of each instance.
struct CountClause: FormClause {
  enum Part: UInt8 {
    case counted
  }

  private struct Run {
    /// As many as are too many, in a ring.
    var facts: [OpenEvent] = []
    /// The place of the oldest, once there are so many.
    var oldest = 0
    /// Whether the run was found, and goes on.
    var isFound = false

    mutating func take(_ opener: OpenEvent, upTo count: Int) {
      if facts.count < count { return facts.append(opener) }
      facts[oldest] = opener
      oldest = (oldest + 1) % count
    }
  }

  let form: CountForm
  let clause: Clause
  private var runs = KeyedTable<Run>()

  init(_ form: CountForm, _ clause: Clause) { (self.form, self.clause) = (form, clause) }

  @inline(never)
  mutating func take(_ part: Part, _ event: Event, _ ledger: inout Ledger) {
    guard let key = ledger.key(clause, event), !ledger.isFull(clause, runs, key) else { return }
    if runs.position(key) == nil { runs.update(key, Run()) }
    guard let position = runs.position(key) else { return }
    let opener = ledger.fact(event)
    runs.modify(at: position) { $0.take(opener, upTo: form.times) }

    let run = runs.entries[position].value
    let first = run.facts[run.oldest]
    let isFull =
      run.facts.count == form.times
      && ledger.time(form.limit.clock, at: event) <= form.limit.deadline(since: first)
    runs.modify(at: position) { $0.isFound = isFull }
    if !isFull {
      ledger.check(clause)
    } else if !run.isFound {
      guard ledger.canRely(clause, on: first, forLength: true) else { return }
      ledger.judge(clause, .init(culprit: opener, opener: first))
    }
  }

  mutating func end(_ reason: Doubt, _ ledger: inout Ledger) { runs.removeAll() }

  var facts: [OpenEvent] { runs.entries.flatMap(\.value.facts) }

  func values(_ inspection: Inspection) -> [String] {
    guard let key = inspection.key(clause) else { return [inspection.noScope(clause)] }
    guard let run = runs[key] else { return ["none came before it"] }
    let first = run.facts[run.oldest]
    return ["\(run.facts.count) came before it since \(inspection.held(first))"]
  }
}
