import LifecycleModel
import TraceLog
import TraceText

/// A log of which another one is made: its events as they stand in it, and what stood before them.
///
/// In other forms than the binary log there is nothing before the first event.
struct SourceLog: EventStream {
  private(set) var input: TraceInput
  let path: String
  /// What the log begins with, where its first parts are gone.
  let beginning: LogBeginning
  /// Whether it has no event.
  let isEmpty: Bool
  private var first: [Event]?

  /// Opens the log at `path`, and reports what lies beside it and is not read.
  init(_ path: String, settings: InputSettings) throws {
    self.path = path
    var input = try TraceInput(path, settings: settings)
    var events: [Event] = []
    beginning = try LogBeginning(of: &input, events: &events)
    isEmpty = events.isEmpty
    first = events
    self.input = input
  }

  /// What it is called in messages.
  var name: String { InertText.word(path) }

  var vocabulary: Vocabulary { input.vocabulary }
  /// What was true before the last batch; `nil` when the log does not say it.
  var checkpoint: [Event]? { input.checkpoint }

  /// The identity of a log that has these events at these instants.
  var identity: LogIdentity { input.identity ?? .imported(originWall: input.wallOrigin) }

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
