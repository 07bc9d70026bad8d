import LifecycleModel
import TraceAnalysis

/// Protected files and keychain items are left alone while the device is locked.
struct WorkProtectedFileWhileLockedRule: Rule {
  static let description: RuleDescription = .init(
    id: "work-protected-file-while-locked",
    number: 68,
    topic: .work,
    summary: "no protected file or keychain item is used while the device is locked",
    severity: .warning,
    cause: SharedCause(.lockedData, rank: 2),
    sources: [
      .protectedData, .keychainAccess, .emptyKeychainBeforeUnlock, .filesBeforeUnlock,
      .keychainInBackground,
    ],
    why: """
      While the device is locked, the app cannot read or write protected files and keychain items. \
      The attempt fails or finds nothing, and code that mistakes that for an empty store signs the \
      user out, or overwrites what is stored.
      """,
    remedy: """
      Ask isProtectedDataAvailable before you trust an empty answer, and read again at \
      protectedDataDidBecomeAvailable. Close the file when the other notification comes. What the \
      background needs gets a class that allows access: kSecAttrAccessibleAfterFirstUnlock.
      """,
    limits: """
      The documentation says that the attempt fails, not that it is an error. Record files of the \
      classes that stay readable as `load` or `save`, or state access=first-unlock. A keychain item \
      that does not state its access is an info: many items are readable after the first unlock. \
      Before DidBecomeAvailable comes, the device was locked if nothing announced the lock and the \
      process was not suspended since; whether it had been unlocked before, since it was started, \
      the log does not state, and items with access=first-unlock cannot be judged there. The order \
      of these events relative to memory warnings, time changes and the way to the background is \
      not specified.
      """,
    needs: RuleNeeds(hooks: [[.work], [.appDelegate, .appNotifications]]),
    patterns: [
      whileLocked(
        .work(.protectedFile).where(.access, isNot: firstUnlock, always)
          | .work(.keychain).saying(.access).where(.access, is: unlocked)),
      whileLocked(.work(.keychain).notSaying(.access)).severity(.info),
    ],
    given: """
      0s - profile hooks=app-notifications,work
      1s main notify UIApplication.protectedDataWillBecomeUnavailableNotification app
      """,
    examples: """
      clean: after it is available again
      0s - profile hooks=app-delegate,app-notifications,work
      1s..1.2s main call applicationProtectedDataWillBecomeUnavailable app
      1.1s db work protected-file app "health.db"
      9s main call applicationProtectedDataDidBecomeAvailable app
      9.1s db work protected-file app "health.db"

      clean: the notification's own observer closes the file
      1s..1.2s main observe UIApplication.protectedDataWillBecomeUnavailableNotification app "Store"
      1.1s main work protected-file app "health.db"

      clean: a file that stays readable, and a position that is not specified
      0s - profile hooks=app-delegate,app-notifications,work
      1s..1.3s main call applicationDidEnterBackground app
      1.1s main return applicationProtectedDataWillBecomeUnavailable app
      1.2s main notify UIApplication.didReceiveMemoryWarningNotification app
      2s db work load app "cache.db"

      clean: items and files that are readable after the first unlock
      4s net work keychain app "refresh token" access=first-unlock
      4.1s db work protected-file app "inbox.db" access=first-unlock

      clean: used on screen; the lock came while the process was suspended
      0s - profile mode=app hooks=app-delegate,app-notifications,work,system
      0s - process.start app launch=user
      1s main call applicationDidBecomeActive app
      2s main work keychain app "token" access=unlocked
      3s..3.1s main call applicationWillResignActive app
      3.2s..3.4s main call applicationDidEnterBackground app
      3.3s main work keychain app "token" access=unlocked
      8s..600s - suspend app
      600.1s main notify UIApplication.protectedDataDidBecomeAvailableNotification app

      clean: a push wakes the app as the user unlocks the device
      0s - profile hooks=app-notifications,work,system
      0s - process.start app launch=push
      8s..600s - suspend app
      600.3s main work keychain app "token" access=unlocked
      600.5s main notify UIApplication.protectedDataDidBecomeAvailableNotification app

      cannot tell: nothing tells whether the device was locked
      0s - profile hooks=app-notifications,work,system
      0s - process.start app launch=push
      1s main work keychain app "token"
      2s - suspend app

      cannot tell: the notification that ends it may be in the gap
      2s - gap ring-full 4
      9.1s db work protected-file app "health.db"

      cannot tell: the device may have been unlocked before, since it was started
      0s - profile hooks=app-notifications,work,system
      0s - process.start app launch=push
      1s main work keychain app "token" access=first-unlock
      9s main notify UIApplication.protectedDataDidBecomeAvailableNotification app

      cannot tell: the app may not implement the callback that announces the lock
      0s - profile hooks=app-delegate,work,system
      0s - process.start app launch=push
      1s main work protected-file app "health.db"
      9s main call applicationProtectedDataDidBecomeAvailable app

      cannot tell: the process may have been suspended when the device was locked
      0s - profile hooks=app-notifications,work
      1s main work protected-file app "health.db"
      9s main notify UIApplication.protectedDataDidBecomeAvailableNotification app

      violating: in the observer, and again after it
      1s..1.2s main observe UIApplication.protectedDataWillBecomeUnavailableNotification app "Store"
      1.1s main work protected-file app "health.db"
      4s db work protected-file app "health.db" ◀

      violating: read while locked
      4s db work protected-file app "health.db" ◀

      violating: keychain items while locked: an info where the access is not stated
      4s net work keychain app "refresh token" ◀
      4.1s net work keychain app "device key" access=unlocked ◀

      violating: before the device was unlocked, in a process that the system launched
      0s - profile hooks=app-delegate,app-notifications,work,system
      0s - process.start app launch=push
      0.5s..0.8s main call applicationDidFinishLaunching app
      0.6s main work keychain app "token" ◀
      0.7s db work protected-file app "health.db" ◀
      60s..60.2s main call applicationProtectedDataDidBecomeAvailable app
      60.1s main work keychain app "token"
      """
  )

