import LifecycleModel

/// What is known of some events of a log that is read a second time.
///
/// The words of the two readings have nothing in common: events are recognized by writer, number and
/// instant.
struct RereadEvents<Value> {
  private struct Key: Hashable {
    let sequence: UInt64
    let instant: Instant
  }

  private var values: [Key: [(writer: String, value: Value)]] = [:]

  /// Of how many events something is known.
  var count: Int { values.values.reduce(0) { $0 + $1.count } }

  /// What is known of an event of any reading; `nil` of most.
  subscript(event: Event, vocabulary: Vocabulary) -> Value? {
    get {
      let key = Key(sequence: event.sequence, instant: event.instant)
      return values[key] == nil ? nil : self[key, vocabulary.name(of: event.writer)]
    }
    set {
      let key = Key(sequence: event.sequence, instant: event.instant)
      self[key, vocabulary.name(of: event.writer)] = newValue
    }
  }

  /// What is known of an event that a report names.
  subscript(event: ReportedEvent) -> Value? {
    get { self[Key(sequence: event.sequence, instant: event.instant), event.writer] }
    set { self[Key(sequence: event.sequence, instant: event.instant), event.writer] = newValue }
  }

  private subscript(key: Key, writer: String) -> Value? {
    get { values[key]?.first { $0.writer == writer }?.value }
    set {
      guard let newValue else { return }
      if let place = values[key]?.firstIndex(where: { $0.writer == writer }) {
        values[key]?[place].value = newValue
      } else {
        values[key, default: []].append((writer, newValue))
      }
    }
  }
}
