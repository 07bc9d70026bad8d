import LifecycleModel
import TraceAnalysis

/// Lifecycle callbacks, expiration handlers and UIKit's completion handlers run on the main thread.
struct IdentMainThreadRule: Rule {
  static let description: RuleDescription = .init(
    id: "ident-main-thread",
    number: 45,
    topic: .identity,
    summary: """
      delegate callbacks, expiration handlers and a URL session's completion handler run on main
      """,
    severity: .warning,
    advice: .words("call it on main"),
    sources: [
      .s0, .s1, .beginBackgroundTask, .backgroundTaskNotes, .backgroundTransfers,
      .sessionHandlerOffMain, .uikitOnWindows,
    ],
    why: """
      The methods are declared @MainActor. On another thread they race with the interface, and the \
      compiler's checks do not hold. The completion handler of a background URL session belongs to \
      UIKit, which takes the app's snapshot in it.
      """,
    remedy: """
      Find the caller: code that calls the delegate directly, or a port's event thread. URLSession \
      calls urlSessionDidFinishEvents(forBackgroundURLSession:) on the session's own queue: call the \
      completion handler from DispatchQueue.main.
      """,
    limits: """
      The rule needs thread names; lines printed by the system (writer -) have none and are not \
      checked. Notifications may be posted, and fetches and pushes completed, on any thread.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate, .sceneDelegate, .tasks, .system]]),
    patterns: [
      .never(
        (EventPattern.allCalls | .verbs(.taskExpire)).offMainThread,
        says: "{name} ran on thread {writer} instead of main"),
      .never(
        .complete(.urlsession).offMainThread,
        says: """
          the completion handler of {name} {label} was called on thread {writer} instead of main
          """),
    ],
    given: "0s - profile hooks=app-delegate,tasks",
    examples: """
      clean: on the main thread
      1s main call applicationDidEnterBackground app
      2s main task.expire task:1

      clean: a URL session's handler on main, and a fetch's elsewhere
      0s - profile hooks=app-delegate,system
      1s - deliver urlsession app "downloads"
      2s main complete urlsession app "downloads"
      3s - deliver fetch app
      4s net complete fetch app

      violating: a callback on a thread of a port
      1s events call applicationDidEnterBackground app ◀

      violating: an expiration handler elsewhere
      1s worker task.expire task:1 ◀

      violating: the completion handler of a background URL session on its queue
      0s - profile hooks=app-delegate,system
      1s - deliver urlsession app "downloads"
      2s session complete urlsession app "downloads" ◀
      """
  )
}
