import LifecycleModel

/// The events that records of a ring stand for, by their content: one look-up for an event, and none for
/// its words.
///
/// A table in which a content has one place; another one with the same place takes it over.
final class RecordTemplates {
  private let contents: UnsafeMutablePointer<UInt64>
  private let events: UnsafeMutablePointer<Event>
  private let memory = OwnedMemory()

  private static let placeBits: UInt64 = 10
  /// A content without the number of its subject.
  private static let words: UInt64 = 1 << RingFormat.Content.numberShift - 1

  init() {
    contents = memory.allocate(1 << RecordTemplates.placeBits)
    events = memory.allocate(1 << RecordTemplates.placeBits)
    removeAll()
  }

  /// Forgets all; no record's content is 0, which is an extension's.
  func removeAll() { contents.update(repeating: 0, count: 1 << RecordTemplates.placeBits) }

  /// The event of a record with this content and no extensions; instant, sequence and writer are another
  /// one's, and the number of the subject is a mask for the record's own.
  @inline(__always)
  func find(_ content: UInt64) -> UnsafePointer<Event>? {
    let words = content & RecordTemplates.words
    let place = RecordTemplates.place(words)
    return contents[place] == words && words != 0 ? UnsafePointer(events + place) : nil
  }

  /// Keeps the event of such a record.
  func add(_ content: UInt64, _ event: Event) {
    let words = content & RecordTemplates.words
    let place = RecordTemplates.place(words)
    contents[place] = words
    events[place] = event
    events[place].subjectNumber = event.subject.isNumbered ? .max : 0
  }

  @inline(__always)
  private static func place(_ words: UInt64) -> Int {
    Int(truncatingIfNeeded: (words &* 0x9E37_79B9_7F4A_7C15) &>> (64 &- placeBits))
  }
}
