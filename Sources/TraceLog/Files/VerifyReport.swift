import LifecycleModel

/// Whether a log is whole and says the same in all its places: every block is decoded.
public struct VerifyReport: Hashable, Sendable {
  /// One thing that is not as it must be.
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// What a problem is about.
    public enum Kind: String, Hashable, Sendable {
      /// Bytes are damaged or missing.
      case damage
      /// A block's checkpoint is not the state after the events before it.
      case checkpoint
      /// A writer's sequence numbers are not dense and no gap reports it.
      case sequence
      /// Instants go backwards.
      case order
      /// A block's header does not say what its events are.
      case header
      /// The ring beside the log holds events that cannot be joined with it.
      case ring
    }

    /// What it is about.
    public var kind: Kind
    /// The part of a rotated log in which it is; `nil` when the log is one file.
    public var part: UInt32?
    /// Where the block begins, in bytes of the file; 0 of a ring.
    public var offset: Int
    /// What is wrong.
    public var what: String
    /// What would have been right.
    public var expected: String
    /// What is there.
    public var found: String

    /// `sequence at byte 84: writer main: expected 7, found 9`; names stand in it as they are in the log.
    public var description: String {
      let place =
        kind == .ring ? "" : "\(part.map { " in part \($0)" } ?? "") at byte \(offset)"
      // What is damaged has a reason, and nothing that could be found in its place.
      let mismatch = "expected \(expected)" + (kind == .damage ? "" : ", found \(found)")
      let reason = kind == .damage ? "\(found); " : ""
      return "\(kind.rawValue)\(place): \(what): \(reason)\(mismatch)"
    }
  }

  /// The problems in the order of their places, the first thousand.
  public private(set) var problems: [Problem] = []
  /// How many problems there are.
  public private(set) var problemCount = 0
  /// How many blocks were decoded.
  public private(set) var blockCount = 0
  /// How many events were decoded; gaps, which report others, do not count.
  public private(set) var eventCount: UInt64 = 0
  /// How many events stood before those that are there, in parts that the log's limits removed.
  public private(set) var removedEventCount: UInt64 = 0
  /// How many more events the ring beside the log holds.
  public private(set) var ringEventCount = 0
  /// Whether the log has more blocks than were wanted.
  package private(set) var isCut = false
  private var end = LogEnd()

  /// Whether nothing is wrong.
  public var isWhole: Bool { problemCount == 0 }

  /// Verifies the log that `reader` stands at the beginning of.
  public init(_ reader: LogReader) throws { try self.init(reader) { _, _ in true } }

  /// Verifies the log as far as `isWanted` wants more than so many events from so many bytes.
  package init(_ reader: LogReader, while isWanted: (UInt64, Int) -> Bool) throws {
    var reader = reader
    var check = BlockCheck(reader.vocabulary, reader.firstPart)
    var events: [Event] = []
    var seen = 0

    while try reader.read(into: &events) {
      guard isWanted(eventCount, reader.byteCount) else {
        isCut = true
        break
      }
      for damage in reader.damages[seen...] { add(Problem(damage)) }
      seen = reader.damages.count
      guard let block = reader.block else {
        check.noteLoss(events)
        continue
      }
      let part = reader.part.number > 1 ? reader.part.number : nil
      for problem in check.check(block, events, reader.checkpoint, at: (part, reader.offset)) {
        add(problem)
      }
      blockCount += 1
      eventCount += UInt64(events.count { $0.verb != .gap })
      check.forgetUnusedWords()
    }

    for damage in reader.damages[seen...] { add(Problem(damage)) }
    end = reader.walk.logEnd
  }

  /// Verifies the log at `path` with all its parts, and the ring beside it.
  public init(path: String) throws { try self.init(path: path) { _, _ in true } }

  /// Verifies the log at `path` as far as `isWanted` wants more than so many events from so many bytes.
  package init(path: String, while isWanted: (UInt64, Int) -> Bool) throws {
    // Before the log is opened, so that what is moved into it meanwhile is missing in neither.
    let vocabulary = Vocabulary()
    let identity = try LogReader(path: path, joinsRing: false).identity
    let beside = RingJoin.lookUp(log: path, identity, vocabulary)
    let reader = try LogReader(path: path, joinsRing: false)
    try self.init(reader, while: isWanted)
    removedEventCount = reader.firstPart.eventsBefore
    // Of what was not read nobody knows what follows it in the ring.
    if isCut { return }

    switch beside {
    case .none: break
    case .stray, .unreadable:
      if let problem = VerifyReport.problem(of: beside) { add(problem) }
    case .empty:
      // A process that was about to make it may have recorded since.
      if case .empty = RingJoin.lookUp(log: path, reader.identity, reader.vocabulary),
        end.partHasBlocks, !SystemCalls.isFileLocked(path)
      {
        add(.ring("its header", expected: "a ring", found: "nothing"))
      }
    case .ring(var ring):
      let joined = ring.events(behind: end)
      ringEventCount = joined.events.count { $0.verb != .gap }
      let lost = joined.events.compactMap { Gap($0, in: vocabulary) }
        .filter { $0.cause == GapCause.corruptBlock.rawValue }
      for gap in lost where !joined.isOvertaken {
        let range = gap.from.flatMap { from in gap.to.map { " \(from) to \($0)" } } ?? ""
        add(
          .ring(
            "events of \(gap.writer ?? "a thread")", expected: "all after the log's last",
            found: "none\(range)"))
      }
    }
  }

  /// What is wrong with the ring beside the log at `path` as a whole: it is of another log, or cannot be read.
  package static func problem(ofRingBeside path: String) -> Problem? {
    guard let reader = try? LogReader(path: path, joinsRing: false) else { return nil }
    return problem(of: RingJoin.lookUp(log: path, reader.identity, reader.vocabulary))
  }

  private static func problem(of finding: RingJoin.Finding) -> Problem? {
    switch finding {
    case .stray(let ring):
      .ring(
        "the log id of \(ring.path)",
        expected: "the id of this log"
          + (ring.logID.map { ", \(LogIdentity.hex($0))" } ?? ", whose file header is damaged"),
        found: "the id of \(ring.ownerName); \(ring.remedy)")
    case .unreadable(let reason): .ring("its header", expected: "a ring", found: reason)
    case .none, .empty, .ring: nil
    }
  }

  private mutating func add(_ problem: Problem) {
    problemCount += 1
    if problems.count < LogReader.keptDamages { problems.append(problem) }
  }
}

