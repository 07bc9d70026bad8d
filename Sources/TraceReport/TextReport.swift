import LifecycleModel
import TraceAnalysis
import TraceText

/// An analysis as a person reads it: how it ended, what was found, what happened, and what to do next.
///
/// ```swift
/// import LifecycleModel
/// import TraceAnalysis
/// import TraceReport
///
/// func printReport(of trace: Trace) {
///   let analysis = Analyzer.analyze(trace)
///   print(TextReport(analysis, trace.vocabulary).text)
/// }
/// ```
public struct TextReport {
  private let analysis: Analysis
  private let vocabulary: Vocabulary
  private let style: TextStyle
  private let isVerbose: Bool
  private let clock: WallClock?
  private let log: String?
  private let logOptions: [String]
  private let printer: TraceNotation.Printer

  /// Makes a report of an analysis of a trace with this vocabulary; a verbose one names every rule
  /// under its verdict.
  ///
  /// `clock` is what the log knows of the wall clock. `log` is the name by which a person would give
  /// the log to a command, which the last lines of the report do, with the options that it needs.
  public init(
    _ analysis: Analysis, _ vocabulary: Vocabulary, style: TextStyle = .plain,
    isVerbose: Bool = false, clock: WallClock? = nil, log: String? = nil,
    logOptions: [String] = []
  ) {
    self.analysis = analysis
    self.vocabulary = vocabulary
    self.style = style
    self.isVerbose = isVerbose
    self.clock = clock?.following(analysis)
    self.log = log
    self.logOptions = logOptions
    printer = TraceNotation.Printer(vocabulary: vocabulary)
  }

  /// The whole text; the same analysis gives the same text.
  public var text: String {
    var sections = [Headline(analysis, vocabulary).text(style)]
    if let line = LogIdentification(analysis, vocabulary, clock).line {
      sections.append(Wrap.lines(line, indent: "", width: style.width))
    }
    let deaths = DeathsText(analysis.deaths, vocabulary).paragraphs
    if !deaths.isEmpty {
      let paragraphs = deaths.map { Wrap.lines($0, indent: "  ", width: style.width) }
      sections.append(style.bold("Verdict") + "\n" + paragraphs.joined(separator: "\n\n"))
    }
    sections += groups.filter { !isAboutRecording($0[0]) }.map(text(of:))
    if let baseline = baselineLines { sections.append(style.section("Baseline", baseline)) }
    let story = Story(analysis, vocabulary, clock)
    let lines = story.lines
    if !lines.isEmpty {
      sections.append(style.section("What happened", lines, hanging: story.indentation))
    }
    if let end = endSection { sections.append(end) }
    if let statistics = analysis.statistics {
      sections.append(style.section("How long it took", StatisticsTable(statistics).lines))
    }
    if let recording = recordingSection { sections.append(recording) }
    if !analysis.unknownWords.isEmpty {
      sections.append(style.section("Not understood", analysis.unknownWords.map(\.text)))
    }
    sections.append(style.section("Looked at", lookedAt))
    sections.append(
      NextSteps(analysis, vocabulary, log: log, logOptions, toldFindings).section(style))
    return sections.joined(separator: "\n\n") + "\n"
  }

  // MARK: Findings

  /// The findings but those that a baseline has, with all that depends on them.
  private var toldFindings: [Finding] { groups.flatMap(\.self) }

  private var baselineLines: [String]? {
    let known = analysis.findings.filter { !$0.isToldInFull }
    return analysis.comparison.map {
      BaselineText(comparison: $0).lines(known: known.map { ($0.rule, $0.message) })
    }
  }

  /// The findings of each rule, the most serious rule first, then in the order of the findings.
  private var groups: [[Finding]] {
    var order: [String] = []
    var groups: [String: [Finding]] = [:]
    for finding in analysis.findings where finding.isToldInFull {
      if groups[finding.rule] == nil { order.append(finding.rule) }
      groups[finding.rule, default: []].append(finding)
    }
    func worst(_ rule: String) -> Severity { groups[rule]?.map(\.severity).max() ?? .info }
    return Severity.allCases.reversed().flatMap { severity in
      order.filter { worst($0) == severity }.compactMap { groups[$0] }
    }
  }

  /// So many findings of one fingerprint are told.
  private static let toldPerFingerprint = 3

  /// The first findings of each fingerprint; one that others depend on is among them.
  private static func first(of group: [Finding]) -> [Finding] {
    var counts: [String: Int] = [:]
    return group.filter { finding in
      counts[finding.fingerprint, default: 0] += 1
      return counts[finding.fingerprint, default: 0] <= toldPerFingerprint
        || !finding.dependents.isEmpty
    }
  }

