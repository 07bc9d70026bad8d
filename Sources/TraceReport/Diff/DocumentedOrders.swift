import LifecycleModel
import TraceAnalysis

/// The orders of two events that rules fix, as documents say: no other order is ever compared.
///
/// They are the patterns of the form `order` that have one event in front and ask for nothing besides.
package struct DocumentedOrders: Sendable {
  /// One event before another.
  package struct Order: Sendable {
    /// The rule that says so.
    package let rule: String
    /// What comes first, and what comes then.
    package let first, then: EventToken
    /// Verb and name of each, by which its events are found.
    let events: (first: EventPattern.Alternative, then: EventPattern.Alternative)
  }

  /// The orders, in that of the rules.
  package private(set) var orders: [Order] = []
  /// The events that the orders are about.
  private(set) var events: Set<EventPattern.Alternative> = []

  /// The orders that these rules fix.
  package init(_ rules: [ActiveRule]) {
    for rule in rules {
      for pattern in rule.description.patterns {
        guard case .order(let form) = pattern.form, pattern.guards.isEmpty, pattern.roles == nil,
          let first = DocumentedOrders.only(form.first), form.then.isPlain
        else { continue }
        for then in form.then.alternatives { add(first, then, rule.description.id) }
      }
    }
  }

  /// The one event that a pattern means; `nil` when it means several, or asks for more than a name.
  private static func only(_ pattern: EventPattern) -> EventPattern.Alternative? {
    pattern.isPlain && pattern.alternatives.count == 1 ? pattern.alternatives.first : nil
  }

  private mutating func add(
    _ first: EventPattern.Alternative, _ then: EventPattern.Alternative, _ rule: String
  ) {
    guard let firstName = first.word, let thenName = then.word else { return }
    events.formUnion([first, then])
    orders.append(
      Order(
        rule: rule,
        first: EventToken(first.verb, firstName, hook: first.hook),
        then: EventToken(then.verb, thenName, hook: then.hook),
        events: (first, then)))
  }
}

extension EventPattern.Alternative {
  /// The name, where every vocabulary has it.
  fileprivate var word: String? {
    name.flatMap { $0.isNone ? nil : WellKnownWords.text($0) }
  }
}
