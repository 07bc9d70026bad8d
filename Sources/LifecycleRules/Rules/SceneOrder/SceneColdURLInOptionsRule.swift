import LifecycleModel
import TraceAnalysis

/// The URL that made a scene comes with its connection.
struct SceneColdURLInOptionsRule: Rule {
  static let description: RuleDescription = .init(
    id: "scene-cold-url-in-options",
    number: 34,
    topic: .sceneOrder,
    summary: "the URL that launches the app comes in the connection options, not in a later call",
    severity: .warning,
    advice: .words("pass the URL in the options of {opener}"),
    sources: [.sceneDelegateObserving, .sceneNotes],
    why: """
      On a cold start UIKit puts the URL into the connection options. If it comes in \
      sceneOpenURLContexts instead, something else passed it on, and an app that reads the options \
      misses it.
      """,
    remedy: """
      Handle URLs in both scene(_:willConnectTo:options:) and scene(_:openURLContexts:). Look for \
      code that calls the latter directly.
      """,
    limits: """
      Checked until the first activation of a scene, in a process that was launched for a URL and \
      whose connection states its options. A running app correctly gets sceneOpenURLContexts, also \
      in a new window.
      """,
    needs: RuleNeeds(hooks: [[.sceneDelegate], [.process]], profile: [.mode(.scene)]),
    given: "0s - profile mode=scene hooks=scene-delegate,system",
    examples: """
      clean: a cold start with the URL in the options
      0s - process.start app launch=url
      1s main call sceneWillConnect scene:1 options=url
      1.2s main call sceneWillEnterForeground scene:1
      1.3s main call sceneDidBecomeActive scene:1

      clean: a warm start
      0s - process.start app launch=url
      1s main call sceneWillConnect scene:1 options=none
      1.3s main call sceneDidBecomeActive scene:1
      9s main call sceneWillEnterForeground scene:1
      9.1s main call sceneOpenURLContexts scene:1

      clean: a second window, and a URL for it before it is active
      0s - process.start app launch=url
      1s main call sceneWillConnect scene:1 options=url
      1.3s main call sceneDidBecomeActive scene:1
      100s main call sceneWillConnect scene:2 options=none
      100.2s main call sceneOpenURLContexts scene:2

      clean: an app that the user launched
      0s - process.start app launch=user
      1s main call sceneWillConnect scene:1 options=none
      1.1s main call sceneOpenURLContexts scene:1

      cannot tell: launch reason unknown
      0s - process.start app
      1s main call sceneWillConnect scene:1 options=none
      1.1s main call sceneOpenURLContexts scene:1

      cannot tell: the connection does not state its options
      0s - process.start app launch=url
      1s main call sceneWillConnect scene:1
      1.1s main call sceneOpenURLContexts scene:1

      violating: a cold start without options, and then the URL
      0s - process.start app launch=url
      1s main call sceneWillConnect scene:1 options=none
      1.1s main call sceneOpenURLContexts scene:1 ◀
      """
  )

  static let interests: [EventPattern] = [
    .call(
      .sceneWillConnect, .sceneOpenURLContexts, .sceneDidBecomeActive, .sceneDidDisconnect)
      | .notify(.sceneDidActivate)
  ]

  /// Whether a scene has been active: the start is over.
  private var hasStarted = false
  /// The connections of scenes while the app starts.
  private var connections: [UInt32: (fact: OpenEvent, options: String?)] = [:]

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard event.subjectKind == .scene else { return }
    if event.name == Callback.sceneWillConnect.symbol {
      if hasStarted { return }
      let options = moment.attribute(.options, event)
      connections[event.subjectNumber] = (moment.fact(event), options)
      if options == "url" { findings.foundClean() }
    } else if event.name == Callback.sceneDidDisconnect.symbol {
      connections[event.subjectNumber] = nil
    } else if event.name != Callback.sceneOpenURLContexts.symbol {
      hasStarted = true
      if !connections.isEmpty { connections = [:] }
    } else if let connection = connections[event.subjectNumber] {
      judge(event, connection, moment, &findings)
    } else {
      findings.foundClean()
    }
  }

  private func judge(
    _ event: Event, _ connection: (fact: OpenEvent, options: String?), _ moment: Moment,
    _ findings: inout RuleFindings
  ) {
    guard let launch = moment.launch else {
      return findings.cannotTell(.profileKeyMissing(.launch))
    }
    if launch != .url || connection.options == "url" { return findings.foundClean() }
    if connection.options == nil { return findings.cannotTell(.attributeMissing(.options)) }
    findings.report(
      event, since: connection.fact,
      says: "the URL of a cold start came in {name}; {subject} connected at {since} without it")
  }
}
