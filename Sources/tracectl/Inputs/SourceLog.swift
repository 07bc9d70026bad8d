import LifecycleModel
import TraceLog
import TraceReport
import TraceText

/// A log of which another one is made: its events as they stand in it, and what stood before them.
///
/// In other forms than the binary log there is nothing before the first event.
struct SourceLog: EventStream {
  private(set) var input: TraceInput
  private let path: String
  /// What the log begins with, where its first parts are gone.
  let beginning: LogBeginning
  private var first: [Event]?

  /// Opens the log at `path`; what is beside it and not read is told, unless it `isReadAgain`.
  init(_ path: String, settings: InputSettings, isReadAgain: Bool = false) throws {
    self.path = path
    var input = try TraceInput(path, settings: settings, isReadAgain: isReadAgain)
    input.leaveOutBeginning()
    var (events, batch): ([Event], [Event]) = ([], [])
    // What is damaged before the first block is reported first, and the block says what was true.
    repeat {
      guard try input.read(into: &batch) else { break }
      events += batch
    } while events.isEmpty || input.isBetweenBlocks

    var part = input.firstPart
    var state = LifecycleState()
    if part.number > 1 {
      // Which of the parts it was does not matter: none of those before is beside the new log.
      part.number = 2
      state = LifecycleState(checkpoint: input.checkpoint ?? [])
    }
    beginning = LogBeginning(part: part, state: state)

    // A part that is lost, and was not removed by the log's limits.
    let gap = input.opening.flatMap { $0.cause == GapCause.rotated.rawValue ? nil : $0 }
    if let gap, let event = events.first {
      events.insert(gap.event(at: event.instant, in: input.vocabulary), at: 0)
    }
    first = events
    self.input = input
  }

  var vocabulary: Vocabulary { input.vocabulary }

  /// That what was read of the log is damaged, in words; `nil` when it is whole.
  var damage: String? {
    guard input.damageCount > 0 else { return nil }
    let count = CountText.of(input.damageCount, "place")
    return
      "\(InertText.word(path)): is damaged in \(count), so events are missing; tracectl verify lists where"
  }

  /// The identity of a log that has these events at these instants.
  var identity: LogIdentity { input.identity ?? .imported(originWall: input.wallOrigin) }

  /// What the log says of its time.
  var clock: LogAlignment.Clock { LogAlignment.Clock(input.identity, wall: input.wallOrigin) }

  /// Replaces the contents of `events` by the next batch; false at the end.
  mutating func read(into events: inout [Event]) throws -> Bool {
    if let first {
      events = first
      self.first = nil
      return !first.isEmpty
    }
    return try input.read(into: &events)
  }
}
