import LifecycleModel
import TraceAnalysis
import YAMLReading

/// Events of a rule, read: what they mean, and the scene roles that were asked for with them.
struct ReadEvents {
  var pattern: EventPattern
  var roles: [SceneRole]
  /// Where they stand.
  let value: YAMLValue

  /// Reads one event or a list; `nil` when one of them cannot be read.
  init?(_ value: YAMLValue) {
    let items = value.items
    if items.isEmpty { value.expected("an event") }
    let events = items.map { WrittenEvent($0) }
    let known = events.compactMap(\.self)
    guard known.count == items.count, !known.isEmpty else { return nil }
    // What differs in nothing but names is one set of conditions.
    pattern = .any(of: ReadEvents.joined(known.map(\.pattern)))
    roles = known.flatMap(\.roles)
    self.value = value
  }

  private static func joined(_ patterns: [EventPattern]) -> [EventPattern] {
    var joined: [EventPattern] = []
    for pattern in patterns {
      if let index = joined.firstIndex(where: { $0.hasConditions(of: pattern) }) {
        joined[index].alternatives += pattern.alternatives
      } else {
        joined.append(pattern)
      }
    }
    return joined
  }
}

extension EventPattern {
  fileprivate func hasConditions(of other: EventPattern) -> Bool {
    subjects == other.subjects && "\(writer)" == "\(other.writer)" && labels == other.labels
      && identifiers == other.identifiers && identifiers == nil
  }
}
