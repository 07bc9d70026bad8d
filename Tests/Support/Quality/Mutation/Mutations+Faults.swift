import LifecycleModel
import Traces

/// Faults that people make and that only what comes together shows.
extension MutationOperator {
  static let commonFaults = [
    MutationOperator("fault", "a keychain item while it is locked") { clean, generator in
      let places = clean.idlePlaces { index, _ in lockWord(clean, before: index) == .locked }
      return use(.keychain, clean, at: places.pick(&generator))
    },
    MutationOperator("fault", "a protected file before the device is unlocked") {
      clean, generator in
      let places = clean.idlePlaces { index, state in
        state.appState == .background && isBeforeUnlock(clean, index)
      }
      return use(.protectedFile, clean, at: places.pick(&generator))
    },
    MutationOperator("fault", "the app's background while a window is in use") {
      clean, generator in
      let places = clean.idlePlaces { index, state in
        clean.hasScenes && state.foreground.active > 0 && isQuiet(clean, after: index)
      }
      guard let place = places.pick(&generator) else { return nil }
      var draft = Draft(clean)
      draft.insert(
        Event(.notify, LifecycleNotification.applicationDidEnterBackground.symbol, .app),
        at: place)
      return (draft, .violation(["agg-state-differs-from-scenes"]))
    },
    MutationOperator("fault", "authentication at each activation") { clean, generator in
      guard let (place, subject) = activePlace(clean, &generator) else { return nil }
      let isScene = subject.kind == .scene
      let resign = (isScene ? Callback.sceneWillResignActive : .applicationWillResignActive).symbol
      let active = (isScene ? Callback.sceneDidBecomeActive : .applicationDidBecomeActive).symbol
      let round = [
        Event(.call, resign, subject), Event(.return, resign, subject),
        Event(.call, active, subject),
        Event(
          .work, WorkCategory.authentication.symbol, subject, label: clean.symbol("unlock")),
        Event(.return, active, subject),
      ]
      var draft = Draft(clean)
      draft.insert(round + round + round, at: place)
      return (draft, .violation(["authentication-loop"]))
    },
    MutationOperator("fault", "a timer more at each activation") { clean, generator in
      let activations = clean.passages(.applicationDidBecomeActive, .sceneDidBecomeActive)
      let rows = Dictionary(grouping: activations) {
        [UInt64(clean.reference.process($0.call).lowerBound), $0.subject.key]
      }.values.filter { $0.count >= 3 }.sorted { $0[0].call < $1[0].call }
      guard let row = rows.randomElement(using: &generator) else { return nil }
      var draft = Draft(clean)
      for passage in row.reversed() {
        draft.insert(
          Event(
            .acquire, Resource.timer.symbol, passage.subject, label: clean.symbol("poll"),
            clean.attributes(Attribute(.kind, "repeating"))), at: passage.end)
      }
      return (draft, .violation(["timers-pile-up"]))
    },
    MutationOperator("fault", "audio at a suspension without its mode") { clean, generator in
      let places = clean.places { _, event, state in event.verb == .suspend && state.app != nil }
      guard let place = places.pick(&generator) else { return nil }
      var draft = Draft(clean)
      let player = clean.symbol("player")
      draft.insert(
        Event(.acquire, Resource.audioSession.symbol, .app, label: player),
        Event(.workBegin, WorkCategory.audio.symbol, .app, label: player), at: place)
      return (draft, .violation(["audio-location-without-mode"]))
    },
  ]

  // MARK: Where

  private enum LockWord {
    case locked, unlocked
  }

  /// What an event says of the device's lock; `nil` when it says nothing, or does not last.
  private static func lockWord(_ event: Event) -> LockWord? {
    let locked = Callback.applicationProtectedDataWillBecomeUnavailable
    let unlocked = Callback.applicationProtectedDataDidBecomeAvailable
    switch event.verb {
    case .call, .return, .notify: break
    default: return nil
    }
    // The way to the lock is over when its call is.
    if event.name == locked.symbol { return event.verb == .call ? nil : .locked }
    if event.name == locked.notification?.symbol { return .locked }
    let names = [unlocked.symbol, unlocked.notification?.symbol]
    return names.contains(event.name) ? .unlocked : nil
  }

  /// What was said last of the device's lock in the same process.
  private static func lockWord(_ clean: CleanTrace, before index: Int) -> LockWord? {
    clean.events[clean.reference.process(index).lowerBound..<index].lazy.reversed()
      .compactMap { lockWord($0) }.first
  }

  /// Whether the first word on the lock since the process began, or was suspended, says that the device
  /// is unlocked now.
  private static func isBeforeUnlock(_ clean: CleanTrace, _ index: Int) -> Bool {
    let process = clean.reference.process(index)
    let pauses: Set<Verb> = [.suspend, .resume]
    let next = (index..<process.upperBound).first {
      pauses.contains(clean.events[$0].verb) || lockWord(clean.events[$0]) != nil
    }
    let last = clean.events[process.lowerBound..<index].last {
      pauses.contains($0.verb) || lockWord($0) != nil
    }
    guard let next, lockWord(clean.events[next]) == .unlocked else { return false }
    guard let last else { return true }
    return last.verb == .resume
      && clean.events[next].instant.since(last.instant) > .milliseconds(1100)
  }

  private static func use(
    _ category: WorkCategory, _ clean: CleanTrace, at place: Int?
  ) -> (Draft, Mutant.Label)? {
    guard let place else { return nil }
    var draft = Draft(clean)
    draft.insert(
      Event(
        .work, category.symbol, .app, label: clean.symbol("diary"),
        clean.attributes(Attribute(.access, DataAccess.unlocked.rawValue))), at: place)
    return (draft, .violation(["work-protected-file-while-locked"]))
  }

  /// Whether nothing leaves the screen for a while after a place, and the log goes on.
  private static func isQuiet(_ clean: CleanTrace, after index: Int) -> Bool {
    let process = clean.reference.process(index)
    let start = clean.events[max(0, index - 1)].instant
    let end = (index..<process.upperBound).first {
      clean.events[$0].instant.since(start) > .milliseconds(1100)
    }
    guard let end else { return false }
    return !clean.events[index...end].contains {
      $0.verb == .state || $0.verb == .kill || $0.verb == .exit
    }
  }

  /// A place where the app, or its only active scene, is active.
  private static func activePlace(
    _ clean: CleanTrace, _ generator: inout SeededGenerator
  ) -> (Int, Subject)? {
    let places = clean.idlePlaces { _, state in
      clean.hasScenes ? state.foreground.active == 1 : state.appState == .active
    }
    guard let place = places.pick(&generator) else { return nil }
    if !clean.hasScenes { return (place, .app) }
    let scene = clean.reference.states[place].scenes.first { $0.activation == .foregroundActive }
    return scene.map { (place, .scene($0.number)) }
  }
}
