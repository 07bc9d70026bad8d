import LifecycleModel

/// Follows UIKit's mask of deactivation reasons and says what it means for the app's state.
///
/// Each reason is a bit. No bit: active. Bit 11, "a scene is in the background": background. Any
/// other bit: inactive. A launch begins with bit 10; until the mask is first 0, or bit 11 first
/// goes away, bit 11 only says that the scene is being attached, and the state does not change.
struct DeactivationMask {
  /// What a printed change means.
  struct Meaning: Hashable {
    /// It is the first line of a launch.
    var isLaunch = false
    /// It is the first line seen, and not of a launch: what was before is not known.
    var isLate = false
    /// It does not continue the line before it.
    var isHole = false
    /// The transitions that follow, each one a step that UIKit knows.
    var transitions: [Transition] = []
  }

  private static let launching: UInt8 = 10
  private static let inBackground: UInt8 = 11

  /// The mask after the last line; `nil` before the first.
  private(set) var value: UInt64?
  /// The app's state; `nil` when it is not known.
  ///
  /// That with which a launch begins is set: `background` when the system said so.
  var state: AppState?
  /// Whether the launch still goes on.
  private(set) var isLaunching = false

  /// Follows one printed change.
  mutating func follow(_ change: DeactivationChange) -> Meaning {
    var meaning = Meaning()
    if change.reason == Self.launching, change.isAdded, change.before == 0 {
      meaning.isLaunch = true
      value = change.after
      isLaunching = true
      state = nil
      return meaning
    }

    if let value {
      meaning.isHole = value != change.before || !change.isConsistent
    } else {
      meaning.isLate = true
      meaning.isHole = !change.isConsistent
      if state == nil { adopt(change.before) }
    }

    move(to: change.before, &meaning)
    move(to: change.after, &meaning)
    if change.reason == Self.inBackground, !change.isAdded, isLaunching {
      isLaunching = false
      step(to: .inactive, &meaning)
    }
    return meaning
  }

  /// Ends a launch that is known to have stayed in the background; the steps that this takes.
  mutating func settleInBackground() -> [Transition] {
    guard isLaunching, let value, value & 1 << UInt64(Self.inBackground) != 0 else { return [] }
    isLaunching = false
    var meaning = Meaning()
    step(to: .background, &meaning)
    return meaning.transitions
  }

  /// Takes over a mask whose past is not known.
  private mutating func adopt(_ mask: UInt64) {
    isLaunching = mask & 1 << UInt64(Self.launching) != 0
    state = isLaunching ? .inactive : Self.state(of: mask)
  }

  private mutating func move(to mask: UInt64, _ meaning: inout Meaning) {
    value = mask
    if mask == 0 { isLaunching = false }
    if !isLaunching { step(to: Self.state(of: mask), &meaning) }
  }

  /// Goes to a state, by way of `inactive` where UIKit goes that way.
  private mutating func step(to next: AppState, _ meaning: inout Meaning) {
    defer { state = next }
    guard let now = state, now != next else { return }
    let isDirect = now == .inactive || next == .inactive
    meaning.transitions +=
      isDirect
      ? [Transition(now, next)] : [Transition(now, .inactive), Transition(.inactive, next)]
  }

  private static func state(of mask: UInt64) -> AppState {
    if mask == 0 { return .active }
    return mask & 1 << UInt64(inBackground) != 0 ? .background : .inactive
  }
}
