import LifecycleModel

/// Joins lines without a prefix to the record before them.
///
/// A record without a time above all that have one is somebody's citation: it waits until the end, and is of the last
/// time.
///
/// Memory: at most seventeen records, each of at most `maximumLength` joined bytes. A class, so that its owner can
/// change while it hands out a record.
final class RecordAssembler {
  /// What is joined to a record beyond this is dropped and counted.
  static let maximumLength = 1 << 16

  private var record: ConsoleRecord?
  private var lastStamp: ConsoleStamp?
  private var message: [UInt8] = []
  /// The records above the first time; `nil` once they are handed out: at the end, or at one more than `mostCited`,
  /// as nothing in the text may have a time.
  private var cited: [ConsoleRecord]? = []
  private static let mostCited = 16
  /// The process that printed the last record with a time, and whether it printed all of them.
  private var printer: (process: String, pid: Int32?)?
  private var isOfOneProcess = true

  /// Whether there is a record that a line could belong to.
  var hasRecord: Bool { record != nil }

  /// Begins a new record; hands out the one before it.
  func begin(_ next: ConsoleRecord, _ body: (ConsoleRecord) throws -> Void) rethrows {
    try handOut(body)
    lastStamp = next.stamp
    isOfOneProcess = isOfOneProcess && printer?.process ?? next.process == next.process
    printer = (next.process, next.pid)
    take(next)
  }

  private func take(_ next: ConsoleRecord) {
    // The line's bytes belong to a chunk that goes away, so they are copied.
    message.append(contentsOf: next.message)
    record = next
    record?.message = []
  }

  /// Begins a record that has no time of its own: it has that of the record before it, and is of
  /// the same process unless it says another.
  func beginUnstamped(_ next: ConsoleRecord, _ body: (ConsoleRecord) throws -> Void) rethrows {
    var next = next
    if let stamp = lastStamp { next.stamp = stamp }
    if next.process.isEmpty, let record {
      (next.process, next.pid) = (record.process, record.pid)
    }
    try handOut(body)
    take(next)
  }

  /// Joins a line to the record, if there is one.
  func join(_ line: ArraySlice<UInt8>, _ tally: inout SourceTally) {
    guard record != nil else { return tally.skipped += 1 }
    guard message.count + line.count < Self.maximumLength else { return tally.cut += 1 }
    tally.joined += 1
    message.append(0x0a)
    message.append(contentsOf: line)
  }

  /// Hands out the last record, unless it waits.
  func handOut(_ body: (ConsoleRecord) throws -> Void) rethrows {
    guard var whole = record else { return }
    record = nil
    whole.message = message[...]
    defer {
      whole.message = []
      message.removeAll(keepingCapacity: true)
    }
    guard lastStamp == nil, let count = cited?.count else { return try body(whole) }
    if count == Self.mostCited { try handOutCited(body) }
    if cited == nil { try body(whole) } else { cited?.append(whole) }
  }

  /// Hands out the records that wait for the end.
  func handOutCited(_ body: (ConsoleRecord) throws -> Void) rethrows {
    let waiting = cited ?? []
    cited = nil
    for var record in waiting {
      record.stamp = lastStamp ?? record.stamp
      if record.process.isEmpty, isOfOneProcess, let printer {
        (record.process, record.pid) = printer
      }
      try body(record)
    }
  }
}
