import LifecycleModel
import TraceAnalysis
import TraceText

/// What one rule made of a whole log, as a person reads it.
public struct SurveyText {
  private let survey: RuleSurvey
  private let rule: RuleDescription
  private let log: String
  private let style: TextStyle

  /// Makes a text of a survey that is finished; `log` is how the next command names the log.
  public init(
    _ survey: RuleSurvey, of rule: RuleDescription, log: String, style: TextStyle = .plain
  ) {
    (self.survey, self.rule, self.log, self.style) = (survey, rule, log, style)
  }

  /// The whole text.
  public var text: String {
    var lines = [headline, ""]
    lines += RuleCatalogue.entries(survey.needs)
    if survey.seen.isEmpty {
      let events = survey.interests.joined(separator: "; ")
      if !events.isEmpty { lines.append(Wrap.entry("pattern", events, indent: "  ")) }
      return lines.joined(separator: "\n") + "\n"
    }

    lines.append("")
    let numbers = survey.seen.map(\.reference.text)
    let width = numbers.map(\.count).max() ?? 0
    for (seen, number) in zip(survey.seen, numbers) {
      lines.append("  \(pad(number, width + 2))\(seen.line)")
      let margin = String(repeating: " ", count: width + 4)
      let verdict = verdict(seen)
      if verdict == nil || seen.answer != .noted { lines.append(margin + answer(seen)) }
      if let verdict { lines.append(Wrap.lines(verdict, indent: margin, width: style.width)) }
    }

    let left = survey.lookedAt - survey.seen.count
    if left > 0 { lines.append("  and \(CountText.of(left, "earlier event"))") }
    let nameable = survey.seen.filter(\.reference.isUnique)
    let telling = [RuleSurvey.Answer.found, .cannotTell].lazy.compactMap { answer in
      nameable.first { $0.answer == answer }
    }
    if let example = telling.first ?? nameable.last {
      let name = rule.number.map { "R\($0)" } ?? rule.id
      let question = "\(name)@\(example.reference.writer)#\(example.reference.sequence)"
      lines += ["", "Next: tracectl why \(log) " + ShellWord.quoted(question)]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What an end of a process means, and why, where that is what the rule judges.
  private func verdict(_ seen: RuleSurvey.Seen) -> String? {
    guard rule.id == "death" else { return nil }
    let printer = TraceNotation.Printer(vocabulary: survey.vocabulary)
    let verdict = survey.deaths.verdicts.first {
      $0.end.sequence == seen.sequence && printer.line($0.end) == seen.line
    }
    return verdict.map {
      let words = DeathText($0, survey.vocabulary, isOneOfSeveral: survey.deaths.count > 1)
      return "\($0.deathClass.rawValue): \(words.paragraph)"
    }
  }

  private func answer(_ seen: RuleSurvey.Seen) -> String {
    switch seen.answer {
    case .found: seen.says.isEmpty ? "led to a finding" : style.bold("found") + ": \(seen.says)"
    case .cannotTell: "cannot tell: \(seen.says)"
    case .kept: "passed"
    case .noted: "noted; no conclusion"
    }
  }

  private var headline: String {
    let number = rule.number.map { " (R\($0))" } ?? ""
    let name = style.bold(rule.id) + number
    if survey.lookedAt == 0 && survey.seen.isEmpty {
      return name + " checked no event of this log"
        + (survey.notInForce.map { ": \($0)" } ?? ": the log has no event that it checks")
    }

    let counts = RuleSurvey.Answer.allCases.compactMap { answer in
      survey.counts[answer].flatMap { $0 > 0 ? "\($0) \(answer.rawValue)" : nil }
    }
    return name + " checked \(CountText.of(survey.lookedAt, "event")): "
      + counts.joined(separator: ", ")
  }
}
