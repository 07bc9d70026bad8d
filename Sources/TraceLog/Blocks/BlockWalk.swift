import LifecycleModel

/// Goes from block to block, through all parts of a log, and reports what is missing between them; the
/// payloads are the caller's.
struct BlockWalk {
  /// What comes next.
  enum Step {
    /// A block that belongs here; its payload must be taken or skipped.
    case block(BlockHeader)
    /// What is missing before the next step.
    case gaps([Gap])
    /// What was in the block that ``lose(_:_:)`` was called for.
    case lost([Gap])
    /// The log is over.
    case end
  }

  private(set) var scanner: LogScanner
  private(set) var damages: [LogDamage] = []
  private(set) var damageCount = 0
  /// The damages that no gap reports, the first of them.
  private(set) var damagesWithoutGap: [LogDamage] = []
  /// Bytes that are no block, until what follows says whether anything is missing.
  private var unexplained: LogDamage?
  /// Whether a ring may hold the events of a last block that cannot be read, because the machine lost power
  /// before all of it was on the disk: such a block is not passed.
  var ringMayHoldLast = false
  /// The damage that was noted last behind the last block.
  private var noted: LogDamage.Kind?
  /// The part with which the reading began: what stood before it is not there any more.
  let firstPart: LogPart
  /// What stood in parts before the first; `nil` when it is the log's first.
  var opening: Gap? {
    guard firstPart.number > 1 else { return nil }
    var gap = Gap(files?.isBeginningLost == true ? .corruptBlock : .rotated)
    gap.count = Int64(clamping: firstPart.eventsBefore)
    return gap
  }
  /// Whether no block was passed yet.
  var hasNoBlock: Bool { ledger.events == firstPart.eventsBefore }
  private var files: LogPartFinder?
  /// How many events stand before the next part: from there on blocks of this part were taken away, and
  /// written again in the next one, but a power loss brought them back.
  private var eventsBeforeNext: UInt64?
  private var ledger = LossLedger()
  private var waiting: BlockHeader?
  /// A block whose payload is damaged, until what follows says whether it stood there: behind a power loss
  /// the header may be one of a block that was taken away.
  private var suspect: BlockHeader?
  /// The same, while what it held is reported; and the block behind it.
  private var lost: (block: BlockHeader, next: BlockHeader?)?
  private var waitingGaps: [Gap] = []
  private var isOver = false
  /// Whether what is left of the file is the torn end of a block.
  private(set) var isTorn = false
  /// Where the torn end of the file begins.
  private var tornOffset: Int?
  /// Whether the file is read a second time, up to where the walk stood.
  private var isRevisiting = false

  /// Walks through one file.
  init(_ input: LogInput) throws {
    scanner = try LogScanner(input)
    firstPart = scanner.part
    ledger.begin(firstPart)
    noteHeaderDamage()
  }

  /// Walks through the log at `path`, beginning with the oldest part that lies beside it.
  init(path: String) throws {
    var files = LogPartFinder(path)
    scanner = try files.oldest()
    firstPart = scanner.part
    ledger.begin(firstPart)
    for damage in files.takeLost() { note(damage) }
    eventsBeforeNext = files.eventsBeforeNext()
    bytesBefore = files.cutBytes
    self.files = files
    noteHeaderDamage()
  }

  /// Which log it is; `nil` when no file header can be read.
  var identity: LogIdentity? { scanner.identity ?? files?.identity }

  /// Where the next block of the newest part belongs, once the walk is over.
  var end: (offset: Int, number: UInt64, chain: UInt32?) {
    (tornOffset ?? scanner.input.offset, ledger.nextNumber, ledger.chain)
  }

  /// How far the log goes, once the walk is over.
  var logEnd: LogEnd {
    LogEnd(
      lastSequences, at: ledger.lastInstant, eventCount: ledger.events,
      partHasBlocks: ledger.nextNumber > 0)
  }

  /// The last instant before the place where the walk stands.
  var lastInstant: Instant { ledger.lastInstant }

  /// The last sequence of each writer before that place.
  var lastSequences: [String: UInt64] { ledger.progress.lasts }

  /// Whether the log has a newer part by now than the file that is read.
  var isBehindNewest: Bool { files?.hasPart(behind: scanner.part.number) ?? false }

  /// Whether more was written to the log since the end of the file was read.
  var isBehind: Bool { scanner.input.hasGrown || isBehindNewest }

