import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// The HTML of a page: all that it tells, also where no script runs, and the places that the script fills.
struct PageMarkup {
  let results: AnalysisResults
  let findings: PageFindings
  let quiet: [QuietPeriods.Period]
  let still: Markup
  /// What part of the run it is; `nil` for the whole.
  let part: Markup?
  /// The packed data.
  let data: String

  init(
    _ results: AnalysisResults, _ findings: PageFindings,
    quiet: [QuietPeriods.Period], still: Markup, part: Markup?, data: String
  ) {
    (self.results, self.findings) = (results, findings)
    (self.quiet, self.still, self.part, self.data) = (quiet, still, part, data)
  }

  /// The whole page.
  var page: Markup {
    let verdict = PageVerdict(results)
    return """
      \(PageMarkup.head("\(verdict.headline) – \(results.log?.name ?? "")", hasScript: true))
      <body><a class="skip" href="#findings">To the findings</a>
      \(verdict.markup)
      <main><div class="main">\(timeline)
      \(PageMarkup.moment)
      \(quietPeriods)
      \(PageMarkup.events)</div>
      <div class="side">\(findings.markup)
      \(story)
      \(doubts)</div>
      \(footer)</main>
      \(PageMarkup.keys)
      <script type="application/octet-stream" id="data">\(verbatim: data)</script>\
      <script>\(verbatim: PageSource.script)</script></body></html>

      """
  }

