import LifecycleModel

/// Makes traces of anything that can be written, sensible or not, for round-trip tests.
public struct ArbitraryTrace {
  private var generator: SeededGenerator
  private let vocabulary = Vocabulary()

  /// Makes a maker; equal seeds give equal traces.
  public init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// Makes a trace of `count` events that is ordered and numbered.
  public mutating func trace(count: Int) -> Trace {
    var trace = Trace(vocabulary: vocabulary)
    for _ in 0..<count {
      if let event = try? event() { trace.events.append(event) }
    }
    trace.orderAndNumber()
    return trace
  }

  private mutating func event() throws -> Event {
    let verb = generator.oneIn(12) ? try vocabulary.verb(word()) : pick(Verb.known)
    let hasName = verb.takesName ?? Bool.random(using: &generator)
    return Event(
      instant: Instant(nanoseconds: number()), writer: try writer(), verb: verb,
      name: hasName ? name() : .none, subject: subject(),
      label: generator.oneIn(2) ? vocabulary.symbol(text()) : .none,
      value: generator.oneIn(2) ? number() : nil, attributes: attributes())
  }

  private mutating func writer() throws -> WriterID {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: .system
    case 1: try vocabulary.writer(text())
    default: .main
    }
  }

  private mutating func name() -> Symbol {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: vocabulary.symbol(text())
    case 1: pick(LifecycleNotification.allCases).symbol
    case 2: Transition(pick(AppState.allCases), pick(AppState.allCases)).symbol
    case 3: Transition(pick(SceneActivation.allCases), pick(SceneActivation.allCases)).symbol
    case 4: pick(WorkCategory.allCases).symbol
    default: pick(Callback.allCases).symbol
    }
  }

  private mutating func subject() -> Subject {
    let kind = pick(Subject.Kind.allCases)
    let number = generator.oneIn(8) ? UInt32.max : UInt32.random(in: 0...3, using: &generator)
    let subject = Subject(kind)
    return subject.isNumbered ? Subject(kind, number) : subject
  }

  private mutating func attributes() -> AttributesID {
    var list: [Attribute] = []
    while generator.oneIn(3) {
      let key = generator.oneIn(3) ? text() : pick(AttributeKey.allCases).rawValue
      // `from` and `to` of a gap move the numbering, see `Trace.orderAndNumber()`.
      if list.contains(where: { $0.key == key }) || key == AttributeKey.to.rawValue { continue }
      list.append(Attribute(key, generator.oneIn(2) ? text() : String(number())))
    }
    return vocabulary.attributes(list)
  }

  private mutating func number() -> Int64 {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: pick([.min, .max, 0, -1, 1])
    case 1: Int64.random(in: .min ... .max, using: &generator)
    default:
      Int64.random(in: 0...5, using: &generator)
        * pick([1, 1000, 1_000_000, 1_000_000_000, 123_456_789])
    }
  }

  private mutating func word() -> String {
    pick(["later.verb", "x", "task.begin2", "app", "0", "a-b>c", "scene:1", "two words", "\"x\""])
  }

  private mutating func text() -> String {
    pick([
      "", "autosave", "notes.db", "two words", "\"quoted\"", "back\\slash", "\n\t\r",
      "\0\u{1b}[31m",
      "app", "scene:3", "nil", "12", "0x1f", "-5", "=", "k=v", "#", "◀", "ü", "👩‍👩‍👧",
      "\u{85}\u{9b}", "\u{7f}", "\u{fffd}", "</script>", "::error::", "a,b;c",
      String(repeating: "long ", count: 60),
    ])
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }
}
