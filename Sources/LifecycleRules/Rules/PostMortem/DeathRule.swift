import LifecycleModel
import TraceAnalysis
import TraceText

/// No process dies by a fault of the app, or vanishes from the screen.
struct DeathRule: Rule {
  static let description = RuleDescription(
    id: "death",
    number: 110,
    topic: .postMortem,
    summary: "no process ends through a fault of the app or vanishes from the screen",
    severity: .error,
    cause: SharedCause(.death, rank: 1),
    sources: [.killCodes, .watchdog, .jetsamReports, .exitReasons, .watchdogLogic],
    why: """
      If the system kills the process for a fault of the app, or the app crashes or exits with an \
      error, the user loses what they were doing. The same happens if the process vanishes from \
      the screen, whatever the reason.
      """,
    remedy: """
      Each kind of death has a remedy of its own, which the finding states; the table of deaths lists \
      them. If nothing in the log explains the end, record the hook that would show it, and look for \
      the crash report of that minute.
      """,
    limits: """
      Each process is checked once, by what the log says about its end. If the code, reason or \
      signal blames the app, the finding is an error, whatever the trace shows; under a debugger or \
      in a simulator it is a warning. An unexplained end on screen is a warning, and so is an exit \
      on screen of an app that is not a desktop's. A kill for a reason that no documentation lists is a \
      warning while the process runs. Another end off screen without a code that blames the app is \
      normal. A silent end is checked only where starts and ends are recorded. If another finding \
      names the cause of the end, it replaces this one.
      """,
    given: "0s - profile hooks=app-delegate,system",
    examples: [
      .clean(
        "it exited in the background",
        """
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        9s - exit app status=0
        """),
      .clean(
        "a program of a desktop exited",
        """
        0s - profile platform=linux hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        9s - exit app status=0
        """),
      .clean(
        "stopped in Xcode",
        """
        0s - profile hooks=app-delegate,system debugger=true
        1s main call applicationDidBecomeActive app
        9s - exit app signal=9
        """),
      .clean(
        "suspended, and killed without a reason",
        """
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        9s - suspend app
        90s - kill app
        """),
      .clean(
        "reclaimed in the background",
        """
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        90s - kill app namespace=JETSAM reason=vm-pageshortage
        """),
      .clean(
        "asked to quit",
        """
        1s main call applicationDidBecomeActive app
        9s - exit app signal=15
        """),
      .clean(
        "a stackshot ends nothing",
        """
        1s main call applicationDidBecomeActive app
        9s - kill app code=0xbaaaaaad
        10s main work frame app
        """),
      .cannotTell(
        "it is not known whether the app was on screen",
        """
        1s main call applicationDidBecomeActive app
        2s - gap ring-full 3
        9s - kill app
        """),
      .cannotTell(
        "vanished, and ends are not recorded",
        """
        0s - profile hooks=app-delegate
        1s main call applicationDidBecomeActive app
        20s - process.start app
        """),
      .violating(
        "the watchdog's code, and nothing that explains it",
        """
        0s - profile hooks=system
        0s - process.start app launch=user
        9s - kill app code=0x8badf00d namespace=FRONTBOARD ◀
        """),
      .violating(
        "exit on screen",
        """
        1s main call applicationDidBecomeActive app
        9s - exit app status=0 ◀
        """),
      .violating(
        "a reason that no documentation lists, while the process runs in the background",
        """
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        9s - kill app namespace=RUNNINGBOARD reason="a new policy" ◀
        """),
      .violating(
        "the system's own sentence about processor time, in the background",
        """
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        9s - kill app reason="48 seconds cpu time over 50 seconds (97% cpu average)" ◀
        """),
      .violating(
        "its own memory limit, in the background too",
        """
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        9s - kill app namespace=JETSAM code=0x7 ◀
        """),
      .violating(
        "a crash, reported by the recorder and then by the system: one end",
        """
        1s main call applicationDidBecomeActive app
        9s - kill app code=0xb namespace=SIGNAL ◀
        9.1s - exit app signal=11
        """),
      .violating(
        "an uncaught exception",
        """
        1s main call applicationDidBecomeActive app
        9s - exit app exception=NSRangeException reason="index 3 beyond bounds" ◀
        """),
      .violating(
        "killed on screen, then a healthy process",
        """
        0s - process.start app launch=user
        1s main call applicationDidBecomeActive app
        9s - exit app signal=9 ◀
        20s - process.start app launch=user
        21s main call applicationDidBecomeActive app
        30s - exit app signal=15
        """),
      .violating(
        "a connection that was held across a suspension, and written to",
        """
        0s - profile mode=app hooks=app-delegate,resources,system
        0s - process.start app
        1s main call applicationDidBecomeActive app
        1.1s main return applicationDidBecomeActive app
        2s net acquire socket app "chat.example.com" kind=connected ◀
        3s main call applicationDidEnterBackground app
        3.1s main return applicationDidEnterBackground app
        8s - suspend app
        600s - resume app
        600.1s main call applicationWillEnterForeground app
        600.2s main return applicationWillEnterForeground app
        600.3s main call applicationDidBecomeActive app
        600.4s main return applicationDidBecomeActive app
        600.5s - exit app signal=13
        """),
      .violating(
        "the same in the background",
        """
        0s - profile mode=app hooks=app-delegate,resources,system
        0s - process.start app
        2s net acquire socket app "chat.example.com" kind=connected ◀
        3s main call applicationDidEnterBackground app
        3.1s main return applicationDidEnterBackground app
        8s - suspend app
        600s - resume app
        600.5s - exit app signal=13
        """),
      .violating(
        "active, and then the next launch",
        """
        1s main call applicationDidBecomeActive app
        20s - process.start app ◀
        """),
    ]
  )

