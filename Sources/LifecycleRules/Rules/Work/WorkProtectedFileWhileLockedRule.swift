import LifecycleModel
import TraceAnalysis

/// Protected files are left alone while the device is locked.
struct WorkProtectedFileWhileLockedRule: Rule {
  static let description = RuleDescription(
    id: "work-protected-file-while-locked",
    number: 68,
    topic: .work,
    summary:
      "no protected file is used between protectedData WillBecomeUnavailable and DidBecomeAvailable",
    severity: .warning,
    sources: [.protectedData],
    why: """
      While the device is locked, the app cannot read or write protected files. The attempt fails, \
      and code that mistakes the failure for an empty file overwrites the file later.
      """,
    remedy: """
      Close the file when the notification comes and wait for the other one, or give the file a \
      protection class that allows access.
      """,
    limits: """
      The documentation says that the attempt fails, not that it is an error. Record files of the \
      classes that stay readable as `load` or `save`. The order of these events relative to memory \
      warnings, time changes and the way to the background is not specified.
      """,
    needs: RuleNeeds(hooks: [[.work], [.appDelegate, .appNotifications]]),
    patterns: [
      .never(
        .work(.protectedFile),
        between: .returned(.applicationProtectedDataWillBecomeUnavailable)
          | .notify(.applicationProtectedDataWillBecomeUnavailable),
        until: .call(.applicationProtectedDataDidBecomeAvailable)
          | .notify(.applicationProtectedDataDidBecomeAvailable),
        per: .app, says: "the protected file {label} was used while it was locked, since {since}"
      ).unless(.open(.observe(.applicationProtectedDataWillBecomeUnavailable)))
    ],
    examples: [
      .clean(
        "after it is available again",
        """
        0s - profile hooks=app-delegate,app-notifications,work
        1s main call applicationProtectedDataWillBecomeUnavailable app
        1.1s db work protected-file app "health.db"
        1.2s main return applicationProtectedDataWillBecomeUnavailable app
        9s main call applicationProtectedDataDidBecomeAvailable app
        9.1s db work protected-file app "health.db"
        """),
      .clean(
        "the notification's own observer closes the file",
        """
        0s - profile hooks=app-notifications,work
        1s main notify UIApplication.protectedDataWillBecomeUnavailableNotification app
        1s main observe UIApplication.protectedDataWillBecomeUnavailableNotification app "Store"
        1.1s main work protected-file app "health.db"
        1.2s main observed UIApplication.protectedDataWillBecomeUnavailableNotification app "Store"
        """),
      .clean(
        "a file that stays readable, and a position that is not specified",
        """
        0s - profile hooks=app-delegate,app-notifications,work
        1s main call applicationDidEnterBackground app
        1.1s main return applicationProtectedDataWillBecomeUnavailable app
        1.2s main notify UIApplication.didReceiveMemoryWarningNotification app
        1.3s main return applicationDidEnterBackground app
        2s db work load app "cache.db"
        """),
      .cannotTell(
        "the notification that ends it may be in the gap",
        """
        0s - profile hooks=app-notifications,work
        1s main notify UIApplication.protectedDataWillBecomeUnavailableNotification app
        2s - gap ring-full 4
        9.1s db work protected-file app "health.db"
        """),
      .violating(
        "in the observer, and again after it",
        """
        0s - profile hooks=app-notifications,work
        1s main notify UIApplication.protectedDataWillBecomeUnavailableNotification app
        1s main observe UIApplication.protectedDataWillBecomeUnavailableNotification app "Store"
        1.1s main work protected-file app "health.db"
        1.2s main observed UIApplication.protectedDataWillBecomeUnavailableNotification app "Store"
        4s db work protected-file app "health.db" ◀
        """),
      .violating(
        "read while locked",
        """
        0s - profile hooks=app-notifications,work
        1s main notify UIApplication.protectedDataWillBecomeUnavailableNotification app
        4s db work protected-file app "health.db" ◀
        """),
    ]
  )
}
