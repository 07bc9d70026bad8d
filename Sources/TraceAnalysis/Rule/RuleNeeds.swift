import LifecycleModel

/// What a rule must know of a log before it can judge it.
public struct RuleNeeds: Hashable, Sendable {
  /// A condition on the profile.
  public enum ProfileCondition: Hashable, Sendable {
    /// The app does, or does not, use scenes.
    case mode(Profile.Mode)
    /// The app is not known to do without scenes. UIKit posts scene notifications in such an app too,
    /// and they say nothing.
    case scenesPossible
    /// No debugger, under which the watchdog is off.
    case noDebugger
    /// No simulator, in which the system ends processes for reasons of its own.
    case noSimulator
    /// The app is not known to run under Mac Catalyst.
    case noCatalyst
    /// It says something under this key.
    case says(AttributeKey)
    /// This major version of the system, or a later one.
    case osMajor(from: Int)
  }

  /// The hooks that must be recorded: one of each list.
  public var hooks: [[Hook]]
  /// What the profile must say.
  public var profile: [ProfileCondition]

  /// Makes needs; with no argument a rule can judge every log.
  public init(hooks: [[Hook]] = [], profile: [ProfileCondition] = []) {
    self.hooks = hooks
    self.profile = profile
  }

  /// Whether a rule with these needs is in force.
  package enum Force: Hashable {
    /// It judges.
    case inForce
    /// It cannot tell.
    case doubt(Doubt)
    /// The rule is not about such an app; with the reason.
    case notApplicable(String)
  }

  /// Whether a rule with these needs is in force under `profile`.
  package func force(under profile: Profile) -> Force {
    force(under: profile, hooks: profile.hooks)
  }

  /// The same, when the hooks of the profile are at hand.
  func force(under profile: Profile, hooks recorded: Set<Hook>?) -> Force {
    for condition in self.profile {
      switch condition {
      case .mode(let mode):
        guard let said = profile.lifecycle else { return .doubt(.profileKeyMissing(.mode)) }
        if said != mode {
          return .notApplicable("only for apps \(mode == .app ? "without" : "with") scenes")
        }
      case .scenesPossible:
        if profile.lifecycle == .app { return .notApplicable("only for apps with scenes") }
      case .noDebugger:
        if profile.debugger { return .notApplicable("a debugger disables the time limits") }
      case .noSimulator:
        if profile.simulator { return .notApplicable("only for devices, not for simulators") }
      case .noCatalyst:
        if profile.platform == "catalyst" { return .notApplicable("not for Mac Catalyst") }
      case .says(let key):
        if profile.attributes[key] == nil { return .doubt(.profileKeyMissing(key)) }
      case .osMajor(let first):
        guard let version = profile.osMajor else { return .doubt(.profileKeyMissing(.os)) }
        if version < first { return .notApplicable("only for system version \(first) and later") }
      }
    }

    guard !hooks.isEmpty else { return .inForce }
    guard let recorded else { return .doubt(.profileKeyMissing(.hooks)) }

    for alternatives in hooks where recorded.isDisjoint(with: alternatives) {
      return .doubt(.hooksNotRecorded(alternatives))
    }
    return .inForce
  }
}

extension Profile {
  /// The versions of iOS and tvOS without scenes; 1 and 2 are visionOS's where the platform is not
  /// said.
  private static let withoutScenes = 3...12

  /// Which lifecycle UIKit runs: a scene manifest says nothing to a system that knows no scenes.
  fileprivate var lifecycle: Mode? {
    let isOld = osMajor.map(Profile.withoutScenes.contains) ?? false
    let countsLikeIOS = [nil, "ios", "ipados", "tvos"].contains(platform)
    return mode == .scene && isOld && countsLikeIOS ? .app : mode
  }
}
