import LifecycleModel
import TraceAnalysis

/// The results of many logs as a person reads them.
public struct ResultsReport {
  private let results: AnalysisResults
  private let style: TextStyle

  /// Makes a report.
  public init(_ results: AnalysisResults, style: TextStyle = .plain) {
    (self.results, self.style) = (results, style)
  }

  /// The whole text; the same results give the same text.
  public var text: String {
    var sections = [headline]
    sections += rulesFound.map(text(of:))
    if let comparison = results.comparison {
      let known = results.groups.filter { !$0.isToldInFull && !$0.isAccepted }.map { group in
        (rule: group.examples[0].rule, message: "\(count(group)): \(group.examples[0].message)")
      }
      sections.append(
        style.section("Baseline", BaselineText(comparison: comparison).lines(known: known)))
    }
    if !results.unreadable.isEmpty {
      sections.append(style.section("Not read", results.unreadable.map(\.error)))
    }
    if let words = results.unknownWords {
      sections.append(
        style.section("Not understood", words.map { "\($0.log): \($0.word.text)" }))
    }
    if let statistics = results.statistics {
      sections.append(style.section("How long it took", StatisticsTable(statistics).lines))
    }
    sections.append(style.section("Looked at", lookedAt))
    return sections.joined(separator: "\n\n") + "\n"
  }

  private var headline: String {
    let clean = results.logs - results.logsWithFindings - results.logsInconclusive
    let parts = [
      (results.logsWithFindings, "with findings"), (clean, "clean"),
      (results.logsInconclusive, "inconclusive"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let unread = results.unreadable.count
    let text =
      CountText.of(results.logs, "log")
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
      + (unread > 0 ? "; \(unread) could not be read" : "")
    return style.bold(text)
  }

  // MARK: Findings

  /// The groups that are told in full by rule, the most serious rule first.
  private var rulesFound: [[AnalysisResults.Group]] {
    var groups: [String: [AnalysisResults.Group]] = [:]
    for group in results.groups where group.isToldInFull {
      groups[group.examples[0].rule, default: []].append(group)
    }
    return groups.values.map { list in
      list.sorted { ($1.count, $0.fingerprint) < ($0.count, $1.fingerprint) }
    }.sorted { first, second in
      let severities = (severity(first), severity(second))
      return severities.0 == severities.1
        ? first[0].examples[0].rule < second[0].examples[0].rule : severities.0 > severities.1
    }
  }

  private func severity(_ groups: [AnalysisResults.Group]) -> Severity {
    groups.flatMap(\.examples).compactMap { Severity(rawValue: $0.severity) }.max() ?? .info
  }

  private func text(of groups: [AnalysisResults.Group]) -> String {
    let id = groups[0].examples[0].rule
    let rule = results.rules.first { $0.rule.id == id }?.rule
    let severity = severity(groups)
    var lines = [
      "\(style.severity(severity, severity.rawValue)) \(style.bold(id))"
        + (rule?.number.map { " (R\($0))" } ?? "") + (rule.map { ": \($0.summary)" } ?? "")
    ]
    for group in groups {
      // A new one is the better example.
      guard let example = group.examples.first(where: \.isToldInFull) ?? group.examples.first
      else { continue }
      lines.append("")
      lines.append("  \(count(group)): \(style.severity(severity, example.message))")
      lines.append("    in      \(example.log)")
      for witness in example.witnesses { lines.append("    " + witness.line(style)) }
      for legal in example.legalLines { lines.append("    legal   \(legal)") }
      for dependent in example.dependents {
        lines.append("    also    \(dependent.rule): \(dependent.message)")
      }
      let others = Set(group.examples.map(\.log)).subtracting([example.log]).sorted()
      for other in others.prefix(3) { lines.append("    also in \(other)") }
    }
    guard let rule else { return lines.joined(separator: "\n") }
    lines.append("")
    lines.append(Wrap.entry("why", rule.why, indent: "  "))
    lines.append(Wrap.entry("remedy", rule.remedy, indent: "  "))
    lines.append(Wrap.entry("source", rule.sources.joined(separator: "; "), indent: "  "))
    return lines.joined(separator: "\n")
  }

  private func count(_ group: AnalysisResults.Group) -> String {
    "\(group.count) in \(CountText.of(group.logs, "log"))"
  }

  // MARK: What was looked at

  private var lookedAt: [String] {
    let gaps = results.gaps == 0 ? "no gaps" : CountText.of(results.gaps, "gap")
    var lines = [
      "\(CountText.of(results.events, "event")) in \(CountText.of(results.logs, "log")), \(gaps)"
    ]
    lines += SuppressionText(results.suppressions ?? []).lines
    let violated = results.rules.filter { $0.violated > 0 }
    let kept = results.rules.filter { $0.violated == 0 && $0.satisfied > 0 }
    let unsure = results.rules.filter {
      $0.violated == 0 && $0.satisfied == 0 && !$0.cannotTell.isEmpty
    }
    let idle = results.rules.count - violated.count - kept.count - unsure.count
    let counts = [
      (violated.count, "violated"), (kept.count, "kept"),
      (unsure.count, "could not tell in any log"), (idle, "had nothing to judge"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if !counts.isEmpty { lines.append("rules: " + counts.joined(separator: ", ")) }
    return lines
  }
}

extension AnalysisResults.Group {
  /// Whether some of it counts.
  fileprivate var isToldInFull: Bool { examples.contains(where: \.isToldInFull) }

  /// Whether somebody accepts all of it.
  fileprivate var isAccepted: Bool { examples.allSatisfy { $0.suppression != nil } }
}

extension ToldFinding {
  fileprivate var isToldInFull: Bool { isCounted || dependents.contains(where: \.isToldInFull) }
}
