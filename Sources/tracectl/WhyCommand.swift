import ArgumentParser
import LifecycleModel
import TraceAnalysis
import TraceConfiguration
import TraceReport

/// `tracectl why`: why a rule found something at an event, or did not.
struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say why a rule found something at an event, or did not.",
    discussion: """
      The event is named as reports do: main#44132 is the 44132nd event of the main thread.

        tracectl why log.bin scene-resign-before-background@main#44132

      Exit status: 0 when there is an answer, whatever it is; 2 when there is no such rule or event.
      """)

  @Argument(help: "The log to read; - is standard input.", completion: .file())
  var log: String

  @Argument(
    help: ArgumentHelp(
      "The rule, by its id or number, and the event: RULE@WRITER#SEQUENCE, or RULE@SEQUENCE for main.",
      valueName: "rule@event"))
  var question: String

  @OptionGroup(title: "What the log does not say") var inputOptions: InputOptions

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func run() throws {
    let team = try configured.load()
    let (rule, writer, sequence) = try parse(team)
    let settings = inputOptions.settings(team)
    var input = try TraceInput(log, settings: settings)
    var inquiry = Inquiry(input.vocabulary, rule: rule, writer: writer, sequence: sequence)
    inquiry.use(answers: settings.answers)
    var events: [Event] = []
    while try input.read(into: &events) { inquiry.observe(events) }
    guard let answer = inquiry.finish() else {
      let last = inquiry.lastSequence
      throw CommandError.usage(
        "there is no event \(writer)#\(sequence); "
          + (last == 0 ? "\(writer) recorded nothing" : "\(writer) has events up to #\(last)"))
    }
    let text = WhyText(answer, of: rule.description, input.vocabulary, style: color.color.style)
    try Terminal.print(text.text)
  }

  private func parse(
    _ team: Configuration
  ) throws -> (rule: ActiveRule, writer: String, sequence: UInt64) {
    let parts = question.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw usage("has no @") }
    let rule = try RuleArgument.find(parts[0], in: team.knownRules)
    let event = parts[1]
    let mark = event.lastIndex(of: "#")
    let number = mark.map { event[event.index(after: $0)...] } ?? event
    let writer = mark.map { String(event[..<$0]) } ?? Vocabulary.mainWriter
    guard let sequence = UInt64(number), sequence > 0, !writer.isEmpty else {
      throw usage("names no event")
    }
    return (rule, writer, sequence)
  }

  private func usage(_ what: String) -> CommandError {
    .usage(
      "\(question) \(what); expected RULE@SEQUENCE or RULE@WRITER#SEQUENCE, "
        + "such as R28@main#44132")
  }
}
