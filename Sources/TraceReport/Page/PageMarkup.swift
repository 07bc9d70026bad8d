import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// The HTML of a page: everything that it shows, also where no script runs, and the places that the
/// script fills.
struct PageMarkup {
  /// A story of more lines is folded where a script runs.
  private static let storyLimit = 30

  let results: AnalysisResults
  let findings: Markup
  let quiet: [QuietPeriods.Period]
  /// The lines of the picture for where no script runs.
  let still: [String]
  /// What part of the run it is; `nil` for the whole.
  let part: Markup?
  /// The packed data.
  let data: String

  /// The whole page.
  var page: Markup {
    let verdict = PageVerdict(results)
    let body = Markup(
      PageSource.body,
      [
        "verdict": verdict.markup, "part": part, "still": picture, "quiet": quietPeriods,
        "findings": findings, "story": story, "doubts": doubts,
        "profile": "\((results.log?.profile.words ?? []).joined(separator: " "))",
        "data": Markup(verbatim: data), "script": Markup(verbatim: PageSource.log.script),
      ])
    let title = "\(verdict.headline) – \(results.log?.name ?? "")"
    return "\(PageMarkup.head(title, .log))\n\(body)\n"
  }

  /// What stands before the body: the policy first.
  static func head(_ title: String, _ source: PageSource) -> Markup {
    """
    \(verbatim: PageFile.beginning) \
    content="\(source.policy)"><meta name="viewport" \
    content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">\
    <title>\(title)</title>\
    <style>\(verbatim: source.style)</style></head>
    """
  }

  private var picture: Markup {
    """
    <pre role="img" aria-label="Timeline; the lists contain the same">\
    \(verbatim: still.joined(separator: "\n"))</pre>
    """
  }

  /// A piece of the still picture in the color of its tone, which no policy against styles stops.
  static func colored(_ text: String, _ tone: PictureRow.Tone) -> String {
    let color =
      switch tone {
      case .plain: ""
      case .active: "#2e7d5b"
      case .inactive: "#8a5a00"
      case .background: "#4a5a78"
      case .dim: "#6b6f76"
      case .bad: "#b3261e"
      }
    let markup: Markup = color.isEmpty ? "\(text)" : "<font color=\"\(color)\">\(text)</font>"
    return markup.text
  }

  private var quietPeriods: Markup? {
    if quiet.isEmpty { return nil }
    return """
      <section id="quiet"><h2>While it was not active</h2>\
      <table><thead><tr><th>from</th><th>state</th><th>for</th><th>what ran or was held</th></tr></thead>\
      <tbody>\(quiet.map(row))</tbody></table></section>
      """
  }

  private func row(_ period: QuietPeriods.Period) -> Markup {
    let (from, to) = (PageTime.seconds(period.begin), PageTime.seconds(period.end))
    let items = period.items.prefix(8).map(PageMarkup.item)
    let rest = CountText.more(period.items.count - items.count + period.left, behind: " ")
    let nothing: Markup = "<span class=\"soft\">nothing recorded</span>"
    let alike: Markup? =
      period.alike == 0 ? nil : "<span class=\"soft\">; \(period.alike) more like it</span>"
    return """
      <tr><td data-name="from"><a href="#t=\(from)&amp;view=\(from)-\(to)">\
      <time>\(PageTime.text(period.begin, in: results.log))</time></a></td>\
      <td data-name="state"><span class="state \(period.state)">\(period.state)</span></td>\
      <td data-name="for">\(TimeText.span(period.length))</td>\
      <td class="wide" data-name="what ran or was held">\(items.isEmpty ? nothing : items.joined(", "))\(rest)\(alike)</td></tr>
      """
  }

  private static func item(_ item: QuietPeriods.Item) -> Markup {
    let times = item.count > 1 ? "\(item.count) × " : ""
    let time = item.time >= PageTime.least ? " " + TimeText.span(item.time) : ""
    let most = item.most > 1 ? ", \(item.most) at once" : ""
    let text = times + item.text + time + most
    return item.isCut ? "<span class=\"cut\">\(text), never closed</span>" : "\(text)"
  }

  private var story: Markup? {
    guard let one = results.log, !one.milestones.isEmpty else { return nil }
    let lines = one.story.map { line -> Markup in
      guard let time = line.time else { return "<li class=\"day\">\(line.text)</li>" }
      return "<li><time>\(time)</time> <span>\(line.text)</span></li>"
    }
    let (heading, list): (Markup, Markup) = ("<h2>What happened</h2>", "<ol>\(lines)</ol>")
    let isLong = lines.count > PageMarkup.storyLimit
    return """
      <section id="story">\(isLong ? .aside(heading, list) : "\(heading)\(list)")</section>
      """
  }

  private var doubts: Markup? {
    let count = results.rules.count(where: \.isDoubtful)
    if count == 0 { return nil }
    let lines = results.rules(by: \.cannotTell).map { reason, rules -> Markup in
      "<li>\(reason): <code>\(rules.map(\.rule.id).joined(separator: ", "))</code></li>"
    }
    let heading: Markup = "<h2>\(CountText.of(count, "rule")) cannot tell</h2>"
    return "<section id=\"doubts\">\(Markup.aside(heading, "<ul>\(lines)</ul>"))</section>"
  }
}

/// Times as a page writes them.
enum PageTime {
  /// A shorter time is none: clocks do not tell it, and texts keep their order by it.
  static let least: Nanoseconds = 1000
  private static let day: Nanoseconds = 86_400_000_000_000

  /// A span, from two days on in days.
  static func span(_ span: Nanoseconds) -> String {
    span < 2 * day ? TimeText.span(span) : CountText.of(Int(span / day), "day")
  }

  /// An instant; in a log of days with its date, where that is known.
  static func text(_ instant: Instant, in log: OneLog?) -> String {
    guard let log, let clock = log.clock, clock.isDated, log.length >= 2 * day else {
      return TimeText.instant(instant)
    }
    return clock.stamp(instant)
  }

  // MARK: Links

  /// Seconds with as many digits as it takes, and no unit: `15.1412`.
  static func seconds(_ instant: Instant) -> String {
    let magnitude = instant.nanoseconds.magnitude
    let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    var fraction = pad(left: 9, with: "0", String(rest))
    while fraction.last == "0" { fraction.removeLast() }
    return (instant.nanoseconds < 0 ? "-" : "") + "\(whole)"
      + (fraction.isEmpty ? "" : "." + fraction)
  }
}

extension [Markup] {
  /// One behind the other, with `separator` between them.
  func joined(_ separator: String) -> Markup {
    Markup(verbatim: map(\.text).joined(separator: InertText.xml(separator)))
  }
}

/// How a page is known among files.
package enum PageFile {
  /// How each page begins.
  static let beginning = """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"
    """

  /// Whether a file that begins with `bytes` is a page.
  package static func isPage(_ bytes: [UInt8]) -> Bool { bytes.starts(with: beginning.utf8) }
}