  private func text(of group: [Finding]) -> String {
    guard let first = group.first, let rule = rule(first.rule) else { return "" }
    let severity = group.map(\.severity).max() ?? first.severity
    let number = rule.number.map { " (R\($0))" } ?? ""
    let heading = "\(severity.rawValue) \(rule.id)\(number): \(rule.summary)"
    var lines = style.data(heading, indent: "", hanging: 0)
    lines[0] =
      "\(style.severity(severity, severity.rawValue)) \(style.bold(rule.id))"
      + lines[0].dropFirst(severity.rawValue.count + 1 + rule.id.count)
    let shown = TextReport.first(of: group)
    for (index, finding) in shown.enumerated() {
      lines.append("")
      lines += message(finding)
      if let suppression = finding.suppression {
        lines.append("    " + line(suppression))
        continue
      }
      for witness in finding.witnesses.compactMap({ ToldWitness($0, printer) }) {
        lines += witness.lines(style)
      }
      if let state = finding.state { lines.append("    " + pad("state", 8) + "\(state)") }
      for legal in finding.legalLines(vocabulary) {
        lines += style.data(pad("legal", 8) + legal, indent: "    ", hanging: 8)
      }
      for dependent in finding.dependents {
        lines += style.data(line(dependent), indent: "    ", hanging: 8)
        if let accepted = dependent.suppression { lines.append("    " + line(accepted)) }
      }
      if index == 0 { lines += advice(rule) }
    }
    if shown.first?.suppression != nil, group.contains(where: { $0.suppression == nil }) {
      lines += advice(rule)
    }
    let leftOut = Set(group.map(\.fingerprint)).reduce(group.count - shown.count) {
      $0 + (analysis.findingsLeftOut[$1] ?? 0)
    }
    if leftOut > 0 && !group.allSatisfy({ $0.suppression != nil }) {
      lines.append("")
      lines.append("  and \(leftOut) more like these")
    }
    return lines.joined(separator: "\n")
  }

  /// Why a rule is there and what to do, a sentence each, and where all of it stands.
  private func advice(_ rule: RuleDescription) -> [String] {
    func entry(_ heading: String, _ text: String) -> String {
      Wrap.entry(heading, FirstSentence.of(text), indent: "    ", width: style.width)
    }
    var lines = ["", entry("why", rule.why)]
    if let contradiction = rule.contradiction { lines.append(entry("but", contradiction)) }
    lines.append(entry("remedy", rule.remedy))
    lines.append("    " + pad("more", 9) + NextSteps.explain(rule))
    return lines
  }

  private func message(_ finding: Finding) -> [String] {
    let times = finding.occurrences > 1 ? " (\(finding.occurrences) times)" : ""
    // What is new is all that is told in full, but for what stands with it.
    let state = finding.baselineState == .known ? " [known]" : ""
    return style.data(finding.message + times + state, indent: "  ", hanging: 0)
      .map { style.severity(finding.severity, $0) }
  }

  /// Why somebody accepts a finding.
  private func line(_ suppression: Finding.Suppression) -> String {
    pad("accepted", 9) + InertText.line("\(suppression.reason) (\(suppression.place))")
  }

  /// What another rule found of the same cause.
  private func line(_ dependent: Finding) -> String {
    let number = rule(dependent.rule)?.number.map { " (R\($0))" } ?? ""
    let times = dependent.occurrences > 1 ? " (\(dependent.occurrences) times)" : ""
    let state = dependent.baselineState == .known ? " [known]" : ""
    return pad("also", 8) + "\(dependent.rule)\(number): \(dependent.message)\(times)\(state)"
  }

  private func rule(_ id: String) -> RuleDescription? {
    analysis.outcomes.first { $0.rule.id == id }?.rule
  }

  // MARK: The recording itself

  private func isAboutRecording(_ finding: Finding) -> Bool { analysis.isAboutRecording(finding) }

  /// What was found about the recording and not about the app, a line each.
  private var recordingSection: String? {
    let findings = groups.filter { isAboutRecording($0[0]) }.flatMap { TextReport.first(of: $0) }
    if findings.isEmpty { return nil }
    let lines = findings.map { finding in
      let times = finding.occurrences > 1 ? " (\(finding.occurrences) times)" : ""
      let place = finding.culprit.map { event in
        " at \(TimeText.instant(event.instant))"
          + (vocabulary.attributes(event.attributes)[.line].map { ", line \(InertText.word($0))" }
            ?? "")
      }
      let severity = finding.severity == .info ? "note" : finding.severity.rawValue
      let accepted = finding.suppression.map { "; " + line($0) } ?? ""
      let state = finding.baselineState == .known ? " [known]" : ""
      return
        "\(severity) \(finding.rule): \(finding.message)\(place ?? "")\(times)\(state)\(accepted)"
    }
    return style.section("The recording", lines)
  }

