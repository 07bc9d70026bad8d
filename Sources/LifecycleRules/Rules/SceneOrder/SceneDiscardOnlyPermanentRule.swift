import LifecycleModel
import TraceAnalysis

/// A session is discarded for good, and not to save memory.
struct SceneDiscardOnlyPermanentRule: Rule {
  static let description = RuleDescription(
    id: "scene-discard-only-permanent",
    number: 32,
    topic: .sceneOrder,
    summary: "UIKit does not discard a session whose scene it only disconnected to reclaim memory",
    severity: .warning,
    advice: .dropCulprit,
    sources: [.discardedSessions, .sceneDidDisconnect],
    why: """
      A scene disconnected to reclaim memory may connect again with the same session. If the \
      session is discarded, the user loses the window.
      """,
    remedy: """
      Separate what sceneDidDisconnect releases (memory) from what \
      application(_:didDiscardSceneSessions:) deletes (data). Look for code that calls the latter \
      directly.
      """,
    limits: """
      Logs rarely record why a scene disconnected: the rule checks a disconnect with \
      reason=reclaim, and cannot tell about any other. The user may later close a window that was \
      reclaimed; a discard more than a minute after the disconnect is not checked.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate], [.sceneDelegate]], profile: [.mode(.scene)]),
    given: "0s - profile mode=scene hooks=app-delegate,scene-delegate",
    examples: [
      .clean(
        "reclaimed, and connected again",
        """
        1s main call sceneWillConnect scene:1 session=1
        2s main call sceneDidDisconnect scene:1 reason=reclaim
        9s main call sceneWillConnect scene:2 session=1
        """),
      .clean(
        "closed by the user an hour after it was reclaimed",
        """
        1s main call sceneWillConnect scene:1 session=1
        2s main call sceneDidDisconnect scene:1 reason=reclaim
        3602s main call applicationDidDiscardSceneSessions session:1
        """),
      .cannotTell(
        "disconnect reason unknown",
        """
        1s main call sceneWillConnect scene:1 session=1
        2s main call sceneDidDisconnect scene:1
        2.1s main call applicationDidDiscardSceneSessions session:1
        """),
      .violating(
        "reclaimed and discarded",
        """
        1s main call sceneWillConnect scene:1 session=1
        2s main call sceneDidDisconnect scene:1 reason=reclaim
        2.1s main call applicationDidDiscardSceneSessions session:1 ◀
        """),
    ]
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
      guard let session = event.session(in: moment.vocabulary) else { return }
      sessions[event.subjectNumber] = session
      disconnects.removeAll { $0.session == session }
      findings.foundClean()
    case .scene:
      guard let session = sessions.removeValue(forKey: event.subjectNumber) else { return }
      let reason = moment.vocabulary.attributes(event.attributes)[.reason]
      disconnects.append(
        (session, moment.fact(event), reason == "reclaim"), &findings)
    default: break
    }
  }
}