extension VerifyReport.Problem {
  fileprivate init(_ damage: LogDamage) {
    self.init(
      kind: .damage, part: damage.part, offset: damage.offset, what: damage.kind.said.words,
      expected: damage.kind.said.expected, found: damage.reason)
  }
}

/// Holds each block against all that was before it.
private struct BlockCheck {
  private let vocabulary: Vocabulary
  private var state: LifecycleState? = LifecycleState()
  private var progress: WriterProgress<WriterID>
  private var lastInstant = Instant.distantPast
  private var problems: [VerifyReport.Problem] = []
  /// Where the block lies that is checked.
  private var place: (part: UInt32?, offset: Int) = (nil, 0)

  init(_ vocabulary: Vocabulary, _ part: LogPart) {
    self.vocabulary = vocabulary
    // What the parts before hold is not here to be checked.
    if part.number > 1 { state = nil }
    progress = WriterProgress(part, in: vocabulary)
  }

  func forgetUnusedWords() {
    guard vocabulary.isLarge else { return }
    var use = VocabularyUse()
    if let state { use.add(state) }
    vocabulary.forget(except: use)
  }

  /// After a loss the state is not known, until a checkpoint states it.
  mutating func noteLoss(_ gaps: [Event]) {
    state = nil
    for gap in gaps { progress.pass(gap: gap, in: vocabulary) }
  }

