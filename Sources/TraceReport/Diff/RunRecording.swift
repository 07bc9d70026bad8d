import LifecycleModel

/// What a run says about itself: which events somebody recorded, so that the silence of others counts,
/// and under what it ran.
package struct RunRecording: Hashable, Sendable {
  /// The hooks of which all is recorded in all of its processes.
  package private(set) var whole: Set<Hook> = []
  /// The hooks of which something is recorded, or was seen.
  package private(set) var shown: Set<Hook> = []
  /// The methods that the app has and whose calls are not recorded.
  package private(set) var missed: Set<String> = []
  /// What can make a run differ without a change of the app, by its key: each value that it said.
  package private(set) var surroundings: [AttributeKey: Set<String>] = [:]
  private var hasProfile = false

  /// The keys that ``surroundings`` has, in order.
  package static let surroundingKeys: [AttributeKey] = [
    .mode, .platform, .os, .sdk, .debugger, .simulator,
  ]

  mutating func learn(_ profile: Profile) {
    let whole = Set(Hook.allCases.filter(profile.recordsAll))
    self.whole = hasProfile ? self.whole.intersection(whole) : whole
    hasProfile = true
    shown.formUnion(profile.hooks ?? [])
    for selector in profile.attributes[.missed]?.split(separator: ",") ?? [] { miss(selector) }

    for key in RunRecording.surroundingKeys {
      if let value = profile.attributes[key] { surroundings[key, default: []].insert(value) }
    }
  }

  /// A method is known by its selector; one that the article `Events` has no name for takes its hook
  /// with it.
  private mutating func miss(_ selector: Substring) {
    let name = String(selector.prefix { $0 != ":" })
    if Callback(rawValue: name) != nil {
      missed.insert(name)
    } else {
      whole.remove(name.hasPrefix("application") ? .appDelegate : .sceneDelegate)
    }
  }

  mutating func see(_ hooks: Set<Hook>) { shown.formUnion(hooks) }

  /// Takes in what another run of the same side says: only what all record is recorded.
  package mutating func merge(_ other: RunRecording) {
    whole.formIntersection(other.whole)
    shown.formIntersection(other.shown)
    missed.formUnion(other.missed)
    surroundings.merge(other.surroundings) { $0.union($1) }
  }

  /// Whether the app comes into no state that nobody sees: all that is recorded of its life is recorded
  /// whole.
  var showsStates: Bool {
    let ofLife = shown.intersection([
      .appDelegate, .sceneDelegate, .appNotifications, .sceneNotifications, .system,
    ])
    return !ofLife.isEmpty && ofLife.isSubset(of: whole)
  }

  /// Whether the silence of an event shows that it did not happen.
  func shows(_ token: EventToken) -> Bool {
    guard let hook = token.hook else { return true }
    return whole.contains(hook) && !missed.contains(token.name)
  }
}
