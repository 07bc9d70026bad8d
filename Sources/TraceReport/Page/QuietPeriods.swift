import LifecycleModel
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

    var length: Nanoseconds { end.since(begin) }
  }

  /// What ran or was held.
  struct Item {
    let text: String
    /// For how long; 0 for what takes no time.
    fileprivate(set) var time: Nanoseconds = 0
    fileprivate(set) var count = 0
    /// Whether its process ended while it was open.
    fileprivate(set) var isCut = false
  }

  /// So many periods are told.
  static let limit = 40
  /// So many items of a period are told apart.
  private static let itemLimit = 200
  /// Shorter ones are no period: the state of a moment on the way to another.
  private static let shortest: Nanoseconds = 1_000

  /// What is drawn.
  private let extent: ClosedRange<Instant>
  private let texts: LaneText
  private let vocabulary: Vocabulary
  /// The period that is open, with its items by their texts.
  private var period: Period?
  private var items: [String: Item] = [:]
  /// The bars that are open, by the places of their events.
  private var open: [UInt64: (bar: LaneBar, prefix: String)] = [:]
  private var periods: [Period] = []

  init(_ vocabulary: Vocabulary, in extent: ClosedRange<Instant>) {
    (self.vocabulary, self.extent) = (vocabulary, extent)
    texts = LaneText(vocabulary)
  }

  /// The longest periods, in their order.
  var told: [Period] { periods.sorted { $0.begin < $1.begin } }

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
    } else if bar.row != nil, let prefix = QuietPeriods.prefix(lane) {
      open[bar.ordinal] = (bar, prefix)
    }
  }

  private mutating func end(_ bar: LaneBar, _ end: LaneEnd, _ lane: Lane) {
    if case .app = lane.kind { return endPeriod(end.instant) }
    guard let (bar, prefix) = open.removeValue(forKey: bar.ordinal), let period else { return }
    let time = end.instant.since(max(bar.begin, period.begin))
    addSpan(prefix + texts.text(bar), time, isCut: end.cause == .died)
  }

  private mutating func mark(_ event: Event, _ lane: Lane) {
    guard case .work = lane.kind, period != nil, !isOfSystem(event) else { return }
    add(texts.text(event), 0, isCut: false)
  }

  private func isOfSystem(_ event: Event) -> Bool {
    vocabulary.attributes(event.attributes)[.by] == "system"
  }

  /// What only touches a period is none of it.
  private mutating func addSpan(_ text: String, _ time: Nanoseconds, isCut: Bool) {
    if time > 0 || isCut { add(text, time, isCut: isCut) }
  }

  private mutating func add(_ text: String, _ time: Nanoseconds, isCut: Bool) {
    guard items[text] != nil || items.count < QuietPeriods.itemLimit else { return }
    items[text, default: Item(text: text)].time += time
    items[text]?.count += 1
    if isCut { items[text]?.isCut = true }
  }

  private mutating func endPeriod(_ instant: Instant) {
    guard var period else { return }
    for (bar, prefix) in open.values.sorted(by: { $0.bar.ordinal < $1.bar.ordinal }) {
      let time = instant.since(max(bar.begin, period.begin))
      addSpan(prefix + texts.text(bar), time, isCut: false)
    }

    period.end = instant
    period.items = items.values.sorted { ($1.time, $0.text) < ($0.time, $1.text) }
    items.removeAll()
    self.period = nil
    let isDrawn = (period.begin...period.end).overlaps(extent)
    if period.length < QuietPeriods.shortest || !isDrawn { return }
    periods.append(period)
    if periods.count < 2 * QuietPeriods.limit { return }
    periods = Array(periods.sorted { $0.length > $1.length }.prefix(QuietPeriods.limit))
  }

  /// What stands before the bars of a lane; `nil` of lanes that are not about what the app does.
  private static func prefix(_ lane: Lane) -> String? {
    switch lane.kind {
    case .thread, .deliveries: ""
    case .tasks: "task "
    case .held: "held "
    case .unsaved: "unsaved "
    case .app, .scene, .system, .work, .notifications, .notes, .counter: nil
    }
  }
}
