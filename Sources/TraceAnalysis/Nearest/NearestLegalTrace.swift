import LifecycleModel

/// The fewest changes to the events around a finding that make them legal.
///
/// An edit takes a delegate callback together with its return, and a notification together with its
/// observers. The events of an edit have neither label nor attributes.
public struct NearestLegalTrace: Hashable, Sendable {
  /// Where an event belongs.
  public enum Place: Hashable, Sendable {
    /// Immediately before this event.
    case before(Event)
    /// Immediately after this event; after the return of a callback.
    case after(Event)

    /// The event beside the place.
    public var neighbor: Event {
      switch self {
      case .before(let event), .after(let event): event
      }
    }
  }

  /// One change.
  public enum Edit: Hashable, Sendable {
    /// The event comes at another place.
    case move(Event, Place)
    /// The event does not come.
    case drop(Event)
    /// A callback or a notification comes that did not.
    ///
    /// The event has the writer, the verb, the name and the subject, and no sequence.
    case add(Event, Place)
  }

  /// The changes, to be applied in this order; empty when there is only ``advice``.
  public var edits: [Edit] = []
  /// What would be legal, in words, where it is no matter of order; empty beside ``edits``.
  public var advice = ""
  /// The verb of the event that the advice calls for; `nil` when it calls for none.
  package var advised: Verb?
}

extension NearestLegalTrace {
  /// Applies the edits to `events`, which are in order and number their writers' events.
  ///
  /// An event that is put elsewhere gets the instant of its new neighbor. The events get new
  /// sequences when the caller numbers them, see `Trace/orderAndNumber()`. Cost: the number of
  /// events for each edit.
  public func applied(to events: [Event]) -> [Event] {
    var events = events
    for edit in edits {
      switch edit {
      case .drop(let event): _ = NearestLegalTrace.take(event, from: &events)
      case .move(let event, let place):
        NearestLegalTrace.put(NearestLegalTrace.take(event, from: &events), place, into: &events)
      case .add(let event, let place):
        var span = [event]
        if event.verb == .call {
          span.append(event)
          span[1].verb = .return
        }
        NearestLegalTrace.put(span, place, into: &events)
      }
    }
    return events
  }

  private static func index(_ event: Event, _ events: [Event]) -> Int? {
    events.firstIndex { $0.writer == event.writer && $0.sequence == event.sequence }
  }

  /// The place of what ends the span that begins at `index`.
  private static func end(_ index: Int, _ events: [Event]) -> Int? {
    let opening = events[index]
    if opening.verb != .call { return nil }
    var depth = 0
    for later in events.indices[(index + 1)...] {
      let event = events[later]
      guard event.writer == opening.writer, event.name == opening.name,
        event.subject == opening.subject
      else { continue }
      if event.verb == .call { depth += 1 }
      if event.verb == .return {
        if depth == 0 { return later }
        depth -= 1
      }
    }
    return nil
  }

  private static func take(_ event: Event, from events: inout [Event]) -> [Event] {
    guard let index = index(event, events) else { return [] }
    var taken: [Event] = []
    if let end = end(index, events) { taken.append(events.remove(at: end)) }
    taken.insert(events.remove(at: index), at: 0)
    return taken
  }

  private static func put(_ span: [Event], _ place: Place, into events: inout [Event]) {
    guard let neighbor = index(place.neighbor, events) else { return }
    var position = neighbor
    if case .after = place { position = (end(neighbor, events) ?? neighbor) + 1 }
    let instant = events[max(0, min(position, events.count) - (position > neighbor ? 1 : 0))]
      .instant
    events.insert(
      contentsOf: span.map { event in
        var event = event
        event.instant = instant
        return event
      }, at: position)
  }
}
