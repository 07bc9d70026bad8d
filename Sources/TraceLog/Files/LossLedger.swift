import LifecycleModel

/// Keeps the books on what was read of each writer, and tells exactly what a loss took.
///
/// After a damage with a surviving header the header says it. After one without, the next block
/// does: its first sequence of each writer, and how many events stood before it.
struct LossLedger {
  /// The last sequence that was read of each writer, or told as lost.
  private(set) var lastSequences: [String: UInt64] = [:]
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
  /// because its events were read or told as missing already.
  mutating func gaps(before header: BlockHeader, tag: UInt32) -> [Gap]? {
    guard header.number >= nextNumber else { return nil }
    let isNext = header.number == nextNumber && header.chain == (chain ?? tag)
    // The first block of a file whose damaged header cannot tell what stood in the parts before it does.
    if !isNext || isOpen || header.eventsBefore > events { hasLost = true }
    guard hasLost else { return [] }

    var gaps: [Gap] = []
    var known: UInt64 = 0
    for span in header.writers where span.count > 0 {
      let from = (lastSequences[span.name] ?? 0) &+ 1
      guard span.first > from else { continue }
      let gap = Gap(.corruptBlock, writer: span.name, from: from, to: span.first - 1)
      known &+= UInt64(gap.count ?? 0)
      gaps.append(gap)
    }

    let isUnexplained = isNext ? false : header.number == nextNumber
    let lost = header.eventsBefore > events ? header.eventsBefore - events : 0
    if lost > known || isUnexplained && gaps.isEmpty { gaps.append(Gap(.corruptBlock)) }
    events = header.eventsBefore
    isOpen = false
    return gaps
  }

  /// Enters the first file that is read: what stood in parts before it is not missed.
  mutating func begin(_ part: LogPart) {
    for writer in part.writers { lastSequences[writer.name] = writer.last }
    events = part.eventsBefore
  }

  /// Enters the next file, whose header says what is missing before it.
  mutating func enter(_ part: LogPart, _ cause: GapCause = .corruptBlock) -> [Gap] {
    var gaps: [Gap] = []
    var known: UInt64 = 0
    for writer in part.writers {
      let from = (lastSequences[writer.name] ?? 0) &+ 1
      guard writer.last >= from else { continue }
      let gap = Gap(cause, writer: writer.name, from: from, to: writer.last)
      known &+= UInt64(gap.count ?? 0)
      gaps.append(gap)
    }

    let lost = part.eventsBefore > events ? part.eventsBefore - events : 0
    if lost > known { gaps.append(Gap(cause)) }
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

  /// Counts the events of a block, whether they were read or are told as lost.
  mutating func pass(_ header: BlockHeader) {
    for span in header.writers where span.count > 0 { lastSequences[span.name] = span.last }
    events = header.eventsBefore &+ UInt64(header.eventCount)
    nextNumber = header.number &+ 1
    chain = header.checksumOfSelf
    lastInstant = header.lastInstant
  }

  /// Notes a loss that the log itself tells: its sequences are not missed any more.
  mutating func pass(_ gap: Gap) {
    guard let writer = gap.writer, let to = gap.to else { return }
    lastSequences[writer] = max(lastSequences[writer] ?? 0, to)
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
