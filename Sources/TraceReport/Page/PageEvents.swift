import LifecycleModel
import TraceText

/// The texts of a page, each once, by number.
///
/// 0 is the empty text. All of them are inert.
struct PageWords {
  private(set) var texts = [""]
  private var numbers = ["": 0]

  /// The number of a text, which is new at the first call.
  mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    let inert = InertText.line(text)
    let number = numbers[inert] ?? texts.count
    if number == texts.count { texts.append(inert) }
    (numbers[text], numbers[inert]) = (number, number)
    return number
  }
}

/// What few events have: a number, by the event's place.
struct PageSparse {
  private var places = PageColumns()
  private var numbers = PageColumns()
  private var count = 0
  private var last = 0

  mutating func add(_ place: Int, _ put: (inout PageColumns) -> Void) {
    places.put(place - last)
    put(&numbers)
    last = place
    count += 1
  }

  func append(to columns: inout PageColumns) {
    columns.put(count)
    columns.append(places)
    columns.append(numbers)
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
  /// The places of events whose number does not follow that of the event before of the same writer.
  private(set) var jumps: [(place: Int, sequence: UInt64)] = []

  private var last = Instant.origin
  private var instants = PageColumns()
  private var (writers, verbs, names) = (PageColumns(), PageColumns(), PageColumns())
  private var (subjects, labels) = (PageColumns(), PageColumns())
  private var values = PageSparse()
  private var details = PageSparse()
  /// The numbers of the vocabulary's words, until it forgets some.
  private var known: [Symbol: Int] = [:]
  private var subjectNumbers: [Subject: Int] = [:]
  private var generation = 0
  private var sequences: [WriterID: UInt64] = [:]

  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// Takes the next event.
  mutating func add(_ event: Event) {
    followVocabulary()
    if count == 0 { (start, last) = (event.instant, event.instant) }
    putInstant(event.instant)
    writers.put(words.number(of: vocabulary.name(of: event.writer)))
    verbs.put(words.number(of: vocabulary.word(of: event.verb)))
    names.put(number(of: event.name))
    subjects.put(number(of: event.subject))
    labels.put(number(of: event.label))

    if let value = event.value { values.add(count) { $0.put(signed: value) } }
    if !event.attributes.isNone {
      let number = words.number(of: text(event.attributes))
      details.add(count) { $0.put(number) }
    }
    followSequence(event)
    count += 1
  }

  /// The columns in the order of the document.
  var columns: PageColumns {
    var all = instants
    for column in [writers, verbs, names, subjects, labels] { all.append(column) }
    values.append(to: &all)
    details.append(to: &all)
    return all
  }

  private mutating func putInstant(_ instant: Instant) {
    if instant >= last {
      let step = UInt64(bitPattern: instant.nanoseconds &- last.nanoseconds)
      instants.put(min(step, .max - 1) + 1)
    } else {
      instants.put(0)
      instants.put(UInt64(bitPattern: last.nanoseconds &- instant.nanoseconds))
    }
    last = instant
  }

  private mutating func followSequence(_ event: Event) {
    if event.verb == .gap { return }
    let next = (sequences[event.writer] ?? 0) &+ 1
    if event.sequence != next { jumps.append((count, event.sequence)) }
    sequences[event.writer] = event.sequence
  }

  // MARK: Words

  private mutating func followVocabulary() {
    if generation == vocabulary.generation { return }
    generation = vocabulary.generation
    known.removeAll()
  }

  private mutating func number(of symbol: Symbol) -> Int {
    if let number = known[symbol] { return number }
    let number = words.number(of: vocabulary.text(symbol))
    known[symbol] = number
    return number
  }

  private mutating func number(of subject: Subject) -> Int {
    if let number = subjectNumbers[subject] { return number }
    let number = words.number(of: subject.description)
    subjectNumbers[subject] = number
    return number
  }

  /// `pid=412 launch=user`.
  private func text(_ attributes: AttributesID) -> String {
    vocabulary.attributes(attributes)
      .map { "\(InertText.word($0.key))=\(InertText.word($0.value))" }.joined(separator: " ")
  }
}
