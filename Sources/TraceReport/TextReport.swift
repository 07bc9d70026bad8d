import LifecycleModel
import TraceAnalysis

/// An analysis as a person reads it: what was found, what happened, and what was looked at.
public struct TextReport {
  private let analysis: Analysis
  private let vocabulary: Vocabulary
  private let style: TextStyle
  private let isVerbose: Bool
  private let printer: TraceNotation.Printer

  /// Makes a report of an analysis of a trace with this vocabulary; a verbose one names every rule
  /// under its verdict.
  public init(
    _ analysis: Analysis, _ vocabulary: Vocabulary, style: TextStyle = .plain,
    isVerbose: Bool = false
  ) {
    self.analysis = analysis
    self.vocabulary = vocabulary
    self.style = style
    self.isVerbose = isVerbose
    printer = TraceNotation.Printer(vocabulary: vocabulary)
  }

  /// The whole text; the same analysis gives the same text.
  public var text: String {
    var sections: [String] = []
    if let verdict = DeathText(analysis.deaths, vocabulary)?.paragraph {
      sections.append(style.bold("Verdict") + "\n" + Wrap.lines(verdict, indent: "  "))
    }
    sections.append(headline)
    sections += groups.map(text(of:))
    if let baseline = baselineLines { sections.append(style.section("Baseline", baseline)) }
    let story = Story(analysis, vocabulary).lines
    if !story.isEmpty { sections.append(style.section("What happened", story)) }
    if let end = endSection { sections.append(end) }
    if let statistics = analysis.statistics {
      sections.append(style.section("How long it took", StatisticsTable(statistics).lines))
    }
    if !analysis.unknownWords.isEmpty {
      sections.append(style.section("Not understood", analysis.unknownWords.map(\.text)))
    }
    sections.append(style.section("Looked at", lookedAt))
    return sections.joined(separator: "\n\n") + "\n"
  }

  // MARK: Findings

  private var headline: String {
    let counted = toldFindings.filter { $0.isCounted || $0.dependents.contains(where: \.isCounted) }
    let counts = Severity.allCases.reversed().compactMap { severity -> String? in
      let count = counted.count { $0.severity == severity }
      guard count > 0 else { return nil }
      return style.severity(severity, CountText.of(count, severity))
    }
    let accepted = analysis.findings.count { $0.suppression != nil }
    let others = accepted > 0 ? "; \(accepted) accepted" : ""
    if !counts.isEmpty { return counts.joined(separator: ", ") + others }
    if !analysis.findings.isEmpty { return style.good("nothing new found") + others }
    if analysis.eventCount == 0 { return style.bold("nothing to look at: no events") }
    let checked = analysis.outcomes.count { $0.verdict == .satisfied }
    return checked > 0
      ? style.good("nothing found: \(CountText.of(checked, "rule")) kept")
      : style.bold("nothing found, and no rule could judge this log")
  }

  /// The findings but those that a baseline has, with all that depends on them.
  private var toldFindings: [Finding] { analysis.findings.filter(\.isToldInFull) }

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
    for finding in toldFindings {
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
    guard let first = group.first,
      let rule = analysis.outcomes.first(where: { $0.rule.id == first.rule })?.rule
    else { return "" }
    let severity = group.map(\.severity).max() ?? first.severity
    var lines = [
      "\(style.severity(severity, severity.rawValue)) \(style.bold(rule.id))"
        + (rule.number.map { " (R\($0))" } ?? "") + ": \(rule.summary)"
    ]
    let shown = TextReport.first(of: group)
    for finding in shown {
      lines.append("")
      lines.append("  \(message(finding))")
      if let suppression = finding.suppression {
        lines.append("    " + line(suppression))
        continue
      }
      for witness in finding.witnesses.compactMap({ ToldWitness($0, printer) }) {
        lines.append("    " + witness.line(style))
      }
      if let state = finding.state { lines.append("    " + pad("state", 8) + "\(state)") }
      for legal in finding.legalLines(vocabulary) {
        lines.append("    " + pad("legal", 8) + legal)
      }
      for dependent in finding.dependents {
        lines.append("    " + line(dependent))
        if let accepted = dependent.suppression { lines.append("    " + line(accepted)) }
      }
    }
    if group.allSatisfy({ $0.suppression != nil }) { return lines.joined(separator: "\n") }
    let leftOut = Set(group.map(\.fingerprint)).reduce(group.count - shown.count) {
      $0 + (analysis.findingsLeftOut[$1] ?? 0)
    }
    if leftOut > 0 {
      lines.append("")
      lines.append("  and \(leftOut) more like these")
    }
    lines.append("")
    lines.append(Wrap.entry("why", rule.why, indent: "  "))
    if let contradiction = rule.contradiction {
      lines.append(Wrap.entry("but", contradiction, indent: "  "))
    }
    lines.append(Wrap.entry("remedy", rule.remedy, indent: "  "))
    let sources = rule.sources.map { "\($0.title) [\($0.key)]" }.joined(separator: "; ")
    if !sources.isEmpty { lines.append(Wrap.entry("source", sources, indent: "  ")) }
    return lines.joined(separator: "\n")
  }

