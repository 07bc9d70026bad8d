import LifecycleModel
import TraceAnalysis

/// What the system has handed to the app and the app has to complete.
///
/// Deliveries that look alike are completed oldest first, so that none seems to take longer than it
/// must have; those from before a gap last, since their completions may stand in it.
struct OpenDeliveries: Sendable {
  struct Delivery: Sendable {
    var fact: OpenEvent
    /// Whether it was judged already.
    var isSettled = false
  }

  /// An app that never completes any has been told so before the oldest goes.
  private var deliveries = Remembered<Delivery>(256, beyond: .oldestGoes)

  /// What was delivered and is neither completed nor judged, oldest first.
  var unsettled: [OpenEvent] { deliveries.filter { !$0.isSettled }.map(\.fact) }

  mutating func open(_ opener: OpenEvent) { deliveries.append(Delivery(fact: opener)) }

  /// Takes out what `event` completes.
  mutating func close(_ event: Event, _ state: borrowing LifecycleState) -> Delivery? {
    let isItsOwn = { (delivery: Delivery) in
      let delivered = delivery.fact.event
      return delivered.name == event.name && delivered.label == event.label
        && delivered.subject == event.subject && delivered.value == event.value
    }
    let certain = deliveries.firstIndex { isItsOwn($0) && state.isCertain($0.fact) }
    return (certain ?? deliveries.firstIndex(where: isItsOwn)).map { deliveries.remove(at: $0) }
  }

  /// Marks as judged what was delivered at this awake time or before.
  mutating func settle(olderThan time: Nanoseconds, _ moment: Moment) -> [OpenEvent] {
    var settled: [OpenEvent] = []
    for index in deliveries.indices
    where !deliveries[index].isSettled && moment.awake(deliveries[index].fact) <= time {
      deliveries[index].isSettled = true
      settled.append(deliveries[index].fact)
    }
    return settled
  }
}
