import ArgumentParser
import LifecycleModel
import Platform
import LifecycleRules
import TraceAnalysis
import TraceConfiguration
import TraceReport
import TraceText

/// `tracectl why`: why a rule found something at an event, or did not.
struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explain why a rule found something at an event, or did not.",
    discussion: """
      Name the event as reports and dump --numbers do: main#44132 is event 44132 of the main thread. Without an event, tracectl lists the events that the rule checked.

        tracectl why log.bin R11
        tracectl why log.bin R11@main#44132

      Without a log, tracectl reads the newest recording in this directory. Exit status: 0 if there is an answer; 2 if there is no such rule or event.
      """)

  @Argument(
    help:
      "The log to read; - is standard input. By default the newest recording in this directory.",
    completion: .file())
  var log: String?

  @Argument(
    help: ArgumentHelp(
      """
      The rule, by id or number; or a rule and an event: RULE@WRITER#SEQUENCE, or RULE@SEQUENCE \
      for main.
      """,
      valueName: "rule[@event]"))
  var question: String?

  @OptionGroup(title: ReadingOptions.title) var reading: ReadingOptions

  @OptionGroup var color: ColorOptions

  func run() throws {
    let (log, question) = try words()
    if access(log, F_OK) != 0, access(question, F_OK) == 0 {
      throw CommandError.usage(
        "the log comes first: tracectl why \(ShellWord.quoted(question)) \(ShellWord.quoted(log))")
    }
    let parts = question.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let (team, settings) = try reading.load()
    let rule = try RuleArgument.find(parts[0], in: team.knownRules)
    var input = try TraceInput(log, settings: settings)

    if parts.count == 2 {
      try answer(&input, rule, event(parts[1], question), settings.answers)
    } else {
      try survey(&input, rule, log, settings.answers)
    }
  }

  /// The log and the question; one word alone is the question.
  private func words() throws -> (log: String, question: String) {
    if let log, let question { return (log, question) }
    guard let word = log else {
      throw CommandError.usage(
        "name a rule, such as R11 or R11@main#44132; tracectl explain lists all rules")
    }
    if access(word, F_OK) == 0 {
      throw CommandError.usage(
        "\(InertText.word(word)) is a log; name a rule after it, such as R11 or R11@main#44132")
    }
    return (try NewestLog.path(), word)
  }

  private func answer(
    _ input: inout TraceInput, _ rule: ActiveRule, _ event: EventReference, _ answers: Profile
  ) throws {
    var inquiry = Inquiry(
      input.vocabulary, rule: rule, writer: event.writer, sequence: event.sequence)
    inquiry.use(answers: answers)
    try input.forEach { inquiry.observe($0) }
    guard let answer = inquiry.finish() else { throw event.missing(last: inquiry.lastSequence) }
    let text = WhyText(answer, of: rule.description, input.vocabulary, style: color.color.style)
    try Terminal.print(text.text)
  }

  private func survey(
    _ input: inout TraceInput, _ rule: ActiveRule, _ log: String, _ answers: Profile
  ) throws {
    var survey = RuleSurvey(input.vocabulary, rule)
    survey.use(answers: answers)
    try input.forEach { events in
      for event in events { _ = survey.observe(event) }
      survey.forgetUnusedWords()
    }

    survey.finish()
    let named = (reading.words + [log]).map(ShellWord.quoted).joined(separator: " ")
    let text = SurveyText(survey, of: rule.description, log: named, style: color.color.style)
    try Terminal.print(text.text)
  }

  private func event(_ text: Substring, _ question: String) throws -> EventReference {
    if let event = EventReference(text) { return event }
    throw CommandError.usage(
      "\(InertText.word(question)) names no event; expected RULE@SEQUENCE or "
        + "RULE@WRITER#SEQUENCE, such as R11@main#44132")
  }
}
