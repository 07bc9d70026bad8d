import LifecycleModel
import TraceAnalysis

/// A scene is configured before it connects.
struct SceneConfigBeforeConnectRule: Rule {
  static let description: RuleDescription = .init(
    id: "scene-config-before-connect",
    number: 35,
    topic: .sceneOrder,
    summary: "UIKit asks for a session's configuration before its scene connects",
    severity: .warning,
    advice: .moveBeforeOpener,
    sources: [.configurationOrder],
    why: """
      UIKit asks shortly before it creates a scene. A later configuration has no effect on that \
      scene.
      """,
    remedy: "Look for code that calls the app delegate directly.",
    limits: """
      UIKit does not ask if it knows the session's configuration or if Info.plist contains it, so \
      a missing request is not reported. The connection's attributes must name the session, and \
      the log must show when scenes disconnect.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate], [.sceneDelegate]], profile: [.mode(.scene)]),
    patterns: [
      .never(
        .call(.applicationConfigurationForConnecting), between: .call(.sceneWillConnect),
        until: Turner.scene.events(.disconnect), per: .session,
        says: "the configuration for {subject} was requested after its scene connected at {since}")
    ],
    given: "0s - profile mode=scene hooks=app-delegate,scene-delegate",
    examples: """
      clean: requested, then connected
      1s..1.1s main call applicationConfigurationForConnecting session:1
      1.2s main call sceneWillConnect scene:1 session=1

      clean: no request for a known session, one for a new session
      1s main call sceneWillConnect scene:1 session=1
      1.1s main return sceneWillConnect scene:1
      2s..2.1s main call applicationConfigurationForConnecting session:2
      2.2s main call sceneWillConnect scene:2 session=2
      2.3s main return sceneWillConnect scene:2

      clean: requested again before the session's next scene
      1.2s main call sceneWillConnect scene:1 session=1
      2s main call sceneDidDisconnect scene:1
      3s main call applicationConfigurationForConnecting session:1
      3.1s main call sceneWillConnect scene:2 session=1

      clean: a scene without a known session has gone
      1s main call sceneWillConnect scene:1
      2s main call sceneDidDisconnect scene:1
      3s main call applicationConfigurationForConnecting session:2
      3.1s main call sceneWillConnect scene:2 session=2

      cannot tell: a connection that does not say its session
      1s main call sceneWillConnect scene:1
      1.1s main call applicationConfigurationForConnecting session:1

      cannot tell: the disconnect may be in the gap
      1s main call sceneWillConnect scene:1 session=1
      2s - gap ring-full 9
      3s main call applicationConfigurationForConnecting session:1

      cannot tell: the app may not implement sceneDidDisconnect
      1s main call sceneWillConnect scene:1 session=1
      9s main call applicationConfigurationForConnecting session:1

      violating: connected, then requested
      0s - profile mode=scene hooks=app-delegate,scene-delegate,scene-notifications
      1s main call sceneWillConnect scene:1 session=1
      1.1s main call applicationConfigurationForConnecting session:1 ◀
      """
  )
}
