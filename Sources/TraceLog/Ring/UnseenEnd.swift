import LifecycleModel

/// The end of a process that is gone and of which nobody saw how it ended.
package struct UnseenEnd {
  /// The number of the process; `nil` when it is not known.
  package var process: Int32?
  /// The callbacks that it had entered and not left, the outermost first.
  package var openCallbacks: [String]

  package init(process: Int32?, openCallbacks: [String]) {
    self.process = process
    self.openCallbacks = openCallbacks
  }

  /// The event that reports it, as the writer of the system.
  package func event(
    sequence: UInt64, at instant: Instant, in vocabulary: Vocabulary
  ) -> Event {
    var attributes = [Attribute(.reason, UnseenEnd.reason)]
    if let process { attributes.append(Attribute(.pid, String(process))) }
    if !openCallbacks.isEmpty {
      attributes.append(Attribute("open", openCallbacks.joined(separator: ",")))
    }
    return Event(
      sequence: sequence, instant: instant, writer: .system, verb: .exit, subject: .app,
      attributes: vocabulary.attributes(attributes))
  }

  /// The reason that stands in the event.
  package static let reason = "gone"

  /// Whether the events end a process and none begins after that, as far as their last few say.
  package static func isStated(by events: some BidirectionalCollection<Event>) -> Bool? {
    for event in events.suffix(256).reversed() {
      if event.verb == .kill || event.verb == .exit { return true }
      if event.verb == .processStart { return false }
    }
    return nil
  }
}
