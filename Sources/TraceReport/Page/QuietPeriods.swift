import LifecycleModel
import Run
import TraceText

/// What ran or was held while the app was not active: the longest of its periods.
struct QuietPeriods {
  /// A period in which the app was in one state.
  struct Period {
    let state: String
    let begin: Instant
    fileprivate(set) var end: Instant
    /// What there was in it.
    fileprivate(set) var items: [Item] = []
    /// How many more there were, beyond the limit of different items.
    fileprivate(set) var left = 0
    /// How many more of the same state had the same in them, where they are too many to stand by themselves.
    fileprivate(set) var alike = 0

    var length: Nanoseconds { end.since(begin) }

    /// The same for periods of one state with the same in them, whatever time that took.
    fileprivate var kind: Int { ([state] + items.map(\.text).sorted()).hashValue }
  }

  /// What ran or was held.
  struct Item {
    let text: String
    /// For how long there was one or more of it; 0 for what takes no time.
    fileprivate(set) var time: Nanoseconds = 0
    fileprivate(set) var count = 0
    /// How many there were at once, at the most.
    fileprivate(set) var most = 0
    /// Whether its process ended while it was open.
    fileprivate(set) var isCut = false

    /// How many are open; when the first of them began; when their number changed last.
    private var open = 0
    private var begin = Instant.origin
    private var change = Instant.origin

    fileprivate init(_ text: String) { self.text = text }

    fileprivate mutating func start(_ instant: Instant) {
      advance(instant)
      if open == 0 { begin = instant }
      open += 1
    }

    fileprivate mutating func stop(_ instant: Instant) {
      advance(instant)
      open -= 1
      if open == 0 { time += instant.since(begin) }
    }

    /// What is open at one instant alone is not open beside others.
    private mutating func advance(_ instant: Instant) {
      if instant > change { most = max(most, open) }
      change = instant
    }
  }

  /// What an item's text is made of: a label may be long, and its text is made once.
  private struct Key: Hashable {
    let prefix: String
    let isExpiration: Bool
    let name: Symbol
    let label: Symbol
    /// Of what has no label.
    let subject: Subject?

    init(_ prefix: String, _ event: Event) {
      self.prefix = prefix
      isExpiration = event.verb == .taskExpire || event.verb == .taskExpired
      (name, label) = (event.name, event.label)
      subject = event.label.isNone && event.name.isNone ? event.subject : nil
    }
  }

  /// At most this many periods are kept.
  static let limit = 40
  /// A period has at most this many different items.
  private static let itemLimit = 200
  /// Shorter ones are no period: the state of a moment on the way to another.
  private static let shortest: Nanoseconds = 1_000

  /// More periods that are alike stand as one.
  private static let alikeLimit = 5
  /// At most this many kinds of period are counted.
  private static let kindLimit = 1000

  /// What is drawn.
  private let extent: ClosedRange<Instant>
  private let texts: LaneText
  private let vocabulary: Vocabulary
  /// The period that is open, with its items.
  private var period: Period?
  private var items: [Key: Item] = [:]
  /// The bars that are open, by the places of their events.
  private var open: [UInt64: (bar: LaneBar, prefix: String)] = [:]
  private var periods: [Period] = []
  /// How many periods are alike, by what is in them.
  private var kinds: [Int: Int] = [:]

  init(_ vocabulary: Vocabulary, in extent: ClosedRange<Instant>) {
    (self.vocabulary, self.extent) = (vocabulary, extent)
    texts = LaneText(vocabulary)
  }

  /// The longest periods, in their order; of many that are alike the longest one.
  var longest: [Period] {
    var seen: Set<Int> = []
    let different = periods.sorted { $0.length > $1.length }.compactMap { period -> Period? in
      let count = kinds[period.kind, default: 1]
      if count <= QuietPeriods.alikeLimit { return period }
      guard seen.insert(period.kind).inserted else { return nil }
      var one = period
      one.alike = count - 1
      return one
    }
    return different.prefix(QuietPeriods.limit).sorted { $0.begin < $1.begin }
  }