  // MARK: The end, and what was looked at

  private var endSection: String? {
    // What is recorded behind the end of a process is no part of its life.
    guard let end = analysis.state.processEnd?.event.instant ?? analysis.extent?.upperBound else {
      return nil
    }
    var lines: [String] = []
    if let app = analysis.state.app {
      let isOver = analysis.state.processEnd != nil
      let age = TimeText.span(end.since(app.since.event.instant))
      lines.append(
        "the app \(isOver ? "was" : "is") \(words(app.state)), for \(age)"
          + (isOver ? "; the process is over" : "")
          + (analysis.state.suspension == nil ? "" : "; the process is suspended"))
    }
    for scene in analysis.state.scenes {
      lines.append("scene:\(scene.number) is \(scene.activation.rawValue)")
    }
    let open = analysis.state.open.facts
    for fact in open.prefix(20) {
      let age = TimeText.span(end.since(fact.event.instant))
      let event = TimeText.line(printer.line(fact.event), at: fact.event.instant)
      lines.append("still open after \(pad(age, 10))" + event)
    }
    if open.count > 20 { lines.append("and \(open.count - 20) more still open") }
    return lines.isEmpty ? nil : style.section("At the end", lines)
  }

  private func words(_ state: AppState) -> String {
    switch state {
    case .background, .suspended: "in the background"
    case .active, .inactive: state.rawValue
    case .notRunning: "not running"
    }
  }

  private var lookedAt: [String] {
    var lines: [String] = []
    let extent = analysis.extent.map { $0.upperBound.since($0.lowerBound) } ?? 0
    let suspended = extent - analysis.awake
    lines.append(
      "\(CountText.of(analysis.eventCount, "event")) over \(TimeText.span(extent))"
        + (suspended > 0 ? ", of which \(TimeText.span(suspended)) suspended" : "")
        + gaps)
    if analysis.disorder > 0 {
      lines.append(
        "\(CountText.of(analysis.disorder, "event")) before an earlier instant: a clock went back")
    }
    if isVerbose {
      let profile = analysis.profile.attributes.map {
        "\(InertText.word($0.key))=\(InertText.word($0.value))"
      }
      lines.append("profile: " + (profile.isEmpty ? "none" : profile.joined(separator: " ")))
      lines += Outcomes(analysis.outcomes).allNames
    } else {
      let evidence = Evidence(analysis)
      for line in [evidence.line, evidence.answerLine].compactMap(\.self) {
        lines += Wrap.lines(line, indent: "", width: style.width - 4).split(separator: "\n")
          .enumerated().map { $0.offset == 0 ? String($0.element) : "  " + $0.element }
      }
    }
    return lines + SuppressionText(analysis.suppressions).lines
  }

  private var gaps: String {
    switch analysis.gaps {
    case (0, _): ", no gaps"
    case (let gaps, 0): ", \(CountText.of(gaps, "gap"))"
    case (let gaps, let events):
      ", \(CountText.of(gaps, "gap")) with at least \(CountText.of(events, "missing event"))"
    }
  }
}

extension Finding {
  /// Whether a baseline does not have all of it.
  var isToldInFull: Bool {
    baselineState != .known || dependents.contains(where: \.isToldInFull)
  }
}

extension Analysis {
  /// Whether a finding is about the recording, and not about the app.
  func isAboutRecording(_ finding: Finding) -> Bool {
    outcomes.first { $0.rule.id == finding.rule }?.rule.isAboutRecording ?? false
  }
}

extension RuleRegistry {
  /// Whether a rule's findings are about the recording, and not about the app.
  static func isAboutRecording(_ id: String) -> Bool {
    all.first { $0.description.id == id }?.description.isAboutRecording ?? false
  }
}

/// The first sentence of a text.
enum FirstSentence {
  /// Up to the first full stop with a blank behind it that ends no abbreviation.
  static func of(_ text: String) -> String {
    var words: [Substring] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      words.append(word)
      let isEnd = word.hasSuffix(".") || word.hasSuffix("?") || word.hasSuffix("!")
      if isEnd && !["e.g.", "i.e.", "etc."].contains(word) { break }
    }
    return words.joined(separator: " ")
  }
}
