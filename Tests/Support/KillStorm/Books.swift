import LifecycleModel
import LifecycleRules
import Platform
import TraceAnalysis
import TraceLog

/// What an app acknowledged, against which its log is held.
struct Books {
  /// One run of the app.
  struct Launch {
    let process: pid_t
    /// The last number that each thread acknowledged.
    var last: [UInt32: UInt32] = [:]
  }

  /// What a look at a log found.
  struct Audit {
    var complaints: [String] = []
    var told = 0
    var lost = 0
    var falseFindings = 0
    var isTorn = false
    var isJoined = false
  }

  private(set) var launches: [Launch]

  /// Reads what was acknowledged, a file a launch.
  init(_ paths: [String]) {
    launches = paths.compactMap { Books.read($0) }
  }

  /// How many facts were acknowledged.
  var count: Int {
    launches.reduce(0) { $0 + $1.last.values.reduce(0) { $0 + Int($1) } }
  }

  /// One launch; `nil` before it says anything.
  static func read(_ path: String) -> Launch? {
    let words = Folder.words(path)
    guard words.count >= 2 else { return nil }
    var launch = Launch(process: pid_t(truncatingIfNeeded: words[1]))
    for place in stride(from: 2, to: words.count - 1, by: 2) {
      let thread = UInt32(truncatingIfNeeded: words[place])
      launch.last[thread] = UInt32(truncatingIfNeeded: words[place + 1])
    }
    return launch
  }

  /// Holds the log at `path` against what was acknowledged; while an app lives, it may have stated more.
  func audit(_ path: String, isAlive: Bool, isLast: Bool) throws -> Audit {
    var audit = Audit()
    var reader = try LogReader(path: path)
    let trace = try reader.readAll()
    var ledger = Ledger(self, trace.vocabulary)
    for event in trace.events { ledger.enter(event) }
    ledger.finish(isAlive: isAlive)
    (audit.complaints, audit.told, audit.lost) = (ledger.complaints, ledger.told, ledger.lost)

    if isLast, ledger.tornEnds > 0 { audit.complaints.append("an end is torn") }

    let report = try VerifyReport(path: path)
    audit.isJoined = report.ringEventCount > 0
    audit.isTorn = reader.damages.contains { $0.kind == .tornTail }
    // Who runs changes the log and its ring between the two readings.
    if !isAlive {
      for problem in report.problems where isLast || problem.kind != .damage {
        audit.complaints.append("verify: \(problem)")
      }
    }
    for damage in reader.damages where damage.kind != .tornTail {
      audit.complaints.append("\(damage)")
    }
    if isLast { find(trace, &audit) }
    return audit
  }

  /// What rules may find in a healthy app that is killed: that it was, and what was refused.
  private static let expected: Set = ["death", "lost-events", "pm-active-app-vanished"]

  private func find(_ trace: Trace, _ audit: inout Audit) {
    var analyzer = RuleProgram.catalogue.analyzer(trace.vocabulary)
    analyzer.observe(trace.events)
    for finding in analyzer.finish().allFindings where !Books.expected.contains(finding.rule) {
      audit.falseFindings += 1
      audit.complaints.append("analyze finds \(finding.rule): \(finding.message)")
    }
  }
}

/// Goes through a log, fact by fact.
private struct Ledger {
  private let vocabulary: Vocabulary
  private let launches: [Books.Launch]
  /// The launch to which what comes next belongs.
  private var current = 0
  private var last: [[UInt32: UInt32]]
  /// Of each writer: the thread of its last fact, and how many lost ones were told since.
  private var threads: [String: UInt32] = [:]
  private var toldSince: [String: Int] = [:]
  /// Whether parts were removed, with what each thread stated first, and gaps that told losses there.
  private var isBeheaded = false
  private var toldAtEnd: [Int]
  /// Losses of threads without a lane that were told last before a launch began: they may be of that launch.
  private var toldBefore: [Int]
  /// Facts of a thread before it found a lane.
  private var homeless: [Int]
  private(set) var complaints: [String] = []
  private(set) var tornEnds = 0
  private(set) var told = 0
  private(set) var lost = 0

  init(_ books: Books, _ vocabulary: Vocabulary) {
    (launches, self.vocabulary) = (books.launches, vocabulary)
    last = launches.map { _ in [:] }
    toldAtEnd = launches.map { _ in 0 }
    toldBefore = toldAtEnd + [0]
    homeless = toldAtEnd
  }

