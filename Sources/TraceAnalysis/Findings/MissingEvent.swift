import LifecycleModel
import TraceText

/// An event that had to come and did not: evidence that is not in the log.
///
/// It has no sequence and no instant of its own: only the events that it was due between, and the time
/// at which it was too late.
public struct MissingEvent: Hashable, Sendable {
  /// What it would have been, in the notation's words.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The verb.
    public var verb: Verb
    /// The name; empty when the verb has none, or any would have done.
    public var name: String
    /// What it would have been about; none when that is not known, or does not matter.
    public var subject: Subject
    /// The app's own words; `nil` when any would have done.
    public var label: String?
    /// The value; `nil` when any would have done.
    public var value: Int64?
    /// On which thread it was due; `nil` when on any.
    public var thread: Thread?

    /// Makes a kind.
    public init(
      _ verb: Verb, name: String = "", about subject: Subject = .none, label: String? = nil,
      value: Int64? = nil, on thread: Thread? = nil
    ) {
      (self.verb, self.name, self.subject) = (verb, name, subject)
      (self.label, self.value, self.thread) = (label, value, thread)
    }

    /// As the notation writes it, without instant and writer: `task.end task:7 "sync"`.
    public var description: String {
      var parts = [verb.word ?? ""]
      if !name.isEmpty {
        parts.append(TraceNotation.isWord(name) ? name : JSONText.quoted(name))
      }
      if subject.kind != .none { parts.append(subject.description) }
      if let label { parts.append(JSONText.quoted(label)) }
      if let value { parts.append(String(value)) }
      if let thread { parts.append(thread.words) }
      return parts.joined(separator: " ")
    }
  }

  /// A condition on who records an event.
  public enum Thread: String, Sendable {
    /// The main thread.
    case main
    /// Another than the main thread; the system's own lines do not count, their thread is not known.
    case other
    /// The app, and not the system.
    case app

    var words: String {
      switch self {
      case .main: "on main"
      case .other: "off main"
      case .app: "by the app"
      }
    }
  }

  private static let told = 4

  /// Any one of these would have done; never empty.
  public var kinds: [Kind]
  /// The event after which it was due; `nil` when it could have come at any time.
  public var after: Event?
  /// The event before which it was due; `nil` when none closed the window.
  public var before: Event?
  /// The instant at which it was too late; `nil` without a deadline, or when that is not known.
  public var until: Instant?
  /// The time in the background after which it was too late; `nil` without such a limit.
  public var backgroundTime: Nanoseconds?

  /// Makes a missing event of any of these kinds; a finding of which nothing is known of its place
  /// puts it between its own events.
  public init(
    _ kinds: [Kind], after: Event? = nil, before: Event? = nil, until: Instant? = nil,
    withinBackgroundTime backgroundTime: Nanoseconds? = nil
  ) {
    (self.kinds, self.after, self.before) = (kinds, after, before)
    (self.until, self.backgroundTime) = (until, backgroundTime)
  }

  /// What would have done, the first few: `task.end task:7 "sync"`.
  public var words: String {
    let shown = kinds.prefix(MissingEvent.told).map(\.description)
    let more = kinds.count - shown.count
    return (shown + (more > 0 ? ["\(more) more"] : [])).joined(separator: " or ")
  }
}

extension MissingEvent {
  /// What tells of the end of a process.
  package static let ends = [Kind(.exit, about: .app), Kind(.kill, about: .app)]

  /// The end of what `event` began; `nil` when events of its verb begin nothing.
  public static func end(
    of event: Event, in vocabulary: Vocabulary, until: Instant? = nil,
    withinBackgroundTime backgroundTime: Nanoseconds? = nil
  ) -> MissingEvent? {
    guard let family = SpanFamily.opened(by: event.verb) else { return nil }
    return MissingEvent(
      [
        Kind(
          family.closing, name: vocabulary.text(event.name), about: event.subject,
          label: event.label.isNone ? nil : vocabulary.text(event.label), value: event.value)
      ], after: event, until: until, withinBackgroundTime: backgroundTime)
  }
}

extension Finding {
  /// Puts what is missing at its place among the events of the evidence, which are in order.
  ///
  /// Its place is behind the event after which it was due, else before the one before which it was;
  /// what says neither was due between the first event and the last.
  static func ordered(_ events: [Witness], missing: [MissingEvent]) -> [Witness] {
    var witnesses = events
    for var one in missing where !one.kinds.isEmpty {
      if one.after == nil && one.before == nil && events.count > 1 {
        one.after = events.first?.event
      }
      func place(_ event: Event?) -> Int? {
        event.flatMap { event in witnesses.lastIndex { $0.event == event } }
      }
      if one.before == nil, place(one.after) != nil, one.after != events.last?.event {
        one.before = events.last?.event
      }
      var index = place(one.after).map { $0 + 1 } ?? place(one.before) ?? witnesses.count
      while index < witnesses.count, place(one.after) != nil, witnesses[index].role == .missing {
        index += 1
      }
      witnesses.insert(Witness(missing: one), at: index)
    }
    return witnesses
  }

  /// What had to come and did not, in the order of its places.
  public var missing: [MissingEvent] { witnesses.compactMap(\.missing) }
}
