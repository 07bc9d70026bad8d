import LifecycleModel
import TraceAnalysis
import TraceText

/// Results as Markdown, to be pasted into an issue or a pull request.
///
/// Nothing that comes from a log is Markdown: it stands in spans and blocks of code.
struct MarkdownReport {
  /// An issue takes 65,536 characters; the details for which there is no room are left out and counted.
  private static let room = 65_000
  /// At most this many rows of a table are shown.
  static let rowsShown = 100

  let results: AnalysisResults

  /// The whole text; the same results give the same text.
  var text: String {
    let issues = results.issues
    let answers = Verdict(results).items.map(MarkdownReport.answer)
    let first =
      ["### tracectl: \(InertText.prose(Headline(results).whole))"] + answers
      + [ends, unreadable, issues.isEmpty ? nil : table(issues)]
    let last = [fixed, unknownWords, doubts, lookedAt]
    let taken = (first + last).compactMap(\.self).reduce(0) { $0 + $1.utf8.count + 2 }
    return (first + details(issues, room: MarkdownReport.room - taken) + last).asSections
  }

  /// Why something happened, how sure that is, and what to do about it.
  private static func answer(_ item: Verdict.Item) -> String? {
    guard let cause = item.ratedCause else { return nil }
    let fix = item.fix.map { "  \n**fix** \(InertText.prose($0))" } ?? ""
    return "**\(item.heading)** \(InertText.prose(cause))\(fix)"
  }

  private var unknownWords: String? {
    if results.unknownWords.isEmpty { return nil }
    let shown = results.unknownWords.prefix(MarkdownReport.rowsShown).map { unknown in
      "- \(InertText.code(results.logs > 1 ? "\(unknown.log): \(unknown.word.text)" : unknown.word.text))"
    }
    return (["Unknown words:", ""] + shown).joined(separator: "\n")
  }

  private var unreadable: String? {
    let shown = results.unreadable.prefix(MarkdownReport.rowsShown)
    let left = results.unreadable.count - shown.count
    // The error names the log.
    let lines: [String?] = shown.map { "- \(InertText.code($0.error))" }
    return (lines + [left > 0 ? "- and \(left) more" : nil]).joined(by: "\n")
  }

  // MARK: Ends

  /// A row for each end of a process, as far as they are kept.
  private var ends: String? {
    let ends = results.verdicts
    if ends.isEmpty { return nil }
    return MarkdownReport.table("| | process | how it ended |", ends, of: results.ended) { end in
      let log = results.logs > 1 ? InertText.code(end.log) + " " : ""
      return [end.class.rawValue, log + InertText.code(end.name), InertText.prose(end.text)]
    }
  }

  /// The first rows under their headings, and how many more there are.
  static func table<Row>(
    _ head: String, _ rows: [Row], of count: Int? = nil, most: Int = rowsShown,
    _ cells: (Row) -> [String]
  ) -> String {
    let columns = head.count { $0 == "|" } - 1
    let lines = rows.prefix(most).map { "| \(cells($0).joined(separator: " | ")) |" }
    let left = (count ?? rows.count) - lines.count
    let more = left > 0 ? ["\nand \(left) more"] : []
    return ([head, "|" + String(repeating: "---|", count: columns)] + lines + more)
      .joined(separator: "\n")
  }

  // MARK: Findings

  private func table(_ issues: [Issue]) -> String {
    MarkdownReport.table("| | rule | what | findings |", issues) { issue in
      let finding = issue.finding
      var what = InertText.code(finding.messageAndEnding)
      if let cause = issue.cause { what += " same cause as \(InertText.code(cause.rule))" }
      if let excuse = finding.excuse { what += " \(InertText.code(excuse))" }
      return [
        MarkdownReport.state(finding), InertText.code(results.title(ofRule: finding.rule)),
        what, "\(issue.count)" + (issue.logs > 1 ? " in \(issue.logs) logs" : ""),
      ]
    }
  }

  private static func state(_ finding: ReportedFinding) -> String {
    if finding.suppression != nil { return "accepted" }
    if !finding.isCounted { return "known" }
    return (finding.baselineState == nil ? "" : "new ") + finding.severity.word
  }

  /// What shows the findings, a collapsed section for each, as far as there is room.
  private func details(_ issues: [Issue], room: Int) -> [String] {
    var sections: [String] = []
    var room = room

    for (index, issue) in issues.enumerated() {
      let section = details(issue)
      room -= section.utf8.count + 2
      if room < 0 {
        let left = issues.count - index
        sections.append("\(left) more are not shown in detail.")
        break
      }
      sections.append(section)
    }
    return sections
  }

  private func details(_ issue: Issue) -> String {
    let finding = issue.finding
    let also = finding.dependents.map { "also    \($0.rule): \($0.message)" }
    let code = finding.codeLocation.map { ["at      \($0.file):\($0.line)"] } ?? []
    let log = code + ["log     \(finding.log)", "print   \(finding.fingerprint)"]
    let block = ([finding.messageAndEnding + finding.times] + finding.evidence + also + log)
      .map(InertText.codeLine)
    var parts = ["```text\n\(block.joined(separator: "\n"))\n```"]

    if let rule = results.rule(finding.rule) {
      let (why, remedy) = finding.advice(rule)
      let sources = rule.sources.map(\.text).joined(separator: "; ")
      parts.append("**expected** \(InertText.prose(rule.summary))")
      parts.append("**why** \(InertText.prose(why))")
      parts.append("**remedy** \(InertText.prose(remedy))")
      parts.append("**source** \(InertText.prose(sources))")
    }

    let title = InertText.xml(InertText.codeLine(results.title(ofRule: finding.rule)))
    return MarkdownReport.collapsed(
      "\(MarkdownReport.state(finding)) <code>\(title)</code>, \(issue.times)",
      parts.joined(separator: "\n\n"))
  }

  /// A section that is closed.
  static func collapsed(_ summary: String, _ body: String) -> String {
    "<details><summary>\(summary)</summary>\n\n\(body)\n\n</details>"
  }

  // MARK: What is fixed or not known, and what was checked

  private var fixed: String? {
    let entries = results.fixed
    if entries.isEmpty { return nil }
    let table = MarkdownReport.table("| rule | no longer found |", entries) { entry in
      [InertText.code(entry.rule), InertText.code(entry.times + entry.message)]
    }
    return MarkdownReport.collapsed("\(results.standing.fixed) fixed", table)
  }

  private var doubts: String? {
    let doubtful = results.rules.filter(\.isDoubtful)
    if doubtful.isEmpty { return nil }
    let table = MarkdownReport.table("| rule | why it cannot tell |", doubtful, most: .max) {
      tally in
      let reasons = tally.reasons.map(InertText.prose).joined(separator: "; ")
      let logs = results.logs > 1 ? " in \(tally.doubtful) logs" : ""
      return [InertText.code(tally.rule.title), reasons + logs]
    }
    return MarkdownReport.collapsed(
      CountText.of(doubtful.count, "rule") + " cannot tell", table)
  }

  private var lookedAt: String {
    let kept = results.rules.count(where: \.isKept)
    return "Checked \(results.eventWords) in \(CountText.of(results.logs, "log")), "
      + "\(results.gapWords). \(CountText.of(kept, "rule")) passed."
  }
}