  mutating func enter(_ event: Event) {
    if let gap = Gap(event, in: vocabulary) { return enter(gap) }
    switch event.verb {
    case .processStart: begin(event)
    case .work, .note:
      if event.subjectKind == .task {
        enter(event.subjectNumber, vocabulary.name(of: event.writer))
      }
    default: break
    }
  }

  private mutating func begin(_ event: Event) {
    let text = vocabulary.attributes(event.attributes)[.pid] ?? ""
    // A checkpoint tells a start again.
    guard let index = launches.lastIndex(where: { "\($0.process)" == text }), index != current
    else {
      return
    }
    if index < current { complaints.append("launch \(index) comes behind \(current)") }
    endLaunch()
    current = index
  }

  private mutating func endLaunch() {
    guard current < toldAtEnd.count else { return }
    toldBefore[current + 1] = toldSince[""] ?? 0
    toldAtEnd[current] += toldSince.values.reduce(0, +)
    (toldSince, threads) = ([:], [:])
  }

  private mutating func enter(_ gap: Gap) {
    let count = Int(gap.count ?? 0)
    switch gap.cause {
    case GapCause.rotated.rawValue: isBeheaded = true
    case GapCause.ringFull.rawValue, GapCause.diskFull.rawValue:
      told += count
      toldSince[gap.writer ?? "", default: 0] += count
    case GapCause.tornTail.rawValue where gap.writer == Vocabulary.systemWriter:
      // Who wrote the end of a process has died: who comes next writes it again.
      tornEnds += 1
    default: complaints.append("a gap \(gap.cause) of \(gap.writer ?? "nobody"), \(count) events")
    }
  }

  private mutating func enter(_ number: UInt32, _ writer: String) {
    guard current < launches.count else { return complaints.append("a fact of no launch") }
    let (thread, place) = Ledger.thread(number)
    let before = last[current][thread] ?? 0
    last[current][thread] = max(before, place)
    let told = toldSince.removeValue(forKey: writer) ?? 0
    let isSameThread = threads.updateValue(thread, forKey: writer) == thread
    guard place > before else {
      return complaints.append(
        "launch \(current), thread \(thread): fact \(place) stands behind \(before)")
    }

    let missing = Int(place - before - 1)
    if missing == told || !isSameThread && missing <= told {
      // What is left of an other thread's loss is told behind its last fact.
      toldAtEnd[current] += told - missing
    } else if before == 0, told == 0, thread > 0, !isBeheaded {
      homeless[current] += missing
    } else if before > 0 || !isBeheaded {
      lost += max(0, missing - told)
      complaints.append(
        "launch \(current), thread \(thread): \(missing) facts before \(place) are missing, "
          + "and \(told) are told")
    }
  }

  mutating func finish(isAlive: Bool) {
    endLaunch()
    var carried = 0
    for (index, launch) in launches.enumerated() {
      let isLast = index == launches.count - 1
      toldAtEnd[index] += carried
      var missing = homeless[index]
      for (thread, number) in launch.last where number > 0 {
        let seen = last[index][thread] ?? 0
        // Whose facts all lie in removed parts: the newest block may hold the end of the process alone.
        if seen == 0, isBeheaded { continue }
        missing += Int(number) - min(Int(number), Int(seen))
      }

      carried = min(toldBefore[index + 1] + carried, max(0, toldAtEnd[index] - missing))
      toldAtEnd[index] -= carried
      // One fact of each thread may have been stated, or refused, and not acknowledged.
      if !isAlive || !isLast, !isBeheaded, toldAtEnd[index] > missing + 3 {
        complaints.append(
          "launch \(index): \(toldAtEnd[index]) facts are told to be missing, and \(missing) are")
      }
      if missing > toldAtEnd[index] {
        lost += missing - toldAtEnd[index]
        complaints.append(
          "launch \(index): \(missing) facts are missing, and \(toldAtEnd[index]) are told")
      }
    }
  }

  private static func thread(_ number: UInt32) -> (thread: UInt32, place: UInt32) {
    guard number > App.threadBase else { return (0, number) }
    let rest = number - App.threadBase
    return (rest / App.threadFacts + 1, rest % App.threadFacts)
  }
}
