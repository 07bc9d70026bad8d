import LifecycleModel
import TraceAnalysis

/// No process dies by a fault of the app, or vanishes from the screen.
struct DeathRule: Rule {
  static let description = RuleDescription(
    id: "death",
    number: 110,
    topic: .postMortem,
    summary: "no process dies by a fault of the app, or vanishes from the screen",
    severity: .error,
    cause: SharedCause(.death, rank: 1),
    sources: [.killCodes, .watchdog, .jetsamReports, .exitReasons, .watchdogLogic],
    why: """
      A process that the system ends for a fault of the app, that crashes, or that ends itself with \
      an error takes away what the user was doing. One that vanishes from the screen without a word \
      does the same, whatever the reason was.
      """,
    remedy: """
      Ask tracectl explain for the code, the signal or the reason: it says what it means and what to \
      look for. The verdict names what was open at the end; where it names nothing, record the hook that \
      would show it, and look for the crash report of that minute.
      """,
    limits: """
      Each process of a log is judged once, by what the log says of its end. What the code, the \
      word or the signal calls a fault of the app is an error, but a warning under a debugger, in a \
      simulator, and where code and trace disagree. What is not explained while the app was on the \
      screen is a warning. An end that nobody looked at and that no code calls a fault is normal. A \
      silent end is judged where starts and ends are recorded. Where another rule's finding names \
      what explains the death, that finding stands for it.
      """,
    examples: [
      .clean(
        "it ended itself",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        9s - exit app status=0
        """),
      .clean(
        "reclaimed in the background",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        90s - kill app namespace=JETSAM reason=vm-pageshortage
        """),
      .clean(
        "asked to end",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        9s - exit app signal=15
        """),
      .clean(
        "a stackshot ends nothing",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        9s - kill app code=0xbaaaaaad
        10s main work frame app
        """),
      .cannotTell(
        "whether the app was on the screen is not known",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        2s - gap ring-full 3
        9s - kill app
        """),
      .cannotTell(
        "gone without a word, where ends are not recorded",
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
        "its own memory limit, in the background too",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        9s - kill app namespace=JETSAM code=0x7 ◀
        """),
      .violating(
        "a crash, told by whoever recorded and then by the system: one end",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        9s - kill app code=0xb namespace=SIGNAL ◀
        9.1s - exit app signal=11
        """),
      .violating(
        "an exception that nobody caught",
        """
        0s - profile hooks=app-delegate,system
        1s main call applicationDidBecomeActive app
        9s - exit app exception=NSRangeException reason="index 3 beyond bounds" ◀
        """),
      .violating(
        "killed while somebody looked, and then a healthy process",
        """
        0s - profile hooks=app-delegate,system
        0s - process.start app launch=user
        1s main call applicationDidBecomeActive app
        9s - exit app signal=9 ◀
        20s - process.start app launch=user
        21s main call applicationDidBecomeActive app
        30s - exit app status=0
        """),
      .violating(
        "active, and then the next launch",
        """
        0s - profile hooks=app-delegate,system
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
    if let suspect = death.suspects.first {
      parts.append(Self.explanation(suspect, vocabulary))
    } else {
      switch death.agreement {
      case .cannotTell(.hooksNotRecorded), .cannotTell(.recordedInPart):
        parts.append("what explains it was not recorded")
      case .disagrees(let what): parts.append("but the trace does not show it: \(what)")
      default: break
      }
    }
    return parts.joined(separator: "; ")
  }

  private static func explanation(
    _ suspect: DeathVerdict.Suspect, _ vocabulary: Vocabulary
  ) -> String {
    let name = vocabulary.word(naming: suspect.event)
    switch suspect.kind {
    case .mainThread: return "\(name) held the main thread for {elapsed}"
    case .launch: return "its launch had taken {elapsed}"
    case .termination: return "it had been told to terminate {elapsed} before"
    case .task: return "the background task \(name) was open"
    case .lock: return "the lock \(name) was held"
    case .delivery: return "the delivery \(name) was not completed"
    case .resume: return "it had been resumed again and again"
    case .request: return "the system waited for \(name) for {elapsed} of {allowed}"
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
