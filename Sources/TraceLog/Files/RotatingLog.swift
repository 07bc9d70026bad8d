import LifecycleModel

/// A log at a path that is being written, with its limits: the first part, the head, has the path, later ones
/// have their number behind it, and no file is ever renamed.
///
/// It belongs to the thread that appends, and keeps others off by the lock of the head. At every moment the
/// path names a log, whoever dies.
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
  /// The path of the log, and of its head.
  public let path: String
  private let limits: LogLimits
  private let writer: LogWriter
  private let now: () -> Nanoseconds
  /// Where the newest part goes.
  private var sink: any LogSink
  /// The log's own file, which is locked; its number, and how long its file header is, if that can be read.
  private let head: any LogSink
  private let headNumber: UInt32
  private let headLength: Int?
  private var part: UInt32
  private var began: Nanoseconds
  private var older: [OlderPart] = []
  /// How many bytes the head has, once the limits have cut it.
  private var cutBytes = 0

  /// A part that is kept before the newest.
  private struct OlderPart {
    var number: UInt32
    /// `nil` when the file could not be read, or was cut.
    var eventsBefore: UInt64?
    var bytes: Int
    var ended: Nanoseconds
  }

  /// Makes a log at `path`; with `.replace`, in the place of one that is there and all its parts.
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
    head = try FileLogSink(path: path, disposition)
    sink = head
    writer = try LogWriter(
      to: sink, vocabulary: vocabulary, identity: identity, options: limits.apply(to: options),
      after: LogBeginning(), now: now)
    (part, headNumber, headLength) = (1, 1, writer.partByteCount)
    began = now()
  }

  /// Makes a log of one part on any sink.
  package init(
    on sink: any LogSink, vocabulary: Vocabulary, identity: LogIdentity,
    options: LogWriter.Options = LogWriter.Options()
  ) throws {
    path = sink.path
    limits = LogLimits()
    now = SystemCalls.monotonicNanoseconds
    (self.sink, head) = (sink, sink)
    writer = try LogWriter(
      to: sink, vocabulary: vocabulary, identity: identity, options: options)
    (part, headNumber, headLength) = (1, 1, nil)
    began = now()
  }

  /// Goes on with the log at `path` behind its last whole block; `tail` gets what is known there.
  ///
  /// Throws ``LogError/inUse(path:)`` when somebody else writes it.
  package init(
    resuming path: String, options: LogWriter.Options, limits: LogLimits,
    tail told: (LogTail) throws -> Void
  ) throws {
    self.path = path
    self.limits = limits
    now = SystemCalls.monotonicNanoseconds
    let locked = try FileLogSink(resuming: path)

    // Read when nobody else can write any more.
    let tail = try LogTail(path: path)
    try told(tail)
    let newest = tail.file == path ? locked : try FileLogSink(resuming: tail.file)
    try newest.goOn(at: tail.end)
    writer = try LogWriter(resuming: tail, on: newest, options: limits.apply(to: options))
    (head, sink) = (locked, newest)
    part = tail.part.number
    began = now()

    // It cannot be read where parts stand for it.
    let own = try LogScanner.open(path)
    (headNumber, headLength) = (own?.part.number ?? 1, own?.headerLength)
    // Who died while the limits cut the head has it cut again before they remove another part.
    if newest !== locked, try own?.beginsCut() ?? false { addOlder(headNumber, path, nil) }
    for (number, file) in try LogPartFinder.files(of: path).dropLast() {
      addOlder(number, file, (try? LogScanner(LogInput(path: file)))?.part.eventsBefore)
    }
  }

  private func addOlder(_ number: UInt32, _ file: String, _ eventsBefore: UInt64?) {
    guard let status = SystemCalls.status(file) else { return }
    let age = SystemCalls.wallNanoseconds() &- status.modified
    older.append(
      OlderPart(
        number: number, eventsBefore: eventsBefore, bytes: status.size, ended: began &- age))
  }

  /// How many events the log holds, with those in parts that were removed.
  public var eventCount: UInt64 { writer.eventCount }
  /// How many bytes were written, in all parts.
  public var byteCount: Int { writer.byteCount }
  /// How many events and bytes are left in the parts that were not removed.
  public var kept: (events: UInt64, bytes: Int) {
    let before = older.lazy.compactMap(\.eventsBefore).first ?? writer.eventsBeforePart
    return (eventCount - before, older.reduce(writer.partByteCount + cutBytes) { $0 + $1.bytes })
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

  /// Whether the paths of the log and of its newest part still name the files that are written.
  public var isInPlace: Bool {
    [head, sink].allSatisfy { ($0 as? FileLogSink)?.isInPlace ?? true }
  }

  /// Writes what is left and closes the file.
  public func close() throws {
    // What cannot be written is tried again, and reported, by the writer.
    try? flush()
    try writer.close()
    if head !== sink { try head.close() }
  }

  private func rotate() throws {
    let number = try nextNumber()
    let next = try FileLogSink(path: LogPart.path(path, number), .create)
    next.takeMode(of: path)
    let ended = OlderPart(
      number: part, eventsBefore: writer.eventsBeforePart, bytes: writer.partByteCount,
      ended: now())

    do { try writer.beginPart(number, on: next) } catch {
      // A file without a whole file header is no part.
      try? SystemCalls.remove(next.path)
      throw error
    }

    // With its header it is the newest part, whatever happens now.
    if sink !== head { try? sink.close() }
    sink = next
    older.append(ended)
    part = number
    began = ended.ended
    // Whatever the policy: a power loss must not leave blocks behind a header that is lost.
    try next.sync()
  }

  /// The number of the next part: the first one whose place is free.
  private func nextNumber() throws -> UInt32 {
    for number in part + 1...LogFormat.maxPart
    where try LogPartFinder.makeRoom(path, number, writer.identity.logID) { return number }
    throw LogError.exists(path: LogPart.path(path, part + 1))
  }

  private func removeOldParts() {
    let now = now()
    var bytes = older.reduce(writer.partByteCount + cutBytes) { $0 + $1.bytes }
    while let oldest = older.first,
      bytes > limits.keptBytes ?? .max || now &- oldest.ended > limits.keptAge ?? .max
    {
      // What cannot be read or removed is tried again.
      do { try remove(oldest.number) } catch { return }
      bytes -= oldest.bytes
      older.removeFirst()
    }
  }

  private func remove(_ number: UInt32) throws {
    if number == headNumber {
      // Without its file header it cannot be cut, and has the name of the log.
      guard let headLength, let head = head as? FileLogSink else { return }
      try head.cut(behindHeader: headLength)
      cutBytes = headLength + 1
    }
    // It may be somebody else's file by now.
    if try LogPartFinder.isPart(path, number, writer.identity.logID) {
      try SystemCalls.remove(LogPart.path(path, number))
    }
  }

  /// Copies the head of the log at `path` to a file with its number, such as `log.bin.1`, and cuts it, so that
  /// it can be sent, and removed, as other parts can; does nothing when no part is behind it, or it is cut.
  ///
  /// Somebody may write the log meanwhile: a head with a part behind it is not written any more.
  public static func separateHead(of path: String) throws {
    let head = try LogScanner(LogInput(path: path))
    let number = head.part.number
    guard let length = head.headerLength, let log = head.identity?.logID, !head.isCut,
      try LogPartFinder.files(of: path).contains(where: { $0.number > number })
    else { return }

    let place = LogPart.path(path, number)
    // Who died while it was copied has left the head as it was.
    if try LogPartFinder.isPart(path, number, log) { try SystemCalls.remove(place) }
    guard try LogPartFinder.makeRoom(path, number, log) else { throw LogError.exists(path: place) }
    let copy = try FileLogSink(path: place)
    copy.takeMode(of: path)
    let source = try LogInput(path: path)
    while try source.fill(1) {
      try copy.write(source.window)
      _ = try source.skip(source.window.count)
    }
    try copy.sync()
    try copy.close()
    try FileLogSink.cut(path, behindHeader: length)
  }

  /// Throws ``LogError/notOurs(path:)`` for a file with contents that are no log.
  static func checkReplaceable(_ path: String) throws(LogError) {
    guard let file = SystemCalls.status(path), file.size > 0, file.kind == .file,
      (try? LogScanner(LogInput(path: path))) == nil
    else { return }
    throw .notOurs(path: path)
  }

  /// The files of the log at `path` that lie beside its head, the newest part first, and its ring, unless an app records into
  /// it.
  ///
  /// Where the head is missing or damaged, they are those of any log.
  static func files(beside path: String) -> [String] {
    let log = (try? LogScanner(LogInput(path: path)))?.identity?.logID
    let numbers = LogPartFinder.numbers(path).filter {
      (try? LogPartFinder.isPart(path, $0, log)) ?? false
    }
    return numbers.reversed().map { LogPart.path(path, $0) } + ring(of: path)
  }

  /// The ring of the log at `path`, unless an app records into it.
  private static func ring(of path: String) -> [String] {
    let ring = path + RingFormat.pathEnding
    guard SystemCalls.nameKind(path) != nil, SystemCalls.nameKind(ring) != nil,
      !RingMapping.isRecorded(log: path)
    else { return [] }
    return [ring]
  }
}
