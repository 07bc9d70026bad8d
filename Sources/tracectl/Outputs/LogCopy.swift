import LifecycleModel
import TraceLog
import TraceReport
import TraceText

/// A log, or the log of which several are pieces, as it is copied.
protocol CopiedStream: EventStream {
  /// What stands before its first event.
  var beginning: LogBeginning { get }
  /// What was true before the last batch; `nil` when the log does not state it.
  var checkpoint: [Event]? { get }
  /// Lets the vocabulary forget what nobody needs, when it is large; the words of `use` stay.
  mutating func forgetUnusedWords(except use: VocabularyUse)
}

extension SourceLog: CopiedStream {
  func forgetUnusedWords(except use: VocabularyUse) {
    if vocabulary.isLarge { vocabulary.forget(except: use) }
  }
}

extension SliceJoin: CopiedStream where Source == SourceLog {
  var checkpoint: [Event]? { nil }
}

/// Writes the events of a log, or of a part of it, as a whole log.
struct LogCopy {
  /// The damages and lost ranges that are listed.
  static let most = 20

  private let log: DerivedLog
  private let identity: LogIdentity
  private let words: any WordChange
  private var slicer: LogSlicer?
  private let vocabulary = Vocabulary()
  private var translation: EventTranslation
  private var whole: WholeEvents?
  /// What the copied part lost.
  private(set) var losses: Losses
  /// Whether the log has an event, in the part or outside.
  private(set) var hasRead = false

  /// Copies what `slicer` takes of a log, `nil` for all, with the words that `words` makes of its own.
  init(
    _ source: some CopiedStream, to log: DerivedLog, _ identity: LogIdentity,
    part slicer: LogSlicer?, words: any WordChange
  ) {
    (self.log, self.identity, self.slicer, self.words) = (log, identity, slicer, words)
    losses = Losses(countsHoles: !(source is SourceLog))
    translation = EventTranslation(from: source.vocabulary, to: vocabulary, words)
  }

  /// Copies the log to its end, or to that of the part.
  mutating func run(_ source: inout some CopiedStream) throws {
    if slicer == nil { try begin(source.beginning) }
    var events: [Event] = []
    while slicer?.isOver != true, try source.read(into: &events) {
      hasRead = hasRead || events.contains { $0.verb != .gap }
      let taken = slicer?.take(events, checkpoint: source.checkpoint)
      try write(taken ?? events, source.vocabulary)
      try forgetUnusedWords(&source)
    }
    try write(slicer?.finish() ?? [], source.vocabulary)
  }

  /// The processes of the log, where one was looked for.
  var processes: [String] { slicer?.processes ?? [] }

  /// What was changed so that the copy is whole, in lines.
  var changes: [String] { whole?.changes ?? [] }

  private mutating func begin(_ beginning: LogBeginning) throws {
    let told = try beginning.told(by: &translation, writer: words.writer)
    whole = WholeEvents(vocabulary, after: told.part)
    try log.begin(vocabulary, identity, after: told)
  }

  private mutating func write(_ events: [Event], _ source: Vocabulary) throws {
    if events.isEmpty { return }
    if whole == nil, let beginning = slicer?.beginning { try begin(beginning) }
    for event in events { losses.note(event, source) }
    let translated = try events.map { try translation.event($0) }
    try log.append(whole?.take(translated) ?? [])
  }

  private func forgetUnusedWords(_ source: inout some CopiedStream) throws {
    try log.forgetUnusedWords()
    var use = VocabularyUse()
    if let slicer {
      guard slicer.holdsNothing else { return }
      slicer.addWords(to: &use)
    }
    source.forgetUnusedWords(except: use)
  }
}

extension LogCopy {
  /// What a log lost.
  struct Losses {
    /// Whether a hole counts: one log lost nothing where its source had a hole, but its pieces may have.
    private let countsHoles: Bool
    private var places = 0
    private var known: Int64 = 0
    private var isUnknown = false
    private var isOpen = false
    private var writers: [String] = []
    private var more = 0

    fileprivate init(countsHoles: Bool) { self.countsHoles = countsHoles }

    fileprivate mutating func note(_ event: Event, _ vocabulary: Vocabulary) {
      guard let gap = Gap(event, in: vocabulary),
        gap.isDamage || countsHoles && gap.cause == GapCause.sourceHole.rawValue
      else { return }
      places += 1
      known &+= gap.count ?? 0
      if gap.count == nil { isUnknown = true }
      // What stood behind the place where a log was cut, nobody knows.
      if gap.cause == GapCause.tornTail.rawValue { isOpen = true }
      guard let writer = gap.writer, let from = gap.from, let to = gap.to else { return }
      guard writers.count < LogCopy.most else { return more += 1 }
      let range = from == to ? "event \(from)" : "events \(from) to \(to)"
      writers.append("lost of \(InertText.word(writer)): \(range)")
    }

    /// The ranges of each writer, and how much it is in all; none where nothing is lost.
    var lines: [String] {
      if places == 0 { return [] }
      let count = known == 0 ? "" : CountText.of(known, "event") + (isUnknown ? " and " : "")
      let unknown = isUnknown ? "an unknown number of events" : ""
      let rest = more == 0 ? [] : ["and \(more) more"]
      let least = isOpen && known > 0 ? "at least " : ""
      return writers + rest + ["lost in all: \(least)\(count)\(unknown)"]
    }
  }
}
