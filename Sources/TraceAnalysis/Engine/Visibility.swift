import LifecycleModel

/// Whether the silence of a pattern's events says that they did not happen.
///
/// A callback that an app does not implement is silent too. So either a hook is recorded that shows
/// the event in another way, or such a callback was seen before, or the profile says that the app
/// implements it.
struct Visibility {
  private let callbacks: Set<Callback>
  private let callbackHooks: Set<Hook>
  private let otherHooks: Set<Hook>
  private var isRecorded = false
  private var wasSeen = false

  init(_ pattern: EventPattern) {
    (callbackHooks, otherHooks) = pattern.hooks
    callbacks = pattern.callbacks
  }

  /// Takes the hooks that are recorded, and what the profile says of them and of the app's callbacks.
  mutating func update(_ hooks: Set<Hook>, _ profile: Profile) {
    isRecorded =
      !hooks.intersection(otherHooks).isSubset(of: profile.partial)
      || !callbacks.isEmpty && callbacks.allSatisfy { hooks.contains($0.hook) }
        && callbacks.isSubset(of: profile.implements ?? [])
  }

  @inline(__always)
  mutating func see() { wasSeen = true }

  var isGiven: Bool { isRecorded || wasSeen || callbackHooks.isEmpty && otherHooks.isEmpty }
}