  private func message(_ finding: Finding) -> String {
    let times = finding.occurrences > 1 ? " (\(finding.occurrences) times)" : ""
    // What is new is all that is told in full, but for what stands with it.
    let state = finding.baselineState == .known ? " [known]" : ""
    return style.severity(finding.severity, finding.message) + times + state
  }

  /// Why somebody accepts a finding.
  private func line(_ suppression: Finding.Suppression) -> String {
    pad("accepted", 9) + InertText.line("\(suppression.reason) (\(suppression.place))")
  }

  /// What another rule found of the same cause.
  private func line(_ dependent: Finding) -> String {
    let rule = analysis.outcomes.first { $0.rule.id == dependent.rule }?.rule
    let number = rule?.number.map { " (R\($0))" } ?? ""
    return pad("also", 8) + "\(dependent.rule)\(number): \(message(dependent))"
  }

  // MARK: The end, and what was looked at

  private var endSection: String? {
    guard let end = analysis.extent?.upperBound else { return nil }
    var lines: [String] = []
    if let app = analysis.state.app {
      let isOver = analysis.state.processEnd != nil
      let age = TimeText.span(end.since(app.since.event.instant))
      lines.append(
        "the app \(isOver ? "was" : "is") \(app.state.rawValue), for \(age)"
          + (isOver ? "; the process is over" : "")
          + (analysis.state.suspension == nil ? "" : "; the process is suspended"))
    }
    for scene in analysis.state.scenes {
      lines.append("scene:\(scene.number) is \(scene.activation.rawValue)")
    }
    let open = analysis.state.open.facts
    for fact in open.prefix(20) {
      let age = TimeText.span(end.since(fact.event.instant))
      lines.append("still open after \(pad(age, 8))" + printer.line(fact.event))
    }
    if open.count > 20 { lines.append("and \(open.count - 20) more still open") }
    return lines.isEmpty ? nil : style.section("At the end", lines)
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
    let profile = analysis.profile.attributes.map {
      "\(InertText.word($0.key))=\(InertText.word($0.value))"
    }
    lines.append("profile: " + (profile.isEmpty ? "none" : profile.joined(separator: " ")))
    lines += verdictLines + SuppressionText(analysis.suppressions).lines
    return lines
  }

  private var gaps: String {
    switch analysis.gaps {
    case (0, _): ", no gaps"
    case (let gaps, 0): ", \(CountText.of(gaps, "gap"))"
    case (let gaps, let events): ", \(CountText.of(gaps, "gap")) of \(events) events and more"
    }
  }

  /// How many rules came to which verdict, and why rules could not tell.
  private var verdictLines: [String] {
    let outcomes = Outcomes(analysis.outcomes)
    if isVerbose { return outcomes.allNames }
    let counts = [
      (outcomes.violated.count, "violated"), (outcomes.kept.count, "kept"),
      (outcomes.undecided.map(\.rules.count).reduce(0, +), "cannot tell"),
      (outcomes.notJudged.map(\.rules.count).reduce(0, +), "not judged"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    var lines = ["rules: " + parts.joined(separator: ", ") + " (--verbose names them)"]
    for (reason, rules) in outcomes.undecided {
      let names = rules.count > 2 ? "" : ": " + rules.joined(separator: ", ")
      lines.append("  \(CountText.of(rules.count, "rule")) cannot tell, \(reason)\(names)")
    }
    return lines
  }
}

extension Finding {
  /// Whether a baseline does not have all of it.
  fileprivate var isToldInFull: Bool {
    baselineState != .known || dependents.contains(where: \.isToldInFull)
  }
}
