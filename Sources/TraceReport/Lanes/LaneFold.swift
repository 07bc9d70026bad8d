import LifecycleModel
import Run

/// Turns a trace into what a picture of it shows, event by event: what a ``RunFold`` follows, in lanes and
/// rows, and the instants between.
///
/// The page, the picture in the terminal and the export are drawn from its changes, so that all show the
/// same. Memory is taken by what is open.
package struct LaneFold {
  /// At most this many bars of a lane can be open beside each other; further ones have no row.
  package static let rowLimit = 64
  /// At most this many lanes exist; what would have a further one stands in ``Lane/Kind/others``, values
  /// nowhere.
  package static let laneLimit = 1024

  /// The lanes that have come so far, in the order in which they came.
  package private(set) var lanes: [Lane] = []
  private var places: [Lane.Kind: Int] = [:]
  /// Which bars have the rows of each lane; 0 where none has.
  private var rows: [[UInt64]] = []
  private let vocabulary: Vocabulary
  /// The run, whose state, profile and latest instant are those after the events so far.
  package private(set) var run: RunFold
  /// What the last event changed.
  private var changes: [LaneChange] = []

  /// Makes a fold of a trace whose events belong to `vocabulary`.
  package init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    run = RunFold(vocabulary)
  }

  /// Follows the next event, and returns what it changes.
  package mutating func observe(_ event: Event) -> [LaneChange] {
    run.observe(event)
    placeChanges()
    if event.verb == .sample {
      addValue(event)
    } else if !run.isEdge {
      addMark(event)
    }
    return changes
  }

  /// Returns the ends of what is open at the end of the trace.
  package mutating func finish() -> [LaneChange] {
    run.finish()
    placeChanges()
    return changes
  }

  /// What is open, in the order of the begins.
  var openBars: [LaneBar] {
    run.openBars.map { bar in
      let lane = places[Lane.Kind(bar)] ?? places[.others] ?? 0
      return LaneBar(lane: lane, row: rows[lane].firstIndex(of: bar.id), run: bar)
    }
  }

  /// Lets the vocabulary forget what no picture can need any more, when it has become large.
  ///
  /// Call it between two batches; bars that have ended have no words from then on.
  package func forgetUnusedWords() {
    run.forgetUnusedWords { use in
      for lane in lanes {
        switch lane.kind {
        case .work(let word), .counter(let word): use.add(word)
        default: break
        }
      }
    }
  }

  // MARK: Lanes and rows

  /// Gives what changes in the run its places.
  private mutating func placeChanges() {
    changes.removeAll(keepingCapacity: true)
    for change in run.changes {
      switch change {
      case .begin(let bar):
        let lane = place(Lane.Kind(bar))
        changes.append(.begin(LaneBar(lane: lane, row: takeRow(lane, bar.id), run: bar)))
      case .end(let bar, let end):
        let lane = place(Lane.Kind(bar))
        let row = rows[lane].firstIndex(of: bar.id)
        if let row { rows[lane][row] = 0 }
        changes.append(.end(LaneBar(lane: lane, row: row, run: bar), end))
      case .gap(let event, let ordinal, let from, let to, _):
        changes.append(.gap(event, ordinal: ordinal, from: from, to: to))
      case .death(let event, let ordinal, let instant, _):
        changes.append(.death(event, ordinal: ordinal, at: instant))
      }
    }
  }

  private mutating func place(_ kind: Lane.Kind) -> Int {
    if let place = places[kind] { return place }
    if lanes.count >= LaneFold.laneLimit, kind.isOneOfMany { return self.place(.others) }
    lanes.append(Lane(kind, vocabulary))
    rows.append([])
    places[kind] = lanes.count - 1
    return lanes.count - 1
  }

  private mutating func takeRow(_ lane: Int, _ bar: UInt64) -> Int? {
    if let free = rows[lane].firstIndex(of: 0) {
      rows[lane][free] = bar
      return free
    }
    guard rows[lane].count < LaneFold.rowLimit else { return nil }
    rows[lane].append(bar)
    return rows[lane].count - 1
  }

  // MARK: Instants

  private mutating func addMark(_ event: Event) {
    guard let kind = Lane.Kind(ofInstant: event) else { return }
    changes.append(.mark(lane: place(kind), event, ordinal: run.ordinal, at: run.now))
  }

  private mutating func addValue(_ event: Event) {
    guard let value = event.value else { return }
    let lane = place(.counter(event.name))
    if lanes[lane].kind == .others { return }
    changes.append(.value(lane: lane, value, ordinal: run.ordinal, at: run.now))
  }
}

extension Lane.Kind {
  /// The lane of something that lasts.
  fileprivate init(_ bar: RunBar) {
    switch bar.content {
    case .state: self = bar.scene.map { .scene($0) } ?? .app
    case .process, .suspension: self = .system
    case .span where bar.event.opensOnThread: self = .thread(bar.event.writer)
    case .span:
      switch bar.event.verb {
      case .taskBegin, .bgtaskLaunch: self = .tasks
      case .acquire: self = .held
      case .dataDirty: self = .unsaved
      case .deliver: self = .deliveries
      default: self = .system
      }
    }
  }

  /// The lane in which an event is an instant; `nil` of one that is in none.
  fileprivate init?(ofInstant event: Event) {
    switch event.verb {
    case .work: self = .work(event.name)
    case .notify: self = .notifications
    case .note: self = .notes
    case .taskEnd, .taskGranted, .taskExpired, .bgtaskRegister, .bgtaskExpire, .bgtaskComplete:
      self = .tasks
    case .deliver, .complete: self = .deliveries
    case .dataSave: self = .unsaved
    case .release: self = .held
    default: return nil
    }
  }
}