  /// What stands before the body: the policy first.
  static func head(_ title: String, hasScript: Bool) -> Markup {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" \
    content="\(PagePolicy.text(hasScript: hasScript))"><meta name="viewport" \
    content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">\
    <title>\(title)</title>\
    <style>\(verbatim: PageSource.style)</style></head>
    """
  }

  // MARK: What the script fills

  private var timeline: Markup {
    """
    <section id="timeline" aria-label="Timeline">\(part)<div class="script" hidden>\(PageMarkup.bar)\
    <div id="chart"><div id="labels" aria-hidden="true"></div><canvas id="picture" tabindex="0" \
    role="application" aria-roledescription="timeline" aria-label="Timeline. Arrows go from \
    event to event and from lane to lane, N to the next finding, ? lists the keys." aria-describedby="say"></canvas><div id="readout">Point at a bar, or use the arrow \
    keys</div><canvas id="map" aria-hidden="true"></canvas></div></div>\
    <figure id="still">\(still)<figcaption class="soft">Not to scale: quiet stretches are short. Numbers are findings.</figcaption></figure>\
    <p id="trouble" hidden></p></section>
    """
  }

  private static let bar: Markup = """
    <div class="bar" role="toolbar" aria-label="Timeline"><span class="pair" role="group" \
    aria-label="Time">\(button("story", "Story", "Quiet time is short (X)"))\
    \(button("clock", "Clock", "Time is to scale (X)"))</span>\(button("all", "All", "The whole run (0)"))\
    \(button("end", "The end", "The last moments (E)"))\
    \(button("quiet", "While not active", "Fade the time in which the app was active (I)"))<i></i>\
    \(button("out", "−", "Zoom out (S)"))\(button("in", "+", "Zoom in (W)"))\
    \(button("copy", "Copy", "Copy what is chosen, with a link (C)"))\(button("keys", "?", "Keys (?)"))</div>
    """

  private static func button(_ action: String, _ text: String, _ title: String) -> Markup {
    // A name that is no word needs another one for who does not see it.
    let name: Markup? = text.count > 1 ? nil : " aria-label=\"\(title)\""
    return """
      <button type="button" data-do="\(action)" title="\(title)"\(name)>\(text)</button>
      """
  }

  private static let moment: Markup = """
    <section id="at" class="script" hidden><h2>At \
    <output id="instant"></output><span id="wall"></span></h2><ul id="now"></ul>\
    <p id="event" class="mono"></p><p id="say" class="say" role="status"></p></section>
    """

  private static let events: Markup = """
    <section id="events" class="script" hidden><h2>Events \
    <input id="query" type="search" placeholder="Search  ( / )" aria-label="Search events">\
    <output id="hits"></output></h2><div id="list" class="mono" tabindex="0" role="listbox" aria-label="Events">\
    </div></section>
    """

  private static let keys: Markup = {
    let keys = [
      ("← →", "event before, after"), ("↑ ↓", "lane above, below"),
      ("N P", "finding after, before"),
      ("W S", "zoom in, out"), ("A D", "back, on"), ("F", "the finding that is chosen"),
      ("0", "the whole run"), ("E", "the end: the last moments"), ("X", "story or clock"),
      ("I", "fade what was active"), ("/", "search; Enter goes on"),
      ("C", "copy text, command and link"), ("Esc", "leave the lane, the finding, the search"),
    ].map { key, text -> Markup in "<dt>\(key)</dt><dd>\(text)</dd>" }
    return """
      <dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2><dl>\(keys)</dl>\
      <form method="dialog"><label><input type="checkbox" id="letters" checked> Letters work everywhere, \
      not on the timeline alone</label><button>Close</button></form></dialog>
      """
  }()

  // MARK: What is told anyway

  private var quietPeriods: Markup? {
    if quiet.isEmpty { return nil }
    return """
      <section id="quiet" tabindex="0" aria-label="While it was not active"><h2>While it was not active</h2>\
      <table><thead><tr><th>from</th><th>state</th><th>for</th><th>what ran or was held</th></tr></thead>\
      <tbody>\(quiet.map(PageMarkup.row))</tbody></table></section>
      """
  }

  private static func row(_ period: QuietPeriods.Period) -> Markup {
    let (from, to) = (PageTime.seconds(period.begin), PageTime.seconds(period.end))
    let told = period.items.prefix(8).map(item)
    let more = period.items.count - told.count + period.left
    let rest: Markup? = more > 0 ? " and \(more) more" : nil
    let nothing: Markup = "<span class=\"soft\">nothing recorded</span>"
    return """
      <tr><td><a href="#t=\(from)&amp;view=\(from)-\(to)"><time>\(TimeText.instant(period.begin))</time>\
      </a></td><td><span class="state \(period.state)">\(period.state)</span></td>\
      <td>\(TimeText.span(period.length))</td>\
      <td>\(told.isEmpty ? nothing : told.joined(", "))\(rest)</td></tr>
      """
  }

  private static func item(_ item: QuietPeriods.Item) -> Markup {
    let times = item.count > 1 ? "\(item.count) × " : ""
    let time = item.time > 0 ? " " + TimeText.span(item.time) : ""
    let most = item.most > 1 ? ", \(item.most) at once" : ""
    let text = times + item.text + time + most
    return item.isCut ? "<span class=\"cut\">\(text), never closed</span>" : "\(text)"
  }

  private var story: Markup? {
    guard let one = results.log, !one.milestones.isEmpty else { return nil }
    let lines = TimelineText(one).told.map { line -> Markup in
      guard let time = line.time else { return "<li class=\"day\">\(line.text)</li>" }
      return "<li><time>\(time)</time> <span>\(line.text)</span></li>"
    }
    return """
      <section id="story"><h2>What happened</h2>\
      <ol>\(lines)</ol></section>
      """
  }

  private var doubts: Markup? {
    let count = results.rules.count(where: \.isDoubtful)
    if count == 0 { return nil }
    let lines = Outcomes(results).doubts.map { reason, rules -> Markup in
      "<li>\(reason): <code>\(rules.map(\.rule.id).joined(separator: ", "))</code></li>"
    }
    return """
      <section id="doubts"><details class="aside" open><summary>\
      <h2>\(CountText.of(count, "rule")) cannot tell</h2></summary><ul>\(lines)</ul></details></section>
      """
  }

  private var footer: Markup {
    let profile = results.log?.profile.list.map {
      "\(InertText.word($0.key))=\(InertText.word($0.value))"
    }
    return """
      <footer>\((profile ?? []).joined(separator: " "))<br>All of it is in this file: it loads nothing.\
      </footer>
      """
  }
}

/// Instants as links name them.
enum PageTime {
  /// Seconds with as many digits as it takes, and no unit: `15.1412`.
  static func seconds(_ instant: Instant) -> String {
    let magnitude = instant.nanoseconds.magnitude
    let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    let digits = String(rest)
    var fraction = String(repeating: "0", count: 9 - digits.count) + digits
    while fraction.last == "0" { fraction.removeLast() }
    return (instant.nanoseconds < 0 ? "-" : "") + "\(whole)"
      + (fraction.isEmpty ? "" : "." + fraction)
  }
}

extension [Markup] {
  /// One behind the other, with `separator` between them.
  func joined(_ separator: String) -> Markup {
    Markup(verbatim: map(\.html).joined(separator: InertText.xml(separator)))
  }
}
