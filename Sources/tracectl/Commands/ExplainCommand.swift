import ArgumentParser
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceReport
import TraceText

/// `tracectl explain`: one rule in full, or what a code of a death means.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a rule, or the way a process ended: a code, a signal or a reason.",
    discussion: """
      Name the end of a process as crash reports and consoles do: a termination code in hex or \
      decimal (0x8badf00d, 2343432205), a signal (SIGSEGV, "signal 11"), a jetsam reason \
      (highwater, "jetsam 7"), a namespace (TCC), or a MetricKit reason (appWatchdog). A plain \
      number may be a rule, a signal and an exit status: tracectl explains all of them.
      """)

  @Argument(
    help: """
      The rule, by id (resign-before-background) or number (R11), or the way a process ended \
      (0x8badf00d).
      """,
    completion: .ruleIDs)
  var subject: [String]

  @Flag(help: "Print the examples as notation that you can copy, not as drawings.")
  var notation = false

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func run() throws {
    let text = subject.joined(separator: " ")
    let style = color.color.style
    let causes = DeathCauses.find(text).map { DeathCauseText($0).text(style: style) }
    let rules = try configured.load().knownRules

    // A code is no misspelt rule, and a rule's id no misspelt code.
    guard let rule = try? RuleArgument.find(text, in: rules).description else {
      if causes.isEmpty { throw unknown(text, rules) }
      return try Terminal.print(causes.joined(separator: "\n"))
    }
    let explanation = RuleCatalogue().explanation(of: rule, style: style, inNotation: notation)
    try Terminal.print(([explanation] + causes).joined(separator: "\n"))
  }

  private func unknown(_ text: String, _ rules: [ActiveRule]) -> any Error {
    let isNumber = text.uppercased().hasPrefix("R") && Int(text.dropFirst()) != nil
    let ids = rules.flatMap(\.description.ids)
    if isNumber || NearestWord.of(text, in: ids) != nil {
      do { _ = try RuleArgument.find(text, in: rules) } catch { return error }
    }
    let near = NearestWord.of(text, in: DeathCauses.allWords)
    return CommandError.usage(
      "\(InertText.word(text)) is not a rule, code, signal or reason"
        + (near.map { "; did you mean \($0)?" }
          ?? "; tracectl rules lists the rules, the article KindsOfDeath the codes"))
  }
}