  /// Takes what an event changed; `lanes` are those of the fold.
  mutating func observe(_ change: LaneChange, _ lanes: [Lane]) {
    switch change {
    case .begin(let bar): begin(bar, lanes[bar.lane])
    case .end(let bar, let end): self.end(bar, end, lanes[bar.lane])
    case .mark(let lane, let event, _, _): mark(event, lanes[lane])
    case .value, .gap, .death: break
    }
  }

  private mutating func begin(_ bar: LaneBar, _ lane: Lane) {
    if case .app = lane.kind, case .state(let state) = bar.content {
      if state == AppState.active.rawValue { return }
      period = Period(state: state, begin: bar.begin, end: bar.begin)

      let held = open.values.sorted { $0.bar.ordinal < $1.bar.ordinal }
      for (bar, prefix) in held { start(prefix, bar) }
    } else if let prefix = QuietPeriods.prefix(lane) {
      open[bar.ordinal] = (bar, prefix)
      if period != nil { start(prefix, bar) }
    }
  }

  private mutating func end(_ bar: LaneBar, _ end: RunEnd, _ lane: Lane) {
    if case .app = lane.kind { return endPeriod(end.instant) }
    guard let (bar, prefix) = open.removeValue(forKey: bar.ordinal), period != nil else { return }
    stop(prefix, bar, at: end.instant, isCut: end.cause == .died)
  }

  private mutating func mark(_ event: Event, _ lane: Lane) {
    guard case .work = lane.kind, period != nil, !isOfSystem(event) else { return }
    let key = Key("", event)
    if makeItem(key, event) { items[key]?.count += 1 }
  }

  private func isOfSystem(_ event: Event) -> Bool {
    vocabulary.attributes(event.attributes)[.by] == "system"
  }

  // MARK: Items

  /// Makes the item of an event; false when there are too many.
  private mutating func makeItem(_ key: Key, _ event: Event) -> Bool {
    if items[key] != nil { return true }
    guard items.count < QuietPeriods.itemLimit else {
      period?.left += 1
      return false
    }
    items[key] = Item(key.prefix + texts.text(event))
    return true
  }

  private mutating func start(_ prefix: String, _ bar: LaneBar) {
    let key = Key(prefix, bar.event)
    guard let period, makeItem(key, bar.event) else { return }
    items[key]?.start(max(bar.begin, period.begin))
  }

  /// What only touches a period is none of it.
  private mutating func stop(_ prefix: String, _ bar: LaneBar, at instant: Instant, isCut: Bool) {
    let key = Key(prefix, bar.event)
    guard let period, items[key] != nil else { return }
    items[key]?.stop(instant)
    if !isCut && instant <= max(bar.begin, period.begin) { return }
    items[key]?.count += 1
    if isCut { items[key]?.isCut = true }
  }

  private mutating func endPeriod(_ instant: Instant) {
    for (bar, prefix) in open.values {
      stop(prefix, bar, at: instant, isCut: false)
    }
    guard var period else { return }

    period.end = instant
    period.items = items.values.filter { $0.count > 0 }
      .sorted { ($1.time, $0.text) < ($0.time, $1.text) }
    items.removeAll()
    self.period = nil
    let isDrawn = (period.begin...period.end).overlaps(extent)
    if period.length < QuietPeriods.shortest || !isDrawn { return }
    if kinds.count < QuietPeriods.kindLimit || kinds[period.kind] != nil {
      kinds[period.kind, default: 0] += 1
    }
    periods.append(period)
    if periods.count < 2 * QuietPeriods.limit { return }
    periods = longest
  }

  /// What stands before the bars of a lane; `nil` of lanes that are not about what the app does.
  private static func prefix(_ lane: Lane) -> String? {
    switch lane.kind {
    case .thread, .deliveries: ""
    case .tasks, .held, .unsaved: lane.word + " "
    default: nil
    }
  }
}
