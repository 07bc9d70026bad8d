import LifecycleModel
import TraceAnalysis
import TraceText

/// No process dies by a fault of the app, or vanishes from the screen.
struct DeathRule: Rule {
  static let description: RuleDescription = .init(
    id: "death",
    formerRules: [
      FormerRule("pm-active-app-vanished", number: 92, culprits: .nothing),
      FormerRule("pm-silent-death-class", culprits: .nothing),
      FormerRule("pm-unrecorded-exit", number: 99, culprits: .nothing),
      FormerRule("pm-exit-is-not-a-kill", culprits: .nothing),
    ],
    number: 110,
    topic: .postMortem,
    summary: "no process ends through a fault of the app or vanishes from the screen",
    severity: .error,
    cause: SharedCause(.death, rank: 1),
    sources: [
      .killCodes, .watchdog, .jetsamReports, .exitReasons, .watchdogLogic, .appStateTracker,
    ],
    why: """
      If the system kills the process for a fault of the app, or the app crashes or exits with an \
      error, the user loses what they were doing. The same happens if the process vanishes from \
      the screen, whatever the reason: the watchdog, a lack of memory or a force quit ended it, or it \
      called exit() and nobody recorded that.
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
      normal. A silent end is checked only where starts and ends are recorded, and not where the \
      profile of the next process shows an update; a reboot does not show in the log, nor does an exit \
      or a crash that nobody records. If another finding names the cause of the end, it replaces this \
      one.
      """,
    given: "0s - profile hooks=app-delegate,system",
    examples: """
      clean: it exited in the background
      1s..1.1s main call applicationDidEnterBackground app
      9s - exit app status=0

      clean: a program of a desktop exited
      0s - profile platform=linux hooks=app-delegate,system
      1s main call applicationDidBecomeActive app
      9s - exit app status=0

      clean: stopped in Xcode
      0s - profile hooks=app-delegate,system debugger=true
      1s main call applicationDidBecomeActive app
      9s - exit app signal=9

      clean: suspended, and killed without a reason
      1s..1.1s main call applicationDidEnterBackground app
      9s - suspend app
      90s - kill app

      clean: reclaimed in the background
      1s..1.1s main call applicationDidEnterBackground app
      90s - kill app namespace=JETSAM reason=vm-pageshortage

      clean: asked to quit
      1s main call applicationDidBecomeActive app
      9s - exit app signal=15

      clean: a stackshot ends nothing
      1s main call applicationDidBecomeActive app
      9s - kill app code=0xbaaaaaad
      10s main work frame app

      cannot tell: it is not known whether the app was on screen
      1s main call applicationDidBecomeActive app
      2s - gap ring-full 3
      9s - kill app

      cannot tell: vanished, and ends are not recorded
      0s - profile hooks=app-delegate
      1s main call applicationDidBecomeActive app
      20s - process.start app

      violating: the watchdog's code, and nothing that explains it
      0s - profile hooks=system
      0s - process.start app launch=user
      9s - kill app code=0x8badf00d namespace=FRONTBOARD ◀

      violating: exit on screen
      1s main call applicationDidBecomeActive app
      9s - exit app status=0 ◀

      violating: a reason that no documentation lists, while the process runs in the background
      1s..1.1s main call applicationDidEnterBackground app
      9s - kill app namespace=RUNNINGBOARD reason="a new policy" ◀

      violating: the system's own sentence about processor time, in the background
      1s..1.1s main call applicationDidEnterBackground app
      9s - kill app reason="48 seconds cpu time over 50 seconds (97% cpu average)" ◀

      violating: its own memory limit, in the background too
      1s..1.1s main call applicationDidEnterBackground app
      9s - kill app namespace=JETSAM code=0x7 ◀

      violating: a crash, reported by the recorder and then by the system: one end
      1s main call applicationDidBecomeActive app
      9s - kill app code=0xb namespace=SIGNAL ◀
      9.1s - exit app signal=11

      violating: an uncaught exception
      1s main call applicationDidBecomeActive app
      9s - exit app exception=NSRangeException reason="index 3 beyond bounds" ◀

      violating: killed on screen, then a healthy process
      0s - process.start app launch=user
      1s main call applicationDidBecomeActive app
      9s - exit app signal=9 ◀
      20s - process.start app launch=user
      21s main call applicationDidBecomeActive app
      30s - exit app signal=15

      violating: a connection that was held across a suspension, and written to
      0s - profile mode=app hooks=app-delegate,resources,system
      0s - process.start app
      1s..1.1s main call applicationDidBecomeActive app
      2s net acquire socket app "chat.example.com" kind=connected ◀
      3s..3.1s main call applicationDidEnterBackground app
      8s..600s - suspend app
      600.1s..600.2s main call applicationWillEnterForeground app
      600.3s..600.4s main call applicationDidBecomeActive app
      600.5s - exit app signal=13

      violating: the same in the background
      0s - profile mode=app hooks=app-delegate,resources,system
      0s - process.start app
      2s net acquire socket app "chat.example.com" kind=connected ◀
      3s..3.1s main call applicationDidEnterBackground app
      8s..600s - suspend app
      600.5s - exit app signal=13

      violating: active, and then the next launch
      1s main call applicationDidBecomeActive app
      20s - process.start app ◀

      clean: terminated before
      0s - profile os=18.2 hooks=app-delegate,app-notifications,system
      1s main call applicationDidBecomeActive app
      7s main notify UIApplication.willTerminateNotification app
      90s - process.start app

      violating: a kill that was recorded is judged by its code
      0s - profile os=18.2 hooks=app-delegate,app-notifications,system
      1s main call applicationDidBecomeActive app
      7s - kill app code=0x8badf00d ◀
      90s - process.start app

      clean: from the background, where that is normal
      0s - profile os=18.2 hooks=app-delegate,app-notifications,system
      1s main call applicationDidBecomeActive app
      6s main return applicationWillResignActive app
      7s main call applicationDidEnterBackground app
      90s - process.start app

      clean: the system was updated in between
      0s - profile os=18.2 hooks=app-delegate,app-notifications,system
      1s main call applicationDidBecomeActive app
      90s - profile os=18.3 hooks=app-delegate,app-notifications,system
      90s - process.start app

      clean: the app was updated in between
      0s - profile os=18.2 version=4.2.0 hooks=app-delegate,app-notifications,system
      1s main call applicationDidBecomeActive app
      90s - profile os=18.2 version=4.2.1 hooks=app-delegate,app-notifications,system
      90s - process.start app

      violating: the exit is recorded
      0s - profile hooks=app-delegate,system
      1s main call applicationDidBecomeActive app
      9s - exit app status=0 ◀
      20s - process.start app

      violating: a crash inside an atexit handler
      0s - profile hooks=app-delegate,system
      1s main call applicationDidBecomeActive app
      9s - exit app status=0 ◀
      9.1s - kill app namespace=SIGNAL code=0xb
      20s - process.start app

      clean: the previous process is unknown
      0s - profile hooks=app-delegate,system
      20s - process.start app

      clean: the system was updated in between, or a debugger was attached before
      0s - profile os=18.2 debugger=true hooks=app-delegate,system
      1s main call applicationDidBecomeActive app
      20s - profile os=18.2 hooks=app-delegate,system
      20s - process.start app
      21s main call applicationDidBecomeActive app
      60s - profile os=18.3 hooks=app-delegate,system
      60s - process.start app

      cannot tell: the end may stand in the gap
      0s - profile os=18.2 hooks=app-delegate,app-notifications,system
      1s main call applicationDidBecomeActive app
      7s - gap ring-full 4
      90s - process.start app

      violating: active and drawing, and then the next launch
      0s - profile os=18.2 hooks=app-delegate,app-notifications,system
      1s..1.1s main call applicationDidBecomeActive app
      7s main work frame app
      90s - process.start app ◀

      violating: the same, where the log does not name the system
      0s - profile hooks=app-delegate,system
      1s main call applicationDidBecomeActive app
      20s - process.start app ◀

      violating: inactive, and then the next launch
      0s - profile os=18.2 hooks=app-delegate,app-notifications,system
      1s..1.1s main call applicationDidBecomeActive app
      6s main call applicationWillResignActive app
      90s - process.start app ◀
      """
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
