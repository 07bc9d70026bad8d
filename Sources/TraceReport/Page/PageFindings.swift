import LifecycleModel
import TraceAnalysis
import TraceText

/// The findings of a page, each with its evidence, what is allowed, and what to do.
///
/// All are open, as they must be where no script runs; the script closes all but the first. It reads
/// from them what it draws: the names of the events that are evidence stand beside their texts, as data.
struct PageFindings {
  /// At most this many findings have a card, and at most this many of one fingerprint.
  private static let (cardLimit, cardLimitPerFingerprint) = (100, 3)

  /// The findings that have a card: those that count first, of these the most serious.
  let cards: [ReportedFinding]

  private let results: AnalysisResults

  init(_ results: AnalysisResults) {
    self.results = results
    let ordered = results.findings.sorted { one, other in
      one.isCounted == other.isCounted ? one.severity > other.severity : one.isCounted
    }

    var counts: [String: Int] = [:]
    let some = ordered.filter { finding in
      counts[finding.fingerprint, default: 0] += 1
      return counts[finding.fingerprint, default: 0] <= PageFindings.cardLimitPerFingerprint
    }
    cards = Array(some.prefix(PageFindings.cardLimit))
  }

  /// The section of the page; `window` is the time that it draws, and `command` lists the findings of the
  /// log.
  func markup(in window: ClosedRange<Instant>?, _ command: String) -> Markup {
    var advised: Set<String> = []
    let items = cards.enumerated().map { index, finding in
      let isFirst = advised.insert(finding.rule).inserted
      return item(finding, number: index + 1, in: window, withAdvice: isFirst)
    }
    let list: Markup = items.isEmpty ? "<p class=\"soft\">none</p>" : "<ol>\(items)</ol>"
    return """
      <section id="findings" aria-labelledby="findings-title"><h2 id="findings-title">Findings</h2>\
      \(list)\(others(command))</section>
      """
  }

  /// How many findings of each rule have no card, the most first.
  private func others(_ command: String) -> Markup? {
    var counts: [String: Int] = [:]
    for group in results.groups {
      if let rule = group.examples.first?.rule { counts[rule, default: 0] += group.count }
    }
    for finding in cards { counts[finding.rule, default: 0] -= 1 }

    let rest = counts.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if rest.isEmpty { return nil }
    let count = rest.reduce(0) { $0 + $1.value }
    let rules = rest.map { rule -> Markup in "\(rule.value) × <code>\(rule.key)</code>" }
    return """
      <p class="soft">and \(count) more: \(rules.joined(", ")). <code>\(command)</code> lists up to \
      \(AnalysisResults.examplesKept) of each kind.</p>
      """
  }

  private func item(
    _ finding: ReportedFinding, number: Int, in window: ClosedRange<Instant>?, withAdvice: Bool
  ) -> Markup {
    let rule = results.rule(finding.rule)
    let fix: Markup? = rule.map { "<p><b>fix</b> \(finding.advice($0).remedy)</p>" }
    let excuse: Markup? = finding.excuse.map { "<p class=\"soft\">\($0)</p>" }
    return """
      <li class="\(finding.severity.rawValue)" data-rule="\(finding.rule)" \
      data-fingerprint="\(finding.fingerprint)"><details open>\
      <summary><span class="number">\(number)</span> <b>\(finding.message)\(finding.times)</b> \
      <span class="message">\(finding.rule)</span></summary><div class="body">\
      \(excuse)\(withAdvice ? fix : nil)<ol class="witnesses">\(finding.witnesses.map { witness($0, of: finding) })</ol>\
      \(absence(finding, window))\(allowance(finding))\(list(notes(finding)))\
      \(dependents(finding))\(withAdvice ? rule.map { reasons(finding, $0) } : nil)\
      <p class="foot"><code>\(rule?.title ?? finding.rule)</code> · \(finding.fingerprint)</p></div></details></li>
      """
  }

