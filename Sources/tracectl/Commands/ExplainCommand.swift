import ArgumentParser
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceConfiguration
import TraceReport
import TraceText

/// `tracectl explain`: all rules, one rule in full, or what a code of a death means.
struct ExplainCommand: ParsableCommand {
  /// How the rules are listed.
  enum ListFormat: String, CaseIterable, ExpressibleByArgument {
    case text, ids, json, markdown
  }

  /// How a rule's meaning is written.
  enum MeaningForm: String, CaseIterable, ExpressibleByArgument {
    case english, automaton
  }

  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract:
      "List the rules, or explain one, or the way a process ended: a code, a signal or a reason.",
    discussion: """
      Without an argument, it lists the rules, those of the configuration too.

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
  var subject: [String] = []

  @Flag(help: "Print the examples as notation that you can copy, not as drawings.")
  var notation = false

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Only what the rule means: in english, or as an automaton.", valueName: "form"))
  var meaning: MeaningForm?

  @Option(
    help: ArgumentHelp(
      "How to list the rules: text (a line each), ids, json, or markdown (in full).",
      valueName: "form"))
  var format: ListFormat?

  @Option(
    help: ArgumentHelp(
      "Write Markdown into this folder: README.md, and a page a rule.", valueName: "folder",
      visibility: .hidden),
    completion: .directory)
  var pages: String?

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func validate() throws {
    if subject.isEmpty, notation || meaning != nil {
      throw ValidationError("--notation and --as need a rule")
    }
    if !subject.isEmpty, format != nil || pages != nil {
      throw ValidationError("--format lists all rules; name no rule with it")
    }
  }

  func run() throws {
    let rules = try configured.load().knownRules
    if subject.isEmpty { return try list(RuleCatalogue(rules.map(\.description))) }
    let text = subject.joined(separator: " ")
    if let meaning {
      let known = RuleMeaning(try RuleArgument.find(text, in: rules))
      return try Terminal.print(meaning == .english ? known.english : known.automaton)
    }

    let style = color.color.style
    let causes = DeathCauses.find(text).map { DeathCauseText($0).text(style: style) }
    // A code is no misspelt rule, and a rule's id no misspelt code.
    guard let rule = try? RuleArgument.find(text, in: rules).description else {
      if causes.isEmpty { throw unknown(text, rules) }
      return try Terminal.print(causes.joined(separator: "\n"))
    }
    let explanation = RuleCatalogue().explanation(of: rule, style: style, inNotation: notation)
    try Terminal.print(([explanation] + causes).joined(separator: "\n"))
  }

  private func list(_ catalogue: RuleCatalogue) throws {
    if let pages {
      try WholeFile.makeFolder(pages)
      for page in catalogue.pages {
        try WholeFile.write(Array(page.text.utf8), to: "\(pages)/\(page.name)", isNamed: false)
      }
      return
    }
    switch format ?? .text {
    case .text: try Terminal.print(catalogue.list(style: color.color.style))
    case .ids: try Terminal.print(catalogue.ids)
    case .json: try Terminal.print(catalogue.json)
    case .markdown: try Terminal.print(catalogue.markdown)
    }
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
          ?? "; tracectl explain lists the rules, the article KindsOfDeath the codes"))
  }
}
