import LifecycleModel

/// What the log states of the memory that a process used: its samples, and the system's warnings.
package struct MemoryUse: Sendable {
  /// What ``note(_:)`` has to see.
  static let events =
    EventPattern.sample(.memory) | .events(of: [.applicationDidReceiveMemoryWarning])

  /// The first sample.
  package private(set) var first: OpenEvent?
  /// The last sample.
  package private(set) var last: OpenEvent?
  /// The number of warnings: a callback and its notification are one.
  package var warnings: Int { max(calls, notifications) }
  private var calls = 0
  private var notifications = 0

  /// The samples that are kept.
  var facts: [OpenEvent] { [first, last].compactMap(\.self) }

  /// Takes an event of ``events``.
  mutating func note(_ opener: OpenEvent) {
    switch opener.event.verb {
    case .call: calls += 1
    case .notify: notifications += 1
    default:
      if first == nil { first = opener }
      last = opener
    }
  }
}
