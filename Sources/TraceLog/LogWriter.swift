import LifecycleModel

/// When a log's bytes are forced to the disk.
///
/// The policy bounds what a power loss may take. The death of the process takes nothing that was
/// written, under any policy.
public enum SyncPolicy: Hashable, Sendable {
  /// Never: the system decides, usually within half a minute.
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
/// its last block, and the writer can go on: the events of the block that could not be written are
/// told by a `gap` with the cause `disk-full` for each writer in the next block that can.
public final class LogWriter {
  /// What can be chosen for a log.
  public struct Options: Sendable {
    /// When bytes are forced to the disk.
    public var sync: SyncPolicy = .none
    /// How many events make a block, at most 16,384.
    public var eventsPerBlock = 16_384
    /// The effort of deflate, 1…9.
    public var level = 6

    /// Makes the options that fit most logs.
    public init() {}
  }

  /// How many events were written.
  public private(set) var eventCount: UInt64 = 0
  /// How many blocks were written.
  public private(set) var blockCount: UInt64 = 0
  /// How many bytes were written.
  public private(set) var byteCount = 0
  /// The words of the events.
  public let vocabulary: Vocabulary

  private let sink: any LogSink
  private var options: Options
  private let encoder: BlockEncoder
  private let now: () -> Nanoseconds
  private var header: BlockHeader
  private var pending: [Event] = []
  private var state = LifecycleState()
  private var losses: [WriterSpan] = []
  private var lastInstant = Instant.origin
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
      now: SystemCalls.monotonicNanoseconds)
  }

  package init(
    to sink: any LogSink, vocabulary: Vocabulary, identity: LogIdentity, options: Options,
    now: @escaping () -> Nanoseconds
  ) throws {
    self.sink = sink
    self.vocabulary = vocabulary
    self.options = options
    self.now = now
    lastSync = now()
    let limit = max(1, min(options.eventsPerBlock, LogFormat.maxEvents))
    encoder = try BlockEncoder(vocabulary: vocabulary, maxEvents: limit, level: options.level)
    self.options.eventsPerBlock = limit
    header = BlockHeader()
    let bytes = FileHeader(identity).encoded()
    header.tag = checksum([UInt8](bytes.dropLast(LogFormat.checksumLength)))
    header.chain = header.tag
    try bytes.withUnsafeBytes { try sink.write($0) }
    byteCount = bytes.count
  }

  /// Appends events, in the order in which a reader shall see them; writes the blocks that are full.
  ///
  /// When it throws, the events were taken all the same: what of them is lost becomes a `gap`.
  public func append(_ events: some Collection<Event>) throws {
    guard !isClosed else { throw LogError.closed(path: sink.path) }
    var rest = events[...]
    var failure: (any Error)?
    while !rest.isEmpty {
      let room = options.eventsPerBlock - pending.count
      pending.append(contentsOf: rest.prefix(room))
      rest = rest.dropFirst(room)
      guard pending.count >= options.eventsPerBlock else { break }
      do { try writeBlock() } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Writes all events that were appended, in a block that may be small.
  public func flush() throws {
    guard !isClosed else { throw LogError.closed(path: sink.path) }
    while !pending.isEmpty || !losses.isEmpty { try writeBlock() }
  }

  /// Writes what is left, syncs unless the policy says never, and closes the sink.
  public func close() throws {
    guard !isClosed else { return }
    defer { isClosed = true }
    do { try flush() } catch {
      try? sink.close()
      throw error
    }
    if options.sync != .none { try sink.sync() }
    try sink.close()
  }

  /// Writes one block with as many of the pending events as fit, behind the gaps of earlier losses.
  private func writeBlock() throws {
    let gaps = losses.map {
      Gap(.diskFull, writer: $0.name, from: $0.first, to: $0.last)
        .event(at: lastInstant, in: vocabulary)
    }
    pending.insert(contentsOf: gaps, at: 0)
    if pending.count > options.eventsPerBlock { pending.reserveCapacity(pending.count) }
    var next = header
    output.removeAll()
    // An app that leaks open things by the ten thousand must not make every block pay for them.
    let isTooLong = state.open.count > LogFormat.maxCheckpointEvents
    let checkpoint = isTooLong ? nil : state.checkpoint()
    let taken = pending.withUnsafeBufferPointer { events in
      encoder.encode(
        checkpoint: checkpoint,
        events: UnsafeBufferPointer(rebasing: events.prefix(options.eventsPerBlock)),
        header: &next, to: &output)
    }
    do { try output.bytes.withUnsafeBytes { try sink.write($0) } } catch {
      lose(next, gaps: gaps.count, taken: taken)
      throw error
    }
    commit(next, gaps: gaps.count, taken: taken)
    try syncIfDue()
  }

  /// Counts the block as written.
  private func commit(_ written: BlockHeader, gaps: Int, taken: Int) {
    for event in pending[..<taken] { state.fold(event) }
    pending.removeFirst(taken)
    losses.removeFirst(min(gaps, taken))
    if taken < gaps { pending.removeFirst(gaps - taken) }
    lastInstant = written.lastInstant
    eventCount += UInt64(taken)
    blockCount += 1
    byteCount += output.bytes.count
    header.number += 1
    header.chain = written.checksumOfSelf
    header.eventsBefore += UInt64(taken)
  }

  /// Gives the block up and remembers, per writer, what it held.
  private func lose(_ lost: BlockHeader, gaps: Int, taken: Int) {
    pending.removeFirst(max(gaps, taken))
    for span in lost.writers where span.count > 0 {
      if let index = losses.firstIndex(where: { $0.name == span.name }) {
        losses[index].last = max(losses[index].last, span.last)
      } else {
        losses.append(span)
      }
    }
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
