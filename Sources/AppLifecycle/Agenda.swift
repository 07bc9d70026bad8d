import LifecycleModel

/// What is to be done later, in order of time; of equal times, in the order in which it was put in.
struct Agenda<Item> {
  /// An entry, by which it can be taken out.
  struct Ticket: Hashable {
    fileprivate let number: UInt64
  }

  private struct Entry {
    var due: Nanoseconds
    let ticket: Ticket
    var item: Item
  }

  /// The latest first, so that the next one is the last.
  private var entries: [Entry] = []
  private var count: UInt64 = 0

  /// When the next one is due.
  var nextDue: Nanoseconds? { entries.last?.due }

  /// Puts `item` in, for `due`.
  ///
  /// Cost: what is on the agenda; an app has few timers.
  @discardableResult
  mutating func add(_ item: Item, due: Nanoseconds) -> Ticket {
    count += 1
    let ticket = Ticket(number: count)
    insert(Entry(due: due, ticket: ticket, item: item))
    return ticket
  }

  private mutating func insert(_ entry: Entry) {
    let place = entries.lastIndex { $0.due > entry.due }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: place)
  }

  /// Takes out what is due next.
  mutating func removeNext() -> Item? { entries.popLast()?.item }

  /// Takes out the entry, if it is still there.
  mutating func remove(_ ticket: Ticket?) {
    if let ticket { entries.removeAll { $0.ticket == ticket } }
  }

  /// Puts off by `span` what fulfils `condition`.
  mutating func postpone(by span: Nanoseconds, where condition: (Item) -> Bool) {
    let (moved, kept) = (
      entries.filter { condition($0.item) }, entries.filter { !condition($0.item) }
    )
    entries = kept
    // The earliest last: equal times keep their order.
    for var entry in moved.reversed() {
      entry.due += span
      insert(entry)
    }
  }

  /// Forgets everything.
  mutating func removeAll() { entries.removeAll() }
}
