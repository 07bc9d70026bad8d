import ArgumentParser
import TraceAnalysis
import TraceConfiguration
import TraceReport

/// `tracectl rules`: the catalogue, and rules of one's own.
struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "List the rules, show what one means, and test your own rules.",
    subcommands: [RulesListCommand.self, RulesShowCommand.self, RulesTestCommand.self],
    defaultSubcommand: RulesListCommand.self)
}

/// `tracectl rules list`: the catalogue, and the rules of the configuration behind it.
struct RulesListCommand: ParsableCommand {
  /// How the catalogue is written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, ids, json, markdown
  }

  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the rules; the same as tracectl rules alone.")

  @Option(
    help: ArgumentHelp("text (a line each), ids, json, or markdown (in full).", valueName: "form")
  )
  var format = Format.text

  @Option(
    help: ArgumentHelp(
      "Write Markdown into this folder: README.md, and a page a rule.", valueName: "folder"),
    completion: .directory)
  var pages: String?

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func run() throws {
    let catalogue = RuleCatalogue(try configured.load().knownRules.map(\.description))
    if let pages { return try write(catalogue.pages, into: pages) }
    switch format {
    case .text: try Terminal.print(catalogue.list(style: color.color.style))
    case .ids: try Terminal.print(catalogue.ids)
    case .json: try Terminal.print(catalogue.json)
    case .markdown: try Terminal.print(catalogue.markdown)
    }
  }
}

extension RulesListCommand {
  private func write(_ pages: [RuleCatalogue.Page], into folder: String) throws {
    try WholeFile.makeFolder(folder)
    for page in pages {
      try WholeFile.write(
        Array(page.text.utf8), to: "\(folder)/\(page.name)", isNamed: false)
    }
  }
}

/// `tracectl rules show`: what a rule means.
struct RulesShowCommand: ParsableCommand {
  /// How it is told.
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case english, automaton, yaml
  }

  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what a rule means: in English, as an automaton, or as YAML to start from.",
    discussion: """
      The YAML copies a built-in rule as a rule of your own, with its own id:

        tracectl rules show active-alternates --as yaml > rules/mine.yml

      Exit status: 2 if there is no such rule, or the rule has no YAML.
      """)

  @Argument(
    help: "The rule, by id or number.",
    completion: .ruleIDs)
  var rule: String

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("english, automaton or yaml.", valueName: "form"))
  var form = Form.english

  @OptionGroup var configured: ConfigurationOption

  func run() throws {
    let known = try RuleArgument.find(rule, in: try configured.load().knownRules)
    switch form {
    case .english: try Terminal.print(RuleMeaning(known).english)
    case .automaton: try Terminal.print(RuleMeaning(known).automaton)
    case .yaml:
      let text = RuleText(known)
      guard let yaml = text.yaml else {
        throw CommandError.usage(
          "YAML cannot express \(known.description.id): "
            + text.unsayable.joined(separator: "; "))
      }
      try Terminal.print(yaml)
    }
  }
}

/// `tracectl rules test`: whether rules of one's own do what they say.
struct RulesTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Run the examples of your own rules.",
    discussion: """
      Without files, tests the rules of the configuration.

      Exit status: 1 if an example fails; 2 if a file has errors.
      """)

  @Argument(
    help: ArgumentHelp("Rule files or configurations.", valueName: "file"), completion: .file()
  )
  var files: [String] = []

  @OptionGroup var configured: ConfigurationOption

  func run() throws {
    let result = try read()
    for warning in result.problems where warning.kind == .warning {
      Terminal.printProblem("\(warning)")
    }

    try ConfigurationOption.refuse(result.errors)
    let rules = result.configuration.ownRules.filter { !$0.description.examples.isEmpty }
    if rules.isEmpty { throw CommandError.usage("there are no rules to test") }
    var failed = 0
    var text = ""

    for rule in rules {
      let failures = rule.failures
      let examples = rule.description.examples
      let count = examples.count { $0.isViolating }
      text +=
        "\(failures.isEmpty ? "ok  " : "FAIL") \(rule.description.id): "
        + "\(examples.count - count) clean, \(count) violating\n"
      text += failures.map { "\($0)\n" }.joined()
      if !failures.isEmpty { failed += 1 }
    }

    try Terminal.print(text)
    if failed > 0 { throw ExitStatus.findings }
  }

  private func read() throws -> ConfigurationFiles.Result {
    do {
      if !files.isEmpty { return try ConfigurationFiles.readRules(files) }
    } catch let error as ConfigurationFiles.Unreadable {
      throw CommandError.usage(error.description)
    }
    guard let result = try configured.read() else {
      throw CommandError.usage(
        "there is no \(ConfigurationFiles.name) in this directory or above; name a rule file")
    }
    return result
  }
}
