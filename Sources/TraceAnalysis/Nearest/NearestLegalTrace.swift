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
