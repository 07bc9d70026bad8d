import LifecycleModel

/// When a log's bytes are forced to the disk.
///
/// The policy bounds what a power loss may take. The death of the process takes nothing that was
/// written, under any policy.
public enum SyncPolicy: Hashable, Sendable {
  /// Never, but when a part begins: the system decides, usually within half a minute.
  case none
  /// With the first block after this many nanoseconds.
  case interval(Nanoseconds)
  /// After every block.
  case everyBlock
}

/// Appends events to a log, block by block.
///
/// It belongs to the thread that appends: it is not `Sendable`. The log is whole after every block;
/// ``close()`` writes the events that are left and nothing else. An error leaves the log whole up to
/// its last block and loses nothing: what could not be written waits in memory for the next call, so
/// that who keeps appending in spite of errors takes memory.
public final class LogWriter {
  /// What can be chosen for a log.
  public struct Options: Sendable {
    /// When bytes are forced to the disk.
    public var sync: SyncPolicy = .none
    /// How many events make a block, at most 16,384.
    public var eventsPerBlock = 16_384
    /// The effort of deflate, 1…9.
    public var level = 5

    /// Makes the options that fit most logs.
    public init() {}
  }

  /// How many events were written.
  public private(set) var eventCount: UInt64 = 0
  /// How many blocks were written.
  public private(set) var blockCount: UInt64 = 0
  /// How many bytes were written, in all parts.
  public private(set) var byteCount = 0
  /// How many bytes were written to the newest part.
  public private(set) var partByteCount = 0
  /// The words of the events.
  public let vocabulary: Vocabulary

  private var sink: any LogSink
  let identity: LogIdentity
  private var options: Options
  private let encoder: BlockEncoder
  private let now: () -> Nanoseconds
  private var header = BlockHeader()
  private var pending: [Event] = []
  private var state: LifecycleState
  private var part: LogPart
  private var progress = WriterProgress<String>()
  private var lastSync: Nanoseconds
  private var output = ByteSink()
  private var isClosed = false

  /// Begins a log of events of `vocabulary` on `sink` by writing the file header.
  public convenience init(
    to sink: any LogSink, vocabulary: Vocabulary, identity: LogIdentity = .now(),
    options: Options = Options()
  ) throws {
    try self.init(
      to: sink, vocabulary: vocabulary, identity: identity, options: options,
      after: LogBeginning())
  }

  /// Begins a log behind `beginning`: readers see it as a later part, whose first block has
  /// the state as its checkpoint.
  package convenience init(
    to sink: any LogSink, vocabulary: Vocabulary, identity: LogIdentity,
    options: Options = Options(), after beginning: LogBeginning,
    now: @escaping () -> Nanoseconds = SystemCalls.monotonicNanoseconds
  ) throws {
    try self.init(
      sink, vocabulary, identity, options, beginning.state, beginning.part, now: now)
    progress.enter(part)
    header.eventsBefore = part.eventsBefore
    eventCount = part.eventsBefore
    try begin()
  }

  /// Goes on with a log behind `tail`, at which `sink` stands.
  convenience init(resuming tail: LogTail, on sink: any LogSink, options: Options) throws {
    try self.init(
      sink, tail.vocabulary, tail.identity, options, tail.state, tail.part,
      now: SystemCalls.monotonicNanoseconds)
    progress = WriterProgress(tail.logEnd.lastSequences)
    header.tag = tail.tag
    header.number = tail.nextNumber
    header.chain = tail.chain
    header.eventsBefore = tail.logEnd.eventCount
    eventCount = tail.logEnd.eventCount
    (byteCount, partByteCount) = (tail.end, tail.end)
  }

  private init(
    _ sink: any LogSink, _ vocabulary: Vocabulary, _ identity: LogIdentity, _ options: Options,
    _ state: LifecycleState, _ part: LogPart, now: @escaping () -> Nanoseconds
  ) throws {
    (self.sink, self.vocabulary, self.identity) = (sink, vocabulary, identity)
    (self.state, self.part, self.options, self.now) = (state, part, options, now)
    lastSync = now()
    let limit = max(1, min(options.eventsPerBlock, LogFormat.maxEvents))
    encoder = try BlockEncoder(vocabulary: vocabulary, maxEvents: limit, level: options.level)
    self.options.eventsPerBlock = limit
  }

  /// The last sequence of each writer.
  var lastSequences: [String: UInt64] { progress.lasts }

  /// How many events the parts before the newest hold, with those that were removed.
  var eventsBeforePart: UInt64 { part.eventsBefore }

  /// Whether the newest part has a block.
  var partHasEvents: Bool { header.number > 0 }

