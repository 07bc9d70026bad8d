import LifecycleModel
import TraceText

/// The tracks of a run, made when something stands on them first.
///
/// ```
/// process
///   Findings    Evidence
///   Lifecycle   App · Scene 1 · System · Ends of processes · Missing events
///   Work        Background tasks · Held · Unsaved · Deliveries · Work: timer · Notifications
///   threads     main · db
///   values      memory
/// ```
struct LaneTracks {
  /// A part of the picture that has a track.
  enum Part: Hashable {
    case group(Group)
    case evidence, ends, missing
    /// A row of a lane; of a thread the first one holds all that is nested.
    case row(lane: Int, row: Int)
    /// Instants of a lane that has bars, too.
    case instants(lane: Int)
    /// What overlaps on a thread, by row.
    case beside(lane: Int, row: Int)
  }

  enum Group: Int {
    case findings, lifecycle, work

    var name: String {
      switch self {
      case .findings: "Findings"
      case .lifecycle: "Lifecycle"
      case .work: "Work"
      }
    }
  }

  /// All tracks, in the order in which they were made: parents before what stands under them.
  private(set) var all: [ExportTrack]
  private var places: [Part: Int] = [:]

  /// The tracks of the process `name`.
  init(process name: String) {
    all = [
      ExportTrack(id: 1, name: name, kind: .process, parent: nil, rank: 0)
    ]
  }

  /// The track of a part that belongs to no lane.
  mutating func track(_ part: Part) -> ExportTrack { track(part, of: nil) }

  /// The track of a part of `lane`.
  mutating func track(_ part: Part, of lane: Lane?) -> ExportTrack {
    if let place = places[part] { return all[place] }
    let track = make(part, lane)
    places[part] = all.count
    all.append(track)
    return track
  }

  /// Makes a track; those above it are made first, so that its number is known last.
  private mutating func make(_ part: Part, _ lane: Lane?) -> ExportTrack {
    var (kind, parent, rank) = (ExportTrack.Kind.slices, 1, 0)
    switch part {
    case .group(let group):
      (kind, rank) = (.group, group.rawValue)
    case .evidence:
      parent = track(.group(.findings)).id
    case .ends: (parent, rank) = (track(.group(.lifecycle)).id, LaneTracks.rank(3, 0, 0))
    case .missing: (parent, rank) = (track(.group(.lifecycle)).id, LaneTracks.rank(3, 1, 0))
    case .row(let place, let row):
      guard let lane else { break }
      kind = LaneTracks.kind(lane)
      parent = self.parent(lane)
      rank = LaneTracks.rank(lane, place, row)
      // The first row is declared before the others.
      if row > 0 { _ = track(.row(lane: place, row: 0), of: lane) }
    case .instants(let place):
      guard let lane else { break }
      (parent, rank) = (self.parent(lane), LaneTracks.rank(lane, place, 98))
    case .beside(let place, let row):
      guard let lane else { break }
      (parent, rank) = (track(.group(.work)).id, LaneTracks.rank(lane, place, row))
    }

    return ExportTrack(
      id: all.count + 1, name: name(part, lane), kind: kind, parent: parent, rank: rank)
  }

  private func name(_ part: Part, _ lane: Lane?) -> String {
    let title = lane.map { ExportText.cut(InertText.line($0.title)) } ?? ""
    switch part {
    case .group(let group): return group.name
    case .evidence: return "Evidence"
    case .ends: return "Ends of processes"
    case .missing: return "Missing events"
    case .row(_, let row) where row > 0: return "\(title) \(row + 1)"
    case .row: return title
    case .instants: return lane.map { LaneTracks.hasBars($0) ? "\(title): events" : title } ?? ""
    case .beside: return "\(title) (overlapping)"
    }
  }

  /// The track that those of a lane stand under: a group of our own, since tracks under a thread or a
  /// process have no order.
  private mutating func parent(_ lane: Lane) -> Int {
    switch lane.kind {
    case .app, .scene, .system: track(.group(.lifecycle)).id
    case .thread, .counter: 1
    default: track(.group(.work)).id
    }
  }

  private static func kind(_ lane: Lane) -> ExportTrack.Kind {
    switch lane.kind {
    case .app, .scene: .states
    case .thread(let writer): .thread(isMain: writer == .main)
    case .counter(let name): .values(unit: SampledValue(name)?.unit ?? "")
    default: .slices
    }
  }

  private static func hasBars(_ lane: Lane) -> Bool {
    switch lane.kind {
    case .work, .notifications, .notes: false
    default: true
    }
  }

  private static func rank(_ lane: Lane, _ place: Int, _ row: Int) -> Int {
    if case .scene(let number) = lane.kind { return rank(lane.rank.0, Int(number), row) }
    return rank(lane.rank.0, place, row)
  }

  /// A number of 31 bits: lanes by kind, in a kind by number, and in a lane by row.
  private static func rank(_ kind: Int, _ number: Int, _ row: Int) -> Int {
    kind * 100_000_000 + min(number, 999_999) * 100 + min(row, 99)
  }
}

extension SampledValue {
  /// What it is counted in; `nil` where it has no unit.
  fileprivate var unit: String? {
    switch self {
    case .memory: "bytes"
    case .backgroundTimeRemaining: "ms"
    case .frameRate: "frames/s"
    case .applicationState: nil
    }
  }
}
