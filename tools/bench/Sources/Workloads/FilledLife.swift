import AppLifecycle
import LifecycleModel
import TraceLog

/// A life that the driver plays, in which the times when scenes are active are filled with work.
@MainActor
struct FilledLife {
  /// No pause is filled for longer.
  private static let longest: Nanoseconds = .seconds(60)
  /// What ends before it and begins after it keeps so much distance from the life's own events.
  private static let margin: Nanoseconds = .milliseconds(5)

  private var use: Use
  private var active: [Subject] = []
  private var last: Nanoseconds = 0
  private var numbering = SequenceNumbering()
  private var written = 0
  private var pending: [Event] = []
  private let vocabulary: Vocabulary

  private init(_ vocabulary: Vocabulary, _ seed: UInt64) {
    use = Use(vocabulary, seed: seed)
    self.vocabulary = vocabulary
  }

  /// Writes a log of at least `count` events, of which up to one in `share` is the life's own; that life
  /// lies beside the log meanwhile.
  static func write(
    _ count: Int, _ seed: UInt64, to path: String, share: Int,
    app: @escaping @MainActor (Chance) -> PlayedApp, cycle: (inout PlayedLife) -> Void
  ) throws {
    let bare = path + ".life"
    defer { removeFile(bare) }
    var life = try PlayedLife(seed, to: bare, app: app)
    try life.play(count / share, cycle: cycle)

    var reader = try LogReader(path: bare)
    var filled = FilledLife(reader.vocabulary, seed)
    let writer = try LogWriter(
      to: FileLogSink(path: path, .replace), vocabulary: reader.vocabulary)
    var events: [Event] = []
    var isLong = false
    while !isLong, try reader.read(into: &events) {
      for event in events where !isLong {
        filled.follow(event)
        // What is left of the life is not needed.
        isLong = filled.written >= count && event.verb == .suspend
      }
      try writer.append(filled.pending)
      filled.pending.removeAll(keepingCapacity: true)
    }
    try writer.close()
  }

  /// Adds the work before an event of the life, and the event.
  private mutating func follow(_ event: Event) {
    let start = last + FilledLife.margin
    let end = min(event.instant.nanoseconds - FilledLife.margin, start + FilledLife.longest)
    let first = pending.count
    if !active.isEmpty && end - start > .milliseconds(100) {
      use.fill(&pending, from: start, to: end, active)
      pending[first...].sort { $0.instant < $1.instant }
    }

    pending.append(event)
    for index in first..<pending.count { numbering.number(&pending[index], in: vocabulary) }
    written += pending.count - first
    last = event.instant.nanoseconds
    noteActive(event)
  }

  private mutating func noteActive(_ event: Event) {
    switch (event.verb, Callback(event.name)) {
    case (.return, .sceneDidBecomeActive): active.append(event.subject)
    case (.call, .sceneWillResignActive): active.removeAll { $0 == event.subject }
    case (.processStart, _), (.kill, _), (.exit, _): active = []
    default: break
    }
  }
}
