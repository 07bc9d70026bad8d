import LifecycleModel

/// Keeps the books on what was read of each writer, and finds out exactly what a loss took.
///
/// After a damage with a surviving header the header says it. After one without, the next block
/// does: its first sequence of each writer, and how many events stood before it.
struct LossLedger {
  /// Also where the log itself reports a loss: its sequences are not missed any more.
  var progress = WriterProgress<String>()
  private(set) var events: UInt64 = 0
  private(set) var nextNumber: UInt64 = 0
  private(set) var chain: UInt32?
  /// Events were lost and it is not known yet which.
  private var isOpen = false
  /// A loss happened before: a writer that comes back with a hole lost it there.
  private var hasLost = false
  /// The last instant before the place where the reader stands.
  private(set) var lastInstant = Instant.origin

  /// What `header`, which comes next, says is missing before it; `nil` when it does not belong here
  /// because its events were read or reported as missing already.
  mutating func gaps(before header: BlockHeader, tag: UInt32) -> [Gap]? {
    guard header.number >= nextNumber else { return nil }
    let isNext = header.number == nextNumber && header.chain == (chain ?? tag)
    // The first block of a file whose damaged header cannot say what stood in the parts before it does.
    if !isNext || isOpen || header.eventsBefore > events { hasLost = true }
    guard hasLost else { return [] }

    let spans = header.writers.filter { $0.count > 0 && $0.first > 0 }
    var gaps = gaps(
      .corruptBlock, upTo: spans.map { ($0.name, $0.first - 1) }, eventsBefore: header.eventsBefore)
    if gaps.isEmpty, !isNext, header.number == nextNumber { gaps = [Gap(.corruptBlock)] }
    events = header.eventsBefore
    isOpen = false
    return gaps
  }

  /// What is missing where writers are at these sequences, behind this number of events: a gap without numbers
  /// when that is more than the others explain.
  private func gaps(
    _ cause: GapCause, upTo lasts: [(name: String, last: UInt64)], eventsBefore: UInt64
  ) -> [Gap] {
    var gaps: [Gap] = []
    var known: UInt64 = 0
    for (name, last) in lasts where last > progress[name] {
      let gap = Gap(cause, writer: name, from: progress[name] &+ 1, to: last)
      known &+= UInt64(gap.count ?? 0)
      gaps.append(gap)
    }
    if eventsBefore > events, eventsBefore - events > known { gaps.append(Gap(cause)) }
    return gaps
  }

  /// Enters the first file that is read: what stood in parts before it is not missed.
  mutating func begin(_ part: LogPart) {
    progress.enter(part)
    events = part.eventsBefore
  }

  /// Enters the next file, whose header says what is missing before it.
  mutating func enter(_ part: LogPart, _ cause: GapCause = .corruptBlock) -> [Gap] {
    let gaps = gaps(
      cause, upTo: part.writers.map { ($0.name, $0.last) }, eventsBefore: part.eventsBefore)
    begin(part)
    nextNumber = 0
    chain = nil
    isOpen = false
    if !gaps.isEmpty { hasLost = true }
    return gaps
  }

  /// Whether `header` is of a block that was read before.
  func hasPassed(_ header: BlockHeader) -> Bool { header.number < nextNumber }

  /// Takes back that something is missing behind the last block.
  mutating func close() { isOpen = false }

  /// Counts the events of a block, whether they were read or are reported as lost.
  mutating func pass(_ header: BlockHeader) {
    progress.pass(header)
    events = header.eventsBefore &+ UInt64(header.eventCount)
    nextNumber = header.number &+ 1
    chain = header.checksumOfSelf
    lastInstant = header.lastInstant
  }

  /// The gaps for a block of which only the header survived.
  func gaps(forLost header: BlockHeader, _ cause: GapCause) -> [Gap] {
    let gaps = header.writers.filter { $0.count > 0 }
      .map { Gap(cause, writer: $0.name, from: $0.first, to: $0.last) }
    // A block of nothing but gaps has no sequences.
    return gaps.isEmpty ? [Gap(cause)] : gaps
  }

  /// Notes that something was lost that the next block must explain.
  mutating func open() { isOpen = true }

  /// The gap for a loss that no block explained before the log's end.
  mutating func closingGap(_ cause: GapCause) -> [Gap] {
    guard isOpen else { return [] }
    isOpen = false
    return [Gap(cause)]
  }
}
