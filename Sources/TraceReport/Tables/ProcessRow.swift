import LifecycleModel
import Run
import TraceAnalysis

/// A row of `processes`, which waits for what is concluded about the end.
struct ProcessRow: TableRow {
  let number: Int
  let start: Instant
  var said: StartWords
  var end: Instant
  var hasEnded = false
  /// How long it was in which state; `nil` of a process of which only the end is known.
  var times: RunClocks?
  /// The place of its end among the ends that are judged, from 1; `nil` when none is.
  var verdict: Int?
  var concluded: ProcessConclusionWords?

  private var death: DeathVerdict? { concluded?.death }

  static let meaning = "a process and how it ended; fleets call it a session"
  static let columns: [Column<ProcessRow>] = [
    Column("process", "its place in the log, from 1") { $0.number },
    Column("ts", "when it began") { $0.start.nanoseconds },
    Column(
      "dur", "the time until its end, or until the log's end; NULL where only the end is known"
    ) { $0.times == nil ? nil : $0.end.since($0.start) },
    Column("awake", "the part of dur in which it was not suspended") { $0.times?.awake },
    Column("foreground", "the part of awake in which the app was active or inactive") {
      $0.times?.foreground
    },
    Column("background", "the part of awake in which the app was in the background") {
      $0.times?.background
    },
    Column("pid", "its number in the system") { $0.death?.process.pid ?? $0.said.pid },
    Column("launch", "why it was launched") {
      $0.death?.process.launch?.rawValue ?? $0.said.launch
    },
    Column("bundle", "the app's bundle identifier") {
      $0.death?.process.bundle ?? $0.said.bundle
    },
    Column("version", "the app's version") { $0.said.version },
    Column("build", "the app's build") { $0.said.build },
    Column("os", "the system's version") { $0.said.os },
    Column("ended", "whether it ended, seen or unseen") { $0.hasEnded },
    Column("manner", "exit, crash, kill or silent") { $0.death?.manner.rawValue },
    Column("exit_reason", "what MetricKit would count the end under") {
      $0.death?.reason?.rawValue
    },
    Column("class", "fault, unexplained, normal or unknown") { $0.death?.deathClass.rawValue },
    Column("cause", "what ended it, in a word: 0x8badf00d, SIGSEGV, highwater") {
      $0.death?.cause
    },
    Column("code", "the termination code, such as 0x8badf00d") {
      $0.death?.code.map { "0x" + String($0, radix: 16) }
    },
    Column("namespace", "the namespace of the code") { $0.death?.namespace },
    Column("reason", "what the system, or the exception, said") { $0.concluded?.reason },
    Column("audience", "visible, not-visible or unknown: whether anybody was looking") {
      $0.death?.audience.rawValue
    },
    Column("state", "the app's last state") { $0.death?.state?.rawValue },
    Column("normal", "whether it is a normal end; NULL when that is not known") {
      $0.death.flatMap { $0.deathClass == .unknown ? nil : $0.isNormal }
    },
    Column("explained_kind", "what explains the end: task, lock, main-thread") {
      $0.death?.suspects.first?.kind.rawValue
    },
    Column("explained_label", "the name or label of what explains it") {
      $0.concluded?.explainedLabel
    },
    Column("code_fits", "whether the log shows what the code means") { $0.codeFits },
    Column("rules_told", "how many rules judged it") { $0.concluded?.rulesTold },
    Column("rules_untold", "how many rules cannot tell about it") { $0.concluded?.rulesUntold },
    Column("verdict", "how it ended, in words") { $0.concluded?.verdict },
  ]

  private var codeFits: Bool? {
    switch death?.agreement {
    case .agrees: true
    case .disagrees: false
    case .nothingToShow, .notShown, .cannotTell, nil: nil
    }
  }
}

/// The processes of a log, and their rows that wait.
struct ProcessRows {
  private var running: ProcessRow?
  private var waiting: [ProcessRow] = []
  /// From which event to which each process goes.
  private var extents: [(process: Int, first: UInt64, last: UInt64)] = []
  private var lastVerdict = 0
  /// How many conclusions were taken.
  private var taken = 0
  private var conclusions: [Int: ProcessConclusionWords] = [:]
  private var last: ProcessConclusionWords?

