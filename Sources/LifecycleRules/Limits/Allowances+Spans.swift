import LifecycleModel
import TraceAnalysis

/// Which limit holds for something that begins and ends.
extension Allowances {
  /// The limit of a row of the statistics; `nil` where no number is known.
  static func limit(of key: Statistics.Key, _ profile: Profile) -> Nanoseconds? {
    topic(of: key).flatMap { knownTime($0, profile) }
  }

  /// The time that the system allows for what `event` opens, under a profile; `nil` where no number is
  /// known.
  ///
  /// That of background tasks counts from when the app is in the background, and for all of them
  /// together.
  package static func limit(ofSpanOpenedBy event: Event, _ profile: Profile) -> Nanoseconds? {
    let topic: Allowance.Topic?
    switch event.verb {
    case .call: topic = Callback(event.name).flatMap(self.topic(of:))
    case .observe: topic = LifecycleNotification(event.name).flatMap(self.topic(of:))
    case .taskBegin: topic = .backgroundTasks
    case .taskExpire: topic = .expirationHandler
    case .bgtaskLaunch: topic = .backgroundRefresh
    case .deliver:
      let isTimed = event.name == Delivery.push.symbol || event.name == Delivery.fetch.symbol
      topic = isTimed ? .pushHandling : nil
    default: topic = nil
    }

    return topic.flatMap { knownTime($0, profile) }
  }

  /// The limit's topic; `nil` where the table has none for it.
  private static func topic(of key: Statistics.Key) -> Allowance.Topic? {
    switch key.kind {
    case .callback: Callback(rawValue: key.name).flatMap(topic(of:))
    case .observer: LifecycleNotification(rawValue: key.name).flatMap(topic(of:))
    case .work: key.name == WorkCategory.mainBusy.rawValue ? .sceneUpdate : nil
    case .task: .backgroundTasks
    case .expiration: .expirationHandler
    case .bgtask: .backgroundRefresh
    case .delivery:
      key.name == Delivery.push.rawValue || key.name == Delivery.fetch.rawValue
        ? .pushHandling : nil
    case .held, .unsaved, .snapshot: nil
    }
  }

  private static func topic(of callback: Callback) -> Allowance.Topic? {
    switch callback {
    case .applicationDidEnterBackground, .sceneDidEnterBackground: .didEnterBackground
    case .applicationWillTerminate: .willTerminate
    default: nil
    }
  }

  /// Observers run in the time of their callback.
  private static func topic(of notification: LifecycleNotification) -> Allowance.Topic? {
    switch notification {
    case .applicationDidEnterBackground, .sceneDidEnterBackground: .didEnterBackground
    case .applicationWillTerminate: .willTerminate
    default: nil
    }
  }

  /// The limit of a topic under a profile, as documents, engineers or measurements have it; `nil`
  /// when none of them has a number, or it depends on a version that the profile does not name.
  private static func knownTime(_ topic: Allowance.Topic, _ profile: Profile) -> Nanoseconds? {
    let version = profile.osMajor
    let times = rows.compactMap { row -> Nanoseconds? in
      guard row.topic == topic, row.evidence != .chosen, row.evidence != .library,
        case .time(let time) = row.bound, version.map(row.systems.contains) ?? true
      else { return nil }
      return time
    }
    guard let time = times.first, times.allSatisfy({ $0 == time }) else { return nil }
    return time
  }
}
