import LifecycleModel

/// Goes from block to block and tells what is missing between them; the payloads are the caller's.
struct BlockWalk {
  /// What comes next.
  enum Step {
    /// A block that belongs here; its payload must be taken or skipped.
    case block(BlockHeader)
    /// What is missing before the next step.
    case gaps([Gap])
    /// The log is over.
    case end
  }

  let scanner: LogScanner
  private(set) var damages: [LogDamage] = []
  private(set) var damageCount = 0
  private var ledger = LossLedger()
  private var waiting: BlockHeader?
  private var isOver = false

  init(_ input: LogInput) throws {
    scanner = try LogScanner(input)
    if let damage = scanner.headerDamage {
      note(damage)
      if damage.kind != .fileHeader { ledger.open() }
    }
  }

  /// The last instant before the place where the walk stands.
  var lastInstant: Instant { ledger.lastInstant }

  /// The last sequence of each writer before that place.
  var lastSequences: [String: UInt64] { ledger.lastSequences }

  /// The next block or loss.
  mutating func next() throws -> Step {
    if let header = waiting {
      waiting = nil
      return .block(header)
    }
    while !isOver {
      switch try scanner.next() {
      case .end:
        isOver = true
        let gaps = ledger.closingGap(
          damages.last?.kind == .tornTail ? .tornTail : .corruptBlock)
        if !gaps.isEmpty { return .gaps(gaps) }
      case .damage(let damage):
        note(damage)
        ledger.open()
      case .block(let header):
        if let step = try enter(header) { return step }
      }
    }
    return .end
  }

  /// What a block's header makes the next step; `nil` when the block does not belong here.
  private mutating func enter(_ header: BlockHeader) throws -> Step? {
    guard let gaps = ledger.gaps(before: header, tag: scanner.tag ?? 0) else {
      note(.misplacedBlock, "block \(header.number) stands behind its place", header)
      do { try scanner.skipPayload(of: header) } catch is TornPayload { isOver = true }
      return nil
    }
    guard !gaps.isEmpty else { return .block(header) }
    if damages.last?.kind != .corruptBlock || damages.last?.block != nil {
      note(.corruptBlock, "blocks before block \(header.number) are missing", nil)
    }
    waiting = header
    return .gaps(gaps)
  }

  /// Counts a block whose payload was taken or skipped.
  mutating func pass(_ header: BlockHeader) { ledger.pass(header) }

  /// The log ends in the payload of `header`.
  mutating func tear(_ header: BlockHeader) -> [Gap] {
    isOver = true
    note(.tornTail, "the log ends in block \(header.number)", header)
    return ledger.gaps(forLost: header, .tornTail)
  }

  /// The payload of `header`, which comes next, is damaged.
  mutating func lose(_ header: BlockHeader, _ damage: BlockDamage) throws -> [Gap] {
    note(.corruptBlock, damage.description, header)
    let gaps = ledger.gaps(forLost: header, .corruptBlock)
    ledger.pass(header)
    try scanner.leavePayload(of: header)
    return gaps
  }

  private mutating func note(_ kind: LogDamage.Kind, _ reason: String, _ block: BlockHeader?) {
    note(LogDamage(kind: kind, offset: scanner.offset, reason: reason, block: block))
  }

  private mutating func note(_ damage: LogDamage) {
    damageCount += 1
    if damages.count < LogReader.keptDamages { damages.append(damage) }
  }
}