  /// A process begins.
  mutating func begin(_ bar: RunBar, _ profile: Profile, _ vocabulary: Vocabulary) {
    guard let number = bar.process else { return }
    let said = StartWords(bar.event, profile, vocabulary)
    running = ProcessRow(number: number, start: bar.event.instant, said: said, end: bar.begin)
    extents.append((number, first: bar.ordinal, last: .max))
  }

  /// Ends the process; `verdict` is the number of the verdict on its end, `nil` without one.
  mutating func end(_ end: RunEnd, _ profile: Profile, verdict: Int?) {
    guard var row = running else { return }
    running = nil
    row.end = max(end.instant, row.start)
    row.times = end.times
    // The profile of the next process may stand before its start already.
    if end.cause != .replaced { row.said.complete(by: profile) }
    row.hasEnded = end.cause != .endOfLog
    if end.cause == .replaced, let verdict, verdict > lastVerdict {
      row.verdict = verdict
      lastVerdict = verdict
    }
    waiting.append(row)
    if end.cause != .endOfLog { extents[extents.count - 1].last = end.ordinal }
  }

  /// Notes the end of a process, of which nothing else may be known; `judged` is how many ends were judged
  /// before it.
  mutating func noteDeath(of process: Int, at instant: Instant, _ event: UInt64, _ judged: Int) {
    lastVerdict = judged + 1
    if extents.last?.process != process {
      waiting.append(
        ProcessRow(number: process, start: instant, said: StartWords(), end: instant))
      extents.append((process, first: event, last: event))
    }
    waiting[waiting.count - 1].verdict = lastVerdict
    waiting[waiting.count - 1].hasEnded = true
  }

  /// The process of the event with this number; `nil` of those between two processes.
  func process(of event: UInt64) -> Int? {
    let next = extents.partition { $0.first > event }
    guard next > 0, event <= extents[next - 1].last else { return nil }
    return extents[next - 1].process
  }

  // MARK: Conclusions

  /// Takes what is concluded of the next process that is over.
  mutating func take(_ conclusion: ProcessConclusion, _ vocabulary: Vocabulary) {
    let words = ProcessConclusionWords(conclusion, vocabulary)
    if conclusion.death == nil {
      last = words
    } else {
      taken += 1
      conclusions[taken] = words
    }
  }

  /// Adds the rows about which all is known by now; at the end of the log, all.
  mutating func hand(isEnd: Bool, in window: ClosedRange<Instant>, to rows: inout LogTables) {
    var ready = 0
    for var row in waiting {
      if !isEnd, let verdict = row.verdict, verdict > taken { break }
      ready += 1
      let words = row.verdict.flatMap { conclusions.removeValue(forKey: $0) }
      guard row.start <= window.upperBound, row.end >= window.lowerBound else { continue }
      row.concluded = words ?? (row.hasEnded ? nil : last)
      rows.add(row, to: .processes)
    }
    waiting.removeFirst(ready)
  }
}

/// What the start of a process says, in words of its own.
struct StartWords {
  var pid: Int?
  var launch, bundle, version, build, os: String?

  /// Of a process whose start is not known.
  init() {}

  init(_ first: Event, _ profile: Profile, _ vocabulary: Vocabulary) {
    let said = vocabulary.attributes(first.attributes) + profile.attributes
    pid = said[.pid].flatMap { Int($0) }
    (launch, bundle) = (said[.launch], said[.bundle])
    complete(by: profile)
  }

  /// Takes what a profile states about the release, where nothing is known yet.
  mutating func complete(by profile: Profile) {
    version = version ?? profile.version
    build = build ?? profile.build
    os = os ?? profile.os
    bundle = bundle ?? profile.app
  }
}

/// What is concluded of a process, with words of its own.
struct ProcessConclusionWords {
  let rulesTold, rulesUntold: Int
  let death: DeathVerdict?
  var reason, explainedLabel, verdict: String?

  init(_ conclusion: ProcessConclusion, _ vocabulary: Vocabulary) {
    (rulesTold, rulesUntold) = (conclusion.rulesTold, conclusion.rulesUntold)
    death = conclusion.death
    guard let death else { return }
    let attributes = vocabulary.attributes(death.end.attributes)
    reason = death.exception ?? (death.manner == .silent ? nil : attributes[.reason])
    explainedLabel = death.suspects.first.flatMap { suspect in
      let words = [suspect.event.label, suspect.event.name]
      return words.filter { !$0.isNone }.map(vocabulary.text).first { !$0.isEmpty }
    }
    verdict = DeathText(death, vocabulary).paragraph
  }
}