  /// Whether the limits have removed by now what is left of the head: what cannot be read there is no damage.
  private var isCut: Bool { files != nil && scanner.isCut }

  /// How many bytes all files have that were walked through.
  var byteCount: Int { bytesBefore + scanner.input.offset }
  private var bytesBefore = 0

  /// The next block or loss.
  mutating func next() throws -> Step {
    if !waitingGaps.isEmpty {
      defer { waitingGaps = [] }
      return .gaps(waitingGaps)
    }

    if let header = waiting {
      waiting = nil
      return .block(header)
    }

    if let (block, next) = lost {
      lost = nil
      ledger.pass(block)
      if let next, let step = try enter(next) { return step }
    }

    while !isOver {
      switch try isTorn ? .end : scanner.next() {
      case .end:
        if let step = reportSuspect(before: nil) { return step }
        if let gaps = try enterNextPart() {
          if !gaps.isEmpty { return .gaps(gaps) }
          continue
        }
        if let loss = files?.takeEndLoss() {
          note(loss)
          ledger.open()
        }
        isOver = true
        let gaps = ledger.closingGap(noted == .tornTail ? .tornTail : .corruptBlock)
        if !gaps.isEmpty { return .gaps(gaps) }
      case .damage(let damage):
        if isCut {
          isTorn = true
          continue
        }
        note(damage)
        unexplained = damage
        ledger.open()
      case .block(let header):
        if let step = reportSuspect(before: header) { return step }
        if let step = try enter(header) { return step }
      }
    }
    return .end
  }

  /// The header of the next block that is whole, and is passed without its payload; `nil` at the end of the log.
  mutating func nextHeader() throws -> BlockHeader? {
    while true {
      switch try next() {
      case .end: return nil
      case .gaps, .lost: continue
      case .block(let header):
        do {
          try scanner.skipPayload(of: header)
          pass(header)
          return header
        } catch is TornPayload {
          _ = tear(header)
        }
      }
    }
  }

  /// Reports what a damaged block held that its own header describes; `nil` when there is none, or when it is
  /// not the one behind which `next` was written, which then says by itself what is missing.
  private mutating func reportSuspect(before next: BlockHeader?) -> Step? {
    guard let header = suspect else { return nil }
    suspect = nil
    if let next, next.number == header.number &+ 1, next.chain != header.checksumOfSelf {
      ledger.open()
      return nil
    }
    lost = (header, next)
    return .lost(ledger.gaps(forLost: header, .corruptBlock))
  }

  /// Goes on with the next part and returns what is missing before it; `nil` when there is none.
  private mutating func enterNextPart() throws -> [Gap]? {
    guard var files else { return nil }
    let (bytes, isCut) = (scanner.input.offset, isCut)
    if isCut, !files.hasNext { try files.look(behindHead: scanner.part.number) }
    self.files = files
    guard let next = files.next() else { return nil }

    let (lost, isRemoved) = begin(next, files)
    let isRotated = (isRemoved || isCut) && lost.isEmpty
    bytesBefore += bytes
    isRevisiting = false
    let gaps = enter(next.part, isRotated, lost)
    explain(by: gaps)
    if !gaps.isEmpty && noted == nil && !isRotated {
      note(.corruptBlock, "the last blocks of the part before are missing", nil)
    }
    noteHeaderDamage()
    return gaps
  }

  /// Begins to read a part that `files` has found; returns which parts were lost before it, and whether the limits
  /// removed one.
  private mutating func begin(
    _ part: LogScanner, _ files: LogPartFinder
  ) -> (lost: [LogDamage], isRemoved: Bool) {
    var files = files
    let (lost, isRemoved) = (files.takeLost(), files.takeRemovedPart())
    eventsBeforeNext = files.eventsBeforeNext()
    self.files = files
    scanner = part
    (isTorn, tornOffset) = (false, nil)
    return (lost, isRemoved)
  }

  /// What is missing before a part, and with it the parts that were `lost`: numbers without events were never assigned.
  private mutating func enter(
    _ part: LogPart, _ isRotated: Bool, _ lost: [LogDamage]
  ) -> [Gap] {
    let gaps = ledger.enter(part, isRotated ? .rotated : .corruptBlock)
    if !gaps.isEmpty { for damage in lost { note(damage) } }
    return gaps
  }

