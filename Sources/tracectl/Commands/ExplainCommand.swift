import ArgumentParser
import LifecycleRules
import TraceAnalysis
import TraceConfiguration
import TraceReport
import TraceText

/// `tracectl explain`: all rules, one rule in full, or what a code of a death means.
struct ExplainCommand: ParsableCommand {
  /// How all rules are listed, or one is shown.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, ids, json, markdown, notation, english, automaton

    /// Whether it is a form of one rule alone.
    var isOfRule: Bool { [.notation, .english, .automaton].contains(self) }
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

  @Option(
    help: ArgumentHelp(
      """
      How to list the rules: text (a line each), ids, json, or markdown (in full). Of one rule: \
      text, notation (its examples as you can copy them), or only what it means: in english, or as \
      an automaton.
      """,
      valueName: "form"))
  var format: Format?

  @Option(
    help: ArgumentHelp(
      "Write Markdown into this folder: README.md, and a page a rule.", valueName: "folder",
      visibility: .hidden),
    completion: .directory)
  var pages: String?

  @Option(help: .config, completion: .file()) var config: String?

  @OptionGroup var color: ColorOptions

  func validate() throws {
    if subject.isEmpty, let format, format.isOfRule {
      throw ValidationError("--format \(format.rawValue) needs a rule")
    }
    if !subject.isEmpty, pages != nil || format.map({ !$0.isOfRule && $0 != .text }) ?? false {
      throw ValidationError(
        "--format ids, json and markdown list all rules; name no rule with them")
    }
  }

  func run() throws {
    let rules = try ConfigurationChoice(config).load().knownRules
    if subject.isEmpty { return try list(RuleCatalogue(rules.map(\.description))) }
    let text = subject.joined(separator: " ")
    if format == .english || format == .automaton {
      let known = RuleMeaning(try RuleArgument.find(text, in: rules))
      return try Terminal.print(format == .english ? known.english : known.automaton)
    }

    let style = color.color.style
    let causes = DeathCauses.find(text).map { DeathCauseText($0).text(style: style) }
    // A code is no misspelt rule, and a rule's id no misspelt code.
    guard let rule = try? RuleArgument.find(text, in: rules).description else {
      if causes.isEmpty { throw unknown(text, rules) }
      return try Terminal.print(causes.joined(separator: "\n"))
    }
    let explanation = RuleCatalogue().explanation(
      of: rule, style: style, inNotation: format == .notation)
    try Terminal.print(([explanation] + causes).joined(separator: "\n"))
  }

  private func list(_ catalogue: RuleCatalogue) throws {
    if let pages {
      try WholeFile.makeFolder(pages)
      for page in catalogue.pages {
        try ReportFile("\(pages)/\(page.name)", isNamed: false).write(Array(page.text.utf8))
      }
      return
    }
    switch format {
    case .ids: try Terminal.print(catalogue.ids)
    case .json: try Terminal.print(catalogue.json)
    case .markdown: try Terminal.print(catalogue.markdown)
    default: try Terminal.print(catalogue.list(style: color.color.style))
    }
  }

  private func unknown(_ text: String, _ rules: [ActiveRule]) -> any Error {
    let isNumber = text.uppercased().hasPrefix("R") && Int(text.dropFirst()) != nil
    let ids = rules.flatMap(\.description.ids)
    if isNumber || NearestWord.of(text, in: ids) != nil {
      do { _ = try RuleArgument.find(text, in: rules) } catch { return error }
    }
    let near = NearestWord.question(
      text, in: DeathCauses.allWords,
      else: "tracectl explain lists the rules, the article KindsOfDeath the codes")
    return CommandError.usage(
      "\(InertText.word(text)) is not a rule, code, signal or reason; \(near)")
  }
}
