/// Why events are missing.
public enum GapCause: String, WellKnown {
  /// The recorder's ring was full.
  case ringFull = "ring-full"
  /// A block of the log is damaged or missing.
  case corruptBlock = "corrupt-block"
  /// The log ends in the middle of a block.
  case tornTail = "torn-tail"
  /// The source has a hole, or a line that could not be read.
  case sourceHole = "source-hole"
  /// The disk was full.
  case diskFull = "disk-full"
  /// Older parts of the log were removed, as its limits say.
  case rotated
  /// Reading stopped before the end of the log, as its reader wanted.
  case notRead = "not-read"
  /// More was open at once than a reader follows, and it gave up the oldest; no log holds such a gap.
  case tooMuchOpen = "too-much-open"

  /// The cause in plain words, behind a colon.
  package var words: String {
    switch self {
    case .ringFull: "the recorder's ring was full"
    case .corruptBlock: "a part of the recording is damaged"
    case .tornTail: "the log ends in the middle of a block"
    case .sourceHole: "the source has a hole"
    case .diskFull: "the disk was full"
    case .rotated: "older parts of the log were removed"
    case .notRead: "the rest of the log was not read"
    case .tooMuchOpen: "more is open at once than is followed, so that the oldest was given up"
    }
  }
}

extension Event {
  /// Whether it reports that the oldest of what is open was given up.
  package var isGivingUp: Bool { verb == .gap && name == GapCause.tooMuchOpen.symbol }
}

/// A hole in a trace: what is known of events that are missing.
public struct Gap: Hashable, Sendable {
  /// The cause by its word; ``GapCause`` has the known ones.
  public var cause: String
  /// How many events are missing; `nil` when that is not known.
  public var count: Int64?
  /// The writer whose events are missing; `nil` when that is not known.
  public var writer: String?
  /// The first missing sequence number.
  public var from: UInt64?
  /// The last missing sequence number.
  public var to: UInt64?
  /// For how long events are missing, from the gap's instant on, in nanoseconds; `nil` when all are
  /// missing between the event before the gap and the one behind it.
  public var within: Nanoseconds?

  /// Makes a gap of which only the cause is known.
  public init(_ cause: GapCause) {
    self.cause = cause.rawValue
  }

  /// Makes a gap for the sequence numbers `from...to` of `writer`.
  public init(_ cause: GapCause, writer: String, from: UInt64, to: UInt64) {
    self.cause = cause.rawValue
    self.writer = writer
    self.from = from
    self.to = to
    self.count = Int64(clamping: to &- from &+ 1)
  }

  /// Reads the gap that `event` tells; `nil` when its verb is not `gap`.
  public init?(_ event: Event, in vocabulary: Vocabulary) {
    guard event.verb == .gap else { return nil }
    cause = vocabulary.text(event.name)
    let attributes = vocabulary.attributes(event.attributes)
    count = event.value.flatMap { $0 < 0 ? nil : $0 }
    writer = attributes[.writer]
    from = attributes[.from].flatMap(Gap.sequence)
    to = attributes[.to].flatMap(Gap.sequence)
    within = attributes[.within].flatMap { InstantText.parse(ArraySlice($0.utf8)) }
  }

  /// No recording comes near this sequence number: sums of two do not overflow.
  package static let maxSequence: UInt64 = 1 << 62

  private static func sequence(_ text: String) -> UInt64? {
    UInt64(text).flatMap { $0 <= maxSequence ? $0 : nil }
  }

  /// Whether bytes of the log are damaged or missing there.
  package var isDamage: Bool {
    cause == GapCause.corruptBlock.rawValue || cause == GapCause.tornTail.rawValue
  }

  /// What is missing behind the sequence number `last`; `nil` when it is nothing.
  package func rest(behind last: UInt64) -> Gap? {
    guard let from, let to, from <= last else { return self }
    if to <= last { return nil }
    var rest = self
    (rest.from, rest.count) = (last + 1, Int64(clamping: to - last))
    return rest
  }

  /// The `gap` event that tells it, at `instant`: that of the last event before what is missing.
  public func event(at instant: Instant, in vocabulary: Vocabulary) -> Event {
    var attributes: [Attribute] = []
    if let writer { attributes.append(Attribute(.writer, writer)) }
    if let from { attributes.append(Attribute(.from, String(from))) }
    if let to { attributes.append(Attribute(.to, String(to))) }
    if let within { attributes.append(Attribute(.within, InstantText.print(within))) }
    return Event(
      instant: instant, writer: .system, verb: .gap, name: vocabulary.symbol(cause),
      value: count ?? -1, attributes: vocabulary.attributes(attributes))
  }
}
