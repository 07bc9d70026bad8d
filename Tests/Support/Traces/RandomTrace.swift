import LifecycleModel

/// Makes traces of all that a log can hold, edge values included, for tests of logs.
///
/// Their instants go back and their sequences jump; those of ``ArbitraryTrace`` are in order.
public struct RandomTrace {
  private var random: SeededGenerator
  private let words = Vocabulary()
  private let texts: [String]

  /// Makes a maker; equal seeds give equal traces.
  public init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    texts = [
      "", "a", "autosave", "näïve ☂", "nul\0inside", "\n\t\"",
      String(repeating: "long ", count: 900),
      "timer", "sceneDidBecomeActive",
    ]
  }

  /// Makes a trace of `count` events; with `labels` it has that many shapes at least.
  public mutating func trace(_ count: Int, labels: Int = 0, isWild: Bool = true) throws -> Trace {
    var trace = Trace(vocabulary: words)
    var sequences: [WriterID: UInt64] = [:]
    var instant: Int64 = 0
    for index in 0..<count {
      instant = isWild ? nextInstant(after: instant) : instant + number(0...1_000_000)
      var event = try self.event(at: instant, isWild: isWild)
      if labels > 0 { event.label = words.symbol("label \(index % labels)") }
      if event.verb != .gap {
        let jump: UInt64 = isWild && chance(20) ? random.next() >> 12 : 1
        sequences[event.writer, default: 0] &+= jump
        event.sequence = sequences[event.writer, default: 0]
      }
      trace.events.append(event)
    }
    return trace
  }

  private mutating func event(at instant: Int64, isWild: Bool) throws -> Event {
    var verb = Verb.known[Int(number(0...Int64(Verb.known.count - 1)))]
    if isWild, chance(8) { verb = try words.verb("custom.\(number(0...3))") }
    if !isWild, verb == .gap { verb = .note }
    let writer = try words.writer(["-", "main", "worker", "db", ""][Int(number(0...4))])
    return Event(
      instant: Instant(nanoseconds: instant), writer: writer, verb: verb, name: text(),
      subject: subject(), label: text(), value: value(), attributes: attributes())
  }

  private mutating func nextInstant(after instant: Int64) -> Int64 {
    switch number(0...19) {
    case 0: [.min, .max, 0, -1][Int(number(0...3))]
    case 1: instant &- number(0...1_000_000)
    case 2: instant
    default: instant &+ Int64(random.next() >> UInt64(number(20...63)))
    }
  }

  private mutating func subject() -> Subject {
    switch number(0...8) {
    case 0: .app
    case 1: .nil
    case 2: .scene(UInt32(number(0...3)))
    case 3: .session(UInt32.random(in: 0 ... .max, using: &random))
    case 4: .task(UInt32.random(in: 0 ... .max, using: &random))
    default: .none
    }
  }

  private mutating func value() -> Int64? {
    switch number(0...9) {
    case 0: [.min, .max, 0, -1][Int(number(0...3))]
    case 1, 2: Int64(bitPattern: random.next()) >> number(0...63)
    case 3: number(0...100)
    default: nil
    }
  }

  private mutating func attributes() -> AttributesID {
    switch number(0...9) {
    case 0: words.attributes([Attribute(.line, String(number(0...100_000)))])
    case 1: words.attributes([Attribute("line", "007"), Attribute("", "x")])
    case 2:
      words.attributes((0..<number(1...5)).map { Attribute("key\($0)", "\(number(0...9))") })
    default: .none
    }
  }

  private mutating func text() -> Symbol {
    words.symbol(texts[Int(number(0...Int64(texts.count - 1)))])
  }

  private mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &random)
  }

  private mutating func chance(_ oneIn: Int64) -> Bool { number(1...oneIn) == 1 }
}