  mutating func check(
    _ block: BlockHeader, _ events: [Event], _ checkpoint: [Event]?,
    at place: (part: UInt32?, offset: Int)
  ) -> [VerifyReport.Problem] {
    (problems, self.place) = ([], place)
    checkCheckpoint(checkpoint)
    checkSpans(block, events)
    checkHeader(block, events)

    for event in events {
      checkSequence(event)
      if event.instant < lastInstant {
        report(
          .order, "instant", "\(lastInstant.nanoseconds) ns or later",
          "\(event.instant.nanoseconds) ns")
      }
      lastInstant = event.instant
      state?.fold(event)
    }
    // A writer that follows more than this reader knows what was given up here.
    if state?.givenUpAt != 0 { state = nil }
    return problems
  }

  private mutating func checkCheckpoint(_ checkpoint: [Event]?) {
    guard let checkpoint else {
      // Whoever wrote the block may have known less than all that was before it.
      state = nil
      return
    }
    let rebuilt = LifecycleState(checkpoint: checkpoint)
    if let state, state != rebuilt {
      report(
        .checkpoint, "state before the block",
        "\(state.checkpoint().count) facts from the events before it",
        "\(checkpoint.count) other facts")
    }
    if state == nil { state = rebuilt }
  }

  private mutating func checkHeader(_ block: BlockHeader, _ events: [Event]) {
    let first = events.map(\.instant).min() ?? .origin
    let last = events.map(\.instant).max() ?? .origin
    if first != block.firstInstant || last != block.lastInstant {
      report(
        .header, "time range", "\(first.nanoseconds)…\(last.nanoseconds) ns",
        "\(block.firstInstant.nanoseconds)…\(block.lastInstant.nanoseconds) ns")
    }

    let verbs = events.reduce(UInt64(0)) {
      $0 | ($1.verb.isKnown ? 1 << UInt64($1.verb.code) : 1)
    }
    if verbs != block.verbs { report(.header, "verbs", hex(verbs), hex(block.verbs)) }
  }

  /// Holds what the header says of each writer against the events.
  private mutating func checkSpans(_ block: BlockHeader, _ events: [Event]) {
    var found: [WriterID: WriterSpan] = [:]
    for event in events where event.verb != .gap {
      let new = WriterSpan(name: "", first: event.sequence)
      found[event.writer, default: new].last = event.sequence
      found[event.writer, default: new].count += 1
    }

    for span in block.writers {
      let writer = try? vocabulary.writer(span.name)
      var right = writer.flatMap { found.removeValue(forKey: $0) } ?? WriterSpan(name: "")
      right.name = span.name
      guard right != span else { continue }
      report(.header, "writer \(span.name)", text(of: right), text(of: span))
    }
  }

  private func text(of span: WriterSpan) -> String {
    "\(span.count) events, \(span.first) to \(span.last)"
  }

  private mutating func checkSequence(_ event: Event) {
    // A gap that names a writer explains the hole in its sequence.
    guard event.verb != .gap else { return progress.pass(gap: event, in: vocabulary) }
    let expected = progress[event.writer] &+ 1
    if event.sequence != expected {
      report(
        .sequence, "writer \(vocabulary.name(of: event.writer))", "\(expected)",
        "\(event.sequence)")
    }
    progress[event.writer] = event.sequence
  }

  private func hex(_ bits: UInt64) -> String { "0x" + String(bits, radix: 16) }

  private mutating func report(
    _ kind: VerifyReport.Problem.Kind, _ what: String, _ expected: String, _ found: String
  ) {
    problems.append(
      VerifyReport.Problem(
        kind: kind, part: place.part, offset: place.offset, what: what, expected: expected,
        found: found))
  }
}

extension VerifyReport.Problem {
  fileprivate static func ring(_ what: String, expected: String, found: String) -> Self {
    VerifyReport.Problem(kind: .ring, offset: 0, what: what, expected: expected, found: found)
  }
}
