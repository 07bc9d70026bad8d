import LifecycleModel
import TraceAnalysis
import YAMLReading

/// Events of a rule, read: what they mean, and the scene roles that they require.
struct ReadEvents {
  var pattern: EventPattern
  var roles: [SceneRole]
  /// Where they stand.
  let value: YAMLValue

  /// Stands for events that could not be read, so that the rest of a rule is read too.
  init(unread value: YAMLValue) { (pattern, roles, self.value) = (.nothing, [], value) }

  /// One event or a list that `value` is; `nil` when one of them could not be read.
  fileprivate init?(_ events: [WrittenEvent], _ value: YAMLValue) {
    guard events.count == value.items.count, !events.isEmpty else { return nil }
    (pattern, roles) = (.any(of: events.map(\.pattern)), events.flatMap(\.roles))
    self.value = value
  }

  /// The events, as no finding names them.
  var asHelper: EventPattern {
    if !roles.isEmpty {
      value.fail("role= applies to the event that a finding names; use the key \"role\"")
    }
    return pattern
  }

  /// The events, which must begin something that ends; `nil` when one of them does not, which
  /// `what` asks for.
  func spans(_ what: String) -> EventPattern? {
    if let instant = pattern.instant {
      value.fail(
        "work \(instant) is an instant, and has no end: expected work.begin \(instant), or other "
          + "events that begin and end")
      return nil
    }

    // Other work may be an instant, which takes no time.
    let begins = EventPattern.any(of: pattern.branches.map(\.withoutInstants))
    let hasEnds = begins.branches.flatMap(\.alternatives).allSatisfy { alternative in
      SpanFamily.allCases.contains { $0.opening == alternative.verb }
    }
    if hasEnds, !begins.isNothing { return begins }
    value.fail(
      "\(what) needs events that begin and end: call, observe, work.begin, acquire, task.begin, "
        + "task.expire and similar")
    return nil
  }
}

extension Kind<ReadEvents> {
  /// Events: words as in the notation, a mapping, or a list of both.
  static var events: Kind {
    let list = Kind<[WrittenEvent]>.oneOrMore(.event, orExpect: "an event")
    return Kind(
      read: { value in list.read(value).flatMap { ReadEvents($0, value) } }, schema: list.schema)
  }
}

extension Kind<EventPattern> {
  /// Events that no finding names.
  static var helper: Kind { Kind<ReadEvents>.events.map(\.asHelper) }

  /// Such events, or the end of the process.
  static var closing: Kind {
    Kind(
      read: { $0.scalar == EventWords.processEnd ? .nothing : helper.read($0) },
      schema: helper.schema)
  }
}

extension EventPattern {
  /// Work of these categories is an instant, as long as nobody records its begin and its end.
  private static let instants: [WorkCategory] = [.timer, .frame, .ui]

  /// The category of such work, where the pattern asks for it as such.
  fileprivate var instant: String? {
    let asked = branches.flatMap(\.alternatives).filter { $0.verb == .work }.map(\.name)
    return EventPattern.instants.first { asked.contains($0.symbol) }?.rawValue
  }

  fileprivate var withoutInstants: EventPattern {
    var pattern = self
    pattern.alternatives.removeAll { $0.verb == .work }
    return pattern
  }
}
