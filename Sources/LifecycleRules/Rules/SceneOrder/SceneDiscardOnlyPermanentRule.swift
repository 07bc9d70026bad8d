import LifecycleModel
import TraceAnalysis

/// A session is discarded for good, and not to save memory.
struct SceneDiscardOnlyPermanentRule: Rule {
  static let description: RuleDescription = .init(
    id: "scene-discard-only-permanent",
    formerRules: [
      FormerRule(
        "scene-session-no-return-after-discard", number: 31, culprits: .call(.sceneWillConnect))
    ],
    number: 32,
    topic: .sceneOrder,
    summary: "a session is discarded for good, and not when its scene was disconnected for memory",
    severity: .warning,
    advice: .dropCulprit,
    sources: [.discardedSessions, .sceneDidDisconnect],
    why: """
      A scene disconnected to reclaim memory may connect again with the same session. If the \
      session is discarded, the user loses the window. The app should delete the data of a discarded \
      session: a scene that connects with it finds nothing to restore.
      """,
    remedy: """
      Separate what sceneDidDisconnect releases (memory) from what \
      application(_:didDiscardSceneSessions:) deletes (data). Look for code that calls the latter \
      directly.
      """,
    limits: """
      Logs rarely record why a scene disconnected: the rule checks a disconnect with \
      reason=reclaim, and cannot tell about any other. The user may later close a window that was \
      reclaimed; a discard more than a minute after the disconnect is not checked. The connection's \
      attributes must name the session. If the user closes a session while the app is not running, UIKit \
      discards it at the next launch, which says nothing about other sessions. The order of the discard \
      and the scene's disconnect is not specified, and not checked. The 64 sessions that were discarded \
      last are followed; whether an older one returns, the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate], [.sceneDelegate]], profile: [.mode(.scene)]),
    given: "0s - profile mode=scene hooks=app-delegate,scene-delegate",
    examples: """
      clean: reclaimed, and connected again
      1s main call sceneWillConnect scene:1 session=1
      2s main call sceneDidDisconnect scene:1 reason=reclaim
      9s main call sceneWillConnect scene:2 session=1

      clean: closed by the user an hour after it was reclaimed
      1s main call sceneWillConnect scene:1 session=1
      2s main call sceneDidDisconnect scene:1 reason=reclaim
      3602s main call applicationDidDiscardSceneSessions session:1

      cannot tell: disconnect reason unknown
      1s main call sceneWillConnect scene:1 session=1
      2s main call sceneDidDisconnect scene:1
      2.1s main call applicationDidDiscardSceneSessions session:1

      violating: reclaimed and discarded
      1s main call sceneWillConnect scene:1 session=1
      2s main call sceneDidDisconnect scene:1 reason=reclaim
      2.1s main call applicationDidDiscardSceneSessions session:1 ◀

      clean: a new session
      1s main return applicationDidDiscardSceneSessions session:1
      2s main call sceneWillConnect scene:3 session=2

      clean: discarded at the next launch, for a session that was closed before
      0s - profile mode=scene hooks=app-delegate,scene-delegate,system
      1s main call sceneWillConnect scene:1 session=1
      2s - process.start app
      3s..3.1s main call applicationDidFinishLaunching app
      3.2s..3.3s main call applicationDidDiscardSceneSessions session:1
      3.4s main call sceneWillConnect scene:2 session=2

      clean: the discard before the disconnect, and after it
      1s main call sceneWillConnect scene:1 session=1
      1.1s main return sceneWillConnect scene:1
      1.2s main call sceneWillConnect scene:2 session=2
      1.3s main return sceneWillConnect scene:2
      2s..2.1s main call applicationDidDiscardSceneSessions session:1
      2.2s..2.3s main call sceneDidDisconnect scene:1
      3s..3.1s main call sceneDidDisconnect scene:2
      3.2s..3.3s main call applicationDidDiscardSceneSessions session:2

      cannot tell: the connection does not state its session
      1s main return applicationDidDiscardSceneSessions session:1
      2s main call sceneWillConnect scene:3

      violating: the discarded session connects
      1s..1.1s main call applicationDidDiscardSceneSessions session:1
      2s main call sceneWillConnect scene:3 session=1 ◀
      """
  )

  static let interests: [EventPattern] = [
    .call(.sceneWillConnect, .sceneDidDisconnect, .applicationDidDiscardSceneSessions)
  ]

  /// A discard that comes later may be the user's.
  private static let atOnce: Nanoseconds = .seconds(60)

  /// The sessions of the connected scenes.
  private var sessions: [UInt32: UInt32] = [:]
  /// The disconnects of sessions that are not connected, newest last, and whether they say that they
  /// reclaim memory.
  private var disconnects = Remembered<(session: UInt32, fact: OpenEvent, isReclaim: Bool)>(
    256, beyond: .cannotTell)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    disconnects.removeAll { event.instant.since($0.fact.event.instant) > Self.atOnce }
    switch event.subjectKind {
    case .session:
      guard let index = disconnects.firstIndex(where: { $0.session == event.subjectNumber })
      else { return findings.foundClean() }
      let disconnect = disconnects.remove(at: index)
      findings.report(
        event, since: disconnect.fact,
        unless: disconnect.isReclaim ? nil : .attributeMissing(.reason),
        says: "{subject} was discarded; its scene disconnected at {since} to reclaim memory")
    case .scene where event.name == Callback.sceneWillConnect.symbol:
      connect(event, moment, &findings)
    case .scene:
      guard let session = sessions.removeValue(forKey: event.subjectNumber) else { return }
      let reason = moment.attribute(.reason, event)
      disconnects.append(
        (session, moment.fact(event), reason == "reclaim"), &findings)
    default: break
    }
  }

  private mutating func connect(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    let discarded = moment.state.discardedSessions
    guard let session = event.session(in: moment.vocabulary) else {
      return discarded.isEmpty
        ? findings.foundClean() : findings.cannotTell(.attributeMissing(.session))
    }
    sessions[event.subjectNumber] = session
    disconnects.removeAll { $0.session == session }

    if let discard = discarded[session] {
      findings.report(
        event, since: discard,
        says: "{subject} connected with session:\(session), which was discarded at {since}")
    } else if discarded.count < LifecycleState.rememberedDiscards {
      findings.foundClean()
    } else {
      findings.cannotTell(.tooManyInstances)
    }
  }
}
