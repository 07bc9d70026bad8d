import LifecycleModel
import TraceAnalysis

/// Shared resources of the system are given back on the way to the background.
struct WorkSharedResourceInBackgroundRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "work-shared-resource-in-background",
    number: 65,
    topic: .work,
    summary:
      "camera, contacts, calendar and audio session are not held, taken or used in the background",
    severity: .error,
    cause: SharedCause(.heldResource, rank: 2),
    sources: [.s4, .backgroundPreparation],
    why: """
      Other apps need these resources, and the system ends a background app that keeps one. The \
      documentation names the user's contacts database as an example.
      """,
    remedy: """
      Stop the capture session and close the stores in {background}; reopen them in \
      {foreground}.
      """,
    limits: """
      Declared audio, voip and location modes may allow it; then, or if the modes are not known, \
      the rule cannot tell. An audio session is a warning, and is not reported while audio work \
      runs. Taking the camera, contacts or calendar in the background, or using the camera there, \
      is a warning: the documentation asks to avoid it. If only the notification shows the \
      background, the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.resources], .delegates]),
    patterns: [.camera, .contacts, .calendar].map { held($0, .error) }
      + [held(.audioSession, .warning)]
      + [
        .never(
          .acquire(.camera, .contacts, .calendar) | .work(.camera), while: .subjectInBackground,
          says: "{subject} used {name} {label} in the background, after {opener} at {since}"
        ).severity(.warning)
      ],
    given: "0s - profile mode=app background-modes=none hooks=app-delegate,resources",
    examples: """
      clean: released inside the callback
      1s..2.1s main acquire camera app "scanner"
      2s..2.2s main call applicationDidEnterBackground app

      clean: held by the scene that stays
      0s - profile mode=scene background-modes=none hooks=scene-delegate,resources
      0s main call sceneDidBecomeActive scene:1
      0s main call sceneDidBecomeActive scene:2
      1s main acquire camera scene:2 "scanner"
      1s main acquire contacts app "address book"
      2s..2.2s main call sceneDidEnterBackground scene:1

      clean: an audio session that is in use
      0s - profile mode=app background-modes=none hooks=app-delegate,resources,work
      1s main acquire audio-session app "player"
      1s audio work.begin audio app "song"
      2.2s main return applicationDidEnterBackground app

      clean: taken on the way back to the foreground
      0s - profile mode=app background-modes=none hooks=app-delegate,resources,work
      2s..2.2s main call applicationDidEnterBackground app
      9s..9.1s main call applicationWillEnterForeground app
      9.2s main acquire camera app "scanner"

      cannot tell: a calling app looks up a caller
      0s - profile mode=app background-modes=voip hooks=app-delegate,resources,work
      2s..2.2s main call applicationDidEnterBackground app
      9s main acquire contacts app "address book"

      cannot tell: a declared mode
      0s - profile mode=app background-modes=audio,voip hooks=app-delegate,resources
      1s main acquire audio-session app "call"
      2.2s main return applicationDidEnterBackground app

      cannot tell: an app without a delegate of its own
      0s - profile mode=scene background-modes=none hooks=scene-delegate,scene-notifications,resources
      1s main acquire camera app "front"
      2s main notify UIScene.didEnterBackgroundNotification scene:1

      violating: the camera goes on
      1s main acquire camera app "scanner"
      2s main call applicationDidEnterBackground app
      2.2s main return applicationDidEnterBackground app ◀

      violating: the page's own example
      1s main acquire contacts app "address book"
      2s main call applicationDidEnterBackground app
      2.2s main return applicationDidEnterBackground app ◀

      violating: taken and used in the background: a warning each
      0s - profile mode=app background-modes=none hooks=app-delegate,resources,work
      2s..2.2s main call applicationDidEnterBackground app
      9s..9.1s main acquire contacts app "address book" ◀
      12s render work.begin camera app "preview" ◀

      violating: an audio session that nothing plays in
      1s main acquire audio-session app "player"
      2.2s main return applicationDidEnterBackground app ◀
      """
  )

  private static func held(_ resource: Resource, _ severity: Severity) -> RulePattern {
    .never(
      .backgroundEntered, while: .holding(resource),
      says: "{name} returned while the app held \(resource.rawValue) {held}, taken at {since}"
    ).severity(severity)
  }

  static let interests = UnseenReturn.interests

  private var unseen = UnseenReturn()

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    unseen.note(
      event,
      isInQuestion: !moment.state.open.facts(
        .resource, Resource.camera, .contacts, .calendar, .audioSession
      ).isEmpty)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    unseen.end(&findings)
  }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if culprit.verb != .return { return judgeUse(culprit, since: opener, moment) }
    if !moment.state.concerns(opener, culprit) { return .notJudged }
    if moment.isSystems(opener.event) { return .kept }
    let isPlaying = !moment.state.open.facts(.work, WorkCategory.audio).isEmpty
    if opener.event.name == Resource.audioSession.symbol && isPlaying { return .kept }
    return .violation(unless: moment.doubt(allowedBy: ["audio", "voip", "location"]))
  }

  /// Judges what is taken or used by an app, or a scene, that is in the background since `opener`.
  private func judgeUse(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if moment.isSystems(culprit) { return .kept }
    // That a scene is in the background from its connection on is not documented; beside a scene on
    // screen the app is in use.
    if !Departure.isDeparture(opener) || moment.state.appState?.isForeground == true {
      return .notJudged
    }
    return .violation(unless: moment.doubt(allowedBy: ["audio", "voip", "location"]))
  }
}
