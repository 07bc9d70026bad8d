import LifecycleModel
import TraceAnalysis
import TraceText

/// The strip at the top of a page: the cause, how sure it is, and what to do; then how much was looked at.
struct PageVerdict {
  private let results: AnalysisResults
  private let verdict: Verdict
  /// The most serious end, of equal ones the newest.
  private let death: ReportedDeath?
  /// The findings that count, by severity.
  private let counted: [Severity: Int]

  init(_ results: AnalysisResults) {
    self.results = results
    verdict = Verdict(results)
    death = results.verdicts.reversed().min { $0.class.rank < $1.class.rank }
    counted = results.standing.counted
  }

  /// What happened first: the cause where the log shows it, else how it ended, or what is worst.
  var headline: String {
    let item = verdict.items[0]
    let isShown = item.certainty == nil || item.certainty == .likely
    return PageVerdict.sentence(PageVerdict.timed(isShown ? item.cause ?? item.title : item.title))
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
      counted.isEmpty && results.rules.contains(where: \.isKept) ? "Little evidence" : "Cannot tell"
    }
  }

  var markup: Markup {
    let facts = facts.map { name, text -> Markup in "<div><dt>\(name)</dt><dd>\(text)</dd></div>" }
    let paragraphs = results.endParagraphs.map { text -> Markup in "<p>\(text)</p>" }
    let account: Markup? =
      paragraphs.isEmpty
      ? nil : "<details class=\"aside\" open><summary>how it ended</summary>\(paragraphs)</details>"
    return """
      <header class="\(tone.rawValue)"><p class="kind">\(kind) <span>\(results.log?.title ?? results.log?.name ?? "")</span></p>\
      <h1>\(headline)</h1>\(verdict.items.enumerated().map { answer($1, isFirst: $0 == 0) })\(step)\(account)\
      <dl class="facts">\(facts)</dl></header>
      """
  }

  /// What happened, why, how sure that is, and what to do, but for what the headline says.
  private func answer(_ item: Verdict.Item, isFirst: Bool) -> Markup {
    let badge: Markup? = item.certainty.map { "<b class=\"badge\">\($0.rawValue)</b>" }
    let isCauseSaid = isFirst && (item.certainty == nil || item.certainty == .likely)
    let cause: Markup? = isCauseSaid ? nil : item.cause.map { "<p>\(PageVerdict.timed($0))</p>" }
    let fix: Markup? = item.fix.map { "<p class=\"fix\"><b>fix</b> \($0)</p>" }
    return "<p>\(item.title) \(badge)</p>\(cause)\(fix)"
  }

  private var step: Markup? { verdict.unseen?.step.map { "<p class=\"soft\">→ \($0)</p>" } }

  private var facts: [(String, Markup)] {
    var facts: [(String, Markup)] = []
    if let code = death?.code { facts.append(("code", "<code class=\"tone\">\(code)</code>")) }

    facts.append(("findings", "\(findings)"))
    let kept = results.rules.count(where: \.isKept)
    let doubtful = results.rules.count(where: \.isDoubtful)
    let doubts: Markup? = doubtful > 0 ? ", <a href=\"#doubts\">\(doubtful) cannot tell</a>" : nil
    facts.append(("rules", "\(kept) passed\(doubts)"))

    let one = results.log
    let span = Instant(nanoseconds: one?.last ?? 0).since(Instant(nanoseconds: one?.first ?? 0))
    let size = "\(results.eventWords), \(TimeText.span(span)), \(results.gapWords)"
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
