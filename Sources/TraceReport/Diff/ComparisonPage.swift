import LifecycleModel
import TraceAnalysis
import TraceText

/// A comparison of runs as one page for a browser, that loads nothing and runs no script.
package struct ComparisonPage {
  /// So many kinds of episode have timelines.
  private static let kindsDrawn = 20
  /// So many findings that both sides have are listed.
  private static let sameTold = 100

  private let comparison: RunComparison
  private let words: DiffWords
  /// How the processes of A and B ended.
  private let ends: [(name: String, text: String?)]
  private let pairs: [EpisodePair]

  /// Makes the page of a comparison of two sides, with the episodes of ``kinds(_:)``.
  package init(
    _ comparison: RunComparison, _ first: DiffSide, _ second: DiffSide, _ pairs: [EpisodePair]
  ) {
    self.comparison = comparison
    self.pairs = pairs
    words = DiffWords(comparison: comparison)
    ends = [("A", first.ends), ("B", second.ends)]
  }

  /// The kinds of episode that differ and are drawn, the first those with what chance does not explain.
  package static func kinds(_ comparison: RunComparison) -> [String] {
    var seen: Set<String> = []
    return Array(
      comparison.rows.map(\.episode).filter { seen.insert($0).inserted }.prefix(kindsDrawn))
  }

  /// The whole page.
  package var html: String {
    let logs = [comparison.a, comparison.b].map { $0.logs.first ?? "" }.joined(separator: " → ")
    let head = PageMarkup.head(
      "\(words.headline) – \(logs)", script: nil, style: PageSource.comparisonStyle)
    let page: Markup = """
      \(head)
      <body><a class="skip" href="#differences">To the differences</a>
      \(header)
      <main><div class="main">\(certain)
      \(maybe)</div>
      <div class="side">\(findings)
      \(doubts)
      \(same)</div>
      <div class="wide">\(episodes)</div>
      <footer>All of it is in this file: it loads nothing, and runs no script.</footer></main></body></html>

      """
    return page.html
  }

  // MARK: The verdict

  /// A word of the style, and what it says.
  private var tone: (name: String, kind: String) {
    let part = RunDifference.leastShift.part
    if comparison.isRegression(slowerBy: .infinity, findingsFrom: .error) {
      return ("error", "Worse")
    }
    if comparison.isRegression(slowerBy: part, findingsFrom: .warning) {
      return ("warning", "Worse")
    }

    if !comparison.isSame {
      return comparison.differsForCertain ? ("info", "Different") : ("unknown", "Nothing certain")
    }
    return words.doubts.isEmpty && comparison.deaths.isEmpty
      ? ("good", "The same") : ("unknown", "The same, as far as both show")
  }

  private var header: Markup {
    let (name, kind) = tone
    let ends = ends.map { side, text -> Markup in
      "<div><dt>\(side) ended</dt><dd>\(text ?? "not in its log")</dd></div>"
    }
    let sides = words.sides.map { line -> Markup in "<li>\(line)</li>" }
    return """
      <header class="\(name)"><p class="kind">\(kind)</p><h1>\(PageVerdict.sentence(words.headline))</h1>\
      <dl class="ends">\(ends)</dl><ul class="facts">\(sides)</ul></header>
      """
  }

  // MARK: The rows

  private var numbered: [EpisodePair.Flag] {
    comparison.rows.enumerated().map { EpisodePair.Flag(number: $0.offset + 1, row: $0.element) }
  }

  private var certain: Markup {
    let rows = numbered.filter(\.row.certain)
    let none: Markup = "<p>Nothing. What may be chance stands below.</p>"
    let nothing: Markup = "<p>Nothing differs in the episodes.</p>"
    let legend = words.legend.map { text -> Markup in "<p class=\"soft\">\(text)</p>" }
    return """
      <section id="differences"><h2>Chance does not explain</h2>\
      \(rows.isEmpty ? (comparison.rows.isEmpty ? nothing : none) : list(rows))\(legend)</section>
      """
  }

  private var maybe: Markup? {
    let rows = numbered.filter { !$0.row.certain }
    let left = comparison.rowsLeftOut
    if rows.isEmpty && left == 0 { return nil }
    let more: Markup? = left > 0 ? "<p class=\"soft\">and \(left) more</p>" : nil
    return """
      <section id="maybe"><h2>\(words.maybe)</h2>\(list(rows))\(more)</section>
      """
  }

  private func list(_ rows: [EpisodePair.Flag]) -> Markup {
    "<ol class=\"rows\">\(rows.map(item))</ol>"
  }

  private func item(_ one: EpisodePair.Flag) -> Markup {
    let row = one.row
    let event: Markup? = row.event.map { "<code>\($0)</code>" }
    let place = pairs.firstIndex { $0.kind == row.episode }
    let episode: Markup =
      place.map { "<a href=\"#episode-\($0 + 1)\">\(row.episode)</a>" } ?? "\(row.episode)"
    return """
      <li id="row-\(one.number)"><span class="number">\(one.number)</span><div>\
      <p><b class="change">\(row.change)</b> \(event)</p><p>\(row.values)</p>\
      <p class="soft">\(episode) · p \(ProbabilityText.of(row.adjustedP))</p></div></li>
      """
  }

  // MARK: Episodes

  private var episodes: Markup? {
    if pairs.isEmpty { return nil }
    let rows = Dictionary(grouping: numbered, by: \.row.episode)
    let figures = pairs.enumerated().map { index, pair in
      pair.markup(id: "episode-\(index + 1)", rows[pair.kind] ?? [])
    }

    let left = Set(comparison.rows.map(\.episode)).count - pairs.count
    let more: Markup? =
      left > 0
      ? "<p class=\"soft\">\(CountText.of(left, "further kind")) of episode without timelines</p>"
      : nil
    return """
      <section id="episodes"><h2>Episodes that differ</h2><p class="soft">Of each kind the episode of A and \
      that of B that is longer than half of the others. A flag leads to its row.</p>\(figures)\(more)</section>
      """
  }

  // MARK: Findings, and the rest

  private var findings: Markup {
    let changed = comparison.findings.filter { $0.change != "same" }
    let same = comparison.findings.filter { $0.change == "same" }
    let left = same.count - ComparisonPage.sameTold
    let more: Markup? = left > 0 ? "<li class=\"soft\">and \(left) more</li>" : nil
    let both: Markup? =
      same.isEmpty
      ? nil
      : """
      <details open><summary>\(CountText.of(same.count, "finding")) in both</summary><ol class="list">\
      \(same.prefix(ComparisonPage.sameTold).map(item))\(more)</ol></details>
      """

    let list: Markup =
      changed.isEmpty
      ? "<p>\(same.isEmpty ? "None in A and none in B." : "None that only one of both has.")</p>"
      : "<ol class=\"list\">\(changed.map(item))</ol>"
    return "<section id=\"changes\"><h2>Findings</h2>\(list)\(both)</section>"
  }

  private func item(_ finding: RunComparison.Found) -> Markup {
    """
    <li class="\(finding.severity.rawValue)"><p><b class="change">\(finding.change)</b> \
    <span class="tone">\(finding.severity.rawValue)</span> \(words.told(finding))</p>\
    <p class="soft">\(finding.rule) · \(finding.fingerprint)</p></li>
    """
  }

  private var doubts: Markup? {
    if words.doubts.isEmpty { return nil }
    let lines = words.doubts.map { line -> Markup in "<li>\(line)</li>" }
    return """
      <section id="doubts"><h2>What the runs do not share</h2><ul class="list">\(lines)</ul></section>
      """
  }

  private var same: Markup {
    let lines = ([words.sameEnd].compactMap(\.self) + [words.same]).map { line -> Markup in
      "<li>\(line)</li>"
    }
    return "<section><h2>The same</h2><ul class=\"list\">\(lines)</ul></section>"
  }
}
