import LifecycleModel
import TraceAnalysis
import TraceText

/// The verdict on the end of a process in words: it stands by itself, without the log's vocabulary.
///
/// All texts that are shown are inert.
public struct ToldDeath: Hashable, Codable, Sendable {
  /// The process that ended, as far as it is known.
  public struct Process: Hashable, Codable, Sendable {
    /// Its place among the processes of the log, from 1.
    public var number: Int
    /// Its id.
    public var pid: Int?
    /// The app's bundle.
    public var bundle: String?
    /// Why it was launched.
    public var launch: String?
    /// The instant of its `process.start`, in nanoseconds.
    public var start: Int64?
  }

  /// Something that was open at the end and explains it.
  public struct Suspect: Hashable, Codable, Sendable {
    /// What it is, such as `main-thread`, `task` or `lock`.
    public var kind: String
    /// The awake time since it was opened; for a task the time in the background.
    public var elapsed: Nanoseconds
    /// The time that is allowed; `nil` when there is no limit for it.
    public var allowed: Nanoseconds?
    /// The event that opened it.
    public var event: ToldEvent
  }

  /// A callback, a handler or work that had not returned.
  public struct Running: Hashable, Codable, Sendable {
    /// The awake time since it began.
    public var elapsed: Nanoseconds
    /// The event that began it.
    public var event: ToldEvent
  }

  /// A part of the time in which the main thread was busy up to the end.
  public struct Share: Hashable, Codable, Sendable {
    /// How much it took, without what it called.
    public var time: Nanoseconds
    /// What took it.
    public var event: ToldEvent
  }

  /// The log that it was found in, as it was named; `-` for standard input.
  public var log: String
  /// The process that ended.
  public var process: Process
  /// What it means: `fault`, `unexplained`, `normal` or `unknown`.
  public var deathClass: String
  /// What ended it, in a word that is the same in every log, such as `0x8badf00d`.
  public var cause: String
  /// What MetricKit counts it under; `nil` when that is not known.
  public var exitReason: String?
  /// How it ended, in a phrase.
  public var phrase: String
  /// All that is said of it, as the text report does.
  public var text: String
  /// The fingerprint of the finding that stands for it; `nil` when none does.
  public var finding: String?
  /// How the end came: `exit`, `crash`, `kill` or `silent`.
  public var manner: String
  /// Whether it is nothing to worry about.
  public var normal: Bool
  /// The code of a kill; `nil` when there is none.
  public var code: String?
  /// What the code means; `nil` when no source says.
  public var meaning: String?
  /// Whether anybody was looking: `visible`, `not-visible` or `unknown`.
  public var audience: String
  /// The last state of the app; `nil` when it is not known.
  public var state: String?
  /// For how long the app had been in it.
  public var stateAge: Nanoseconds?
  /// Whether the process was suspended.
  public var suspended: Bool
  /// Whether the app had been told that it is going to terminate.
  public var terminated: Bool
  /// What was open and explains the end, the most telling first.
  public var explainedBy: [Suspect]
  /// What the main thread was in the middle of, the outermost first.
  public var interrupted: [Running]
  /// Whether code and trace agree: `yes`, `no`, `cannot-tell` or `nothing-to-show`; `nil` without a code
  /// that is known.
  public var codeFits: String?
  /// Why they do not, or why that cannot be told.
  public var reason: String?
  /// What took the most time on the main thread, the largest first.
  public var mainThread: [Share]
  /// For how long the main thread was busy up to the end.
  public var mainThreadBusy: Nanoseconds
  /// Why the verdict may be wrong.
  public var doubts: [String]
  /// The event that tells of the end.
  public var event: ToldEvent

  private enum CodingKeys: String, CodingKey {
    case log, process
    case deathClass = "class"
    case cause, exitReason, phrase, text, finding, manner, normal, code, meaning, audience, state,
      stateAge
    case suspended, terminated, explainedBy, interrupted, codeFits, reason, mainThread
    case mainThreadBusy, doubts, event
  }

