import LifecycleModel
import TraceAnalysis

extension Allowances {
  /// What is known of the time that the system allows for what an event begins, and who says it.
  ///
  /// The longest of all versions of the system; `nil` when no document has a number. Limits of the
  /// rules' own do not count.
  package static func known(
    for event: EventPattern.Alternative
  ) -> (time: Nanoseconds, source: String)? {
    guard let topic = topic(event) else { return nil }
    let times = rows.compactMap { row -> (time: Nanoseconds, source: String)? in
      guard row.topic == topic, row.evidence != .chosen, case .time(let time) = row.bound else {
        return nil
      }
      return (time, row.sources.first?.title ?? topic.rawValue)
    }
    return times.max { $0.time < $1.time }
  }

  private static func topic(_ event: EventPattern.Alternative) -> Allowance.Topic? {
    switch event.verb {
    case .call:
      switch event.name.flatMap({ Callback($0) }) {
      case .applicationDidEnterBackground, .sceneDidEnterBackground: .didEnterBackground
      case .applicationWillTerminate: .willTerminate
      default: nil
      }
    case .taskBegin: .backgroundTasks
    case .taskExpire: .expirationHandler
    case .deliver: event.name == Delivery.push.symbol ? .pushHandling : nil
    default: nil
    }
  }
}
