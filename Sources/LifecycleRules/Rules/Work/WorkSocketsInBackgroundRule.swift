import LifecycleModel
import TraceAnalysis

/// Listening sockets and Bonjour services are closed when the process is suspended.
struct WorkSocketsInBackgroundRule: Rule {
  static let description: RuleDescription = .init(
    id: "work-sockets-in-background",
    number: 66,
    topic: .work,
    summary: "Bonjour services and listening sockets are closed when the process is suspended",
    severity: .warning,
    sources: [.backgroundPreparation],
    why: """
      A suspended app answers nobody. Others find the service, connect, and wait. The system may \
      also reclaim the socket while the app is suspended.
      """,
    remedy: """
      Stop the service and close the listener in {background}, and publish it again in \
      {foreground}.
      """,
    limits: """
      A listening socket states kind=listening. If a socket states nothing, the rule cannot tell, \
      unless a Bonjour service is also active. The voip and external-accessory modes allow it; if \
      the modes are not known, the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.resources], [.system]]),
    patterns: [
      .never(
        .verbs(.suspend), while: .holding(.bonjour),
        says: """
          the process was suspended while the Bonjour service {held} was active, since {since}
          """
      ).unless(allowing),
      .never(
        .verbs(.suspend), while: .open(.acquire(.socket).where(.kind, is: "listening")),
        says: socketOpen
      ).unless(allowing),
      .never(
        .verbs(.suspend), while: .open(.acquire(.socket).notSaying(.kind)), says: socketOpen
      ).while(.holding(.bonjour)).unless(allowing),
    ],
    given: "0s - profile background-modes=none hooks=resources,system",
    examples: """
      clean: closed first
      1s net acquire socket app "port 8080" kind=listening
      1s..3s net acquire bonjour app "_http._tcp"
      3s net release socket app "port 8080"
      4s - suspend app

      clean: a VoIP app, and a connection to a server
      0s - profile background-modes=voip hooks=resources,system
      1s net acquire socket app "port 5060" kind=listening
      1s net acquire socket app "api.example.com" kind=connected
      4s - suspend app

      cannot tell: listening state unknown
      1s net acquire socket app "port 8080"
      4s - suspend app

      violating: a listening socket at the suspension
      1s net acquire socket app "port 8080" kind=listening
      4s - suspend app ◀

      violating: a Bonjour service at the suspension
      1s net acquire bonjour app "_http._tcp"
      4s - suspend app ◀
      """
  )

  private static let allowing = StateCondition.declaring(["voip", "external-accessory"])
  private static let socketOpen =
    "the process was suspended while the socket {held} was open, since {since}"
}