  static let interests: [EventPattern] = [.verbs(.kill, .exit, .processStart)]

  mutating func conclude(
    _ death: DeathVerdict, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    guard let severity = death.severity(under: moment.profile) else {
      if let doubt = death.unknown { return findings.cannotTell(doubt) }
      return findings.foundClean()
    }

    let suspect = death.suspects.first
    findings.report(
      suspect?.fact ?? death.endFact, until: suspect.map { _ in death.end },
      elapsed: suspect?.elapsed, allowed: suspect?.allowed, severity: severity,
      identity: Self.identity(death, moment.vocabulary),
      regardlessOfGaps: "the process has died, whatever was lost before",
      says: Self.message(death, moment.vocabulary))
  }

  /// The end, the state, and what explains it, in one sentence.
  private static func message(_ death: DeathVerdict, _ vocabulary: Vocabulary) -> String {
    // A brace would be a placeholder.
    let sentence = death.sentence.dropLast().filter { $0 != "{" && $0 != "}" }
    var parts = [String(sentence)]
    if death.audience == .visible, let state = death.state {
      parts.append("the app was \(state.rawValue)")
    }

    if !death.suspects.isEmpty {
      parts.append(Self.explanation(death.suspects, vocabulary))
    } else {
      switch death.agreement {
      case .cannotTell(.hooksNotRecorded), .cannotTell(.recordedInPart):
        parts.append("the cause was not recorded")
      case .notShown(let what): parts.append(what)
      case .disagrees(let what): parts.append("but the trace shows the contrary: \(what)")
      default: break
      }
    }
    if death.launchesInARow >= DeathVerdict.crashLoop {
      parts.append("\(death.launchesInARow) launches in a row ended like this: a crash loop")
    }
    return parts.joined(separator: "; ")
  }

  /// What took the main thread: one thing, or several that shared the time.
  private static func explanation(
    _ suspects: [DeathVerdict.Suspect], _ vocabulary: Vocabulary
  ) -> String {
    let shared = suspects.filter(\.isShared)
    guard shared.count > 1 else { return explanation(suspects[0], vocabulary) }
    let parts = shared.map {
      "\(vocabulary.word(naming: $0.event)) \(TimeText.span($0.elapsed))"
    }
    return "the main thread was held by " + parts.joined(separator: ", ")
  }

  private static func explanation(
    _ suspect: DeathVerdict.Suspect, _ vocabulary: Vocabulary
  ) -> String {
    let name = vocabulary.word(naming: suspect.event)
    switch suspect.kind {
    case .mainThread: return "\(name) held the main thread for {elapsed}"
    case .launch: return "the launch had taken {elapsed}"
    case .termination: return "it was told to terminate {elapsed} before"
    case .task: return "the background task \(name) was open"
    case .lock: return "the lock \(name) was held"
    case .socket: return "the socket \(name) was held across a suspension"
    case .delivery: return "the delivery \(name) was not completed"
    case .resume: return "it was resumed again and again"
    case .request: return "the system waited {elapsed} for \(name); the limit is {allowed}"
    }
  }

  /// What makes it the same in another log: the code or the signal, the state, and what explains it.
  private static func identity(_ death: DeathVerdict, _ vocabulary: Vocabulary) -> [String] {
    let suspect = death.suspects.first.map {
      [$0.kind.rawValue, vocabulary.text($0.event.name), vocabulary.text($0.event.label)]
        .map(CausalWord.text)
    }
    return [description.id, death.cause, death.state?.rawValue ?? death.audience.rawValue]
      + (suspect ?? [])
  }
}
