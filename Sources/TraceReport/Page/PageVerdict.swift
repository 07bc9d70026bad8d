import LifecycleModel
import TraceAnalysis
import TraceText

/// The strip at the top of a page: the cause, how sure it is, and what to do; then how much was looked at.
struct PageVerdict {
  private let results: AnalysisResults
  private let verdict: Verdict

  init(_ results: AnalysisResults) {
    self.results = results
    verdict = Verdict(results)
  }

  /// What happened first: the cause where the log shows it, else how it ended, or what is worst.
  var headline: String {
    let item = verdict.items[0]
    guard let cause = item.cause else {
      return PageVerdict.sentence(Headline(results).whole)
    }
    if isCauseFirst { return PageVerdict.sentence(PageVerdict.timed(cause)) }

    // The line above names the process.
    let parts = item.title.split(separator: ": ", maxSplits: 1)
    return PageVerdict.sentence(
      results.ended == 1 && parts.count == 2 ? String(parts[1]) : item.title)
  }

  /// Whether the cause is known well enough to be the headline.
  private var isCauseFirst: Bool {
    switch verdict.items[0].certainty {
    case nil, .certain, .likely: true
    case .stated, .possible, .unknown: false
    }
  }

  /// How serious it is.
  var tone: Verdict.Tone { verdict.tone }

  /// The same in words.
  var kind: String {
    switch verdict.tone {
    case .error: "Error"
    case .warning: "Warning"
    case .info: "Note"
    case .good: "No findings"
    case .unknown:
      results.standing.counted.isEmpty && results.rules.contains(where: \.isKept)
        ? "Little evidence" : "Cannot tell"
    }
  }

  var markup: Markup {
    let facts = facts.map { name, text -> Markup in "<div><dt>\(name)</dt><dd>\(text)</dd></div>" }
    let paragraphs = results.endParagraphs.map { text -> Markup in "<p>\(text)</p>" }
    let account: Markup? =
      paragraphs.isEmpty ? nil : .aside("how it ended", "\(paragraphs)")
    let badge: Markup? =
      isCauseFirst ? PageVerdict.badge(verdict.items[0]).map { " \($0)" } : nil
    return """
      <header class="\(tone.rawValue)"><p class="kind">\(kind) <span>\(results.log?.title ?? results.log?.name ?? "")</span></p>\
      <h1>\(PageVerdict.chipped(headline))\(badge)</h1>\(answers(isHeadlined: true))\(step)\(account)\
      <dl class="facts">\(facts)</dl></header>
      """
  }

  /// How sure the cause is; `nil` where there is none.
  private static func badge(_ item: Verdict.Item) -> Markup? {
    item.certainty.map {
      "<b class=\"badge\">\($0 == .unknown ? "cause not known" : $0.rawValue)</b>"
    }
  }

  /// What happened, why, how sure that is, and what to do; of the first one without what a headline says.
  func answers(isHeadlined: Bool) -> [Markup] {
    verdict.items.enumerated().map { index, item in
      let isFirst = isHeadlined && index == 0
      if isFirst && item.cause == nil { return "" }

      let said = !isFirst ? [item.title, item.cause] : [isCauseFirst ? item.title : item.cause]
      var lines = said.compactMap(\.self).map { PageVerdict.chipped(PageVerdict.timed($0)) }
      if !isFirst || !isCauseFirst, let badge = PageVerdict.badge(item) {
        lines[lines.count - 1] += " \(badge)"
      }

      let fix: Markup? = item.fix.map { "<p class=\"fix\"><b>fix</b> \($0)</p>" }
      return "\(lines.map { line -> Markup in "<p>\(line)</p>" })\(fix)"
    }
  }

  /// The one step that would help most where much was not seen.
  private var step: Markup? {
    verdict.unseen?.step.map { "<p class=\"fix\"><b>next</b> \($0)</p>" }
  }

  private var facts: [(String, Markup)] {
    var facts: [(String, Markup)] = []
    facts.append(("findings", "\(findings)"))
    let kept = results.rules.count(where: \.isKept)
    let doubtful = results.rules.count(where: \.isDoubtful)
    let doubts: Markup? = doubtful > 0 ? ", <a href=\"#doubts\">\(doubtful) cannot tell</a>" : nil
    facts.append(("rules", "\(kept) passed\(doubts)"))

    let one = results.log
    let span = PageTime.span(one?.length ?? 0)
    let size = "\(results.eventWords), \(span), \(results.gapWords)"
    facts.append((one?.name ?? "log", "\(size)"))
    return facts
  }

  private var findings: String {
    let standing = results.standing
    var parts = standing.countedWords()
    if standing.known > 0 { parts.append("\(standing.known) known") }
    if standing.accepted > 0 { parts.append("\(standing.accepted) accepted") }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  // MARK: Sentences

  /// The text with the code of an end, which stands in it in parentheses, as a chip.
  private static func chipped(_ text: String) -> Markup {
    let codes = #/ \((0x[0-9a-f]+|SIG\w+|\w+(-\w+)+)\)/#
    guard let code = text.firstMatch(of: codes) else { return "\(text)" }
    return """
      \(String(text[..<code.range.lowerBound])) <code class="chip">\(String(code.output.1))</code>\
      \(String(text[code.range.upperBound...]))
      """
  }

  /// The text with `since 432300s`, which reads like a length, as `since 120h 5min into the log`; labels
  /// stay as they are.
  static func timed(_ text: String) -> String {
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      guard index % 2 == 0 else { return String(part) }
      return String(part).replacing(#/since (\d[\d.]*(?:s|ms|us|ns))\b/#) { match in
        let instant = InstantText.parse(ArraySlice(match.output.1.utf8))
        return instant.map { "since \(TimeText.span($0)) into the log" } ?? String(match.output.0)
      }
    }.joined(separator: "\"")
  }

  /// Words as a sentence, which begins with a capital letter unless it begins with a name.
  static func sentence(_ text: String) -> String {
    let first = text.prefix { $0 != " " }
    let isWord = first.allSatisfy { $0.isLetter && $0.isLowercase }
    return (isWord ? text.prefix(1).uppercased() + text.dropFirst() : text) + "."
  }
}
