import ArgumentParser
import LifecycleModel
import TraceLog
import TraceReport
import TraceText

/// `tracectl merge`: several logs as one.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge logs of processes that ran one after another, or slices of one log.",
    discussion: """
      The order of the logs does not matter. Their times are aligned by the clocks in their headers: exactly by the monotonic clock if they were recorded in one boot of a machine, otherwise by the wall clock. Standard error says by which.

        tracectl merge monday.bin tuesday.bin -o week.bin
        tracectl merge early.bin late.bin

      Slices and parts of one log are joined, and what is in two of them is there once. Between different logs the new log has a gap. A log holds one process at a time: logs that overlap are refused, and tracectl analyze takes them side by side. Each log is read twice, so none can be standard input. Without -o, the new log is merged.bin.
      """)

  @Argument(
    help: ArgumentHelp("The logs, two or more, in any form.", valueName: "log"),
    completion: .file())
  var logs: [String]

  @Flag(help: "Logs without a clock count from the same moment as the first one.")
  var sameOrigin = false

  @OptionGroup var derived: DerivedLogOptions

  @OptionGroup(title: "Console text") var console: ConsoleOptions

  func validate() throws {
    if logs.count < 2 { throw ValidationError("merge takes two logs or more") }
    if logs.contains("-") {
      throw ValidationError("merge reads each log twice, which does not work with standard input")
    }
  }

  func run() throws {
    let output = derived.output ?? "merged.bin"
    let log = try DerivedLog(output, derived, madeOf: logs)
    var pieces = try logs.map { try Piece($0, settings) }
    let alignment = try align(pieces)
    for index in pieces.indices { pieces[index].shift = alignment.shifts[index] }
    let groups = Piece.groups(pieces)
    try checkOverlap(groups)

    let vocabulary = Vocabulary()
    var merger = LogMerger(vocabulary)
    var counts = Counts()
    for group in groups {
      try put(group, into: &merger, log, identity(pieces, alignment), &counts)
    }
    let made = try log.close()
    if !derived.quiet { tell(made, pieces, alignment, counts) }
  }

  private var settings: InputSettings {
    InputSettings(console: console.options, isQuiet: derived.quiet, work: derived.work.limit)
  }

  /// How many events stood in several logs, and in none.
  private struct Counts {
    var repeated = 0
    var missing: UInt64 = 0
  }

  /// Puts the pieces of one log behind what was put before.
  private func put(
    _ pieces: [Piece], into merger: inout LogMerger, _ log: DerivedLog, _ identity: LogIdentity,
    _ counts: inout Counts
  ) throws {
    let sources = try pieces.map { try SourceLog($0.path, settings: settings, isReadAgain: true) }
    var joined = try SliceJoin(sources.map { ($0, $0.beginning) })
    try merger.begin(
      pieces[0].name, joined.vocabulary, shift: pieces[0].shift, after: joined.beginning)
    if !log.isBegun, let beginning = merger.beginning {
      try log.begin(merger.vocabulary, identity, after: beginning)
    }

    var events: [Event] = []
    while try read(&joined, of: pieces, into: &events) {
      try log.append(merger.take(events))
      try log.forgetUnusedWords()
      joined.forgetUnusedWords()
    }
    counts.repeated += joined.repeatedCount
    counts.missing &+= joined.missingCount
  }

  private func read(
    _ joined: inout SliceJoin<SourceLog>, of pieces: [Piece], into events: inout [Event]
  ) throws -> Bool {
    do {
      return try joined.read(into: &events)
    } catch let error as SliceJoin<SourceLog>.NotOneLog {
      throw CommandError.usage(
        "\(InertText.word(pieces[error.index].path)): has the log id of another log here, and other "
          + "events, so they are no slices of one log; did tracectl simulate write both? it needs "
          + "another --seed")
    }
  }

  // MARK: Time

  private func align(_ pieces: [Piece]) throws -> LogAlignment {
    do {
      return try LogAlignment(pieces.map(\.clock), isSameOrigin: sameOrigin)
    } catch {
      let name = InertText.word(pieces[error.index].path)
      let others = error.index == 1 ? InertText.word(pieces[0].path) : "the logs before it"
      throw CommandError.usage(
        "\(name): has no clock in common with \(others), so its place in time is not known; if all "
          + "count from one moment, pass --same-origin; for console text without a day, pass --date"
      )
    }
  }

  /// Throws for two processes at a time, which a log cannot hold.
  private func checkOverlap(_ groups: [[Piece]]) throws {
    for (first, second) in zip(groups, groups.dropFirst()) {
      let last = first.max { ($0.end ?? .distantPast) < ($1.end ?? .distantPast) }
      guard let earlier = last, let later = second.first, let end = earlier.end,
        let start = second.compactMap(\.start).min(), start < end
      else { continue }
      let (first, second) = (InertText.word(earlier.path), InertText.word(later.path))
      throw CommandError.usage(
        "\(second): begins \(InstantText.rounded(end.since(start))) before \(first) ends, and a log "
          + "holds one process at a time; tracectl analyze \(first) \(second) takes them side by side"
      )
    }
  }

  /// One log keeps its id; several are a new one, which begins with the earliest.
  private func identity(_ pieces: [Piece], _ alignment: LogAlignment) -> LogIdentity {
    let first = pieces[alignment.reference]
    if pieces.allSatisfy({ $0.isSameLog(as: first) }), let identity = first.clock.identity {
      return identity
    }
    var identity = LogIdentity.imported(originWall: first.clock.wall)
    guard let known = first.clock.identity else { return identity }
    (identity.originMonotonic, identity.originBoottime) = (
      known.originMonotonic, known.originBoottime
    )
    identity.bootID = known.bootID
    return identity
  }

  private func tell(
    _ made: String, _ pieces: [Piece], _ alignment: LogAlignment, _ counts: Counts
  ) {
    var lines: [String] = []
    for (piece, means) in zip(pieces, alignment.means) {
      guard let means else { continue }
      let (name, other) = (InertText.word(piece.path), InertText.word(pieces[means.other].path))
      switch means.means {
      case .log: lines.append("\(name): is of the same log as \(other)")
      case .boot:
        lines.append("\(name): aligned with \(other) by the monotonic clock of one boot, exactly")
      case .wall:
        lines.append("\(name): aligned with \(other) by the wall clock, as exactly as it was set")
      case .said: lines.append("\(name): taken to begin with \(other)")
      }
    }

    for piece in pieces {
      if piece.extent == nil { lines.append("\(InertText.word(piece.path)): has no events") }
      if let damage = piece.damage { lines.append(damage) }
    }
    if counts.repeated > 0 {
      let events = CountText.of(counts.repeated, "event")
      lines.append("\(events) in more than one of the logs: merged once")
    }
    if counts.missing > 0 {
      lines.append("\(CountText.of(Int(clamping: counts.missing), "event")) in none of the logs")
    }
    Terminal.printError(lines + [made])
  }
}

