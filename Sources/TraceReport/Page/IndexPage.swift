import LifecycleModel
import TraceAnalysis
import TraceText

/// The page about many logs: how processes ended, what was found in several of them, and a row for each
/// log that leads to its page.
package struct IndexPage {
  /// A row: a log and its page.
  package struct Row {
    /// The log's name.
    let log: String
    /// The page beside this one; `nil` for a log that could not be read.
    let page: String?
    /// Its verdict in a line.
    let headline: String
    /// How serious it is.
    let rank: Int
    let tone: String
    let kind: String
    /// The fingerprint of a finding of each cause.
    fileprivate let causes: [IndexCause.Key: String]

    /// The row of a log whose page lies at `page`, as this page names it.
    package init(_ results: AnalysisResults, log: String, page: String) {
      let verdict = PageVerdict(results)
      (self.log, self.page) = (log, page)
      (headline, tone, kind) = (Headline(results).whole, verdict.tone, verdict.kind)
      causes = Dictionary(
        results.issues.map { (IndexCause.Key($0.finding), $0.finding.fingerprint) }
      ) { first, _ in first }
      rank = ["error", "warning", "unknown", "info", "good"].firstIndex(of: tone) ?? 0
    }

    /// The row of a log that could not be read.
    package init(unreadable error: String, log: String) {
      (self.log, page, headline) = (log, nil, error)
      (rank, tone, kind, causes) = (0, "error", "Error", [:])
    }
  }

  /// At most this many causes are listed.
  private static let causeLimit = 100
  /// At most this many logs of a cause are named.
  private static let logLimit = 20

  private let total: AnalysisResults
  private let rows: [Row]

  /// Makes the page of logs, whose results together are `total`.
  package init(_ total: AnalysisResults, _ rows: [Row]) {
    self.total = total
    self.rows = rows.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    .map(\.element)
  }

  /// The whole page.
  package var html: String {
    let headline = Headline(total).whole
    let page: Markup = """
      \(PageMarkup.head("\(CountText.of(rows.count, "log")): \(headline)", hasScript: false))
      <body><header class="\(rows.first?.tone ?? "unknown")"><p class="kind">\
      \(CountText.of(rows.count, "log"))</p><h1>\(PageVerdict.sentence(headline))</h1></header>
      <main><div class="main">\(logs)</div><div class="side">\(deaths)\(causes)</div></main></body></html>

      """
    return page.html
  }

  private var logs: Markup {
    let lines = rows.map { row -> Markup in
      let name: Markup =
        row.page.map { "<a href=\"\(InertText.uri($0))\">\(row.log)</a>" } ?? "\(row.log)"
      return """
        <tr><td><span class="kind \(row.tone)">\(row.kind)</span></td>\
        <td>\(name)</td><td>\(row.headline)</td></tr>
        """
    }
    return """
      <section class="logs"><h2>Logs</h2><table><thead><tr><th></th><th>log</th><th>what was found</th>\
      </tr></thead><tbody>\(lines)</tbody></table></section>
      """
  }

  private var deaths: Markup? {
    if total.deaths.isEmpty { return nil }
    let lines = total.deaths.map { death -> Markup in
      "<tr><td>\(death.count)</td><td>\(death.class.rawValue)</td><td>\(death.name)</td></tr>"
    }
    return """
      <section><h2>How processes ended</h2><table><thead><tr><th>times</th><th></th><th>cause</th></tr>\
      </thead><tbody>\(lines)</tbody></table></section>
      """
  }

  private var causes: Markup? {
    let causes = IndexCause.all(total.issues)
    if causes.isEmpty { return nil }
    let rules = total.rulesByID
    let lines = causes.prefix(IndexPage.causeLimit).map { cause -> Markup in
      let finding = cause.finding
      return """
        <li class="\(finding.severity.rawValue)"><b>\(rules[finding.rule]?.summary ?? finding.rule)</b> \
        <span class="message">\(finding.message)</span> <span class="soft">\
        <b class="tone">\(finding.severity.rawValue)</b> · \(CountText.of(cause.count, "finding")) in \
        \(logs(with: cause))</span></li>
        """
    }
    let left = causes.count - lines.count
    let more: Markup? = left > 0 ? "<p class=\"soft\">and \(left) more</p>" : nil
    return """
      <section id="findings" class="causes"><h2>Findings</h2><ol>\(lines)</ol>\(more)</section>
      """
  }

  /// The logs that have it, each with a link to the finding on its page.
  private func logs(with cause: IndexCause) -> Markup {
    let found = rows.compactMap { row -> Markup? in
      guard let page = row.page, let print = row.causes[cause.key] else { return nil }
      return "<a href=\"\(InertText.uri(page))#finding=\(print)\">\(row.log)</a>"
    }
    let left = found.count - IndexPage.logLimit
    let more: Markup? = left > 0 ? " and \(left) more" : nil
    return "\(Array(found.prefix(IndexPage.logLimit)).joined(", "))\(more)"
  }
}

/// What is found in logs by one rule about one thing, such as a task of one name.
private struct IndexCause {
  /// A rule, and what it is about: a label where there is one, since numbers differ from run to run.
  struct Key: Hashable {
    let rule: String
    let words: [String?]

    init(_ finding: ReportedFinding) {
      rule = finding.rule
      let event = finding.culprit?.event
      words = [event?.verb, event?.name, event?.label ?? event?.subject ?? finding.subject]
    }
  }

  let key: Key
  /// The finding to show.
  let finding: ReportedFinding
  fileprivate(set) var count: Int

  /// The causes in the order of the first issue of each.
  static func all(_ issues: [Issue]) -> [IndexCause] {
    var places: [Key: Int] = [:]
    var causes: [IndexCause] = []

    for issue in issues {
      let key = Key(issue.finding)
      if let place = places[key] {
        causes[place].count += issue.count
      } else {
        places[key] = causes.count
        causes.append(IndexCause(key: key, finding: issue.finding, count: issue.count))
      }
    }
    return causes
  }
}
