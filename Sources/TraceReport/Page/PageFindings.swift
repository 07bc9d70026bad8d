import LifecycleModel
import TraceAnalysis
import TraceText

/// The findings of a page, each with its evidence, what is allowed, and what to do.
///
/// All are open, as they must be where no script runs; the script closes all but the first.
struct PageFindings {
  private let results: AnalysisResults
  private let findings: [PageEvidence.Told]
  private let leftOut: [PageEvidence.LeftOut]
  private let command: String
  private let rules: [String: AnalysisResults.RuleTally.Rule]

  /// `command` lists the findings of the log.
  init(
    _ results: AnalysisResults, _ findings: [PageEvidence.Told], leftOut: [PageEvidence.LeftOut],
    _ command: String
  ) {
    (self.results, self.findings) = (results, findings)
    (self.leftOut, self.command) = (leftOut, command)
    rules = results.rulesByID
  }

  var markup: Markup {
    var told: Set<String> = []
    let items = findings.enumerated().map { index, finding in
      let isFirst = told.insert(finding.finding.rule).inserted
      return item(finding, number: index + 1, withAdvice: isFirst)
    }
    let list: Markup =
      items.isEmpty ? "<p>\(Headline(results).whole)</p>" : "<ol>\(items)</ol>"
    return """
      <section id="findings" aria-labelledby="findings-title"><h2 id="findings-title">Findings</h2>\
      \(list)\(others)</section>
      """
  }

  /// What the findings are that have no card, and who lists them.
  private var others: Markup? {
    if leftOut.isEmpty { return nil }
    let count = leftOut.reduce(0) { $0 + $1.count }
    let rules = leftOut.map { rule -> Markup in "\(rule.count) × <code>\(rule.rule)</code>" }
    return """
      <p class="soft">and \(count) more: \(rules.joined(", ")). <code>\(command)</code> lists up to \
      \(AnalysisResults.examplesKept) of each kind.</p>
      """
  }

  private func item(_ told: PageEvidence.Told, number: Int, withAdvice: Bool) -> Markup {
    let finding = told.finding
    let rule = rules[finding.rule]
    let times = finding.occurrences > 1 ? " (\(finding.occurrences) times)" : ""
    let excuse: Markup? = finding.excuse.map { "<p class=\"soft\">\($0)</p>" }
    return """
      <li class="\(finding.severity.rawValue)"><details open>\
      <summary><span class="number">\(number)</span> <b>\(finding.message)\(times)</b> \
      <span class="message">\(finding.rule)</span></summary><div class="body">\
      \(excuse)<ol class="witnesses">\(finding.witnesses.map { witness($0, of: finding) })</ol>\
      \(absence(told.missing))\(allowance(finding))<dl>\(notes(finding, withAdvice ? rule : nil))</dl>\
      <p class="foot"><code>\(rule?.title ?? finding.rule)</code> · \(finding.fingerprint)</p></div></details></li>
      """
  }

  private func witness(_ witness: ReportedWitness, of finding: ReportedFinding) -> Markup {
    let role: Markup = "<span class=\"role\">\(witness.role.rawValue)</span>"
    guard let event = witness.event else {
      let due = witness.until.map { "by " + TimeText.instant(Instant(nanoseconds: $0)) } ?? ""
      return """
        <li class="missing">\(role) <time>\(due)</time> <span>\(witness.text)</span></li>
        """
    }

    let link = "#t=\(PageTime.seconds(event.instant))&event=\(InertText.uri(event.reference.text))"
    return """
      <li class="\(witness.role.rawValue)">\(role) <a href="\(link)&amp;finding=\(finding.fingerprint)">\
      <time>\(TimeText.instant(event.instant))</time></a> <span>\(PageFindings.words(event))</span></li>
      """
  }

  /// The event in notation, without instant and writer, which stand beside it.
  private static func words(_ event: ReportedEvent) -> String {
    let label = event.label.map { JSONText.quoted($0) }
    let value = event.value.map { "\($0)" }
    let attributes = event.attributes?.list.map {
      "\(InertText.word($0.key))=\(InertText.word($0.value))"
    }
    let parts = [event.verb, event.name, event.subject, label, value].compactMap(\.self)
    return (parts + (attributes ?? [])).joined(separator: " ")
  }

  /// That events which a finding names are not among those that the page draws.
  private func absence(_ missing: PageEvidence.Missing) -> Markup? {
    switch missing {
    case .nothing: nil
    case .some: "<p class=\"soft\">A part of this lies outside of what is drawn.</p>"
    case .all: "<p class=\"soft\">This lies outside of what is drawn.</p>"
    }
  }

  private func allowance(_ finding: ReportedFinding) -> Markup? {
    guard let elapsed = finding.elapsed, let allowed = finding.allowed, allowed > 0 else {
      return nil
    }
    let over: Markup? = elapsed > allowed ? " class=\"over\"" : nil
    return """
      <p>\(TimeText.span(elapsed)) of \(TimeText.span(allowed)) allowed <meter\(over) \
      max="\(max(elapsed, allowed))" value="\(elapsed)"></meter></p>
      """
  }

  private func notes(
    _ finding: ReportedFinding, _ rule: AnalysisResults.RuleTally.Rule?
  ) -> [Markup] {
    let also = finding.dependents.map { other -> Markup in
      "<code>\(other.rule)</code> \(other.message)"
    }
    let state: [Markup] = finding.state.map { ["\($0.says)"] } ?? []
    var notes = also.map { ("also", $0) } + state.map { ("while", $0) }
    notes += finding.legalLines.map { ("legal", "\($0)") }
    if let code = finding.codeLocation {
      notes.append(("at", "<code>\(code.file):\(code.line)</code>"))
    }
    if let rule {
      let (why, remedy) = finding.advice(rule)
      notes.insert(("expected", "\(rule.summary)"), at: 0)
      notes += [("why", "\(why)"), ("remedy", "\(remedy)")]
      notes.append(("source", "\(rule.sources.joined(separator: "; "))"))
    }

    return notes.map { name, text in "<dt>\(name)</dt><dd>\(text)</dd>" }
  }
}
