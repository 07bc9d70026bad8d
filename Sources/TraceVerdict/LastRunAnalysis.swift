import LifecycleModel
import LifecycleRules
import Platform
import TraceAnalysis
import TraceLog
import TraceRecorder
import TraceResults
import TraceText

/// The analysis of a run's newest part, within limits, and never twice.
struct LastRunAnalysis: Sendable {
  /// What an analysis may take.
  struct Limits {
    /// The time of the processor that its thread may use.
    var time: Nanoseconds = 200_000_000
    /// How many bytes of the log it may read; it holds a block of them at a time.
    var bytes = 16 << 20
  }

  private let run: PreviousRun
  /// What was found; `nil` where nothing was analyzed.
  private var results: AnalysisResults?
  /// Whether the run has older parts, or the limits ended the reading.
  private var isOfPart: Bool
  /// Whether the limits ended the reading, so that the end of the run was not analyzed.
  private var isCut = false
  /// How many analyzed runs in a row ended like this one.
  private var launches = 1

  /// Analyzes `run` of the log with the id `log`, unless that was tried before.
  init(of run: PreviousRun, in log: String, within limits: Limits) {
    self.run = run
    isOfPart = run.logs.count > 1
    guard let part = run.logs.last else { return }
    let path = run.log + ".verdict"
    let last = AttemptMark(at: path)
    var mark = AttemptMark(run: "\(log) \(part.split(separator: "/").last ?? "")")
    // Without a mark on the disk a fault of the analysis would end each launch.
    guard last?.run != mark.run, mark.store(at: path) else { return }

    analyze(part, limits)
    mark.end = isCut ? "" : results?.faultOfLastEnd ?? ""
    let isSame = !mark.end.isEmpty && mark.end == last?.end
    launches = isSame ? (last?.launches ?? 0) + 1 : 1
    mark.launches = launches
    _ = mark.store(at: path)
  }

  /// Analyzes the file of one part.
  ///
  /// It stays open: where the recorder's limits remove it meanwhile, what it holds is read all the same.
  private mutating func analyze(_ part: String, _ limits: Limits) {
    let descriptor = open(part, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard var reader = try? LogReader(descriptor: descriptor, path: part) else { return }
    // What earlier runs left open is not this run's.
    if (try? LogPart.beginsRun(part)) ?? false { reader.leaveOutBeginning() }

    let begin = platform_clock(CLOCK_THREAD_CPUTIME_ID)
    var analyzer = RuleProgram.catalogue.analyzer(reader.vocabulary)
    var events: [Event] = []
    while (try? reader.read(into: &events)) ?? false {
      let time = platform_clock(CLOCK_THREAD_CPUTIME_ID) &- begin
      if time >= UInt64(limits.time) || reader.byteCount > limits.bytes {
        (isCut, isOfPart) = (true, true)
        break
      }
      analyzer.observe(events)
      analyzer.forgetUnusedWords()
    }

    var analysis = analyzer.finish()
    analysis.isCut = isCut
    results = AnalysisResults(
      analysis, of: InertText.word(part), reader.vocabulary,
      clock: WallClock(origin: reader.identity?.originWall))
  }

  /// The verdict, with what a crash reporter says; it is final then.
  func verdict(crashReport: String?) -> LastRunVerdict {
    let cause = run.cause(crashReport: crashReport)
    let verdict = isCut ? nil : results.map(Verdict.init)
    // What lies between two runs, and what others saw, no log of one run shows.
    let isFromOutside =
      crashReport != nil
      || [.appUpdated, .systemUpdated, .rebooted, .stoppedByDebugger].contains(cause.kind)
    let item = verdict?.items.first
    let title = item?.title ?? "\(cause)"
    let loop = DeathText.loop(launches)

    var lines: [String] = []
    if isFromOutside || item == nil { lines.append("\(cause)") }
    if item == nil { lines += cause.evidence.map { "  " + $0 } }
    if let loop { lines.append(loop) }
    if verdict != nil, let results { lines.append(VerdictText(results).text.dropLast() + "") }
    return LastRunVerdict(
      cause: cause, isFinal: crashReport != nil, sentence: isFromOutside ? "\(cause)" : title,
      explanation: item?.ratedCause, fix: item?.fix, findings: results?.findingsOfApp ?? [],
      isOfPart: isOfPart, launchesInARow: launches, logs: run.logs,
      description: lines.joined(separator: "\n"))
  }
}

extension AnalysisResults {
  /// What the last end has in common with others of the same fault; `nil` for an end that is no fault.
  fileprivate var faultOfLastEnd: String? {
    guard let end = verdicts.last, end.class != .normal else { return nil }
    return InertText.line(end.likeness.map { $0 ?? "" }.joined(separator: " | "))
  }

  /// The findings that count, without those about the recording.
  fileprivate var findingsOfApp: [LastRunVerdict.Finding] {
    findings.filter { $0.isCounted && !$0.isAboutRecording }.map { finding in
      let advice = rule(finding.rule).map(finding.advice)
      return LastRunVerdict.Finding(
        rule: finding.rule, severity: finding.severity.rawValue, message: finding.message,
        why: advice?.why ?? "", remedy: advice?.remedy ?? "", evidence: finding.evidence)
    }
  }
}