  /// Writes the file header of the part that begins.
  private func begin() throws {
    let bytes = FileHeader(identity, part).encoded()
    try bytes.withUnsafeBytes { try sink.write($0) }
    header.tag = checksum([UInt8](bytes.dropLast(LogFormat.checksumLength)))
    header.chain = header.tag
    header.number = 0
    byteCount += bytes.count
    partByteCount = bytes.count
  }

  /// Appends events, in the order in which a reader shall see them; writes the blocks that are full.
  ///
  /// When it throws, the events were taken all the same, and wait to be written.
  public func append(_ events: some Collection<Event>) throws {
    try take(events)
    while hasFullBlock { try writeBlock() }
  }

  /// Takes events, which wait to be written.
  func take(_ events: some Collection<Event>) throws {
    guard !isClosed else { throw LogError.closed(path: sink.path) }
    pending.append(contentsOf: events)
  }

  /// Takes all `events`, and leaves an empty array whose memory can be used again.
  func take(all events: inout [Event]) throws {
    guard pending.isEmpty, !isClosed else {
      defer { events.removeAll(keepingCapacity: true) }
      return try take(events)
    }
    swap(&pending, &events)
  }

  /// Whether events wait to be written, and whether they fill a block.
  var hasPending: Bool { !pending.isEmpty }
  var hasFullBlock: Bool { pending.count >= options.eventsPerBlock }

  /// Writes all events that were appended, in a block that may be small.
  public func flush() throws {
    guard !isClosed else { throw LogError.closed(path: sink.path) }
    while hasPending { try writeBlock() }
  }

  /// Forgets the words that no open thing and no event that waits needs, when there are many.
  ///
  /// From then on symbols that the caller kept have no meaning.
  public func forgetUnusedWords() {
    guard vocabulary.isLarge else { return }
    var use = VocabularyUse()
    use.add(state)
    for event in pending { use.add(event) }
    vocabulary.forget(except: use)
  }

  /// Goes on in another file, which is empty, as the log's part with this number; the old one is whole and synced.
  ///
  /// Events that wait go there. When this throws, the log goes on in the file where it was.
  package func beginPart(_ number: UInt32, on replacement: any LogSink) throws {
    // Whatever the policy: an older part is not written again, and a later sync does not reach it.
    try sink.sync()
    let old = (sink, part, header, byteCount, partByteCount)
    part.number = number
    part.eventsBefore = eventCount
    part.writers = progress.marks
    sink = replacement

    do { try begin() } catch {
      (sink, part, header, byteCount, partByteCount) = old
      throw error
    }
  }

  /// Writes what is left, syncs unless the policy says never, and closes the sink.
  ///
  /// When it throws because that cannot be written or synced, the log is open, and it can be tried again.
  public func close() throws {
    guard !isClosed else { return }
    try flush()
    if options.sync != .none { try sink.sync() }
    isClosed = true
    try sink.close()
  }

  /// Writes one block with as many of the pending events as fit.
  func writeBlock() throws {
    var next = header
    output.removeAll()
    // An app that leaks open things by the ten thousand must not make every block pay for them.
    let isTooLong = state.openCount > LogFormat.maxCheckpointEvents
    let checkpoint = state.isComplete && !isTooLong ? state.checkpoint() : nil
    let taken = pending.withUnsafeBufferPointer { events in
      encoder.encode(
        checkpoint: checkpoint,
        events: UnsafeBufferPointer(rebasing: events.prefix(options.eventsPerBlock)),
        header: &next, to: &output)
    }

    try output.bytes.withUnsafeBytes { try sink.write($0) }
    commit(next, taken: taken)
    try syncIfDue()
  }

  /// Counts the block as written.
  private func commit(_ written: BlockHeader, taken: Int) {
    progress.pass(written)
    LogWriter.fold(pending[..<taken], into: &state)
    if written.verbs & 1 << UInt64(Verb.gap.code) != 0 {
      // What a gap reports is not missing for the next part.
      progress.passGaps(pending[..<taken], in: vocabulary)
    }
    pending.removeFirst(taken)
    eventCount += UInt64(taken)
    blockCount += 1
    byteCount += output.bytes.count
    partByteCount += output.bytes.count
    header.number += 1
    header.chain = written.checksumOfSelf
    header.eventsBefore += UInt64(taken)
  }

  /// Apart from the writer, whose state is reached once and not once for an event.
  private static func fold(_ events: ArraySlice<Event>, into state: inout LifecycleState) {
    for event in events { state.fold(event) }
  }

  private func syncIfDue() throws {
    switch options.sync {
    case .none: return
    case .everyBlock: try sink.sync()
    case .interval(let interval):
      let time = now()
      guard time &- lastSync >= interval else { return }
      lastSync = time
      try sink.sync()
    }
  }
}
