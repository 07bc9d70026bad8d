import LifecycleModel

/// What is known of some events of a log that is read a second time.
///
/// The words of the two readings have nothing in common: events are recognized by writer, number and
/// instant.
struct RereadEvents<Value> {
  private struct Key: Hashable {
    let sequence: UInt64
    let instant: Instant

    init(_ sequence: UInt64, _ instant: Instant) {
      (self.sequence, self.instant) = (sequence, instant)
    }
  }

  /// By the names of the writers.
  private var values: [Key: [String: Value]] = [:]

  /// Of how many events something is known.
  var count: Int { values.values.reduce(0) { $0 + $1.count } }

  /// What is known of an event of any reading, which changes where something is; `nil` of most.
  subscript(event: Event, vocabulary: Vocabulary) -> Value? {
    get { values[Key(event.sequence, event.instant)]?[vocabulary.name(of: event.writer)] }
    set {
      values[Key(event.sequence, event.instant)]?[vocabulary.name(of: event.writer)] = newValue
    }
  }

  /// What is known of an event that a report names.
  subscript(event: ReportedEvent) -> Value? {
    get { values[Key(event.sequence, event.instant)]?[event.writer] }
    set { values[Key(event.sequence, event.instant), default: [:]][event.writer] = newValue }
  }

  /// The same, or else a value that is known from now on.
  subscript(event: ReportedEvent, default value: Value) -> Value {
    get { self[event] ?? value }
    set { self[event] = newValue }
  }
}
