/// The bars that are open in the picture of a run, and where those of threads stand.
struct OpenBars {
  /// A bar, by what no other open bar has.
  private struct Key: Hashable {
    let ordinal: UInt64
    let lane: Int
    let row: Int?

    init(_ bar: LaneBar) { (ordinal, lane, row) = (bar.ordinal, bar.lane, bar.row) }
  }

  private var bars: [Key: LaneBar] = [:]
  /// The bars of each thread that hold each other, the outermost first.
  private var nests: [Int: [LaneBar]] = [:]
  /// The bars of threads that outlast the one that they began in, with their tracks.
  private var moved: [Key: ExportTrack] = [:]

  /// All bars, in the order in which they began.
  var ordered: [LaneBar] {
    bars.values.sorted {
      ($0.ordinal, $0.lane, $0.row ?? .max) < ($1.ordinal, $1.lane, $1.row ?? .max)
    }
  }

  mutating func begin(_ bar: LaneBar) { bars[Key(bar)] = bar }

  mutating func end(_ bar: LaneBar) { bars[Key(bar)] = nil }

  // MARK: Threads

  /// Puts a bar into the innermost one of its thread.
  mutating func nest(_ bar: LaneBar) { nests[bar.lane, default: []].append(bar) }

  /// Takes the innermost bar out of the thread of `bar`.
  mutating func unnest(_ bar: LaneBar) { _ = nests[bar.lane]?.popLast() }

  /// Takes those out of a thread that are inside of `bar`, the outermost first.
  mutating func takeInner(of bar: LaneBar) -> [LaneBar] {
    guard let nest = nests[bar.lane], nest.last != bar,
      let place = nest.lastIndex(where: { Key($0) == Key(bar) })
    else { return [] }
    nests[bar.lane] = Array(nest[...place])
    return Array(nest[(place + 1)...])
  }

  /// Gives a bar a track beside its thread.
  mutating func move(_ bar: LaneBar, beside track: ExportTrack) { moved[Key(bar)] = track }

  /// The track of a bar that stands beside its thread; `nil` of others.
  func track(beside bar: LaneBar) -> ExportTrack? { moved.isEmpty ? nil : moved[Key(bar)] }

  /// The same, for the last time.
  mutating func takeTrack(beside bar: LaneBar) -> ExportTrack? {
    moved.isEmpty ? nil : moved.removeValue(forKey: Key(bar))
  }
}

extension LaneEnd {
  /// Why a bar ends where no event closed it; `nil` where one did, and of a process that died.
  func reason(of bar: LaneBar) -> String? {
    switch cause {
    case .closed, .endOfLog: nil
    case .died: bar.content == .process ? nil : "never: the process ended"
    case .givenUp: "not known: more was open at once than is followed"
    case .replaced: bar.content == .process ? "not recorded" : "never: another process began"
    }
  }
}
