import LifecycleModel

/// A burst of events of the app's life.
struct EpisodeBurst {
  /// A burst ends when nothing happens for so long.
  static let pause: Nanoseconds = .milliseconds(150)
  /// No burst is longer.
  static let longest: Nanoseconds = .seconds(60)

  var bucket: EpisodeBucket
  /// The state in which it began.
  let from: String
  let start: Instant
  private var last: Instant
  /// How many callbacks and handlers are running that began in it.
  var calls = 0
  /// The states that the app came into.
  var states: [String] = []
  /// Whether the process was suspended and resumed, as states.
  var sleeps: [String] = []
  /// Whether a process starts with it.
  var isStart = false

  init(_ bucket: EpisodeBucket, from: String, at start: Instant) {
    (self.bucket, self.from, self.start, last) = (bucket, from, start, start)
  }

  /// Goes on until an instant at least.
  mutating func reach(_ instant: Instant) { last = max(last, instant) }

  /// Whether an event at this instant comes behind it.
  func isOver(at instant: Instant) -> Bool {
    calls == 0 && instant.since(last) >= EpisodeBurst.pause
      || instant.since(start) > EpisodeBurst.longest
  }
}

/// What verbs mean to episodes, by code.
enum EpisodeVerbs {
  /// Whether the verb is of the app's life: what is not makes no burst, as a timer or a frame comes
  /// at any time.
  static let ofLife: [Bool] = {
    let verbs: [Verb] = [
      .call, .return, .notify, .observe, .observed, .state, .snapshotBegin, .snapshotEnd, .suspend,
      .resume,
    ]
    var table = [Bool](repeating: false, count: Int(UInt8.max) + 1)
    for verb in verbs { table[Int(verb.code)] = true }
    return table
  }()
}
