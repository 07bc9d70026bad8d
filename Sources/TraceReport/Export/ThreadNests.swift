/// The bars of threads that hold each other, and those that outlast the one that they began in.
struct ThreadNests {
  /// The bars of each thread, by lane, the outermost first.
  private var nests: [Int: [LaneBar]] = [:]
  /// The tracks of the bars that stand beside their thread.
  private var moved: [UInt64: ExportTrack] = [:]

  /// Begins the innermost bar of a thread.
  mutating func begin(_ bar: LaneBar) { nests[bar.lane, default: []].append(bar) }

  /// Ends a bar; the track on which it stands beside its thread, `nil` of others.
  mutating func end(_ bar: LaneBar) -> ExportTrack? {
    if let track = moved.removeValue(forKey: bar.run.id) { return track }
    _ = nests[bar.lane]?.popLast()
    return nil
  }

  /// Takes those out of a thread that are inside of `bar`, the outermost first.
  mutating func takeInner(of bar: LaneBar) -> [LaneBar] {
    guard let nest = nests[bar.lane], let place = nest.lastIndex(where: { $0.run.id == bar.run.id })
    else { return [] }
    nests[bar.lane] = Array(nest[...place])
    return Array(nest[(place + 1)...])
  }

  /// Gives a bar a track beside its thread.
  mutating func move(_ bar: LaneBar, to track: ExportTrack) { moved[bar.run.id] = track }

  /// The track of a bar that stands beside its thread; `nil` of others.
  func track(of bar: LaneBar) -> ExportTrack? { moved[bar.run.id] }
}
