import LifecycleModel

/// A log at a path that is being written, with its limits: the newest part has the path, older ones
/// have their number behind it.
///
/// It belongs to the thread that appends. At every moment the path names a whole log, whoever dies:
/// a part gets its second name before the next one takes the path over.
///
/// ```swift
/// import LifecycleModel
/// import TraceLog
///
/// let vocabulary = Vocabulary()
/// let identity = LogIdentity(
///   logID: (0..<16).map { _ in UInt8.random(in: 0...255) }, originWall: 0, originMonotonic: 0,
///   originBoottime: 0)
/// let log = try RotatingLog(
///   path: "log.bin", .create, vocabulary: vocabulary, identity: identity)
/// try log.append([
///   Event(instant: .origin, writer: .main, verb: .note, label: vocabulary.symbol("begun"))
/// ])
/// try log.close()
/// ```
public final class RotatingLog {
  /// The path of the newest part.
  public let path: String
  private let limits: LogLimits
  private let writer: LogWriter
  private let now: () -> Nanoseconds
  private var sink: any LogSink
  private var part: UInt32
  private var began: Nanoseconds
  private var older: [OlderPart] = []

  /// A part that is kept beside the newest.
  private struct OlderPart {
    var number: UInt32
    /// `nil` when the file could not be read.
    var eventsBefore: UInt64?
    var bytes: Int
    var ended: Nanoseconds
  }

  /// Makes a log at `path`; with `.replace`, in the place of one that is there and its older parts.
  public convenience init(
    path: String, _ disposition: FileLogSink.Disposition, vocabulary: Vocabulary,
    identity: LogIdentity, options: LogWriter.Options = LogWriter.Options(),
    limits: LogLimits = LogLimits()
  ) throws {
    try self.init(
      path: path, disposition, vocabulary: vocabulary, identity: identity, options: options,
      limits: limits, now: SystemCalls.monotonicNanoseconds)
  }

  /// The same by another clock, which says how old parts are.
  init(
    path: String, _ disposition: FileLogSink.Disposition, vocabulary: Vocabulary,
    identity: LogIdentity, options: LogWriter.Options = LogWriter.Options(), limits: LogLimits,
    now: @escaping () -> Nanoseconds
  ) throws {
    self.path = path
    self.now = now
    self.limits = limits
    sink = try FileLogSink(path: path, disposition)
    writer = try LogWriter(
      to: sink, vocabulary: vocabulary, identity: identity, options: limits.apply(to: options),
      now: now)
    part = 1
    began = now()
  }

  /// Makes a log of one part on any sink.
  package init(on sink: any LogSink, vocabulary: Vocabulary, identity: LogIdentity) throws {
    path = sink.path
    limits = LogLimits()
    now = SystemCalls.monotonicNanoseconds
    self.sink = sink
    writer = try LogWriter(to: sink, vocabulary: vocabulary, identity: identity)
    part = 1
    began = now()
  }

  /// Goes on with the log at `path` behind its last whole block, of which `tail` tells.
  ///
  /// Throws ``LogError/inUse(path:)`` when somebody else writes it.
  package init(
    resuming path: String, options: LogWriter.Options, limits: LogLimits,
    tail told: (LogTail) throws -> Void
  ) throws {
    self.path = path
    self.limits = limits
    now = SystemCalls.monotonicNanoseconds
    try RotatingLog.endHalfRotation(path)
    let file = try FileLogSink(resuming: path)
    sink = file

    // Read when nobody else can write any more.
    let tail = try LogTail(path: path)
    try told(tail)
    try file.goOn(at: tail.end)
    writer = try LogWriter(resuming: tail, on: file, options: limits.apply(to: options))
    part = tail.part.number
    began = now()

    for (number, part) in LogPartFinder.older(path, tail.part.number, tail.identity) {
      guard let file = SystemCalls.status(LogPart.path(path, number)) else { continue }
      let age = SystemCalls.wallNanoseconds() &- file.modified
      older.append(
        OlderPart(
          number: number, eventsBefore: part?.eventsBefore, bytes: file.size, ended: began &- age))
    }
  }

  /// How many events the log holds, with those in parts that were removed.
  public var eventCount: UInt64 { writer.eventCount }
  /// How many bytes were written, in all parts.
  public var byteCount: Int { writer.byteCount }
  /// How many events and bytes are left in the parts that were not removed.
  public var kept: (events: UInt64, bytes: Int) {
    let before = older.lazy.compactMap(\.eventsBefore).first ?? writer.eventsBeforePart
    return (eventCount - before, older.reduce(writer.partByteCount) { $0 + $1.bytes })
  }
  /// How many parts were begun.
  public var partCount: Int { Int(part) }
  /// The sequence of the last event of `writer` that was written; 0 when there is none.
  public func lastSequence(of writer: String) -> UInt64 { self.writer.lastSequences[writer] ?? 0 }
  /// The last sequence of each writer that was written.
  package var lastSequences: [String: UInt64] { writer.lastSequences }
  /// The words of the events.
  public var vocabulary: Vocabulary { writer.vocabulary }

