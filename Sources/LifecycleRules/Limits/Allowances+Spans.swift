import LifecycleModel
import TraceAnalysis

/// Which limit holds for something that begins and ends.
extension Allowances {
  /// The limit of a row of the statistics; `nil` where no number is known.
  static func limit(of key: Statistics.Key, _ profile: Profile) -> Nanoseconds? {
    let name = WellKnownWords.symbol(key.name)
    if key.kind == .work { return name == WorkCategory.mainBusy.symbol ? sceneUpdate : nil }
    return limit(key.kind.family.opening, name, profile)
  }

  /// The time that the system allows for what `event` opens, under a profile; `nil` where no number is
  /// known.
  ///
  /// That of background tasks counts from when the app is in the background, and for all of them
  /// together.
  package static func limit(ofSpanOpenedBy event: Event, _ profile: Profile) -> Nanoseconds? {
    limit(event.verb, event.name, profile)
  }

  /// What is known of the time that the system allows for what an event begins, and who says it.
  ///
  /// The longest of all versions of the system; `nil` when no document has a number, and for a task of
  /// BGTaskScheduler, which may be of a kind that has more time. Limits of the rules' own do not count.
  package static func known(
    for event: EventPattern.Alternative
  ) -> (time: Nanoseconds, source: String)? {
    if event.verb == .bgtaskLaunch { return nil }
    return known(event.verb, event.name).map { ($0.time, $0.source.title) }
  }

  /// The same, also of a task of BGTaskScheduler.
  private static func known(_ verb: Verb, _ name: Symbol?) -> (time: Nanoseconds, source: Citation)?
  {
    switch verb {
    case .call, .observe:
      // Observers run in the time of their callback.
      switch name.flatMap(Callback.of) {
      case .applicationDidEnterBackground, .sceneDidEnterBackground: (didEnterBackground, .s4)
      case .applicationWillTerminate: (willTerminate, .willTerminate)
      default: nil
      }
    case .taskBegin: (backgroundTasks(onIOS: 0), .mixpanelTasks)
    case .taskExpire: (expirationHandler, .backgroundTaskNotes)
    case .bgtaskLaunch: (backgroundRefresh, .backgroundStrategies)
    case .deliver where name == Delivery.push.symbol || name == Delivery.fetch.symbol:
      (pushHandling, .remoteNotification)
    default: nil
    }
  }

  /// The limit under a profile; `nil` also when it depends on a version that the profile does not name.
  private static func limit(_ verb: Verb, _ name: Symbol?, _ profile: Profile) -> Nanoseconds? {
    if verb == .taskBegin {
      return profile.osMajor == nil && !isNewPlatform(profile) ? nil : backgroundTasks(profile)
    }
    return known(verb, name)?.time
  }
}
