import LifecycleModel

/// How far each writer is: the sequence of its last event that was read or written, or that a gap reports as
/// missing.
struct WriterProgress<Writer: Hashable> {
  /// The last sequence of each writer; a writer that has done nothing has none.
  private(set) var lasts: [Writer: UInt64] = [:]

  init(_ lasts: [Writer: UInt64] = [:]) { self.lasts = lasts }

  /// The last sequence of a writer; 0 before its first event.
  ///
  /// Setting it moves the writer there, also back.
  subscript(_ writer: Writer) -> UInt64 {
    get { lasts[writer] ?? 0 }
    set { lasts[writer] = newValue }
  }

  /// Moves a writer on to a sequence, unless it is farther.
  mutating func advance(_ writer: Writer, to sequence: UInt64) {
    lasts[writer] = max(self[writer], sequence)
  }
}

extension WriterProgress<String> {
  /// Where the writers are at the beginning of a part.
  init(_ part: LogPart) {
    self.init()
    enter(part)
  }

  /// Goes to the beginning of a part; writers that it does not name stay.
  mutating func enter(_ part: LogPart) {
    for mark in part.writers { lasts[mark.name] = mark.last }
  }

  /// Goes behind a block.
  mutating func pass(_ block: BlockHeader) {
    for span in block.writers where span.count > 0 { lasts[span.name] = span.last }
  }

  /// Goes behind what a gap reports as missing.
  mutating func pass(_ gap: Gap) {
    if let writer = gap.writer, let to = gap.to { advance(writer, to: to) }
  }

  /// Goes behind what the gaps among these events report as missing.
  mutating func passGaps(_ events: some Collection<Event>, in vocabulary: Vocabulary) {
    for event in events where event.verb == .gap {
      if let gap = Gap(event, in: vocabulary) { pass(gap) }
    }
  }

  /// The same as the header of a part states it.
  var marks: [LogPart.WriterMark] {
    lasts.sorted { $0.key < $1.key }.map { LogPart.WriterMark(name: $0.key, last: $0.value) }
  }
}

extension WriterProgress<WriterID> {
  /// Where the writers of `vocabulary` are at the beginning of a part.
  init(_ part: LogPart, in vocabulary: Vocabulary) {
    self.init()
    for mark in part.writers {
      if let writer = try? vocabulary.writer(mark.name) { lasts[writer] = mark.last }
    }
  }

  /// Goes behind what the event of a gap reports as missing.
  mutating func pass(gap event: Event, in vocabulary: Vocabulary) {
    guard let gap = Gap(event, in: vocabulary), let name = gap.writer, let to = gap.to,
      let writer = try? vocabulary.writer(name)
    else { return }
    advance(writer, to: to)
  }
}
