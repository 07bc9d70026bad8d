import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// The verdict on the end of a process in words: it stands by itself, without the log's vocabulary.
///
/// All texts that are shown are inert.
package struct ReportedDeath: Hashable, Encodable, Sendable {
  /// The process that ended, as far as it is known.
  package struct Process: Hashable, Encodable, Sendable {
    var number: Int
    var pid: Int?
    var bundle: String?
    var name: String?
    var launch: String?
    var start: Instant?
  }

  package var log: String
  package var process: Process
  package var `class`: DeathClass
  package var cause: String
  package var exitReason: String?
  package var phrase: String
  package var text: String
  /// Why it ended, in a line; `nil` where nothing is wrong, or nothing shows it.
  var explanation: String?
  package var certainty: Verdict.Certainty
  package var finding: String?
  package var manner: DeathVerdict.Manner
  package var normal: Bool
  package var code: String?
  package var meaning: String?
  package var audience: DeathVerdict.Audience
  package var state: AppState?
  var stateAge: Nanoseconds?
  package var suspended: Bool
  var terminated: Bool
  /// What was open at the end and explains it.
  package var explainedBy: [TimedEvent]
  /// The callbacks, handlers and work that had not returned.
  var interrupted: [TimedEvent]
  package var codeFits: String?
  package var reason: String?
  /// What took the time in which the main thread was busy up to the end.
  var mainThread: [TimedEvent]
  var mainThreadBusy: Nanoseconds
  var doubts: [String]
  package var advice: String
  var launchesInARow: Int
  package var event: ReportedEvent

  /// A verdict on a process of `log`, of whose end a report makes a `remark`.
  init(
    _ verdict: DeathVerdict, of log: String, _ vocabulary: Vocabulary, isOneOfSeveral: Bool,
    remark: String?
  ) {
    let words = DeathText(verdict, vocabulary, isOneOfSeveral: isOneOfSeveral)
    let printer = TraceNotation.Printer(vocabulary: vocabulary)
    self.log = log
    process = Process(verdict.process)
    `class` = verdict.deathClass
    cause = InertText.word(verdict.cause)
    exitReason = verdict.reason?.rawValue
    (phrase, text) = (words.phrase, words.paragraph)
    (explanation, certainty) = words.cause(remark)
    finding = verdict.finding

    (manner, normal) = (verdict.manner, verdict.isNormal)
    code = verdict.code.map { "0x" + String($0, radix: 16) }
    meaning = verdict.meaning.unlessEmpty
    (audience, state) = (verdict.audience, verdict.state)
    stateAge = verdict.state == nil ? nil : verdict.stateAge
    (suspended, terminated) = (verdict.isSuspended, verdict.isTerminated)

    explainedBy = verdict.suspects.map {
      TimedEvent(
        kind: $0.kind.rawValue, elapsed: $0.elapsed, allowed: $0.allowed,
        event: ReportedEvent($0.event, printer))
    }
    interrupted = verdict.running.map {
      TimedEvent(elapsed: $0.elapsed, event: ReportedEvent($0.event, printer))
    }
    (codeFits, reason) = ReportedDeath.words(verdict.agreement)
    mainThread = verdict.shares.map {
      TimedEvent(time: $0.elapsed, event: ReportedEvent($0.event, printer))
    }
    mainThreadBusy = verdict.busyTime
    doubts = verdict.doubts.map(\.reason)
    let isOfWait = verdict.reason == .appWatchdog && verdict.isIdle && verdict.suspects.isEmpty
    let ofWait = isOfWait ? DeathCauses.adviceOnIdleThread : nil
    let own: String? =
      switch verdict.manner {
      case .kill: DeathCauses.advice(aboutHold: explanation) ?? ofWait
      case .crash: DeathCauses.advice(aboutStack: explanation)
      default: nil
      }
    (advice, launchesInARow) = (own ?? verdict.advice, verdict.launchesInARow)
    event = ReportedEvent(verdict.end, printer)
  }

  private static func words(_ agreement: DeathVerdict.Agreement?) -> (fits: String?, why: String?) {
    switch agreement {
    case nil: (nil, nil)
    case .agrees: ("yes", nil)
    case .nothingToShow: ("nothing-to-show", nil)
    case .notShown(let what): ("not-shown", what)
    case .disagrees(let what): ("no", what)
    case .cannotTell(let doubt): ("cannot-tell", doubt.reason)
    }
  }

  /// The place of its kind among the kinds of ends.
  package var order: AnalysisResults.DeathTally.Order {
    AnalysisResults.DeathTally.Order(rank: `class`.rank, cause: cause, exitReason: exitReason ?? "")
  }

  /// The process as a table names it: its id, else its place in the log.
  package var name: String { process.pid.map { "pid \($0)" } ?? "process \(process.number)" }

  /// By log, then by process, and at last by its JSON.
  package static func comesFirst(_ first: ReportedDeath, _ second: ReportedDeath) -> Bool {
    let (one, other) = ((first.log, first.process.number), (second.log, second.process.number))
    return one == other ? EncodedJSON.precedes(first, second) : one < other
  }

  /// By class, the most serious first, then by ``comesFirst(_:_:)``.
  static func isKeptFirst(_ first: ReportedDeath, _ second: ReportedDeath) -> Bool {
    let (one, other) = (first.class.rank, second.class.rank)
    return one == other ? comesFirst(first, second) : one < other
  }

  /// The processes of which a crash loop speaks that ends with this one: they ended the same way before.
  var earlierOfLoop: Range<Int> {
    launchesInARow < DeathVerdict.crashLoop
      ? 0..<0 : process.number - launchesInARow + 1..<process.number
  }
}

extension ReportedDeath.Process {
  fileprivate init(_ process: DeathVerdict.Process) {
    (number, pid) = (process.number, process.pid)
    bundle = process.bundle.map { InertText.word($0) }
    name = process.name.map { InertText.line($0) }
    (launch, start) = (process.launch?.rawValue, process.start?.instant)
  }
}
