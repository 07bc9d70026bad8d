import LifecycleModel

/// How a process ended, and what the trace has to say about it.
public struct DeathVerdict: Sendable {
  /// How the end came.
  public enum Manner: String, CaseIterable, Sendable {
    /// The process ended itself.
    case exit
    /// A fault of its own ended it: a signal, or an uncaught exception.
    case crash
    /// The system ended it, or somebody sent it a signal.
    case kill
    /// The next process began, or the process is gone; how this one ended was not seen.
    case silent
  }

  /// Whether anybody was looking.
  public enum Audience: String, CaseIterable, Sendable {
    /// The app was on the screen, or on its way there.
    case visible
    /// It was in the background, or suspended.
    case notVisible = "not-visible"
    /// The log does not say.
    case unknown
  }

  /// Something that was open at the end and explains it.
  public struct Suspect: Sendable {
    /// What it is.
    public enum Kind: String, CaseIterable, Sendable {
      /// A callback or an observer's handler, or work, on the main thread.
      case mainThread = "main-thread"
      /// The launch, which had not brought a frame.
      case launch
      /// The termination, after which the process stayed.
      case termination
      /// A background task, or a task of BGTaskScheduler.
      case task
      /// A lock.
      case lock
      /// A socket that was held across a suspension.
      case socket
      /// A delivery that was not completed.
      case delivery
      /// A resume among many.
      case resume
      /// What the system asked the app for and waits for, with its own time limit, such as an update of
      /// a scene.
      case request
    }

    /// What it is.
    public var kind: Kind
    /// What opened it.
    package let fact: OpenEvent
    /// The event that opened it.
    public var event: Event { fact.event }
    /// The awake time since then; for a task the time that the app was in the background.
    public var elapsed: Nanoseconds
    /// The time that is allowed; `nil` when there is no limit for it.
    public var allowed: Nanoseconds?
    /// Whether it is a part of what took all of the time that is allowed, together with others.
    public var isShared = false
    /// Whether it took what is allowed, as far as a trace can show that: nine tenths, since the system's
    /// clock starts before the app is called.
    package var isOverrun: Bool { allowed.map { elapsed >= $0 - $0 / 10 } ?? false }
    /// Whether a rule has found it before the process ended.
    package var isFound = false
    /// The rule that finds such things, where it shares no cause with others.
    package var rule: String?

    /// Makes a suspect that `fact` opened.
    package init(
      kind: Kind, fact: OpenEvent, elapsed: Nanoseconds, allowed: Nanoseconds?,
      isShared: Bool = false
    ) {
      (self.kind, self.fact, self.elapsed, self.allowed) = (kind, fact, elapsed, allowed)
      self.isShared = isShared
    }
  }

  /// A callback, a handler or work, and how long it took: up to the end where it had not returned.
  public struct Running: Sendable {
    /// The event that began it.
    public var event: Event
    /// The awake time that it took.
    public var elapsed: Nanoseconds

    /// Makes what `event` began.
    package init(event: Event, elapsed: Nanoseconds) {
      (self.event, self.elapsed) = (event, elapsed)
    }
  }

  /// Whether the code of the kill fits what the trace shows before it.
  public enum Agreement: Sendable {
    /// The trace shows what the code means.
    case agrees
    /// The trace does not show it; with what that means, and where to look. The code is a fact all the same.
    case notShown(String)
    /// The trace shows that what the code means did not happen; with what it shows.
    case disagrees(String)
    /// There is nothing that a trace could show.
    case nothingToShow
    /// It cannot be told.
    case cannotTell(Doubt)
  }

  /// The process that ended, as far as it is known.
  public struct Process: Hashable, Sendable {
    /// Its place among the processes of the log, from 1.
    public var number: Int
    /// Its `process.start`; `nil` when that was not recorded.
    public var start: Event?
    /// Its id; `nil` when the log does not say it.
    public var pid: Int?
    /// The app's bundle; `nil` when the log does not say it.
    public var bundle: String?
    /// The name of its executable, where an import knows no bundle; `nil` otherwise.
    public var name: String?
    /// Why it was launched; `nil` when that is not known.
    public var launch: LaunchReason?

    /// Makes the process that ran at a moment, the `number`th of its log.
    package init(_ moment: Moment, number: Int) {
      self.number = number
      start = moment.state.processStart?.event
      let said = start.map { moment.vocabulary.attributes($0.attributes) } ?? []
      let profile = moment.profile.attributes
      pid = (said[.pid] ?? profile[.pid]).flatMap { Int($0) }
      bundle = said[.bundle] ?? moment.profile.app
      name = moment.profile.processName
      launch = moment.launch
    }
  }

  /// What the verdict on an end is reached from.
  package struct Evidence {
    /// What states the end: several events may state the same one.
    package var ends: [OpenEvent]
    /// Whether the end itself was not seen: the only event is the first of the next process.
    package var isUnseen = false
    /// The place of the process among those of the log, from 1.
    package var number: Int
    /// The profile under which the process came into its first state; `nil` when it came into none.
    package var profile: Profile?
    /// The profile of the next process, where that tells of the end.
    package var next: Profile?
  }

