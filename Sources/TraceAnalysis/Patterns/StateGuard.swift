import LifecycleModel

/// In which states an event counts for a pattern; asked as it happens.
package struct StateGuard: Sendable {
  /// All of these must hold.
  package var holding: [StateCondition]
  /// None of these may hold.
  package var notHolding: [StateCondition]

  /// Makes a guard; with no argument an event counts in every state.
  package init(while holding: [StateCondition] = [], unless notHolding: [StateCondition] = []) {
    self.holding = holding
    self.notHolding = notHolding
  }

  /// Whether an event counts in every state.
  package var isEmpty: Bool { holding.isEmpty && notHolding.isEmpty }

  /// Whether the event counts.
  enum Answer {
    case counts
    case doesNot
    case unknown(Doubt)
  }

  /// Whether `event` counts in `state`, which is that before it.
  func answer(_ event: Event, _ moment: Moment) -> Answer {
    var doubt: Doubt?
    for condition in holding {
      switch condition.answer(event, moment) {
      case .yes: break
      case .no, .irrelevant: return .doesNot
      case .unknown(let reason): doubt = doubt ?? reason
      }
    }

    for condition in notHolding {
      switch condition.answer(event, moment) {
      case .yes: return .doesNot
      case .no, .irrelevant: break
      case .unknown(let reason): doubt = doubt ?? reason
      }
    }
    return doubt.map { .unknown($0) } ?? .counts
  }
}
