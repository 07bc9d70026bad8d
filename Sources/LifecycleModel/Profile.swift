/// What the analyzer must know about a trace before it judges; the article `Events`,
/// §5.
///
/// A missing key means "not known", and a rule that needs it answers *cannot tell*.
public struct Profile: Hashable, Sendable {
  /// Whether the app uses scenes.
  public enum Mode: String, CaseIterable, Sendable {
    /// UIKit calls the app delegate's lifecycle methods.
    case app
    /// UIKit calls the scene delegates' lifecycle methods.
    case scene
  }

  /// Which clock the instants come from.
  public enum Clock: String, CaseIterable, Sendable {
    /// A monotonic clock that stands still while the device sleeps.
    case monotonic
    /// The wall clock, which can be set.
    case wall
  }

  /// What an app labels, so that a log without it shows that there was none.
  public enum Mark: String, CaseIterable, Sendable {
    /// A view that shows something sensitive: `acquire other`, `kind=sensitive`.
    case sensitive
    /// An alert or another passing view: `acquire other`, `kind=alert`.
    case alert
    /// The state to restore: `data.dirty` and `data.save` with the label "restoration".
    case restoration
  }

  /// Everything that was said, in the order in which it was said; also what is not known here.
  public var attributes: [Attribute] {
    didSet { said = ProfileMeaning(attributes) }
  }

  /// What the attributes mean, read once.
  private var said: ProfileMeaning

  /// Makes a profile of what was said.
  ///
  /// Cost: some microseconds; what rules ask for is read here, and not at each event.
  public init(_ attributes: [Attribute] = []) {
    self.attributes = attributes
    said = attributes.isEmpty ? .nothing : ProfileMeaning(attributes)
  }

  /// The profile that an event states; where an import found it is no part of it.
  package init(statedBy event: Event, in vocabulary: Vocabulary) {
    let said = vocabulary.attributes(event.attributes)
    self.init(said.filter { $0.key != AttributeKey.line.rawValue })
  }

  /// Makes a profile of what rules ask for first: whether the app uses scenes, the hook points that
  /// are recorded, and whatever else is known.
  public init(mode: Mode, hooks: [Hook], _ others: Attribute...) {
    self.init(
      [
        Attribute(.mode, mode.rawValue),
        Attribute(.hooks, hooks.map(\.rawValue).joined(separator: ",")),
      ] + others)
  }

  /// Whether the app uses scenes.
  public var mode: Mode? { said.mode }
  /// Whether the app declares that it supports several scenes.
  public var multiScene: Bool? { flag(.multiScene) }
  /// `ios ipados tvos visionos watchos catalyst linux`, or a platform not known here.
  public var platform: String? { said.platform }
  /// The system's version, such as `18.2`.
  public var os: String? { attributes[.os] }
  /// The major number of the system's version.
  public var osMajor: Int? { said.osMajor }
  /// The version of the SDK that the app was built with.
  public var sdk: String? { attributes[.sdk] }
  /// The app's bundle identifier; older logs say it as `bundle`.
  public var app: String? { attributes[.app] ?? attributes[.bundle] }
  /// The name of the app's process, where the bundle is not known.
  public var processName: String? { attributes[.process] }
  /// The version that the app shows its users, such as `4.2.1`.
  public var version: String? { attributes[.version] }
  /// The number of the app's build, such as `812`.
  public var build: String? { attributes[.build] }
  /// The device's model, such as `iPhone16,2`.
  public var device: String? { attributes[.device] }
  /// A random number of this installation of the app, such as `9f2b833506aa6973`, which says nothing of the person.
  public var install: String? { attributes[.install] }
  /// Why the process was launched; `nil` also when it is said to be unknown.
  public var launch: String? {
    attributes[.launch].flatMap { $0 == "unknown" ? nil : $0 }
  }
  /// The background modes that an app can declare: the words of UIBackgroundModes.
  package static let knownBackgroundModes = [
    "audio", "location", "voip", "fetch", "remote-notification", "processing",
    "external-accessory", "bluetooth-central", "bluetooth-peripheral", "newsstand-content",
    "nearby-interaction", "push-to-talk", "network-authentication",
  ]
  /// The background modes that the app declares; empty when it is said that there are none.
  public var backgroundModes: [String]? { said.backgroundModes }
  /// Whether a debugger was attached, which switches the watchdog off; false when not said.
  public var debugger: Bool { flag(.debugger) ?? false }
  /// Whether the app ran in a simulator; false when not said.
  public var simulator: Bool { flag(.simulator) ?? false }
  /// Whether the events come from another implementation of UIKit; false when not said.
  public var port: Bool { said.port }
  /// The hooks that are recorded, with those that they imply; `nil` when it was not said.
  public var hooks: Set<Hook>? { said.hooks }
  /// The optional callbacks that the app implements, so that their silence counts; `nil` when that was
  /// not said.
  public var implements: Set<Callback>? { said.implements }
  /// Whether a callback is among ``implements``; cheap at every event.
  package func implements(_ callback: Callback) -> Bool {
    said.implemented.contains(callback.symbol)
  }
  /// The hooks of which only what was used is known to be recorded, so that silence says nothing.
  public var partial: Set<Hook> { said.partial }
  /// Whether all that a hook covers is recorded, so that silence says that it did not happen.
  public func recordsAll(of hook: Hook) -> Bool {
    said.recorded.contains(hook) && !said.recordedInPart.contains(hook)
  }
  /// Whether a hook is among ``hooks``; cheap at every event.
  package func records(_ hook: Hook) -> Bool { said.recorded.contains(hook) }
  /// What the app labels, so that its absence counts; `nil` when that was not said.
  public var marks: Set<Mark>? { said.marks }
  /// Which clock the instants come from.
  public var clock: Clock? { attributes[.clock].flatMap(Clock.init) }

