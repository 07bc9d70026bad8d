/// A scene that is connected to the app.
public struct SceneState: Hashable, Sendable {
  /// The scene's number.
  public var number: UInt32
  /// The activation state.
  public var activation: SceneActivation
  /// What brought that state about.
  public var since: OpenEvent
  /// What connected the scene; `nil` when that was not recorded.
  ///
  /// Its attributes name the session.
  public var connected: OpenEvent?
}

/// The connected scenes, found by number in a few steps.
struct SceneTable: Sendable {
  /// At most this many scenes are followed at once: a screen shows a dozen, and rules look at each.
  static let most = 256

  /// The scenes, ordered by number.
  private(set) var scenes: [SceneState] = []
  /// How many scenes there are.
  var count: Int { scenes.count }
  /// How many scenes are in each state.
  private var counts = SIMD4<Int>.zero
  /// What ``hidden(upTo:)`` found last; `nil` when one of those scenes has changed since.
  private var hidden: Hidden?

  /// The scenes whose states a gap may have changed.
  struct Hidden: Sendable {
    /// The place of the gap.
    let gap: UInt64
    /// What brought about the newest of their states; `nil` when there is no such scene.
    var newest: OpenEvent?
    /// How many of them are active.
    var active = 0
  }

  subscript(_ number: UInt32) -> SceneState? {
    position(of: number).map { scenes[$0] }
  }

  func activation(_ number: UInt32) -> SceneActivation? {
    // Not by a closure, which would get a copy of all that is known of the scene.
    guard let position = position(of: number) else { return nil }
    return scenes[position].activation
  }

  mutating func update(_ scene: SceneState) {
    if let position = position(of: scene.number) {
      counts[scenes[position].activation.ordinal] -= 1
      forgetHidden(position)
      scenes[position] = scene
    } else {
      scenes.insert(scene, at: place(of: scene.number))
    }
    counts[scene.activation.ordinal] += 1
  }

  mutating func remove(_ number: UInt32) {
    guard let position = position(of: number) else { return }
    counts[scenes[position].activation.ordinal] -= 1
    forgetHidden(position)
    scenes.remove(at: position)
  }

  mutating func removeAll() {
    self = SceneTable()
  }

  /// Whether there are as many scenes as are followed.
  var isFull: Bool { count >= SceneTable.most }

  /// Removes half of the scenes: those in the background first, and of these those that are there longest.
  mutating func giveUpOldest() {
    let byWorth = scenes.sorted {
      ($0.activation.isForeground ? 1 : 0, $0.since.ordinal)
        < ($1.activation.isForeground ? 1 : 0, $1.since.ordinal)
    }
    for scene in byWorth.prefix(count / 2) { remove(scene.number) }
  }

  /// The scenes whose states came about before a gap, by its place.
  ///
  /// Cost: constant, but for the first time after a gap and after one of those scenes has changed.
  mutating func hidden(upTo gap: UInt64) -> Hidden {
    if let hidden, hidden.gap == gap { return hidden }
    var found = Hidden(gap: gap)
    for scene in scenes where scene.since.ordinal <= gap {
      if scene.since.ordinal > found.newest?.ordinal ?? 0 { found.newest = scene.since }
      if scene.activation == .foregroundActive { found.active += 1 }
    }
    hidden = found
    return found
  }

  private mutating func forgetHidden(_ position: Int) {
    if let hidden, scenes[position].since.ordinal <= hidden.gap { self.hidden = nil }
  }

  /// The numbers of the scenes that are active, one of them in several lanes; `nil` when none is, and when
  /// there are many scenes.
  var active: SIMD4<UInt32>? {
    if count > SIMD4<UInt32>.scalarCount { return nil }
    var active: SIMD4<UInt32>?
    for place in 0..<count where scenes[place].activation == .foregroundActive {
      if active == nil { active = SIMD4(repeating: scenes[place].number) }
      active?[place] = scenes[place].number
    }
    return active
  }

  /// The app state that the most active scene gives; `nil` with no scene.
  var mostActive: AppState? {
    if scenes.isEmpty { return nil }
    if count(of: .foregroundActive) > 0 { return .active }
    if count(of: .foregroundInactive) > 0 { return .inactive }
    return .background
  }

  /// How many scenes are in a state.
  func count(of activation: SceneActivation) -> Int { counts[activation.ordinal] }

  private func position(of number: UInt32) -> Int? {
    let place = place(of: number)
    return place < scenes.count && scenes[place].number == number ? place : nil
  }

  /// Where the scene with a number is, or would be.
  private func place(of number: UInt32) -> Int {
    var (low, high) = (0, scenes.count)
    // Not by a closure, which would get a copy of all that is known of a scene.
    while low < high {
      let middle = (low + high) / 2
      if scenes[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func brokenInvariants() -> [String] {
    var broken: [String] = []
    for activation in SceneActivation.allCases
    where scenes.count(where: { $0.activation == activation }) != count(of: activation) {
      broken.append("the count of \(activation) scenes is not their number")
    }
    if !zip(scenes, scenes.dropFirst()).allSatisfy({ $0.number < $1.number }) {
      broken.append("the scenes are not ordered by number")
    }
    return broken
  }
}