  /// The process that ended.
  public var process: Process
  /// The event that tells of the end: a `kill`, an `exit`, or the first event of the next process.
  public var end: Event
  /// What the end means for findings and exit status.
  public var deathClass: DeathClass
  /// What ended the process, in a word that is the same in every log: a code (`0x8badf00d`), a
  /// signal (`SIGSEGV`), a reason of jetsam (`highwater`), `exit status 3`, `kill`, `silent`.
  public var cause = ""
  /// The fingerprint of the finding that stands for this end; `nil` when none does.
  public var finding: String?
  /// How the end came.
  public var manner = Manner.silent
  /// What MetricKit would count it under; `nil` when the log does not say enough.
  public var reason: ExitReason?
  /// Whether it is a normal end: the app ended itself, was told to, or was reclaimed in the
  /// background.
  public var isNormal: Bool { deathClass == .normal }
  /// Whether a report may say that it is nothing to worry about: a normal end, and nothing was open
  /// that should not be, nor was anything found that is an error of this process.
  public var isHarmless = false
  /// The termination code of a kill; `nil` also for the numbers of signals and of jetsam.
  public var code: UInt64?
  /// The namespace of a kill, by name where that is known.
  public var namespace: String?
  /// The name of the exception that nobody caught.
  public var exception: String?
  /// What the code, or the word that stands for it, means; empty when no source says.
  public var meaning = ""
  /// How the process ended, in a sentence.
  public var sentence = ""
  /// Whether anybody was looking.
  public var audience = Audience.unknown
  /// Why ``deathClass`` is not known; `nil` when it is.
  public var unknown: Doubt?
  /// Where the end stands in the trace.
  package let endFact: OpenEvent
  /// The last state of the app, and for how long it had been in it; `nil` when it is not known.
  public var state: AppState?
  /// The time since the app came into ``state``: up to the end, or to the last sight of the process
  /// where the end was not seen.
  public var stateAge: Nanoseconds = 0
  /// Whether the end was seen when it came.
  public var isEndSeen = false
  /// Whether the process was suspended.
  public var isSuspended = false
  /// Whether the app had been told that it is going to terminate.
  public var isTerminated = false
  /// What explains the end, the most telling first.
  public var suspects: [Suspect] = []
  /// What the main thread was in the middle of, the outermost first; what takes too long is a suspect,
  /// too.
  public var running: [Running] = []
  /// Whether the code fits the trace; `nil` without a code that is known.
  public var agreement: Agreement?
  /// What took the most time on the main thread, each without what it called, the largest first; empty when
  /// it was idle.
  public var shares: [Running] = []
  /// For how long the main thread was busy up to the end; 0 when it was idle, or busy for less than
  /// what is told as a hang.
  public var busyTime: Nanoseconds = 0
  /// The system's words in another event about the same end, where that of this one has none.
  package var wordsOfEcho: String?
  /// The time that the system states that it gave; `nil` when it states none.
  public var allowance: Nanoseconds?
  /// The processor time that the app used meanwhile, as the system states it; `nil` when it does not.
  public var processorTime: Nanoseconds?
  /// Whether the app used less than a tenth of its time to compute: it waited, or did not get the processor.
  package var isIdle: Bool {
    guard let processorTime, let allowance else { return false }
    return processorTime < allowance / 10
  }
  /// What the end cut off or lost: saves that ran, and data that were not saved.
  public var losses: [Running] = []
  /// What the log states of the memory up to the end, in a sentence; `nil` where memory did not matter, or
  /// nothing is stated.
  public var memory: String?
  /// How many launches in a row ended like this, with this one: from ``crashLoop`` on it is a crash loop.
  public package(set) var launchesInARow = 1
  /// The number of launches in a row that end at the same place and are a crash loop.
  public static let crashLoop = 3
  /// Whether the process ended before the app was active, or as soon as a launch may take.
  package var isOfLaunch = false
  /// Whether it is what a stop from Xcode leaves in a log.
  public var isStopOfDebugger = false
  /// What to look for, as the table of causes has it; empty when no table lists the cause.
  public var advice = ""
  /// Why the verdict may be wrong.
  public var doubts: [Doubt] = []

  /// Makes a verdict that says nothing yet but which process ended, and what tells of it.
  package init(_ process: Process, end: OpenEvent, _ deathClass: DeathClass) {
    (self.process, self.end, endFact) = (process, end.event, end)
    self.deathClass = deathClass
  }

  /// Where it ended: what ran on the main thread, or else what explains the end, and the app's state.
  var place: [String] {
    let event = running.first?.event ?? suspects.first?.event
    return [event.map { "\($0.name.rawValue) \($0.label.rawValue)" } ?? "", state?.rawValue ?? ""]
  }

  /// The events that it names.
  var events: [Event] {
    [end, process.start].compactMap(\.self) + suspects.map(\.event) + running.map(\.event)
      + shares.map(\.event) + losses.map(\.event)
  }

  /// How much a finding of the end matters; `nil` when it is none.
  ///
  /// A debugger and a simulator make a warning of an error. A code is a fact, whatever the trace shows.
  package func severity(under profile: Profile) -> Severity? {
    switch deathClass {
    case .normal, .unknown: return nil
    case .unexplained: return .warning
    case .fault:
      if profile.debugger || profile.simulator { return .warning }
      return .error
    }
  }
}
