import LifecycleModel
import TraceText

/// The texts of a page, each once, by number.
///
/// 0 is the empty text. All of them are inert.
struct PageWords {
  private(set) var texts = [""]
  /// How many bytes they have together.
  private(set) var byteCount = 0
  private var numbers = ["": 0]

  /// The number of a text, which is new at the first call.
  mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    let inert = InertText.line(text)
    let number = numbers[inert] ?? texts.count
    if number == texts.count {
      texts.append(inert)
      byteCount += inert.utf8.count
    }
    (numbers[text], numbers[inert]) = (number, number)
    return number
  }
}

/// What few events have: a number, by the event's place.
struct PageSparse {
  private var places: [UInt8] = []
  private var numbers: [UInt8] = []
  private var count = 0
  private var last = 0

  mutating func add(_ place: Int, _ number: some BinaryInteger) {
    places.append(varint: place - last)
    numbers.append(varint: number)
    last = place
    count += 1
  }

  func append(to columns: inout [UInt8]) {
    columns.append(varint: count)
    columns += places
    columns += numbers
  }
}

/// The events of a page, as columns.
struct PageEvents {
  private let vocabulary: Vocabulary
  /// The texts of the page.
  var words = PageWords()
  /// How many events there are.
  private(set) var count = 0
  /// The instant of the first one.
  private(set) var start = Instant.origin

  /// The texts of an event, without its instant, value and attributes.
  private struct Kind: Hashable {
    let writer: WriterID
    let verb: Verb
    let name: Symbol
    let subject: Subject
    let label: Symbol
  }

  /// At most this many kinds have numbers; events of further kinds have their texts.
  private static let kindLimit = 1 << 16

  private var last = Instant.origin
  private var instants: [UInt8] = []
  /// The number of each event's kind; 0 for a new one, whose texts follow by their numbers.
  private var kinds: [UInt8] = []
  private var kindCount = 0
  /// The numbers of kinds and of texts, until the vocabulary forgets words.
  private var knownKinds: [Kind: Int] = [:]
  private var knownDetails: [AttributesID: Int] = [:]
  private var values = PageSparse()
  private var details = PageSparse()
  /// The numbers of events that do not follow those of the events before of the same writer.
  private var jumps = PageSparse()
  /// How many events of the log stand before an event, and behind the one before it on the page.
  private var leftOut = PageSparse()
  private var lastOrdinal: UInt64 = 0
  private var generation = 0
  private var sequences: [WriterID: UInt64] = [:]

  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// How many bytes the columns have, about.
  var byteCount: Int { words.byteCount + instants.count + kinds.count }

  /// Takes the next event, and where it stands in the log.
  mutating func add(_ event: Event, _ ordinal: UInt64) {
    followVocabulary()
    let skipped = ordinal - lastOrdinal - 1
    if skipped > 0 { leftOut.add(count, skipped) }
    lastOrdinal = ordinal
    if count == 0 { (start, last) = (event.instant, event.instant) }
    putInstant(event.instant)
    putKind(event)

    if let value = event.value { values.add(count, value.zigzag) }
    if !event.attributes.isNone { details.add(count, number(of: event.attributes)) }
    followSequence(event)
    count += 1
  }

  /// The columns in the order of the document.
  var columns: [[UInt8]] {
    var rare: [UInt8] = []
    for sparse in [values, details, jumps, leftOut] { sparse.append(to: &rare) }
    return [instants, kinds, rare]
  }

  private mutating func putInstant(_ instant: Instant) {
    if instant >= last {
      let step = UInt64(bitPattern: instant.nanoseconds &- last.nanoseconds)
      instants.append(varint: min(step, .max - 1) + 1)
    } else {
      instants.append(varint: 0)
      instants.append(varint: UInt64(bitPattern: last.nanoseconds &- instant.nanoseconds))
    }
    last = instant
  }

  private mutating func putKind(_ event: Event) {
    let kind = Kind(
      writer: event.writer, verb: event.verb, name: event.name, subject: event.subject,
      label: event.label)
    if let number = knownKinds[kind] { return kinds.append(varint: number) }
    kinds.append(varint: 0)
    for text in [
      vocabulary.name(of: event.writer), vocabulary.word(of: event.verb),
      vocabulary.text(event.name),
      event.subject.description, vocabulary.text(event.label),
    ] { kinds.append(varint: words.number(of: text)) }

    guard kindCount < PageEvents.kindLimit else { return }
    kindCount += 1
    knownKinds[kind] = kindCount
  }

  private mutating func followSequence(_ event: Event) {
    if event.verb == .gap { return }
    let next = (sequences[event.writer] ?? 0) &+ 1
    if event.sequence != next { jumps.add(count, event.sequence) }
    sequences[event.writer] = event.sequence
  }

  // MARK: Words

  private mutating func followVocabulary() {
    if generation == vocabulary.generation { return }
    generation = vocabulary.generation
    knownKinds.removeAll()
    knownDetails.removeAll()
  }

  private mutating func number(of attributes: AttributesID) -> Int {
    if let number = knownDetails[attributes] { return number }
    // `pid=412 launch=user`
    let text = vocabulary.attributes(attributes).map(\.words).joined(separator: " ")
    let number = words.number(of: text)
    knownDetails[attributes] = number
    return number
  }
}
