import ArgumentParser
import TraceAnalysis
import TraceReport

/// `tracectl explain`: one rule in full.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a rule, with its sources and examples.")

  @Argument(
    help: "The rule, by its id (scene-resign-before-background) or its number (R28).",
    completion: .ruleIDs)
  var rule: String

  @Flag(help: "Print the examples in notation, to be copied, and not drawn.")
  var notation = false

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func run() throws {
    let known = try RuleArgument.find(rule, in: try configured.load().knownRules).description
    let text = RuleCatalogue().explanation(
      of: known, style: color.color.style, inNotation: notation)
    try Terminal.print(text)
  }
}
