import ArgumentParser
import LifecycleModel
import TraceReport

/// How many events are read of a log: a small one can hold billions.
///
/// It counts events and no seconds, so that the same log gives the same output on each machine.
struct WorkLimit {
  /// So many events are read for each byte of a binary log: a timer that fires each second takes three bytes.
  static let eventsPerByte = 10
  /// An event is read for so many bytes of compressed text, in which the same timer takes as much.
  static let bytesPerPackedEvent = 2
  /// So many events are read of any log.
  static let always = 250_000

  private let named: Int?
  private var done = 0
  private(set) var isReached = false

  /// No more than so many; `nil` for what fits the log, and 0 for all.
  init(_ named: Int? = nil) { self.named = named }

  /// Reads the value of `--max-work`.
  static func read(_ text: String) throws -> WorkLimit {
    let factors: [Character: Int] = ["K": 1000, "M": 1_000_000, "G": 1_000_000_000]
    let factor = text.last.flatMap { factors[$0] }
    let digits = factor == nil ? text[...] : text.dropLast()
    guard let number = Int(digits), number >= 0 else {
      throw ValidationError("it takes a whole number of events, such as 500000, 500K or 50M")
    }
    let (count, isTooLarge) = number.multipliedReportingOverflow(by: factor ?? 1)
    return WorkLimit(isTooLarge ? .max : count)
  }

  /// Takes the next events of a log whose bytes no more than `fitting` events should have, `nil` for any
  /// number; what is beyond the limit goes, and a gap says so.
  mutating func take(_ events: inout [Event], fitting: Int?, _ vocabulary: Vocabulary) {
    let limit = limit(fitting)
    guard events.count > limit - done else {
      done += events.count
      return
    }

    isReached = true
    let last = events[max(0, limit - done - 1)].instant
    events.removeLast(events.count - (limit - done))
    done = limit
    events.append(Gap(.notRead).event(at: last, in: vocabulary))
  }

  /// Whether more than so many events are wanted of a log, from so many bytes.
  func wants(moreThan events: UInt64, of bytes: Int) -> Bool {
    events < UInt64(limit(WorkLimit.fitting(bytes)))
  }

  private func limit(_ fitting: Int?) -> Int {
    if let named { return named == 0 ? .max : named }
    return fitting.map { max($0, WorkLimit.always) } ?? .max
  }

  /// How many events fit so many bytes of a log that is binary, or is compressed into so many.
  static func fitting(_ bytes: Int?, packed: Int? = nil) -> Int? {
    guard let bytes = bytes.map({ min($0, packed ?? .max) }) else {
      return packed.map { $0 / bytesPerPackedEvent }
    }
    let (product, overflow) = bytes.multipliedReportingOverflow(by: eventsPerByte)
    return overflow ? .max : product
  }

  /// What is told of a log whose rest was not read.
  func told(of name: String) -> String {
    "\(name): \(CountText.of(done, "event")) \(done == 1 ? "was" : "were") read, and the rest was not; "
      + "read more with --max-work, or cut a part out with tracectl copy"
  }
}