  private static let (unlocked, firstUnlock, always) = (
    DataAccess.unlocked.rawValue, DataAccess.firstUnlock.rawValue, DataAccess.always.rawValue
  )
  private static let isLocked = EventPattern.events(of: [
    .applicationProtectedDataWillBecomeUnavailable
  ])
  private static let isUnlocked = EventPattern.events(of: [
    .applicationProtectedDataDidBecomeAvailable
  ])

  private static func whileLocked(_ use: EventPattern) -> RulePattern {
    .never(
      use,
      between: .returned(.applicationProtectedDataWillBecomeUnavailable)
        | .notify(.applicationProtectedDataWillBecomeUnavailable),
      until: isUnlocked,
      per: .app, says: "{name} {label} was used while the device was locked, since {since}"
    ).unless(.open(.observe(.applicationProtectedDataWillBecomeUnavailable)))
  }

  static let interests: [EventPattern] = [
    .work(.protectedFile, .keychain), isLocked | isUnlocked, .verbs(.suspend, .resume),
  ]

  /// What was used in the background since nothing tells whether the device is locked.
  private var uses = Remembered<OpenEvent>(64, beyond: .oldestGoes)
  /// Whether the log has told since the last suspension whether the device is locked.
  private var isTold = false
  /// The awake time of the last resume.
  private var resumed = Nanoseconds.min

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .work, .workBegin: note(event, moment)
    case .suspend, .resume:
      doubtUses(&findings)
      isTold = false
      resumed = moment.awake(event)
    default:
      // UIKit tells a process that it resumes of an unlocking that is over.
      let isLate = resumed > .min && moment.awake(event) &- resumed < Allowances.unlockNotice
      let isUnlocking = Callback.of(event.name) == .applicationProtectedDataDidBecomeAvailable
      if isUnlocking && !isTold && !isLate {
        for use in uses { judge(use, until: event, moment, &findings) }
        if !uses.isWhole { findings.cannotTell(.tooManyInstances) }
      } else if !uses.isEmpty {
        findings.foundClean()
      }
      uses.removeAll()
      isTold = true
    }
  }

  private mutating func note(_ use: Event, _ moment: Moment) {
    let isReadable = moment.attribute(.access, use) == Self.always
    // On screen the device is unlocked, but for a car's.
    let isOnScreen = moment.state.appState?.isForeground == true
    if !isTold && !isReadable && !isOnScreen && !moment.isSystems(use) {
      uses.append(moment.fact(use))
    }
  }

  /// Judges what was used before the first word on the lock, which is that the device is unlocked now.
  private func judge(
    _ use: OpenEvent, until unlock: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let access = moment.attribute(.access, use.event)
    let isKeychain = use.event.name == WorkCategory.keychain.symbol
    findings.report(
      use, until: unlock, severity: isKeychain && access == nil ? .info : nil,
      unless: doubt(access, moment.profile),
      says: "{name} {label} was used before the device was unlocked")
  }

  private func doubt(_ access: String?, _ profile: Profile) -> Doubt? {
    if access == Self.firstUnlock {
      return .notSaid("whether the device had been unlocked since it was started")
    }
    let isLockVisible =
      profile.recordsAll(of: .appNotifications)
      || profile.implements(.applicationProtectedDataWillBecomeUnavailable)
    if !isLockVisible { return .callbackNeverSeen }
    return profile.recordsAll(of: .system) ? nil : .hooksNotRecorded([.system])
  }

  /// What was used cannot be judged any more: the device may have been locked or unlocked since.
  private mutating func doubtUses(_ findings: inout RuleFindings) {
    if !uses.isEmpty { findings.cannotTell(.notSaid("whether the device was locked")) }
    uses.removeAll()
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    doubtUses(&findings)
  }
}
