import LifecycleModel
import TraceLog

/// What a reader says of a log.
struct Reading {
  /// One event that was read.
  struct Item {
    let line: String
    let writer: String
    let sequence: UInt64
    /// What is missing, when that is what it tells.
    let gap: Gap?
  }

  /// What was true before the first part: the shortest facts that rebuild it, and not what was written.
  private(set) var facts: [Item] = []
  private(set) var items: [Item] = []
  private(set) var damages: [LogDamage] = []
  private(set) var firstPart = LogPart()
  /// Whether damage is told by a line on standard error, and by no gap.
  private(set) var isToldApart = false

  /// Reads the log at `path`.
  init(path: String) throws { try self.init(LogReader(path: path)) }

  /// Reads a log in memory.
  init(bytes: [UInt8]) throws { try self.init(LogReader(bytes: bytes)) }

  private init(_ reader: LogReader) throws {
    var reader = reader
    var events: [Event] = []
    var mayBegin = reader.firstPart.number > 1
    while try reader.read(into: &events) {
      var numbered = NumberedLines()
      // How a process ended that is gone was written by nobody.
      for index in events.indices where UnseenEnd.isStated(by: events[index...index]) ?? false {
        let attributes = reader.vocabulary.attributes(events[index].attributes)
        if attributes[.reason] == UnseenEnd.reason { events[index].sequence = 0 }
      }
      numbered.add(events, reader.vocabulary)
      let batch = zip(events, numbered.lines).map { event, line in
        Item(
          line: line, writer: reader.vocabulary.name(of: event.writer), sequence: event.sequence,
          gap: Gap(event, in: reader.vocabulary))
      }

      let isBeginning =
        mayBegin && reader.block == nil && batch.contains { $0.gap?.count == reader.opening?.count }
      if isBeginning { facts += batch } else { items += batch }
      if isBeginning || reader.block != nil { mayBegin = false }
    }
    damages = reader.damages
    isToldApart = !reader.damagesWithoutGap.isEmpty || reader.strayRing != nil
    firstPart = reader.firstPart
  }

  /// What is equal of equal readings.
  var hash: Int {
    var hasher = Hasher()
    for item in facts + items { hasher.combine(item.line) }
    return hasher.finalize()
  }

  /// The lines of the events, without what is told of losses.
  var lines: [String] { (facts + items).filter { $0.gap == nil }.map(\.line) }
}
