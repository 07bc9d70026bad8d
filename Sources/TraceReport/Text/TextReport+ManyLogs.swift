import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// The report of many logs.
extension TextReport {
  /// The whole text; the same results give the same text.
  var textOfMany: String {
    let unread = results.unreadable.map { InertText.line($0.error) }
    let words = results.unknownWords.map { "\($0.log): \($0.word.text)" }
    let first = [
      Headline(results, style).ofMany, style.section("How processes ended", endings, hanging: 4),
    ]
    let last = [
      baselineOfMany, style.section("Unreadable logs", unread),
      style.section("Unknown words", words), durations, style.section("Coverage", coverage),
      style.section("Next", [next], hanging: 4),
    ]
    return (first + rulesFound.map(text(of:)) + last).asSections
  }

  private var baselineOfMany: String? {
    let groups = results.groups.filter { !$0.isShownInFull && !$0.isAccepted }
    let known = groups.flatMap { group in
      var entries = group.examples[0].baselineLines
      entries[0].message = "\(count(group)): \(entries[0].message)"
      return entries
    }
    return results.comparison.flatMap { style.section("Baseline", $0.lines(known: known)) }
  }

  // MARK: Ends

  /// The largest number of kinds of end that are named.
  private static let endingsShown = 20

  /// A line for each kind of end: how many, its class and its cause.
  private var endings: [String] {
    let shown = results.deaths.prefix(TextReport.endingsShown)
    let width = shown.map { String($0.count).count }.max() ?? 0
    var lines = shown.map { tally in
      let count = pad(left: width, "\(tally.count)")
      let phrase = results.verdicts.first {
        $0.cause == tally.cause && $0.class == tally.class
      }?.phrase
      return "\(count)  \(pad(tally.class.rawValue, 12))\(phrase ?? tally.name)"
        + " in \(CountText.of(tally.logs, "log"))"
    }

    let rest = results.deaths.dropFirst(shown.count)
    if !rest.isEmpty {
      lines.append("and \(rest.reduce(0) { $0 + $1.count }) by \(rest.count) other causes")
    }
    return lines
  }

  /// The command that shows more, to be typed next.
  private var next: String {
    if let rule = rulesFound.first?.first?.examples.first?.rule {
      let command = results.rule(rule)?.explainCommand ?? "tracectl explain \(InertText.word(rule))"
      return pad(command, 24) + "the rule, with examples"
    }
    return pad("tracectl analyze LOG", 24) + "one log in full"
  }

  // MARK: Findings

  /// The groups that are shown in full by rule, the most serious rule first.
  private var rulesFound: [[AnalysisResults.Group]] {
    let groups = results.groups.filter(\.isShownInFull).grouped { $0.examples[0].rule }
    return groups.map { _, list in
      list.sorted { ($1.count, $0.fingerprint) < ($0.count, $1.fingerprint) }
    }.sorted { first, second in
      // What is about the recording and not about the app stands last.
      let (one, other) = (first[0].examples[0], second[0].examples[0])
      if one.isAboutRecording != other.isAboutRecording { return other.isAboutRecording }
      let severities = (severity(first.flatMap(\.examples)), severity(second.flatMap(\.examples)))
      return severities.0 == severities.1 ? one.rule < other.rule : severities.0 > severities.1
    }
  }

  private func text(of groups: [AnalysisResults.Group]) -> String {
    let id = groups[0].examples[0].rule
    let severity = severity(groups.flatMap(\.examples))
    var lines: [String] = []
    var shown: ReportedFinding?
    for group in groups {
      // A new one is the better example.
      guard let example = group.examples.first(where: \.isShownInFull) ?? group.examples.first
      else { continue }
      let message = "\(count(group)): \(example.message)"
      lines +=
        shown == nil
        ? heading(id, severity, message) : [""] + furtherMessage(message, severity)
      shown = shown ?? example
      lines.append("    in      \(example.log)")
      lines += evidence(example)
      for dependent in example.dependents {
        lines += entry("also", "\(dependent.rule): \(dependent.message)")
      }
      let others = Set(group.examples.map(\.log)).subtracting([example.log]).sorted()
      for other in others.prefix(3) { lines.append("    also in \(other)") }
    }

    if let shown, let rule = results.rule(id) { lines += advice(shown, rule) }
    return lines.joined(separator: "\n")
  }

  private func count(_ group: AnalysisResults.Group) -> String {
    "\(group.count) in \(CountText.of(group.logs, "log"))"
  }

  // MARK: Coverage

  private var coverage: [String] {
    let logs = CountText.of(results.logs, "log")
    var lines = ["\(results.eventWords) in \(logs), \(results.gapWords)"]
    lines += results.settingsLines

    let violated = results.rules.filter { $0.violated > 0 }
    let kept = results.rules.filter { $0.violated == 0 && $0.satisfied > 0 }
    let unsure = results.rules.filter {
      $0.violated == 0 && $0.satisfied == 0 && !$0.cannotTell.isEmpty
    }
    let idle = results.rules.count - violated.count - kept.count - unsure.count
    let counts: [(number: Int, words: String)] = [
      (violated.count, "violated"), (kept.count, "passed"),
      (unsure.count, "could not tell in any log"), (idle, "had nothing to check"),
    ]
    let words = counts.filter { $0.number > 0 }.map { "\($0.number) \($0.words)" }
    if !words.isEmpty { lines.append("rules: " + words.joined(separator: ", ")) }
    return lines
  }
}

extension AnalysisResults.Group {
  /// Whether some of it counts.
  fileprivate var isShownInFull: Bool { examples.contains(where: \.isShownInFull) }

  /// Whether somebody accepts all of it.
  fileprivate var isAccepted: Bool { examples.allSatisfy { $0.suppression != nil } }
}

extension ReportedFinding {
  fileprivate var isShownInFull: Bool { isCounted || dependents.contains(where: \.isShownInFull) }
}