  /// The profile, and what it does not say of what `answers` say.
  public func completed(by answers: Profile) -> Profile {
    let missing = answers.attributes.filter { answer in
      !attributes.contains { $0.key == answer.key }
    }
    return missing.isEmpty ? self : Profile(attributes + missing)
  }

  private func flag(_ key: AttributeKey) -> Bool? {
    attributes[key].flatMap(Bool.init)
  }
}

extension Profile {
  /// Whether both say the same.
  public static func == (lhs: Profile, rhs: Profile) -> Bool { lhs.attributes == rhs.attributes }

  /// Hashes what is said.
  public func hash(into hasher: inout Hasher) { hasher.combine(attributes) }
}

/// What a profile's attributes mean, as far as rules ask for it while events go by.
private final class ProfileMeaning: Sendable {
  static let nothing = ProfileMeaning([])

  let mode: Profile.Mode?
  let platform: String?
  let osMajor: Int?
  let backgroundModes: [String]?
  let port: Bool
  let hooks: Set<Hook>?
  let recorded: HookBits
  let partial: Set<Hook>
  let recordedInPart: HookBits
  let implements: Set<Callback>?
  let implemented: SymbolBits
  let marks: Set<Profile.Mark>?

  init(_ attributes: [Attribute]) {
    mode = attributes[.mode].flatMap(Profile.Mode.init)
    platform = attributes[.platform]
    osMajor = attributes[.os].flatMap { os in os.split(separator: ".").first.flatMap { Int($0) } }
    backgroundModes = attributes[.backgroundModes].map(ProfileMeaning.listOrNone)
    port = attributes[.port].flatMap(Bool.init) ?? false

    hooks = attributes[.hooks].map { said in
      let hooks = Set(ProfileMeaning.list(said).compactMap(Hook.init))
      return hooks.contains(.system) ? hooks.union([.process]) : hooks
    }
    partial = attributes[.partial].map { Set(ProfileMeaning.list($0).compactMap(Hook.init)) } ?? []
    (recorded, recordedInPart) = (HookBits(hooks ?? []), HookBits(partial))

    implements = attributes[.implements].map {
      Set(ProfileMeaning.listOrNone($0).compactMap(Callback.init(rawValue:)))
    }
    implemented = SymbolBits((implements ?? []).map(\.symbol))
    marks = attributes[.marks].map {
      Set(ProfileMeaning.listOrNone($0).compactMap(Profile.Mark.init(rawValue:)))
    }
  }

  static func list(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }

  private static func listOrNone(_ text: String) -> [String] { text == "none" ? [] : list(text) }
}

/// A set of hooks that is asked without hashing.
private struct HookBits: Sendable {
  private let bits: UInt16

  init(_ hooks: Set<Hook>) { bits = hooks.reduce(0) { $0 | 1 << UInt16($1.ordinal) } }

  func contains(_ hook: Hook) -> Bool { bits & 1 << UInt16(hook.ordinal) != 0 }
}