  /// Appends events, as ``LogWriter/append(_:)`` does; a block behind a limit begins a new part.
  public func append(_ events: some Collection<Event>) throws {
    try writer.take(events)
    while writer.hasFullBlock { try writeBlock() }
  }

  /// Appends all `events`, as ``append(_:)`` does, and leaves an empty array whose memory can be used
  /// again.
  package func append(all events: inout [Event]) throws {
    try writer.take(all: &events)
    while writer.hasFullBlock { try writeBlock() }
  }

  /// Why the log could not go on in a new part; it goes on in the old one, and is tried again.
  public private(set) var rotationFailure: (any Error)?

  /// Writes all events that were appended, in a block that may be small.
  public func flush() throws {
    while writer.hasPending { try writeBlock() }
  }

  /// Writes a block, in a new part when the newest is at a limit.
  ///
  /// A part is not ended before there is more: what was recorded last is never removed.
  private func writeBlock() throws {
    let age = now() &- began
    rotationFailure = nil
    if limits.isReached(bytes: writer.partByteCount, age: age), mayBeginPart {
      do { try rotate() } catch { rotationFailure = error }
    }
    try writer.writeBlock()
    if removesOldParts { removeOldParts() }
  }

  /// Whether the newest part has events, and the next one would have a number that readers take.
  private var mayBeginPart: Bool { writer.partHasEvents && part < LogFormat.maxPart }

  /// Goes on in a new part, unless the newest has no events yet.
  package func beginPart() throws {
    try flush()
    if mayBeginPart { try rotate() }
  }

  /// Whether a sync has failed, so that the next one first writes again what may be lost; who goes on with
  /// a log whose last sync failed says so.
  package var mustWriteAgain: Bool {
    get { (sink as? FileLogSink)?.mustWriteAgain ?? false }
    set { (sink as? FileLogSink)?.mustWriteAgain = newValue }
  }

  /// Whether parts beyond the limits are removed when a block is written: not while ``cutBack(to:)`` may take
  /// the block away again, and with it what was true before the events that the ring still has.
  package var removesOldParts = true

  /// Takes away what was written behind `tail`; of no use but to give the log up.
  package func cutBack(to tail: LogTail) {
    if part == tail.part.number { try? (sink as? FileLogSink)?.goOn(at: tail.end) }
  }

  /// Forgets words, as ``LogWriter/forgetUnusedWords()`` does.
  public func forgetUnusedWords() { writer.forgetUnusedWords() }

  /// Waits until what was written survives a power loss.
  public func synchronize() throws { try sink.sync() }

  /// Whether the path still names the file that is written.
  public var isInPlace: Bool { (sink as? FileLogSink)?.isFile(at: path) ?? true }

  /// Writes what is left and closes the file.
  public func close() throws {
    // What cannot be written is tried again, and told, by the writer.
    try? flush()
    try writer.close()
  }

  private func rotate() throws {
    let old = LogPart.path(path, part)
    let next = path + RotatingLog.nextEnding
    // A rotation that failed may have left the path naming nothing.
    if SystemCalls.nameKind(path) == nil, isNewest(old) { try SystemCalls.rename(old, path) }
    // Whoever left one there, or a link, has no part in this log.
    if SystemCalls.nameKind(next) != nil { try SystemCalls.remove(next) }
    let replacement = try FileLogSink(path: next, .create)
    replacement.takeMode(of: path)
    let ended = OlderPart(
      number: part, eventsBefore: writer.eventsBeforePart, bytes: writer.partByteCount,
      ended: now())

    do {
      try writer.beginPart(on: replacement) {
        // Whatever the policy: a power loss must not leave an empty file in the place of the log.
        try replacement.sync()
        let isMoved = try keep(as: old)
        do { try SystemCalls.rename(next, path) } catch {
          if isMoved { try? SystemCalls.rename(old, path) }
          throw error
        }
        replacement.noteName(path)
      }
    } catch {
      // While the path names nothing, the file tells who comes next that a rotation was cut short.
      if SystemCalls.nameKind(path) != nil { try? SystemCalls.remove(next) }
      throw error
    }

    sink = replacement
    older.append(ended)
    part += 1
    began = ended.ended
  }

  /// What is put behind the path for the next part, until it takes the path over.
  static let nextEnding = ".next"