  init(_ verdict: DeathVerdict, of log: String, _ vocabulary: Vocabulary, isOneOfSeveral: Bool) {
    let words = DeathText(verdict, vocabulary, isOneOfSeveral: isOneOfSeveral)
    let printer = TraceNotation.Printer(vocabulary: vocabulary)
    self.log = log
    process = Process(verdict.process)
    deathClass = verdict.deathClass.rawValue
    cause = InertText.word(verdict.cause)
    exitReason = verdict.reason?.rawValue
    (phrase, text) = (words.phrase, words.paragraph)
    finding = verdict.finding

    (manner, normal) = (verdict.manner.rawValue, verdict.isNormal)
    code = verdict.code.map { "0x" + String($0, radix: 16) }
    meaning = verdict.meaning.isEmpty ? nil : verdict.meaning
    audience = verdict.audience.rawValue
    state = verdict.state?.rawValue
    stateAge = verdict.state == nil ? nil : verdict.stateAge
    (suspended, terminated) = (verdict.isSuspended, verdict.isTerminated)

    explainedBy = verdict.suspects.map { Suspect($0, printer) }
    interrupted = verdict.running.map {
      Running(elapsed: $0.elapsed, event: ToldEvent($0.event, printer))
    }
    (codeFits, reason) = ToldDeath.words(verdict.agreement)
    mainThread = verdict.shares.map { Share(time: $0.time, event: ToldEvent($0.event, printer)) }
    mainThreadBusy = verdict.busyTime
    doubts = verdict.doubts.map(\.reason)
    event = ToldEvent(verdict.end, printer)
  }

  private static func words(_ agreement: DeathVerdict.Agreement?) -> (fits: String?, why: String?) {
    switch agreement {
    case nil: (nil, nil)
    case .agrees: ("yes", nil)
    case .nothingToShow: ("nothing-to-show", nil)
    case .disagrees(let what): ("no", what)
    case .cannotTell(let doubt): ("cannot-tell", doubt.reason)
    }
  }

  /// The class; `unknown` where a file says something else.
  var kind: DeathClass { DeathClass(rawValue: deathClass) ?? .unknown }

  /// The place of its kind among the kinds of ends.
  var order: AnalysisResults.DeathTally.Order {
    AnalysisResults.DeathTally.Order(rank: kind.rank, cause: cause, exitReason: exitReason ?? "")
  }

  /// The process as a table names it: its id, else its place in the log.
  var name: String { process.pid.map { "pid \($0)" } ?? "process \(process.number)" }

  /// By log, then by process, and at last by all that it says.
  static func comesFirst(_ first: ToldDeath, _ second: ToldDeath) -> Bool {
    let (one, other) = ((first.log, first.process.number), (second.log, second.process.number))
    return one == other ? first.allWords.lexicographicallyPrecedes(second.allWords) : one < other
  }

  /// By class, the most serious first, then by ``comesFirst(_:_:)``.
  static func isKeptFirst(_ first: ToldDeath, _ second: ToldDeath) -> Bool {
    let (one, other) = (first.kind.rank, second.kind.rank)
    return one == other ? comesFirst(first, second) : one < other
  }

  private var allWords: [String] {
    let events = [event] + explainedBy.map(\.event) + interrupted.map(\.event)
    let times =
      [stateAge ?? -1, mainThreadBusy] + explainedBy.map(\.elapsed) + interrupted.map(\.elapsed)
    return [
      deathClass, cause, exitReason ?? "", phrase, text, finding ?? "", process.bundle ?? "",
      process.pid.map(String.init) ?? "", process.launch ?? "", manner, codeFits ?? "",
      reason ?? "",
    ] + (events + mainThread.map(\.event)).map(\.line) + times.map { "\($0)" } + doubts
  }

  /// The texts that are shown as they are.
  var texts: [String] {
    [log, cause, phrase, text] + [process.bundle, exitReason, finding].compactMap(\.self)
  }
}

extension ToldDeath.Process {
  fileprivate init(_ process: DeathVerdict.Process) {
    (number, pid) = (process.number, process.pid)
    bundle = process.bundle.map { InertText.word($0) }
    (launch, start) = (process.launch?.rawValue, process.start?.instant.nanoseconds)
  }
}

extension ToldDeath.Suspect {
  fileprivate init(_ suspect: DeathVerdict.Suspect, _ printer: TraceNotation.Printer) {
    (kind, elapsed) = (suspect.kind.rawValue, suspect.elapsed)
    (allowed, event) = (suspect.allowed, ToldEvent(suspect.event, printer))
  }
}
