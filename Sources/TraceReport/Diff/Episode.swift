import LifecycleModel
import TraceAnalysis

/// What is known of an episode while it goes on.
struct Episode {
  /// The kind of the episode in which something began.
  final class Origin {
    /// The kind; `nil` as long as it is not known, and where events are missing.
    var kind: Int32?
  }

  /// A burst ends when nothing happens for this long.
  static let pause: Nanoseconds = .milliseconds(150)
  /// No burst is longer.
  static let longest: Nanoseconds = .seconds(60)

  /// The state in which it began.
  let from: String
  let start: Instant
  private var last: Instant
  /// What the things that begin in it refer to.
  let origin = Origin()
  /// How often each token came.
  private(set) var tally = NumberedTable<Int64>()
  /// How long things took that began and ended in a burst, of which the kind is known at its end.
  var durations: [(token: Int32, time: Nanoseconds)] = []
  /// How often each event of an order came in a burst, and where it came last.
  private(set) var reached: [EventPattern.Alternative: (count: Int, place: UInt64)] = [:]
  /// The events in their order, where an example is wanted.
  private(set) var steps: [EpisodeStep] = []
  /// Whether no events are missing in it, and it is known in which state it began.
  private(set) var isCertain: Bool
  /// How many callbacks and handlers are running that began in a burst.
  var calls = 0
  /// The states that the app came into.
  var states: [String] = []
  /// Whether the process was suspended and resumed, as states.
  var sleeps: [String] = []

  init(from: String, at start: Instant, isCertain: Bool = true) {
    (self.from, self.start, last, self.isCertain) = (from, start, start, isCertain)
  }

  /// Whether an event at this instant comes after a burst.
  func isOver(at instant: Instant) -> Bool {
    calls == 0 && instant.since(last) >= Episode.pause || instant.since(start) > Episode.longest
  }

  /// Counts a token, with its instant where an example is wanted.
  mutating func add(_ token: Int32, at instant: Instant?) {
    tally.update(token, from: 0) { $0 += 1 }
    if let instant { append(EpisodeStep(token: token, instant: instant)) }
  }

  /// Lets a burst go on to an event of the app's life; it is counted where `orders` are about it.
  mutating func reach(_ event: Event, at place: UInt64, _ orders: DocumentedOrders) {
    last = max(last, event.instant)
    let event = EventPattern.Alternative(event.verb, event.name)
    guard orders.events.contains(event) else { return }
    reached[event] = ((reached[event]?.count ?? 0) + 1, place)
  }

  /// Events are missing in it.
  mutating func doubt() {
    isCertain = false
    origin.kind = nil
  }

  /// Takes in a burst that turned out to be part of it.
  mutating func absorb(_ burst: Episode) {
    for (token, count) in burst.tally.entries { tally.update(token, from: 0) { $0 += count } }
    for step in burst.steps { append(step) }
    if !burst.isCertain { doubt() }
    burst.origin.kind = origin.kind
  }

  private mutating func append(_ step: EpisodeStep) {
    if steps.count < EpisodeStep.kept { steps.append(step) }
  }
}

extension Verb {
  private static let isOfLifeByCode: [Bool] = (0...UInt8.max).map { code in
    let verbs: Set<Verb> = [
      .call, .return, .notify, .observe, .observed, .state, .snapshotBegin, .snapshotEnd, .suspend,
      .resume,
    ]
    return verbs.contains(Verb(code: code))
  }

  /// Whether it is of the app's life: anything else makes no burst, as a timer or a frame comes at any time.
  var isOfLife: Bool { Verb.isOfLifeByCode[Int(code)] }
}

extension Event {
  /// Whether it is of one of these hooks, or of none; where a process begins and ends counts in any case.
  func comes(from hooks: Set<Hook>?) -> Bool {
    guard let hooks, let hook = EventPattern.Alternative(verb, name).hook else { return true }
    return hook == .process || hooks.contains(hook)
  }
}

extension SpanFamily {
  /// Whether a burst lasts as long as it runs.
  var isHandler: Bool { self == .call || self == .observe }
}