  /// Gives the newest part its second name, in the place of an older log's part; whether it has lost the
  /// first.
  private func keep(as old: String) throws -> Bool {
    if SystemCalls.status(old) != nil {
      // A rotation that failed may have given the name already.
      if isNewest(old) { return false }
      guard RotatingLog.isPart(path, part) else { throw LogError.exists(path: old) }
      try SystemCalls.remove(old)
    }

    do { try SystemCalls.link(path, old) } catch {
      guard error.isOfNoLinks else { throw error }
      // For a moment the path names nothing.
      try SystemCalls.rename(path, old)
      return true
    }
    return false
  }

  /// Whether the file of that name is the one that is written.
  private func isNewest(_ name: String) -> Bool {
    (sink as? FileLogSink)?.isFile(at: name) ?? false
  }

  /// Gives the newest part the path that names nothing, since a rotation on a file system without links was cut
  /// short.
  ///
  /// Throws ``LogError/inUse(path:)`` when somebody is rotating the log just now.
  static func endHalfRotation(_ path: String) throws {
    guard SystemCalls.nameKind(path) == nil,
      let number = try LogPartFinder.numbers(path, below: .max).last(
        where: { try LogPartFinder.isPart(path, $0, nil) })
    else { return }
    let newest = LogPart.path(path, number)
    let scanner = try LogScanner(LogInput(path: newest, followsLink: false))
    guard let rotation = try LogPartFinder.halfRotation(path, scanner) else { return }

    let next = path + nextEnding
    if SystemCalls.isFileLocked(newest) || SystemCalls.isFileLocked(next) {
      throw LogError.inUse(path: path)
    }
    switch rotation {
    case .begun: try SystemCalls.rename(newest, path)
    case .ended: try SystemCalls.rename(next, path)
    }
  }

  private func removeOldParts() {
    let now = now()
    var bytes = older.reduce(writer.partByteCount) { $0 + $1.bytes }
    while let oldest = older.first,
      bytes > limits.keptBytes ?? .max || now &- oldest.ended > limits.keptAge ?? .max
    {
      // It may be somebody else's file by now; what cannot be read or removed is tried again.
      do {
        if try LogPartFinder.isPart(path, oldest.number, writer.identity) {
          try SystemCalls.remove(LogPart.path(path, oldest.number))
        }
      } catch { return }
      bytes -= oldest.bytes
      older.removeFirst()
    }
  }

  /// Throws ``LogError/notOurs(path:)`` for a file with contents that are no log.
  static func checkReplaceable(_ path: String) throws(LogError) {
    guard let file = SystemCalls.status(path), file.size > 0, file.kind == .file,
      !isLog(path)
    else { return }
    throw .notOurs(path: path)
  }

  /// What is behind the path in the names of the parts of the log that lie beside it: `.1` of the first one.
  ///
  /// A rotation that was cut short has given the newest a second name, or left the next one. Where the log's own
  /// file is missing or damaged, they are those of any log.
  static func parts(of path: String) -> [String] {
    let newest = (try? LogInput(path: path)).flatMap { try? LogScanner($0) }
    let identity = newest?.identity
    let numbers = LogPartFinder.numbers(path, below: .max).filter {
      (try? LogPartFinder.isPart(path, $0, identity)) ?? false
    }
    let isNextLeft =
      newest.map { LogPartFinder.isNext(path, behind: $0) } ?? false
      || SystemCalls.status(path + nextEnding).map { $0.kind == .file && $0.size == 0 } ?? false
    return numbers.map { LogPart.path("", $0) } + (isNextLeft ? [nextEnding] : [])
  }

  /// The ring of the log at `path`, unless an app records into it.
  static func ring(of path: String) -> [String] {
    let ring = path + RingFormat.pathEnding
    guard SystemCalls.nameKind(path) != nil, SystemCalls.nameKind(ring) != nil,
      (try? RingMapping.open(path: ring, isWritable: false))?.hasApp != true
    else { return [] }
    return [ring]
  }

  /// Moves the older parts of the log at `path`, whose own file cannot be read, beside `aside`, in the place of
  /// those of an earlier one.
  package static func moveParts(of path: String, to aside: String) {
    for number in LogPartFinder.numbers(aside, below: .max) where isPart(aside, number) {
      try? SystemCalls.remove(LogPart.path(aside, number))
    }
    for number in LogPartFinder.numbers(path, below: .max) where isPart(path, number) {
      try? SystemCalls.rename(LogPart.path(path, number), LogPart.path(aside, number))
    }
  }

  private static func isPart(_ path: String, _ number: UInt32) -> Bool {
    (try? LogPartFinder.isPart(path, number, nil)) ?? false
  }

  private static func isLog(_ path: String) -> Bool {
    guard let input = try? LogInput(path: path) else { return false }
    return (try? LogScanner(input)) != nil
  }
}
