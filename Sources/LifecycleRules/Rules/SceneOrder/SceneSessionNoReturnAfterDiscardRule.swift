import LifecycleModel
import TraceAnalysis

/// A discarded session is gone for good.
struct SceneSessionNoReturnAfterDiscardRule: Rule {
  static let description = RuleDescription(
    id: "scene-session-no-return-after-discard",
    number: 31,
    topic: .sceneOrder,
    summary: "no scene connects with a discarded session",
    severity: .warning,
    advice: .dropCulprit,
    sources: [.discardedSessions],
    why: """
      The app should delete the data of a discarded session. A scene that connects with the \
      session finds nothing to restore.
      """,
    remedy: """
      Look for code that calls the app delegate directly, and for code that treats a discard as a \
      disconnect.
      """,
    limits: """
      The connection's attributes must name the session. If the user closes a session while the \
      app is not running, UIKit discards it at the next launch, which says nothing about other \
      sessions. The order of the discard and the scene's disconnect is not specified, and not \
      checked. The 64 sessions that were discarded last are followed; whether an older one returns, \
      the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate], [.sceneDelegate]], profile: [.mode(.scene)]),
    given: "0s - profile mode=scene hooks=app-delegate,scene-delegate",
    examples: [
      .clean(
        "a new session",
        """
        1s main return applicationDidDiscardSceneSessions session:1
        2s main call sceneWillConnect scene:3 session=2
        """),
      .clean(
        "discarded at the next launch, for a session that was closed before",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,system
        1s main call sceneWillConnect scene:1 session=1
        2s - process.start app
        3s main call applicationDidFinishLaunching app
        3.1s main return applicationDidFinishLaunching app
        3.2s main call applicationDidDiscardSceneSessions session:1
        3.3s main return applicationDidDiscardSceneSessions session:1
        3.4s main call sceneWillConnect scene:2 session=2
        """),
      .clean(
        "the discard before the disconnect, and after it",
        """
        1s main call sceneWillConnect scene:1 session=1
        1.1s main return sceneWillConnect scene:1
        1.2s main call sceneWillConnect scene:2 session=2
        1.3s main return sceneWillConnect scene:2
        2s main call applicationDidDiscardSceneSessions session:1
        2.1s main return applicationDidDiscardSceneSessions session:1
        2.2s main call sceneDidDisconnect scene:1
        2.3s main return sceneDidDisconnect scene:1
        3s main call sceneDidDisconnect scene:2
        3.1s main return sceneDidDisconnect scene:2
        3.2s main call applicationDidDiscardSceneSessions session:2
        3.3s main return applicationDidDiscardSceneSessions session:2
        """),
      .cannotTell(
        "the connection does not state its session",
        """
        1s main return applicationDidDiscardSceneSessions session:1
        2s main call sceneWillConnect scene:3
        """),
      .violating(
        "the discarded session connects",
        """
        1s main call applicationDidDiscardSceneSessions session:1
        1.1s main return applicationDidDiscardSceneSessions session:1
        2s main call sceneWillConnect scene:3 session=1 ◀
        """),
    ]
  )

  static let interests: [EventPattern] = [.call(.sceneWillConnect)]

  func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if moment.state.discardedSessions.isEmpty { return findings.foundClean() }
    guard let session = event.session(in: moment.vocabulary) else {
      return findings.cannotTell(.attributeMissing(.session))
    }
    guard let discard = moment.state.discardedSessions[session] else {
      let isAll = moment.state.discardedSessions.count < LifecycleState.rememberedDiscards
      return isAll ? findings.foundClean() : findings.cannotTell(.tooManyInstances)
    }
    findings.report(
      event, since: discard,
      says: "{subject} connected with session:\(session), which was discarded at {since}")
  }
}
