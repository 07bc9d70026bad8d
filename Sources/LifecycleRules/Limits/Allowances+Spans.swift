import LifecycleModel
import TraceAnalysis

/// Which limit holds for something that begins and ends.
extension Allowances {
  /// The limit of a row of the statistics; `nil` where no number is known.
  static func limit(of key: Statistics.Key, _ profile: Profile) -> Nanoseconds? {
    let name = WellKnownWords.symbol(key.name)
    let topic: Allowance.Topic? =
      switch key.kind {
      case .callback: topic(.call, name)
      case .observer: topic(.observe, name)
      case .work: name == WorkCategory.mainBusy.symbol ? .sceneUpdate : nil
      case .task: topic(.taskBegin, name)
      case .expiration: topic(.taskExpire, name)
      case .bgtask: topic(.bgtaskLaunch, name)
      case .delivery: topic(.deliver, name)
      case .held, .unsaved, .snapshot: nil
      }
    return topic.flatMap { knownTime($0, profile) }
  }

  /// The time that the system allows for what `event` opens, under a profile; `nil` where no number is
  /// known.
  ///
  /// That of background tasks counts from when the app is in the background, and for all of them
  /// together.
  package static func limit(ofSpanOpenedBy event: Event, _ profile: Profile) -> Nanoseconds? {
    topic(event.verb, event.name).flatMap { knownTime($0, profile) }
  }

  /// What is known of the time that the system allows for what an event begins, and who says it.
  ///
  /// The longest of all versions of the system; `nil` when no document has a number, and for a task of
  /// BGTaskScheduler, which may be of a kind that has more time. Limits of the rules' own do not count.
  package static func known(
    for event: EventPattern.Alternative
  ) -> (time: Nanoseconds, source: String)? {
    guard event.verb != .bgtaskLaunch, let topic = topic(event.verb, event.name) else { return nil }
    return rows(of: topic, except: .chosen).max { $0.time < $1.time }
      .map { ($0.time, $0.row.sources.first?.title ?? topic.rawValue) }
  }

  /// The topic of what such an event opens; `nil` where the table has none for it.
  private static func topic(_ verb: Verb, _ name: Symbol?) -> Allowance.Topic? {
    switch verb {
    case .call, .observe:
      // Observers run in the time of their callback.
      switch name.flatMap(Callback.of) {
      case .applicationDidEnterBackground, .sceneDidEnterBackground: .didEnterBackground
      case .applicationWillTerminate: .willTerminate
      default: nil
      }
    case .taskBegin: .backgroundTasks
    case .taskExpire: .expirationHandler
    case .bgtaskLaunch: .backgroundRefresh
    case .deliver:
      name == Delivery.push.symbol || name == Delivery.fetch.symbol ? .pushHandling : nil
    default: nil
    }
  }

  /// The limit of a topic under a profile, as documents, engineers or measurements have it; `nil`
  /// when none of them has a number, or it depends on a version that the profile does not name.
  private static func knownTime(_ topic: Allowance.Topic, _ profile: Profile) -> Nanoseconds? {
    let version = profile.osMajor
    let times = rows(of: topic, except: .chosen, .library).filter { _, row in
      version.map(row.systems.contains) ?? true
    }
    guard let time = times.first?.time, times.allSatisfy({ $0.time == time }) else { return nil }
    return time
  }

  /// The times that the table has for a topic, but for those of some kinds of knowledge.
  static func rows(
    of topic: Allowance.Topic, except evidence: Allowance.Evidence...
  ) -> [(time: Nanoseconds, row: Allowance)] {
    rows.compactMap { row in
      guard row.topic == topic, !evidence.contains(row.evidence), case .time(let time) = row.bound
      else { return nil }
      return (time, row)
    }
  }
}
