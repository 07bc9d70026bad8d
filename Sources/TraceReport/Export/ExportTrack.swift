import LifecycleModel
import TraceText

/// A track of a trace viewer: a row of the picture, or a group of rows.
struct ExportTrack: Hashable {
  /// What stands on a track.
  enum Kind: Hashable {
    /// The process, to which all other tracks belong.
    case process
    /// Rows, in the order of their ranks.
    case group
    /// Bars that follow or hold each other, and instants.
    case slices
    /// States, of which one follows the other.
    case states
    /// A thread's nested calls.
    case thread(isMain: Bool)
    /// Values of this unit.
    case values(unit: String)
  }

  /// Its place among the tracks, from 1; that of the process is 1.
  let id: Int
  /// Its name for a person.
  let name: String
  /// What stands on it.
  let kind: Kind
  /// The track that it stands under; `nil` for the process.
  let parent: Int?
  /// Where it stands among its siblings.
  let rank: Int

  /// Whether it is a thread's.
  var isThread: Bool { if case .thread = kind { true } else { false } }
}

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
struct ExportTracks {
  /// A part of the picture that has a track.
  enum Part: Hashable {
    case group(Lane.Group)
    case evidence, ends, missing
    /// A row of a lane, by its place; of a thread the first one holds all that is nested.
    case row(Int, of: Int)
    /// Instants of a lane that has bars, too.
    case instants(of: Int)
    /// What overlaps on a thread, by row.
    case beside(Int, of: Int)
  }

  private var tracks: [Part: ExportTrack] = [:]

  /// The track of a part of a picture with these lanes; a new one is declared, and those that it needs before it.
  mutating func track(
    _ part: Part, _ lanes: [Lane], _ writer: inout PerfettoWriter
  ) -> ExportTrack {
    if let track = tracks[part] { return track }
    let row = facts(part, lanes)
    var parent = 1
    if let group = row.group { parent = self.track(.group(group), lanes, &writer).id }
    // The first row is declared before the others.
    if case .row(1..., let lane) = part { _ = self.track(.row(0, of: lane), lanes, &writer) }

    // The process is the first.
    let track = ExportTrack(
      id: tracks.count + 2, name: row.name, kind: row.kind, parent: parent, rank: row.rank)
    tracks[part] = track
    writer.declare(track)
    return track
  }

  /// The name of a part, what stands on it, the group that it stands under, and its place there: a group is
  /// one of our own, since tracks under a thread or a process have no order.
  private func facts(
    _ part: Part, _ lanes: [Lane]
  ) -> (name: String, kind: ExportTrack.Kind, group: Lane.Group?, rank: Int) {
    func title(_ lane: Int) -> String { ExportText.cut(InertText.line(lanes[lane].title)) }

    func rank(_ row: Int, of lane: Int) -> Int {
      var number = lane
      if case .scene(let own) = lanes[lane].kind { number = Int(own) }
      return ExportTracks.rank(lanes[lane].rank, number, row)
    }

    switch part {
    case .group(let group):
      return (group.rawValue, .group, nil, Lane.Group.allCases.firstIndex(of: group) ?? 0)
    case .evidence: return ("Evidence", .slices, .findings, 0)
    case .ends: return ("Ends of processes", .slices, .lifecycle, ExportTracks.rank(3, 0, 0))
    case .missing: return ("Missing events", .slices, .lifecycle, ExportTracks.rank(3, 1, 0))
    case .row(let row, let lane):
      let name = row > 0 ? "\(title(lane)) \(row + 1)" : title(lane)
      return (name, ExportTrack.Kind(lanes[lane]), lanes[lane].group, rank(row, of: lane))
    case .instants(let lane):
      let hasBars = !["work", "notification", "note"].contains(lanes[lane].word)
      let name = hasBars ? "\(title(lane)): events" : title(lane)
      return (name, .slices, lanes[lane].group, rank(98, of: lane))
    case .beside(let row, let lane):
      return ("\(title(lane)) (overlapping)", .slices, .work, rank(row, of: lane))
    }
  }

  /// A number of 31 bits: lanes by kind, in a kind by number, and in a lane by row.
  private static func rank(_ kind: Int, _ number: Int, _ row: Int) -> Int {
    kind * 100_000_000 + min(number, 999_999) * 100 + min(row, 99)
  }
}

extension ExportTrack.Kind {
  /// What stands on the rows of a lane.
  fileprivate init(_ lane: Lane) {
    switch lane.kind {
    case .app, .scene: self = .states
    case .thread(let writer): self = .thread(isMain: writer == .main)
    case .counter(let name): self = .values(unit: SampledValue(name)?.unit ?? "")
    default: self = .slices
    }
  }
}

extension SampledValue {
  /// What it is counted in; `nil` where it has no unit.
  fileprivate var unit: String? {
    switch self {
    case .memory, .availableMemory: "bytes"
    case .backgroundTimeRemaining: "ms"
    case .frameRate: "frames/s"
    case .applicationState: nil
    }
  }
}
