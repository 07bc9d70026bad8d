import CBench
import LifecycleModel

/// How many bits an event of a trace needs at least, by a model that knows the trace's statistics.
///
/// - verb and name: given those of the two events before (order 2);
/// - writer, subject and label: given verb and name;
/// - time since the event before: its size class given verb and name, and the bits below the class;
/// - value: whether it is that of the last event with the same name and label; else its size class
///   given verb and name, and the bits below.
///
/// The frequencies are those of the trace itself, so nothing is charged for learning them.
struct EntropyEstimate {
  private(set) var events = 0
  private var kinds = Contexts()
  private var circumstances = Contexts()
  private var timeClasses = Contexts()
  private var valueClasses = Contexts()
  private var rawTimeBits = 0
  private var rawValueBits = 0
  private var last: Instant?
  private var history: (UInt64, UInt64) = (0, 0)
  private var lastValues: [UInt64: Int64] = [:]

  mutating func add(_ event: Event) {
    events += 1
    let kind = UInt64(event.verb.code) << 32 | UInt64(event.name.rawValue)
    kinds.add(kind, given: history.0 &* 0x9e37_79b9_7f4a_7c15 ^ history.1)
    history = (history.1, kind)
    var circumstance = UInt64(event.writer.rawValue) << 48 ^ UInt64(event.label.rawValue) << 3

    // The number of a task is the last one's or the next: its kind is all there is to say.
    circumstance ^= UInt64(event.subjectKind.rawValue)
    circumstances.add(circumstance, given: kind)
    if let last {
      let size = SizeClass(event.instant.since(last))
      timeClasses.add(size.symbol, given: kind)
      rawTimeBits += size.bitsBelow
    }

    last = event.instant
    if event.hasValue { addValue(event, kind) }
  }

  private mutating func addValue(_ event: Event, _ kind: UInt64) {
    let place = UInt64(event.name.rawValue) << 32 | UInt64(event.label.rawValue)
    let previous = lastValues.updateValue(event.rawValue, forKey: place)
    if previous == event.rawValue {
      valueClasses.add(.max, given: kind)
      return
    }

    let absolute = SizeClass(event.rawValue)
    let difference = SizeClass(event.rawValue &- (previous ?? 0))
    let size = event.name == SampledValue.memory.symbol ? difference : absolute
    valueClasses.add(size.symbol, given: kind)
    rawValueBits += size.bitsBelow
  }

  var bytesPerEvent: Double { parts.reduce(0) { $0 + $1.bytes } }

  /// The parts of the estimate, in bytes an event.
  var parts: [(name: String, bytes: Double)] {
    let all = Double(max(1, events)) * 8
    return [
      ("verb and name", kinds.bits / all), ("writer, subject, label", circumstances.bits / all),
      ("time class", timeClasses.bits / all), ("time below", Double(rawTimeBits) / all),
      ("value", (valueClasses.bits + Double(rawValueBits)) / all),
    ]
  }

  /// A number's sign, bit length and two further bits; the rest is taken for noise.
  private struct SizeClass {
    let symbol: UInt64
    let bitsBelow: Int

    init(_ number: Int64) {
      let magnitude = number.magnitude
      let length = 64 - magnitude.leadingZeroBitCount
      bitsBelow = max(0, length - 3)
      symbol =
        (number < 0 ? 1 << 20 : 0) | UInt64(length) << 8 | (magnitude >> UInt64(bitsBelow)) & 7
    }
  }
}

/// Frequencies of symbols, apart by context.
private struct Contexts {
  private var counts: [UInt64: [UInt64: Int]] = [:]

  mutating func add(_ symbol: UInt64, given context: UInt64) {
    counts[context, default: [:]][symbol, default: 0] += 1
  }

  /// The empirical entropy of all symbols that were added.
  var bits: Double {
    counts.values.reduce(0) { sum, symbols in
      let total = Double(symbols.values.reduce(0, +))
      return symbols.values.reduce(sum) { $0 - Double($1) * bench_log2(Double($1) / total) }
    }
  }
}