  /// Looks at a log again that has grown since: blocks that were passed are not reported again.
  mutating func revisit() throws {
    guard var files, let again = try files.reopen(scanner.part) else { return }
    if isTorn, noted == .tornTail || noted == .corruptBlock {
      if damageCount == damages.count { damages.removeLast() }
      damageCount -= 1
      noted = nil
      ledger.close()
    }

    isRevisiting = again.part.number == scanner.part.number
    isOver = false
    let (lost, isRemoved) = begin(again, files)
    // The file that was being read may have been removed meanwhile.
    if !isRevisiting { waitingGaps = enter(again.part, isRemoved && lost.isEmpty, lost) }
  }

  /// What a block's header makes the next step; `nil` when the block does not belong here.
  private mutating func enter(_ header: BlockHeader) throws -> Step? {
    if isRevisiting, ledger.hasPassed(header) {
      do { try scanner.skipPayload(of: header) } catch is TornPayload { isTorn = true }
      return nil
    }

    isRevisiting = false
    let isWrittenAgain = header.eventsBefore >= eventsBeforeNext ?? .max
    guard !isWrittenAgain, let gaps = ledger.gaps(before: header, tag: scanner.tag ?? 0) else {
      do {
        try scanner.skipPayload(of: header)
        let reason = isWrittenAgain ? "was written again in the next part" : "is out of order"
        note(.misplacedBlock, "block \(header.number) \(reason)", header)
      } catch is TornPayload {
        _ = tear(header)
      }
      return nil
    }

    explain(by: gaps)
    guard !gaps.isEmpty else { return .block(header) }
    if noted != .corruptBlock {
      note(.corruptBlock, "blocks before block \(header.number) are missing", nil)
    }

    waiting = header
    return .gaps(gaps)
  }

  /// What is missing is known behind bytes that are no block: where it is nothing, no gap reports them.
  private mutating func explain(by gaps: [Gap]) {
    if gaps.isEmpty, let unexplained { noteWithoutGap(unexplained) }
    unexplained = nil
  }

  private mutating func noteWithoutGap(_ damage: LogDamage) {
    if damagesWithoutGap.count < LogReader.keptDamages { damagesWithoutGap.append(damage) }
  }

  /// Counts a block whose payload was taken or skipped.
  mutating func pass(_ header: BlockHeader) {
    ledger.pass(header)
    noted = nil
  }

  /// Notes the losses that events of the log report.
  mutating func passGaps(_ events: [Event], in vocabulary: Vocabulary) {
    ledger.progress.passGaps(events, in: vocabulary)
  }

  /// The log ends in the payload of `header`.
  mutating func tear(_ header: BlockHeader) -> [Gap] {
    if isCut {
      isTorn = true
      return []
    }
    note(.tornTail, "the log ends in block \(header.number)", header)
    isTorn = true
    // The part behind a torn one says what is missing.
    return files?.hasNext == true ? [] : ledger.gaps(forLost: header, .tornTail)
  }

  /// The payload of `header`, which comes next, is damaged; ``Step/lost(_:)`` reports what it held, unless it
  /// is the last block, and the ring may hold that.
  mutating func lose(_ header: BlockHeader, _ damage: BlockDamage) throws -> [Gap] {
    if isCut {
      isTorn = true
      return []
    }
    note(.corruptBlock, damage.description, header)
    if ringMayHoldLast, files?.hasNext != true, try scanner.isLast(header) {
      (isTorn, tornOffset) = (true, scanner.offset)
      return ledger.gaps(forLost: header, .corruptBlock)
    }
    try scanner.leavePayload(of: header)
    suspect = header
    noted = nil
    return []
  }

  private mutating func noteHeaderDamage() {
    guard let damage = scanner.headerDamage else { return }
    note(damage)
    if damage.kind != .fileHeader { ledger.open() }
  }

  private mutating func note(_ kind: LogDamage.Kind, _ reason: String, _ block: BlockHeader?) {
    note(LogDamage(kind: kind, offset: scanner.offset, reason: reason, block: block))
  }

  private mutating func note(_ damage: LogDamage) {
    var damage = damage
    if damage.part == nil, scanner.part.number > 1 || files?.hasNext == true {
      damage.part = scanner.part.number
    }
    if damage.kind == .tornTail { tornOffset = damage.offset }
    damageCount += 1
    noted = damage.kind
    if damages.count < LogReader.keptDamages { damages.append(damage) }
    if [.fileHeader, .misplacedBlock, .lostPart].contains(damage.kind) { noteWithoutGap(damage) }
  }
}
