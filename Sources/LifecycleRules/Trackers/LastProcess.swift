import LifecycleModel
import TraceAnalysis

/// The process that ran before a launch: whether anything shows how it ended.
struct LastProcess: Sendable {
  /// What a rule has to hand to ``vanished(before:_:_:from:)``.
  static let interests: [EventPattern] = [.verbs(.processStart), Turn.events(.activate)]

  /// Whether the profile at its start counts, where that is recorded; else that of its first activation.
  private let isOfStart: Bool
  private var profile: Profile?
  private var wasTerminated = false

  init(isOfStart: Bool) { self.isOfStart = isOfStart }

  /// Sees an event of ``interests``; at a launch since when the last process was in a state, if nothing
  /// shows that it ended there.
  ///
  /// An update of the app or the system ends processes, too.
  mutating func vanished(
    before event: Event, _ moment: Moment, _ findings: inout RuleFindings,
    from wasThere: (AppState) -> Bool
  ) -> OpenEvent? {
    guard event.verb == .processStart else {
      if profile == nil { profile = moment.profile }
      return nil
    }

    let last = self
    self = LastProcess(isOfStart: isOfStart)
    if isOfStart { profile = moment.profile }
    guard let app = moment.state.app, wasThere(app.state) else { return nil }

    if moment.state.processEnd != nil || last.wasTerminated {
      findings.foundClean()
      return nil
    }
    let isSame = last.profile?.isOfSameInstallation(as: moment.profile) ?? false
    return isSame ? app.since : nil
  }

  /// The process has ended, or the log; the next launch judges it.
  mutating func end(_ moment: Moment) {
    if moment.termination != nil { wasTerminated = true }
  }
}

extension Profile {
  /// Whether nothing says that the app or the system was exchanged.
  func isOfSameInstallation(as other: Profile) -> Bool {
    let ofOneLaunch = [AttributeKey.launch, .hooks, .pid].map(\.rawValue)
    func lasting(_ profile: Profile) -> Set<Attribute> {
      Set(profile.attributes.filter { !ofOneLaunch.contains($0.key) })
    }
    return lasting(self) == lasting(other)
  }
}
