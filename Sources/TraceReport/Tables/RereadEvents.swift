import LifecycleModel

/// What is known of some events of a log that is read a second time.
///
/// The words of the two readings have nothing in common: events are recognized by writer, number and
/// instant.
struct RereadEvents<Value> {
  private struct Key: Hashable {
    let sequence: UInt64
    let instant: Instant

    init(_ event: Event) { (sequence, instant) = (event.sequence, event.instant) }
  }

  private var values: [Key: [(writer: String, value: Value)]] = [:]

  /// Of how many events something is known.
  var count: Int { values.values.reduce(0) { $0 + $1.count } }

  /// What is known of an event of any reading; `nil` of most.
  subscript(event: Event, vocabulary: Vocabulary) -> Value? {
    guard let some = values[Key(event)] else { return nil }
    let writer = vocabulary.name(of: event.writer)
    return some.first { $0.writer == writer }?.value
  }

  /// Changes what is known of an event, which is `first` when nothing is.
  mutating func change(
    _ event: Event, _ vocabulary: Vocabulary, from first: Value, _ body: (inout Value) -> Void
  ) {
    let (key, writer) = (Key(event), vocabulary.name(of: event.writer))
    var some = values[key] ?? []
    let place = some.firstIndex { $0.writer == writer } ?? some.count
    if place == some.count { some.append((writer, first)) }
    body(&some[place].value)
    values[key] = some
  }
}