  private func witness(_ witness: ReportedWitness, of finding: ReportedFinding) -> Markup {
    let role: Markup = "<span class=\"role\">\(witness.role.rawValue)</span>"
    guard let event = witness.event else {
      let due = witness.until.map { "by " + time($0) } ?? ""
      return """
        <li class="missing"\(data("after", witness.after?.text))\
        \(data("before", witness.before?.text))\(data("until", witness.until.map { "\($0.nanoseconds)" }))>\
        \(role) <time>\(due)</time> <b>\(witness.text)</b></li>
        """
    }

    let name = event.reference.text
    let link = "#t=\(PageTime.seconds(event.instant))&event=\(InertText.uri(name))"
    return """
      <li class="\(witness.role.rawValue)" data-event="\(name)" data-t="\(event.t)">\
      \(role) <a href="\(link)&amp;finding=\(finding.fingerprint)">\
      <time>\(time(event.instant))</time></a> <b>\(PageFindings.words(event))</b>\
      \(list(PageFindings.attributes(event)))</li>
      """
  }

  private func time(_ instant: Instant) -> String { PageTime.text(instant, in: results.log) }

  /// Rows of name and value.
  private func list(_ rows: [(name: String, value: Markup)]) -> Markup? {
    if rows.isEmpty { return nil }
    let items = rows.map { row -> Markup in "<dt>\(row.name)</dt><dd>\(row.value)</dd>" }
    return "<dl>\(items)</dl>"
  }

  private func data(_ name: String, _ value: String?) -> Markup? {
    value.map { " data-\(name)=\"\($0)\"" }
  }

  /// The event in notation, without instant and writer, which stand above it, and its attributes.
  private static func words(_ event: ReportedEvent) -> String {
    let label = event.label.map { JSONText.quoted($0) }
    let value = event.value.map { "\($0)" }
    return [event.verb, event.name, event.subject, label, value].compactMap(\.self)
      .joined(separator: " ")
  }

  private static func attributes(_ event: ReportedEvent) -> [(name: String, value: Markup)] {
    (event.attributes?.list ?? []).map { attribute in
      (InertText.word(attribute.key), "\(InertText.line(attribute.value))")
    }
  }

  /// Says that events of a finding lie outside of the time that the page draws.
  private func absence(_ finding: ReportedFinding, _ window: ClosedRange<Instant>?) -> Markup? {
    guard let window else { return nil }
    let instants = finding.witnesses.compactMap(\.event?.instant)
    let count = instants.count { !window.contains($0) }
    if count == 0 { return nil }
    return count == instants.count
      ? "<p class=\"soft\">This lies outside of what is drawn.</p>"
      : "<p class=\"soft\">A part of this lies outside of what is drawn.</p>"
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

  private func notes(_ finding: ReportedFinding) -> [(name: String, value: Markup)] {
    let state: [Markup] = finding.state.map { ["\($0.description)"] } ?? []
    var notes = state.map { (name: "while", value: $0) }
    notes += finding.legalLines.map { ("legal", "\($0)") }
    if let code = finding.codeLocation {
      notes.append(("at", "<code>\(code.file):\(code.line)</code>"))
    }
    return notes
  }

  /// What follows from it.
  private func dependents(_ finding: ReportedFinding) -> Markup? {
    if finding.dependents.isEmpty { return nil }
    let items = finding.dependents.map { other -> Markup in
      "<li><code>\(other.rule)</code> \(other.message)</li>"
    }
    return .aside(
      "also \(CountText.of(items.count, "finding")) of this cause", "<ul>\(items)</ul>")
  }

  /// What the rule expects, why, and by which documents.
  private func reasons(_ finding: ReportedFinding, _ rule: RuleDescription) -> Markup {
    let rows: [(name: String, value: Markup)] = [
      ("expected", "\(rule.summary)"), ("why", "\(finding.advice(rule).why)"),
      ("source", "\(rule.sources.map(\.text).joined(separator: "; "))"),
    ]
    return .aside("why that matters", "\(list(rows))")
  }
}
