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
    completion: .list(RuleRegistry.all.map { $0.description.id }))
  var rule: String

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func run() throws {
    let known = try RuleArgument.find(rule, in: try configured.load().knownRules).description
    try Terminal.print(RuleCatalogue().explanation(of: known, style: color.color.style))
  }
}
