import LifecycleModel

/// Collects, in a second reading of a trace, the events around some findings.
///
/// Of a process at most ``kept`` events are held; what came before is told by what was true then.
public struct FindingWindows {
  /// How many events of a process are held.
  public static let kept = 20_000
  /// How many events after the last one of the evidence are taken.
  private static let after = 256

  /// A finding, and the events around it.
  public struct Window {
    /// Its place among the findings.
    public let index: Int
    /// The culprit, with words of the vocabulary of the second reading.
    public let culprit: Event
    /// The events, in order.
    public let events: [Event]
  }

  private struct Target {
    let index: Int
    let ordinal: UInt64
    let culprit: Key
    let witnesses: Set<Key>
    let until: Instant
    var left = FindingWindows.after
  }

  private struct Key: Hashable {
    var writer: WriterID
    var sequence: UInt64
    /// A gap has no sequence.
    var instant: Instant

    init(_ event: Event) {
      (writer, sequence, instant) = (event.writer, event.sequence, event.instant)
    }
  }

  private let vocabulary: Vocabulary
  private var targets: [Target]
  private var wanted: Set<Key>
  private var witnesses: [Key: (event: Event, ordinal: UInt64)] = [:]
  private var base = LifecycleState()
  private var buffer: [Event] = []

  /// Makes windows for findings, each with its place; `vocabulary` is that of the second reading.
  public init(_ findings: [(index: Int, finding: Finding)], _ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    targets = findings.compactMap { index, finding in
      guard let culprit = finding.culprit else { return nil }
      let events = finding.witnesses.compactMap(\.event)
      let latest = events.map(\.instant).max() ?? culprit.instant
      let time = max(finding.elapsed ?? 0, finding.allowed ?? 0)
      return Target(
        index: index, ordinal: finding.ordinal, culprit: Key(culprit),
        witnesses: Set(events.map { Key($0) }),
        until: max(latest, culprit.instant.advanced(by: time)))
    }
    wanted = targets.reduce(into: []) { $0.formUnion($1.witnesses) }
  }

  /// Whether there is nothing left to look for.
  public var isDone: Bool { targets.isEmpty }

  /// Takes the next events; the windows that are whole.
  public mutating func take(_ events: [Event]) -> [Window] {
    var whole: [Window] = []
    for event in events where !targets.isEmpty {
      if event.verb == .processStart { whole += close(before: event) }
      note(event)
      let ordinal = base.ordinal &+ UInt64(buffer.count)
      for index in targets.indices.reversed()
      where ordinal >= targets[index].ordinal && event.instant > targets[index].until {
        targets[index].left -= 1
        if targets[index].left <= 0 { whole += close(index) }
      }
    }

    forgetUnusedWords()
    return whole
  }

  /// The windows that the trace's end closes.
  public mutating func finish() -> [Window] {
    targets.indices.reversed().flatMap { close($0) }
  }

  private mutating func note(_ event: Event) {
    if wanted.contains(Key(event)) {
      witnesses[Key(event)] = (event, base.ordinal &+ UInt64(buffer.count) &+ 1)
    }
    buffer.append(event)
    if buffer.count >= 2 * FindingWindows.kept { forget(FindingWindows.kept) }
  }

  private mutating func forget(_ count: Int) {
    for event in buffer.prefix(count) { base.fold(event) }
    buffer.removeFirst(count)
  }

  /// A new process begins: the windows of the one before are whole.
  private mutating func close(before event: Event) -> [Window] {
    let ordinal = base.ordinal &+ UInt64(buffer.count)
    let windows = targets.indices.reversed()
      .filter { targets[$0].ordinal <= ordinal }.flatMap { close($0) }
    // A profile that stands right before the process is its own.
    forget(buffer.count)
    return windows
  }

  private mutating func close(_ index: Int) -> [Window] {
    let target = targets.remove(at: index)
    guard let culprit = witnesses[target.culprit]?.event else { return [] }
    let older = target.witnesses.compactMap { witnesses[$0] }
      .filter { $0.ordinal <= base.ordinal }.ordered { $0.ordinal < $1.ordinal }.map(\.event)
    let known = base.checkpoint() + older
    let ordered = known.enumerated()
      .ordered { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }.map(\.element)
    return [Window(index: target.index, culprit: culprit, events: ordered + buffer)]
  }

  private func forgetUnusedWords() {
    guard vocabulary.isLarge else { return }
    var use = VocabularyUse()
    use.add(base)
    for event in buffer { use.add(event) }
    for (_, witness) in witnesses { use.add(witness.event) }
    vocabulary.forget(except: use)
  }
}
