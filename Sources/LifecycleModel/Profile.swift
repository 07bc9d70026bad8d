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
  public var attributes: [Attribute]

  /// Makes a profile of what was said.
  public init(_ attributes: [Attribute] = []) {
    self.attributes = attributes
  }

  /// Makes a profile of what rules ask for first: whether the app uses scenes, the hook points that
  /// are recorded, and whatever else is known.
  public init(mode: Mode, hooks: [Hook], _ others: Attribute...) {
    attributes =
      [
        Attribute(.mode, mode.rawValue),
        Attribute(.hooks, hooks.map(\.rawValue).joined(separator: ",")),
      ] + others
  }

  /// Whether the app uses scenes.
  public var mode: Mode? { attributes[.mode].flatMap(Mode.init) }
  /// Whether the app declares that it supports several scenes.
  public var multiScene: Bool? { flag(.multiScene) }
  /// `ios ipados tvos visionos watchos catalyst linux`, or a platform not known here.
  public var platform: String? { attributes[.platform] }
  /// The system's version, such as `18.2`.
  public var os: String? { attributes[.os] }
  /// The major number of the system's version.
  public var osMajor: Int? { os.flatMap(Profile.major) }
  /// The version of the SDK that the app was built with.
  public var sdk: String? { attributes[.sdk] }
  /// The app's bundle identifier; older logs say it as `bundle`.
  public var app: String? { attributes[.app] ?? attributes[.bundle] }
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
  public var backgroundModes: [String]? {
    attributes[.backgroundModes].map { $0 == "none" ? [] : Profile.list($0) }
  }
  /// Whether a debugger was attached, which switches the watchdog off; false when not said.
  public var debugger: Bool { flag(.debugger) ?? false }
  /// Whether the app ran in a simulator; false when not said.
  public var simulator: Bool { flag(.simulator) ?? false }
  /// Whether the events come from another implementation of UIKit; false when not said.
  public var port: Bool { flag(.port) ?? false }
  /// The hooks that are recorded, with those that they imply; `nil` when it was not said.
  public var hooks: Set<Hook>? {
    attributes[.hooks].map { said in
      let hooks = Set(Profile.list(said).compactMap(Hook.init))
      return hooks.contains(.system) ? hooks.union([.process]) : hooks
    }
  }
  /// The optional callbacks that the app implements, so that their silence counts; `nil` when that was
  /// not said.
  public var implements: Set<Callback>? {
    attributes[.implements].map {
      $0 == "none" ? [] : Set(Profile.list($0).compactMap(Callback.init(rawValue:)))
    }
  }
  /// The hooks of which only what was used is known to be recorded, so that silence says nothing.
  public var partial: Set<Hook> {
    attributes[.partial].map { Set(Profile.list($0).compactMap(Hook.init)) } ?? []
  }
  /// Whether all that a hook covers is recorded, so that silence says that it did not happen.
  public func recordsAll(of hook: Hook) -> Bool {
    records(hook) && !(attributes[.partial].map { Profile.names(hook, $0) } ?? false)
  }
  /// Whether a hook is among ``hooks``, for who asks at every event: nothing is allocated.
  package func records(_ hook: Hook) -> Bool {
    guard let said = attributes[.hooks] else { return false }
    return Profile.names(hook, said) || hook == .process && Profile.names(.system, said)
  }
  /// What the app labels, so that its absence counts; `nil` when that was not said.
  public var marks: Set<Mark>? {
    attributes[.marks].map {
      $0 == "none" ? [] : Set(Profile.list($0).compactMap(Mark.init(rawValue:)))
    }
  }
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

  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map(String.init)
  }

  /// Whether a list names a hook.
  private static func names(_ hook: Hook, _ list: String) -> Bool {
    let word = hook.rawValue.utf8
    var rest = list.utf8[...]
    while let end = rest.firstIndex(of: UInt8(ascii: ",")) {
      if rest[..<end].elementsEqual(word) { return true }
      rest = rest[rest.index(after: end)...]
    }
    return rest.elementsEqual(word)
  }

  private static func major(_ version: String) -> Int? {
    version.split(separator: ".").first.flatMap { Int($0) }
  }
}
