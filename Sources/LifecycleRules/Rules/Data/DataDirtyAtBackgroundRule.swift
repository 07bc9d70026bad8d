import LifecycleModel
import TraceAnalysis

/// Nothing is unsaved when the app or its scene has entered the background.
struct DataDirtyAtBackgroundRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "data-dirty-at-background",
    number: 88,
    topic: .data,
    summary: "no data is unsaved when didEnterBackground returns",
    severity: .warning,
    cause: SharedCause(.unsavedData, rank: 1),
    sources: [.s0, .s1, .s2, .backgroundPreparation],
    why: """
      After this point the system may suspend the process and then end it without a callback. \
      Unsaved data is lost.
      """,
    remedy: """
      Save when the user finishes an edit, and what is left in {resign}. For a save that takes \
      longer, begin a background task first.
      """,
    limits: """
      The rule data-state-restoration checks the state to restore ("restoration"). Under an open \
      background task the save may still come, so the rule checks again at the suspension; \
      work-survives-suspension checks whether the save survives. If only the notification shows the \
      background, the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.data], [.tasks], .delegates]),
    patterns: [
      .never(
        .backgroundEntered, while: .unsaved,
        says: "{name} returned with unsaved data {held}, changed at {since}"),
      .never(
        .verbs(.suspend), while: .unsaved,
        says: "the process was suspended with unsaved data {held}, changed at {since}"),
    ],
    examples: """
      clean: saved by the resign
      0s - profile hooks=app-delegate,data,tasks
      1s..2.1s main data.dirty app "draft"
      2s..2.2s main call applicationWillResignActive app
      3s..3.1s main call applicationDidEnterBackground app

      clean: a save in flight under a task
      0s - profile hooks=app-delegate,data,tasks,work,system
      1s main data.dirty app "draft"
      3s..3.1s main call applicationDidEnterBackground app
      3.05s..3.7s main task.begin task:1 "save"
      3.06s..3.6s db work.begin save app "draft"
      9s - suspend app

      clean: of the scene that stays
      0s - profile hooks=scene-delegate,data,tasks
      0s main call sceneDidBecomeActive scene:1
      0s main call sceneDidBecomeActive scene:2
      1s main data.dirty scene:2 "draft"
      1s main data.dirty app "settings"
      3s..3.1s main call sceneDidEnterBackground scene:1

      clean: the state to restore, which UIKit asks for later
      0s - profile mode=scene hooks=scene-delegate,data,tasks,system
      1s main data.dirty scene:1 "restoration"
      2s..2.1s main call sceneDidEnterBackground scene:1
      2.2s..2.3s main call sceneStateRestorationActivity scene:1
      5s - suspend app

      cannot tell: an app without a delegate of its own
      0s - profile mode=scene hooks=scene-delegate,scene-notifications,data,tasks
      1s main data.dirty scene:1 "document"
      2s main notify UIScene.didEnterBackgroundNotification scene:1

      violating: unsaved
      0s - profile hooks=app-delegate,data,tasks
      1s main data.dirty app "draft"
      3s main call applicationDidEnterBackground app
      3.1s main return applicationDidEnterBackground app ◀

      violating: the task ends, and nothing was saved
      0s - profile hooks=app-delegate,data,tasks,system
      1s main data.dirty app "draft"
      3s..3.1s main call applicationDidEnterBackground app
      3.05s..3.7s main task.begin task:1 "save"
      9s - suspend app ◀
      """
  )

  static let interests = UnseenReturn.interests

  /// The changes, by their places, that are judged at the suspension.
  private var putOff = RememberedSet<UInt64>(256)

  private var unseen = UnseenReturn()

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    unseen.note(event, isInQuestion: moment.state.open.count(.data) > 0)
  }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if moment.isRestoration(opener.event) { return .notJudged }
    if culprit.verb == .suspend {
      return putOff.remove(opener.ordinal) ? .violation() : .notJudged
    }
    if !moment.state.concerns(opener, culprit) { return .notJudged }
    if moment.state.open.count(.task) == 0 { return .violation() }
    return putOff.insert(opener.ordinal) ? .notJudged : .unclear(.tooManyInstances)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    unseen.end(&findings)
  }
}
