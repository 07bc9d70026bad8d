import LifecycleModel
import TraceAnalysis

/// Authentication does not cause the activation that begins it anew.
struct AuthenticationLoopRule: Rule {
  static let description: RuleDescription = .init(
    id: "authentication-loop",
    number: 120,
    topic: .work,
    summary: "no activation begins an authentication again and again",
    severity: .warning,
    sources: [.s0, .didBecomeActive, .passcodeLoop, .biometricLoop, .faceIDResigns],
    why: """
      The sheet of Face ID makes the app inactive, and the app becomes active when it goes. Code \
      that authenticates at each activation shows the next sheet, and the user never gets in.
      """,
    remedy: """
      Authenticate on the way from the background, in sceneWillEnterForeground(_:) or, without \
      scenes, applicationWillEnterForeground(_:) and its notification. Keep a flag from the begin \
      of evaluatePolicy to its reply, and leave out the activation that follows it.
      """,
    limits: """
      Reported at the third authentication that begins within a second of an activation, all in \
      thirty seconds, with neither the background nor input in between: no document has these \
      numbers. An app that becomes active ten times like that is an info, since permission \
      alerts and calls can do so too; the log need not show an authentication then. Record \
      evaluatePolicy as work of the category authentication.
      """,
    needs: RuleNeeds(hooks: [[.work], .states]),
    given: "0s - profile mode=scene hooks=scene-delegate,work",
    examples: """
      clean: once at each return from the background
      \(rounds(4, every: 4, leaving: true))

      clean: the user is asked again when they touch the button
      \(rounds(4, every: 4, touching: true))

      clean: three windows become active, and each authenticates
      1s main call sceneDidBecomeActive scene:1
      1s main work.begin authentication scene:1 "unlock"
      1s main return sceneDidBecomeActive scene:1
      1.1s main call sceneDidBecomeActive scene:2
      1.1s main work.begin authentication scene:2 "unlock"
      1.1s main return sceneDidBecomeActive scene:2
      1.2s main call sceneDidBecomeActive scene:3
      1.2s main work.begin authentication scene:3 "unlock"
      1.2s main return sceneDidBecomeActive scene:3

      clean: five permission alerts in a row
      \(rounds(5, every: 3, work: "other"))

      cannot tell: input or the background may be in the gap
      \(rounds(2, every: 3))
      7s - gap ring-full 9
      \(rounds(1, every: 3, from: 8))

      violating: Face ID at each activation, which its sheet brings about
      \(rounds(6, every: 3, mark: 3))

      violating: an app without scenes, in the observer of the notification
      0s - profile mode=app hooks=app-notifications,work
      1s main notify UIApplication.didBecomeActiveNotification app
      1s main work authentication app "passcode"
      2s main notify UIApplication.willResignActiveNotification app
      3s main notify UIApplication.didBecomeActiveNotification app
      3s main work authentication app "passcode"
      4s main notify UIApplication.willResignActiveNotification app
      5s main notify UIApplication.didBecomeActiveNotification app
      5s main work authentication app "passcode" ◀

      violating: ten activations, and nothing tells why: an info
      \(rounds(12, every: 2, work: "other", markCall: 10))
      """
  )

  static let interests: [EventPattern] = [
    ActivityWord.events, .work(.authentication, .input) | .deliver(.event), .verbs(.suspend),
  ]

  /// The authentications that began with an activation each.
  private var prompts = Remembered<OpenEvent>(
    Allowances.AuthenticationLoop.prompts, beyond: .oldestGoes)
  /// The activations.
  private var activations = Remembered<OpenEvent>(
    Allowances.AuthenticationLoop.activations, beyond: .oldestGoes)
  /// Whether something has resigned since the last activation that counts.
  private var hasResigned = true
  /// Whether the last activation has begun no authentication yet.
  private var isFresh = false
  /// Whether this loop was found.
  private var isFound = false

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .call, .notify, .state:
      switch ActivityWord(event) {
      case .active: if hasResigned { activate(event, moment, &findings) }
      case .inactive: hasResigned = true
      case .background: forget()
      case nil: break
      }
    case .work where event.name == WorkCategory.authentication.symbol, .workBegin:
      if event.name == WorkCategory.authentication.symbol { prompt(event, moment, &findings) }
    default: forget()
    }
  }

  private mutating func activate(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    (hasResigned, isFresh) = (false, true)
    activations.append(moment.fact(event))
    judge(
      activations, event, .info, moment, &findings,
      says: """
        the app became active \(Allowances.AuthenticationLoop.activations) times since {since}, \
        with neither the background nor input in between
        """)
  }

  private mutating func prompt(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard isFresh, let activation = activations.last,
      moment.awake(event) &- moment.awake(activation) <= Allowances.wakeOfActivation
    else { return }
    isFresh = false
    prompts.append(moment.fact(event))
    judge(
      prompts, event, nil, moment, &findings,
      says: """
        {name} {label} began again as the app became active: each of the last \
        \(Allowances.AuthenticationLoop.prompts) activations since {since} has begun one
        """)
  }

  /// Reports the last of `events`, when there are as many as make a loop.
  private mutating func judge(
    _ events: Remembered<OpenEvent>, _ event: Event, _ severity: Severity?, _ moment: Moment,
    _ findings: inout RuleFindings, says message: String
  ) {
    guard events.isFull, let first = events.first,
      moment.awake(event) &- moment.awake(first) <= Allowances.AuthenticationLoop.span
    else { return findings.foundClean() }
    if isFound { return }
    isFound = findings.report(event, since: first, severity: severity, says: message)
  }

  /// The user has done something, or the app was left: what comes is no loop.
  private mutating func forget() {
    prompts.removeAll()
    activations.removeAll()
    (hasResigned, isFresh, isFound) = (true, false, false)
  }

  /// A trace of activations with what they begin, and a resign after each.
  private static func rounds(
    _ count: Int, every seconds: Int, work: String = "authentication", from start: Int = 1,
    leaving: Bool = false, touching: Bool = false, mark: Int = 0, markCall: Int = 0
  ) -> String {
    (0..<count).flatMap { round -> [String] in
      let second = start + round * seconds
      return [
        "\(second)s..\(second).2s main call sceneDidBecomeActive scene:1"
          + (round + 1 == markCall ? " ◀" : ""),
        touching ? "\(second).05s main work input scene:1" : nil,
        "\(second).1s..\(second).9s main work.begin \(work) scene:1 \"unlock\""
          + (round + 1 == mark ? " ◀" : ""),
        "\(second).3s..\(second).4s main call sceneWillResignActive scene:1",
        leaving ? "\(second).5s..\(second).6s main call sceneDidEnterBackground scene:1" : nil,
      ].compactMap(\.self)
    }.joined(separator: "\n")
  }
}
