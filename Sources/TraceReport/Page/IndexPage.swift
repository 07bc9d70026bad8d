import LifecycleModel
import TraceAnalysis
import TraceText

/// The page about many logs: what was found in them, a row for each cause, then a row for each log, which leads to
/// its page.
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
    let tone: Verdict.Tone
    let kind: String
    /// What it shows of each issue.
    let sightings: [IndexIssue.Key: IndexIssue.Sighting]

    /// The row of a log whose page lies at `page`, as this page names it.
    package init(_ results: AnalysisResults, log: String, page: String) {
      let verdict = PageVerdict(results)
      (self.log, self.page) = (log, page)
      (headline, tone, kind) = (Headline(results).whole, verdict.tone, verdict.kind)
      let (release, day) = (results.log?.release, results.log?.day)
      sightings = Dictionary(
        results.issues.map { issue in
          let print = issue.finding.fingerprint
          return (
            IndexIssue.Key(issue.finding),
            IndexIssue.Sighting(
              log: log, link: "\(InertText.uri(page))#finding=\(print)", count: issue.count,
              release: release, day: day)
          )
        }
      ) { first, _ in first }
    }

    /// The row of a log that could not be read.
    package init(unreadable error: String, log: String) {
      (self.log, page, headline) = (log, nil, error)
      (tone, kind, sightings) = (.error, "Error", [:])
    }
  }

  /// At most this many issues are listed.
  private static let issueLimit = 500
  /// At most this many logs of an issue are named.
  private static let logLimit = 20
  /// The number of days of which a trend has a bar.
  private static let trendDays = 28

  private let total: AnalysisResults
  private let rows: [Row]
  private let issues: [IndexIssue]
  /// What all names of logs begin with: up to a `/`.
  private let prefix: String

  /// Makes the page of logs, whose results together are `total`.
  package init(_ total: AnalysisResults, _ rows: [Row]) {
    self.total = total
    self.rows = rows.sorted { $0.tone < $1.tone }
    issues = IndexIssue.all(total, self.rows)
    prefix = Self.commonFolder(rows.map(\.log))
  }

  /// The whole page.
  package var html: String {
    let headline = Headline(total).whole
    let source = PageSource.index
    let title = "\(CountText.of(rows.count, "log")): \(headline)"
    let page: Markup = """
      \(PageMarkup.head(title, source))
      <body><header class="\((rows.first?.tone ?? .unknown).rawValue)"><p class="kind">\
      \(CountText.of(rows.count, "log")) <span>\(prefix)</span></p>\
      <h1>\(standing)</h1>\(PageVerdict(total).answers(isHeadlined: false).prefix(1).map(\.self))</header>
      <main>\(list)\(logs)\(deaths)</main>\
      <script>\(verbatim: source.script)</script></body></html>

      """
    return page.text
  }

  /// `3 with findings, 9 without findings`, without the number of logs, which stands above it.
  private var standing: String {
    let parts = Headline(total).ofMany.split(separator: ": ", maxSplits: 1)
    return PageVerdict.sentence(String(parts[parts.count - 1]))
  }

  /// The folder in which all logs lie, with its `/`; empty without one.
  private static func commonFolder(_ names: [String]) -> String {
    guard let first = names.first else { return "" }
    let common = names.reduce(first[...]) { common, name in
      common.prefix(zip(common, name).prefix { $0 == $1 }.count)
    }
    return common.lastIndex(of: "/").map { String(common[...$0]) } ?? ""
  }

  private func short(_ log: String) -> String { String(log.dropFirst(prefix.count)) }

  // MARK: Issues

  private var list: Markup? {
    if issues.isEmpty { return nil }
    let left = issues.count - IndexPage.issueLimit
    let more: Markup? = left > 0 ? "<p class=\"soft\">and \(left) more</p>" : nil
    let days = issues.flatMap(\.days)
    let dated: Markup? =
      days.isEmpty
      ? nil : "\(sorter("first seen"))\(sorter("last seen"))<th scope=\"col\">by day</th>"
    let hasReleases = issues.contains { !$0.releases.isEmpty }
    let released: Markup? = hasReleases ? "<th scope=\"col\">releases</th>" : nil
    let lastDay = days.max()
    let lines = issues.prefix(IndexPage.issueLimit).enumerated().map { place, issue in
      row(issue, place: place, hasReleases: hasReleases, lastDay: lastDay)
    }
    return """
      <section id="issues"><h2>Issues</h2>\
      <div class="bar"><input id="query" type="search" placeholder="search ( / )" aria-label="search the issues">\
      \(releases)<output id="hits"></output></div>\
      <table><thead><tr>\(sorter("what was found"))\(sorter("times"))\(sorter("logs"))\(released)\(dated)</tr>\
      </thead><tbody>\(lines)</tbody></table>\(more)</section>
      """
  }

  private func sorter(_ name: String) -> Markup {
    "<th scope=\"col\"><button type=\"button\">\(name)</button></th>"
  }

  private var releases: Markup? {
    let all = Set(issues.flatMap(\.releases)).sorted()
    if all.isEmpty { return nil }
    let options = all.map { release -> Markup in "<option value=\"\(release)\">\(release)</option>"
    }
    return """
      <select id="release" aria-label="release"><option value="">all releases</option>\(options)</select>
      """
  }

  private func row(
    _ issue: IndexIssue, place: Int, hasReleases: Bool, lastDay: Int?
  ) -> Markup {
    let finding = issue.finding
    let releases = issue.releases
    let days = issue.days
    let released: Markup? =
      hasReleases ? "<td data-name=\"releases\">\(releases.joined(separator: ", "))</td>" : nil
    let dated: Markup? = lastDay.map { last in
      """
      \(cell("first seen", days.first))\(cell("last seen", days.last))<td data-name="by day">\(days.isEmpty ? nil : IndexPage.trend(of: issue, upTo: last))</td>
      """
    }
    let tone = finding.isCounted ? finding.severity.rawValue : "unknown"
    let excuse = finding.excuse.map { " (\($0))" } ?? ""
    return """
      <tr class="\(tone)" data-releases="\(releases.joined(separator: " | "))">\
      <td class="wide" data-value="\(issues.count - place)"><details><summary><b>\(finding.severity.rawValue)</b> \
      \(finding.message)\(excuse)</summary>\(details(issue))</details></td>\
      <td data-name="times" data-value="\(issue.count)">\(issue.count)</td>\
      <td data-name="logs" data-value="\(issue.sightings.count)">\(issue.sightings.count)</td>\
      \(released)\(dated)</tr>
      """
  }

  private func cell(_ name: String, _ day: Int?) -> Markup {
    let time: Markup? = day.map { "<time>\(WallTime.day($0))</time>" }
    return "<td data-name=\"\(name)\" data-value=\"\(day ?? 0)\">\(time)</td>"
  }

  /// What to do, the rule, and the logs that have it, each with a link to the finding on its page.
  private func details(_ issue: IndexIssue) -> Markup {
    let finding = issue.finding
    let fix: Markup? = total.remedy(finding).map { "<p><b>fix</b> \($0)</p>" }
    let found = issue.sightings.prefix(IndexPage.logLimit).map { sighting -> Markup in
      let times = sighting.count > 1 ? " (\(sighting.count) times)" : ""
      return "<a href=\"\(sighting.link)\">\(short(sighting.log))</a>\(times)"
    }
    let more = CountText.more(issue.sightings.count - found.count, behind: " ")
    return """
      \(fix)<p class="soft">\(total.rule(finding.rule)?.summary ?? "") (\(total.title(ofRule: finding.rule)))</p>\
      <p>in \(found.joined(", "))\(more)</p>
      """
  }

  /// Bars that show on which of the days up to the `last` one an issue was seen.
  private static func trend(of issue: IndexIssue, upTo last: Int) -> Markup {
    let first = last - trendDays + 1
    var counts = [Int](repeating: 0, count: trendDays)
    for sighting in issue.sightings {
      guard let day = sighting.day, day >= first else { continue }
      counts[day - first] += sighting.count
    }

    let most = max(1, counts.max() ?? 1)
    let bars = counts.enumerated().map { place, number in
      "M\(3 * place + 1) 20v-\(number == 0 ? 1 : max(4, number * 20 / most))"
    }
    let words = "\(CountText.of(counts.reduce(0, +), "finding")) in \(trendDays) days"
    return """
      <svg viewBox="0 0 84 20" role="img" aria-label="\(words)"><path d="\(verbatim: bars.joined())"/></svg>
      """
  }

  // MARK: Logs and ends

  private var logs: Markup {
    let lines = rows.map { row -> Markup in
      let name = short(row.log)
      let link: Markup =
        row.page.map { "<a href=\"\(InertText.uri($0))\">\(name)</a>" } ?? "\(name)"
      return """
        <tr><td class="wide"><span class="kind \(row.tone.rawValue)">\(row.kind)</span></td>\
        <td class="wide" data-name="log">\(link)</td>\
        <td class="wide" data-name="what was found">\(row.headline)</td></tr>
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
      """
      <tr><td data-name="times">\(death.count)</td><td data-name="kind">\(death.class.rawValue)</td>\
      <td class="wide" data-name="cause">\(death.name)</td></tr>
      """
    }
    return """
      <section><h2>How processes ended</h2><table><thead><tr><th>times</th><th>kind</th><th>cause</th></tr>\
      </thead><tbody>\(lines)</tbody></table></section>
      """
  }
}

extension OneLog {
  /// The release of the app: `3.2.1 (412)`; `nil` where the log does not say it.
  fileprivate var release: String? {
    let (version, build) = (profile.list[.version], profile.list[.build])
    guard let version else { return build.map { InertText.word($0) } }
    return InertText.line(build.map { "\(version) (\($0))" } ?? version)
  }

  /// The day on which it ends, since 1970; `nil` where the log does not say it.
  fileprivate var day: Int? {
    guard let clock, clock.isDated, let last else { return nil }
    return clock.dayNumber(last)
  }
}
