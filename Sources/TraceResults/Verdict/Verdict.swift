import LifecycleModel
import LifecycleRules
import Run
import TraceAnalysis
import TraceText

/// The answer in few words: what happened, why, how sure that is, and what to do about it.
///
/// Every report begins with it. Processes that ended alike are one item, and the findings of a cause are no items
/// beside it.
package struct Verdict {
  /// How sure a cause is.
  package enum Certainty: String, Encodable, Sendable {
    /// A report or the app states it.
    case certain
    /// The system states which limit was passed; what led to it is not shown.
    case stated
    /// The log shows what fits the end.
    case likely
    /// The log shows what may have led to an end that it does not explain.
    case possible
    /// Nothing in the log explains the end.
    case unknown
  }

  /// How serious an item is, the most serious first.
  package enum Tone: String, Encodable, CaseIterable, Comparable {
    case error, warning, unknown, info, good

    package static func < (lhs: Tone, rhs: Tone) -> Bool {
      allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
    }
  }

  /// Something that happened, with its cause.
  package struct Item: Encodable {
    /// How serious it is.
    package var tone: Tone
    /// What happened: `pid 412 at 46.1s: killed by the watchdog (0x8badf00d)`.
    package var title: String
    /// Why; `nil` where nothing is wrong.
    package var cause: String?
    /// How sure the cause is.
    package var certainty: Certainty?
    /// What to do about it; `nil` where nobody knows.
    package var fix: String?
    /// The log that shows it.
    package var log: String?

    /// What stands before the cause: what rules find is no cause of an end.
    package var heading: String { certainty == nil ? "found" : "cause" }

    /// The cause behind how sure it is: `likely: background task "save", not ended`.
    package var ratedCause: String? {
      cause.map { cause in
        switch certainty {
        case .unknown: "not known: \(cause)"
        // It begins with whose words they are.
        case .stated, nil: cause
        case .certain, .likely, .possible: "\(certainty?.rawValue ?? ""): \(cause)"
        }
      }
    }
  }

  /// The largest number of items; what happened beyond them is in ``also``.
  private static let itemsShown = 2

  /// What happened, the most serious first: at least one item.
  package private(set) var items: [Item] = []
  /// What was found beside it, in phrases.
  private(set) var also: [String] = []

  /// How serious the worst of it is.
  package private(set) var tone = Tone.unknown

  private let results: AnalysisResults
  /// The findings that are kept, in their order.
  private let findings: [ReportedFinding]

  /// Reaches a verdict on results.
  package init(_ results: AnalysisResults) {
    self.results = results
    findings = results.findings

    // The most serious first, of these those that are explained, then the most frequent.
    let all = results.endGroups.filter { $0.end.class != .normal }.sorted { first, second in
      let (rank, other) = (first.end.rank, second.end.rank)
      return rank == other ? second.count < first.count : rank < other
    }
    let explained = Set(all.flatMap(\.findings))
    // What counts and stands by itself, is not about the recording, and explains no end.
    let issues = results.issues.filter {
      $0.cause == nil && $0.finding.isCounted && !$0.finding.isAboutRecording
        && !explained.contains($0.finding.fingerprint)
    }
    // What nobody can tell stands behind what was found.
    let matter = issues.isEmpty ? all : all.filter { $0.end.class != .unknown }
    let ends = matter.filter { !isAccepted($0) } + matter.filter(isAccepted)
    let shown = ends.prefix(Self.itemsShown)
    items = shown.map(item)
    if items.isEmpty {
      let isOne = results.logs == 1 || issues.isEmpty
      items = isOne ? [item(of: issues.first)] : issues.prefix(Self.itemsShown).map(item)
    }
    tone = (items.map(\.tone) + issues.map { Tone($0.severity) }).min() ?? .unknown

    also = ends.dropFirst(shown.count).map {
      $0.count > 1 ? "\($0.count) × \($0.end.phrase)" : $0.end.phrase + place(of: $0.end.log)
    }
    also += findings(issues.dropFirst(shown.isEmpty ? items.count : 0))
    also += others
  }

  // MARK: Ends of processes

  private func item(_ group: EndGroup) -> Item {
    let end = group.end
    let finding = finding(of: end)
    let isMild = end.class == .fault && finding?.severity == .warning
    let tone: Tone = isAccepted(group) ? .info : isMild ? .warning : Tone(end.class)

    return Item(
      tone: tone, title: title(group), cause: end.explanation ?? "not recorded",
      certainty: end.certainty,
      // What stands for an end alone has the advice of the end.
      fix: fix(end) ?? finding.flatMap { $0.rule == "death" ? nil : fix($0) }
        ?? (end.advice.isEmpty ? nil : FirstSentence.of(end.advice)),
      log: end.log)
  }

  /// What to do about a crash whose words or whose place in the code are known; `nil` of another end.
  private func fix(_ end: ReportedDeath) -> String? {
    // Nobody can begin at a frame that is not there.
    if end.explanation?.contains(CrashedStack.missing) == true { return nil }
    let line = CodeLocation(end.event[.at]).map { "\(InertText.line($0.file)):\($0.line)" }
    let frame = end.event.attributes?.list["frame"].map { InertText.line($0) }

    let isCrash = end.manner == .crash
    let isThrown =
      end.event[.exception] != nil
      || end.explanation?.contains(CrashedStack.thrown) == true
    if isCrash, let own = DeathCauses.explaining(end.event[.reason]) {
      let isForeign = end.explanation?.contains(CrashedStack.foreign) == true
      if isForeign, own.asksForOwnFrame { return nil }
      let isFrameMeant = isThrown || own.asksForOwnFrame
      let place = line?.split(separator: "/").last.map(String.init)
      return Self.placed(FirstSentence.of(own.advice), place ?? (isFrameMeant ? frame : nil))
    }

    if let line { return "Begin at \(line), the line of code nearest to the crash." }
    guard isCrash, let frame else { return nil }
    return isThrown
      ? "Begin with \(frame), where the exception was thrown."
      : "Begin with \(frame), the app's innermost function in that thread."
  }

  /// The name of a function is longer now and then, and says less than the sentence, which stands in two lines.
  private static let (longestPlace, longestFix) = (64, 172)

  /// A sentence with the place that it is about: `Check the index (Store.swift:88)`.
  private static func placed(_ sentence: String, _ place: String?) -> String {
    guard let place, place.count <= longestPlace, sentence.count + place.count <= longestFix else {
      return sentence
    }
    return "\(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence) (\(place))"
  }

  /// Whether somebody knows or accepts the finding of such ends.
  private func isAccepted(_ group: EndGroup) -> Bool {
    finding(of: group.end).map { !$0.isCounted } ?? false
  }

  /// The finding that stands for an end.
  private func finding(of end: ReportedDeath) -> ReportedFinding? {
    findings.first { $0.fingerprint == end.finding && $0.log == end.log }
  }

  /// `pid 412 at 46.1s: killed by the watchdog (0x8badf00d), in the background for 33.5s`.
  private func title(_ group: EndGroup) -> String {
    let end = group.end
    if group.count == 1 {
      let what = end.phrase + (end.situation.map { ", \($0)" } ?? "")
      if results.logs > 1 {
        return "\(end.subject): \(what)\(place(of: end.log))"
      }
      return end.subject + (moment(end).map { " at \($0)" } ?? "") + ": \(what)"
    }

    let loop = end.earlierOfLoop.isEmpty ? "" : ", a crash loop"
    let moments = [("first", group.first), ("last", end)].compactMap { word, end in
      end.flatMap(moment).map { ", \(word) at \($0)" }
    }
    let place =
      results.logs > 1 ? " in \(CountText.of(group.logs, "log"))" : moments.joined()
    return "\(group.count) processes: \(end.phrase)\(loop)\(place)"
  }

  /// ` · flight.trace`: which of several logs it is.
  private func place(of log: String) -> String {
    results.logs > 1 ? " · \(log.split(separator: "/").last ?? "")" : ""
  }

  /// When a process ended; `nil` in a log that has no times.
  private func moment(_ end: ReportedDeath) -> String? {
    guard let log = results.log, log.first != log.last || log.clock?.isDated == true else {
      return nil
    }
    let instant = end.event.instant
    guard let clock = log.clock else { return TimeText.instant(instant) }
    guard clock.isDated else { return clock.seconds(instant) }
    let days = Set([log.first, log.last].map { clock.day($0 ?? .origin) })
    return (days.count > 1 ? clock.stamp(instant) : clock.seconds(instant)) + " UTC"
  }

  /// What is wrong with the log itself, such as events that are missing; `nil` where nothing is.
  package var fault: String? {
    // A note on the recording matters where nothing else can be said.
    let faults = findings.filter {
      $0.isAboutRecording && ($0.severity > .info || tone == .unknown)
    }
    guard let worst = faults.max(by: { $0.severity < $1.severity }) else { return nil }
    return worst.message + place(of: worst.log) + CountText.more(faults.count - 1, behind: "; ")
  }

  /// What the logs lack, where that may hide the cause, and of one log what would help most; `nil` where they
  /// lack little.
  package var unseen: (text: String, step: String?)? {
    guard let evidence = results.log?.evidence else {
      let ofApp = results.rules.filter { !$0.rule.isAboutRecording }
      let lacking = ofApp.count { !$0.hasJudged && $0.isDoubtful }
      let all = CountText.of(ofApp.count, "rule")
      return lacking * 2 > ofApp.count
        ? ("no log has evidence for \(lacking) of \(all)", nil) : nil
    }

    let isExplained = items.allSatisfy { $0.tone == .good || $0.certainty != .unknown }
    guard evidence.isPoor || evidence.lacking > 0 && !isExplained else { return nil }
    // Whoever knows why an app died needs no more.
    if items.allSatisfy({ $0.certainty == .certain || $0.certainty == .stated }) { return nil }
    if results.isReportAlone {
      if isExplained { return nil }
      let step = "add the app's log: tracectl analyze LOG --crash REPORT"
      return (evidence.brief(of: "report"), step)
    }
    let answer = evidence.answers.first.map { "state \($0.option)" }
    return (evidence.brief(of: "log"), answer ?? "record the app: LifecycleTracing.start()")
  }

  // MARK: Findings

  /// One log in which no process ended badly; its worst finding is the cause.
  private func item(of issue: Issue?) -> Item {
    let headline = Headline(results).whole
    let subject = results.log.map { "\($0.subject): " } ?? ""
    guard let finding = issue?.finding else {
      let isGood =
        results.unreadable.isEmpty && results.ending?.worst ?? .normal == .normal
        && results.isWellJudged && results.logsInconclusive == 0 && results.log?.isOpen != true
      let isAccepted = results.standing.known + results.standing.accepted > 0
      // Where nothing could be checked, what the system or a report says is all that there is.
      let isUnchecked = !isGood && results.rulesKept.count == 0
      let said = isUnchecked ? results.log?.milestones.filter { $0.kind == "note" } ?? [] : []
      // A kill is no fault of the app, or nobody knows whose.
      let killed = isGood ? nil : results.endGroups.first { $0.end.manner == .kill }?.end
      let unknown =
        killed?.cause == "SIGKILL" ? "the log does not show who sent the signal" : nil
      return Item(
        tone: isGood ? (isAccepted ? .info : .good) : .unknown, title: subject + headline,
        cause: said.isEmpty ? unknown : said.prefix(3).map(\.text).joined(separator: "; "),
        certainty: said.isEmpty && unknown != nil ? .unknown : nil,
        fix: killed.map { FirstSentence.of($0.advice) })
    }

    let found = results.standing { !$0.isAboutRecording }.countedWords()
    let all = [results.ending?.text, found.joined(separator: ", ")].compactMap(\.self)
    // What MetricKit counts are ends, and the finding of a cut report says that its end is missing.
    let warning = finding.anchor?[.warning].flatMap(SystemWarning.init(rawValue:))
    let isOpen = results.ending == nil && warning != .badExits && warning != .cutReport
    let open = isOpen ? ["the log does not show whether the app died"] : []
    return Item(
      tone: Tone(finding.severity),
      title: subject + (all + results.standing.uncounted + open).joined(separator: "; "),
      cause: finding.message + finding.times, fix: fix(finding), log: finding.log)
  }

  /// A finding of many logs.
  private func item(_ issue: Issue) -> Item {
    let finding = issue.finding
    let place = issue.logs > 1 ? CountText.of(issue.logs, "log") : finding.log
    return Item(
      tone: Tone(finding.severity),
      title: "\(CountText.of(issue.count, issue.severity)) in \(place): \(finding.rule)",
      cause: finding.message, fix: fix(finding), log: finding.log)
  }

  /// What to do about a finding, and where.
  private func fix(_ finding: ReportedFinding) -> String? {
    results.remedy(finding).map { remedy in
      // Who reads a few lines does not know the rules by their numbers.
      let fix = FirstSentence.of(remedy)
        .replacing(#/ \(R\d+(, R\d+)*\)/#, with: "")
      return Self.placed(fix, finding.codeLocation.map { "\($0.file):\($0.line)" })
    }
  }

  /// `2 warnings: applicationDidEnterBackground took 3.79s; the timer "autosave" fired while inactive`.
  private func findings(_ issues: ArraySlice<Issue>) -> [String] {
    Severity.allCases.reversed().compactMap { severity in
      let ofSeverity = issues.filter { $0.severity == severity }
      if ofSeverity.isEmpty { return nil }
      let messages = ofSeverity.map { FirstClause.of($0.finding.message) }
      return CountText.of(ofSeverity.reduce(0) { $0 + $1.count }, severity) + ": "
        + messages.joined(separator: "; ")
    }
  }

  /// What is no finding that counts; nothing where the title says how the processes ended.
  private var others: [String] {
    if results.ending?.worst ?? .normal == .normal { return [] }
    let normal = results.deaths.filter { $0.class == .normal }.reduce(0) { $0 + $1.count }
    let ended = "\(CountText.of(normal, "process", plural: "processes")) ended normally"
    return (items[0].cause != nil && normal > 0 ? [ended] : []) + results.standing.uncounted
  }
}

extension ReportedDeath {
  /// Its place among ends: by class, then by whether it is explained.
  fileprivate var rank: (Int, Int) { (`class`.rank, certainty == .unknown ? 1 : 0) }

  /// The app and its process: `com.example.notes 412`, or `Notes 412` where the bundle is not known.
  fileprivate var subject: String {
    let pid = process.pid.map(String.init) ?? event[.pid]
    if let name = process.bundle ?? process.name { return pid.map { "\(name) \($0)" } ?? name }
    return pid.map { "pid \($0)" } ?? "the app"
  }

  /// Where the app was: `in the background for 33.5s`; `nil` where that is not known.
  fileprivate var situation: String? {
    if suspended { return "suspended" }
    if let state {
      return state.inWords + ((stateAge ?? 0) > 0 ? " for \(TimeText.span(stateAge ?? 0))" : "")
    }
    switch audience {
    case .visible: return "on screen"
    case .notVisible: return "not on screen"
    case .unknown: return nil
    }
  }
}

extension OneLog {
  /// Whether the log stops while something is open, and not with the end of the process.
  fileprivate var isOpen: Bool { !end.over && !end.open.isEmpty }
}

extension AnalysisResults {
  /// Whether all that is known is a crash report: a log of the app would show what it was doing.
  package var isReportAlone: Bool {
    guard let log, let end = log.milestones.last(where: { $0.kind == "end" }),
      end.event[.by] == "report"
    else { return false }
    let hooks = log.profile.list[.hooks]?.split(separator: ",") ?? []
    return hooks.allSatisfy { $0 == Hook.process.rawValue || $0 == Hook.tasks.rawValue }
  }
}

extension Verdict.Tone {
  /// That of an end of this class.
  package init(_ end: DeathClass) {
    switch end {
    case .fault: self = .error
    case .unexplained: self = .warning
    case .unknown, .normal: self = .unknown
    }
  }

  init(_ severity: Severity) {
    switch severity {
    case .error: self = .error
    case .warning: self = .warning
    case .info: self = .info
    }
  }
}
