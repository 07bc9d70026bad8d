import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// An analysis as a person reads it: how it ended, what was found, what happened, and what to do next.
package struct TextReport {
  let results: AnalysisResults
  let style: TextStyle
  /// The log as a person would name it in a command; `nil` when it has no name.
  let log: String?
  /// The same with the options that the command needs, as a shell takes them.
  let logWords: String

  /// Makes a report of results.
  ///
  /// `log` is the name by which a person would give the log to a command, which the last lines of the
  /// report do, with the options that it needs.
  package init(
    _ results: AnalysisResults, style: TextStyle = .plain, log: String? = nil,
    logOptions: [String] = []
  ) {
    (self.results, self.style, self.log) = (results, style, log)
    logWords = ShellWord.log(log ?? "LOG", logOptions)
  }

  /// The whole text; the same results give the same text.
  package var text: String {
    guard let one = results.log else { return textOfMany }
    let title = one.title.map { Wrap.lines($0, indent: "", width: style.width) }
    let first = [Headline(results, style).line, title, verdicts]
    let found = groups.filter { !$0[0].isAboutRecording }.map(text(of:))
    let last = [
      baselineSection,
      style.section("What happened", one.storyLines, hanging: one.storyIndentation),
      endSection(one.end), durations, recordingSection,
      style.section("Unknown words", results.unknownWords.map(\.word.text)),
      style.section("Coverage", lookedAt(one)), nextSection,
    ]
    return (first + found + last).asSections
  }

  /// How long things took; `nil` when that was not asked for.
  var durations: String? {
    results.statistics.flatMap { style.section("Durations", $0.tableLines) }
  }

  private var verdicts: String? {
    let paragraphs = results.endParagraphs.map {
      Wrap.lines($0, indent: "  ", width: style.width)
    }
    return paragraphs.isEmpty
      ? nil : style.bold("Verdict") + "\n" + paragraphs.joined(separator: "\n\n")
  }

  // MARK: Findings

  private var baselineSection: String? {
    let known = results.findings.filter { !$0.isShownInFull }.flatMap(\.baselineLines)
    return results.comparison.flatMap { style.section("Baseline", $0.lines(known: known)) }
  }

  /// The findings of each rule but those that a baseline has with all that depends on them: the most
  /// serious rule first, then in the order of the findings.
  var groups: [[ReportedFinding]] {
    results.findings.filter(\.isShownInFull)
      .grouped(by: \.rule).map(\.elements).sorted { severity($0) > severity($1) }
  }

  /// How serious the worst of findings is.
  func severity(_ findings: [ReportedFinding]) -> Severity {
    findings.map(\.severity).max() ?? .info
  }

  /// The largest number of findings of one fingerprint that are shown.
  private static let shownPerFingerprint = 3

  /// The first findings of each fingerprint; one that others depend on is among them.
  private static func first(of group: [ReportedFinding]) -> [ReportedFinding] {
    var counts: [String: Int] = [:]
    return group.filter { finding in
      counts[finding.fingerprint, default: 0] += 1
      return counts[finding.fingerprint, default: 0] <= shownPerFingerprint
        || !finding.dependents.isEmpty
    }
  }

  private func text(of group: [ReportedFinding]) -> String {
    let rule = results.rule(group[0].rule)
    let shown = TextReport.first(of: group)
    var lines: [String] = []
    var given: [[String]] = []
    func advise(_ finding: ReportedFinding) {
      let sentences = rule.map { advice(finding, $0, withContradiction: true) } ?? []
      if given.contains(sentences) { return }
      given.append(sentences)
      lines += sentences
    }

    for (index, finding) in shown.enumerated() {
      let message = finding.message + finding.remarks
      if index == 0 {
        lines += heading(finding.rule, severity(group), message)
      } else {
        lines += [""] + furtherMessage(message, finding.severity)
      }
      if let suppression = finding.suppression {
        lines.append("    " + suppression.line)
        continue
      }
      lines += evidence(finding, withState: true) + finding.dependents.flatMap(lines(of:))
      advise(finding)
    }

    if given.isEmpty, let finding = group.first(where: { $0.suppression == nil }) {
      advise(finding)
    }
    let leftOut = leftOut(group) + group.count - shown.count
    if leftOut > 0 && !group.allSatisfy({ $0.suppression != nil }) {
      lines += ["", "  and \(leftOut) more like these"]
    }
    return lines.joined(separator: "\n")
  }

  /// How many more findings have the fingerprints of these.
  private func leftOut(_ findings: [ReportedFinding]) -> Int {
    let fingerprints = Set(findings.map(\.fingerprint))
    return results.groups.filter { fingerprints.contains($0.fingerprint) }
      .reduce(0) { $0 + $1.count - $1.examples.count }
  }

  /// What another rule found of the same cause.
  private func lines(of dependent: ReportedFinding) -> [String] {
    let name = results.title(ofRule: dependent.rule)
    let accepted = dependent.suppression.map { ["    " + $0.line] } ?? []
    return entry("also", "\(name): \(dependent.message)\(dependent.remarks)") + accepted
  }

  // MARK: The recording itself

  /// What was found about the recording and not about the app, a line each.
  private var recordingSection: String? {
    let findings = groups.filter(\.[0].isAboutRecording).flatMap { TextReport.first(of: $0) }
    let lines = findings.map { finding in
      let place = finding.culprit?.event.map { event in
        " at \(TimeText.instant(event.instant))"
          + (event[.line].map { ", line \(InertText.word($0))" } ?? "")
      }
      let accepted = finding.suppression.map { "; " + $0.line } ?? ""
      return "\(finding.severity.word) \(finding.rule): "
        + "\(finding.message)\(place ?? "")\(finding.remarks)\(accepted)"
    }
    return style.section("The recording", lines)
  }

  // MARK: The end, and what was looked at

  /// The largest number of open things that are shown, and of scenes.
  private static let openShown = 20

  private func endSection(_ end: OneLog.End) -> String? {
    guard let at = end.at else { return nil }
    func age(_ since: Instant) -> String { TimeText.span(at.since(since)) }
    var lines: [String] = []
    if let app = end.app, let since = end.since {
      let verb = end.over ? "was" : "is"
      let process = [
        end.suspended ? "\(verb) suspended" : nil, end.over ? "has ended" : nil,
      ].joined(by: ", and ")
      lines.append(
        "the app \(verb) \(app.inWords), for \(age(since))"
          + (process.map { "; the process \($0)" } ?? ""))
    }
    lines += end.scenes.prefix(TextReport.openShown).map {
      "scene:\($0.number) is \($0.activation.rawValue)"
    }
    let moreScenes = end.scenes.count - TextReport.openShown
    if moreScenes > 0 { lines.append("and \(moreScenes) more scenes are connected") }

    let events = end.open.prefix(TextReport.openShown).map(\.event)
    lines += events.map { event in
      "open for \(pad(age(event.instant), 10))" + TimeText.line(event.line, at: event.instant)
    }
    let more = end.open.count - events.count + end.openLeftOut
    if more > 0 { lines.append("and \(more) more are open") }
    return style.section("At the end", lines)
  }

  private func lookedAt(_ one: OneLog) -> [String] {
    let suspended = one.length - one.awake
    var lines = [
      "\(results.eventWords) over \(TimeText.span(one.length))"
        + (suspended > 0 ? ", of which \(TimeText.span(suspended)) suspended" : "")
        + gaps(one)
    ]
    if results.reportsApart > 0 {
      let reports = CountText.of(results.reportsApart, "crash report")
      lines.append("\(reports) held against the log, and none is about a process of it")
    }
    if one.disorder > 0 {
      lines.append(
        "\(CountText.of(one.disorder, "event")) out of time order: a clock went back")
    }

    for line in [one.evidence.line, one.evidence.answerLine].compactMap(\.self) {
      lines += Wrap.lines(line, indent: "", width: style.width - 4).split(separator: "\n")
        .enumerated().map { $0.offset == 0 ? String($0.element) : "  " + $0.element }
    }
    let profile = one.profile.words.joined(separator: " ")
    lines.append("profile: " + (profile.isEmpty ? "none" : profile))
    return lines + results.ruleNames + results.settingsLines
  }

  private func gaps(_ one: OneLog) -> String {
    let isCounted = results.gaps > 0 && one.missingEvents != 0
    return ", " + results.gapWords
      + (isCounted ? " with at least \(CountText.of(one.missingEvents, "missing event"))" : "")
  }
}

extension ReportedFinding {
  /// Whether a baseline does not have all of it.
  fileprivate var isShownInFull: Bool {
    baselineState != .known
      || dependents.contains(where: \.isShownInFull)
  }

  /// ` (3 times) [known]`: how often it happened, and whether a baseline has it.
  fileprivate var remarks: String {
    // What is shown in full is new, but for what stands with it.
    times + (baselineState == .known ? " [known]" : "")
  }
}

extension Finding.Suppression {
  /// `accepted by design (t.yml:3)`.
  fileprivate var line: String {
    pad("accepted", 9) + InertText.line("\(reason) (\(place))")
  }
}