/// A log that is merged with others.
private struct Piece {
  let path: String
  let clock: LogAlignment.Clock
  /// The instants of its first and its last event, by its own count.
  private(set) var extent: ClosedRange<Instant>?
  /// How much later its instants are than those of the merged log.
  var shift: Nanoseconds = 0
  private let eventsBefore: UInt64
  /// That it is damaged, in words; `nil` when it is whole.
  let damage: String?

  /// Reads the log at `path` once.
  init(_ path: String, _ settings: InputSettings) throws {
    self.path = path
    var source = try SourceLog(path, settings: settings)
    eventsBefore = source.beginning.part.eventsBefore
    var events: [Event] = []
    while try source.read(into: &events) {
      for event in events {
        let known = extent ?? event.instant...event.instant
        extent = min(known.lowerBound, event.instant)...max(known.upperBound, event.instant)
      }
      source.vocabulary.forgetAllIfLarge()
    }
    clock = source.clock
    damage = source.damage
  }

  /// The name of its file without its ending.
  var name: String {
    let file = path.split(separator: "/").last ?? ""
    return String(file.prefix { $0 != "." })
  }

  var start: Instant? { extent?.lowerBound.advanced(by: shift) }
  var end: Instant? { extent?.upperBound.advanced(by: shift) }

  func isSameLog(as other: Piece) -> Bool { clock.isSameLog(as: other.clock) }

  /// The pieces of each log in its order, and the logs by their beginnings; those without events are left
  /// out.
  static func groups(_ pieces: [Piece]) -> [[Piece]] {
    var groups: [[Piece]] = []
    for piece in pieces where piece.extent != nil {
      if let index = groups.firstIndex(where: { piece.isSameLog(as: $0[0]) }) {
        groups[index].append(piece)
      } else {
        groups.append([piece])
      }
    }
    for index in groups.indices { groups[index].sort { $0.eventsBefore < $1.eventsBefore } }
    func start(_ group: [Piece]) -> Instant { group.compactMap(\.start).min() ?? .origin }
    return groups.sorted { start($0) < start($1) }
  }
}
