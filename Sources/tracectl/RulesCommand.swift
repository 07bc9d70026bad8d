import ArgumentParser
import TraceAnalysis
import TraceReport

/// `tracectl rules`: the catalogue.
struct RulesCommand: ParsableCommand {
  /// How the catalogue is written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, markdown
  }

  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "List the rules.")

  @Option(
    help: ArgumentHelp("text (a line a rule), json, or markdown (in full).", valueName: "form"))
  var format = Format.text

  @OptionGroup var color: ColorOptions

  func run() throws {
    let catalogue = RuleCatalogue()
    switch format {
    case .text: try Terminal.print(catalogue.list(style: color.color.style))
    case .json: try Terminal.print(catalogue.json)
    case .markdown: try Terminal.print(catalogue.markdown)
    }
  }
}
