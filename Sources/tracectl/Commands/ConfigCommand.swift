import ArgumentParser
import TraceAnalysis
import TraceConfiguration
import TraceReport
import TraceText

/// `tracectl config`: what a configuration contains, and whether it can be understood.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Create or check a configuration, show the settings in effect, or print the schema.",
    subcommands: [
      ConfigInitCommand.self, ConfigCheckCommand.self, ConfigShowCommand.self,
      ConfigSchemaCommand.self,
    ])
}

/// `tracectl config init`: a file to begin with.
struct ConfigInitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a starter .tracectl.yml: every key, commented out.",
    discussion: "Exit status: 2 if this directory already has one.")

  func run() throws {
    let name = ConfigurationFiles.name
    guard try WholeFile.readIfThere(name) == nil else {
      throw CommandError.usage("\(name): already exists; check it with tracectl config check")
    }
    try ReportFile(name, isNamed: false).write(Array(ConfigurationTemplate.text.utf8))
    try Terminal.print("\(name) written; every setting in it is commented out\n")
  }
}

/// `tracectl config check`: every error, a line each, and whether rules of one's own do what they say.
struct ConfigCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the configuration, its baseline and your own rules, and run their examples.",
    discussion: """
      Prints every error. With files, checks these rules alone.

      Exit status: 1 if an example fails; 2 if there are errors, or no configuration.
      """)

  @Argument(
    help: ArgumentHelp("Rule files, or configurations.", valueName: "file"), completion: .file())
  var files: [String] = []

  @Option(help: .config, completion: .file()) var config: String?

  func run() throws {
    if !files.isEmpty { return try checkFiles() }
    guard let result = try ConfigurationChoice(config).read() else {
      throw CommandError.usage(
        """
        there is no \(ConfigurationFiles.name) in this directory or above; create one with \
        tracectl config init, or name a file with --config
        """
      )
    }

    let configuration = result.configuration
    let problems = configuration.inOrder(
      result.problems + configuration.expiredSuppressions(on: .today)
        + baselineProblems(configuration) + OutputSettings.problems(configuration))
    try report(problems)

    let own = configuration.ownRules.count - configuration.budgetCount
    try Terminal.print(
      "\(configuration.files.map(InertText.word).joined(separator: ", ")): "
        + "\(CountText.of(configuration.rules.count, "setting")), "
        + "\(CountText.of(configuration.budgetCount, "budget")), "
        + "\(CountText.of(configuration.suppressions.count, "suppression")), "
        + "\(CountText.of(own, "rule")) of your own\n")
    _ = try runExamples(of: configuration)
  }

  private func checkFiles() throws {
    let result = try ConfigurationFiles.readRules(files)
    try report(result.problems)
    if try runExamples(of: result.configuration) == 0 {
      throw CommandError.usage("there are no rules to check")
    }
  }

  /// Prints warnings and errors; errors end the command.
  private func report(_ problems: [ConfigurationProblem]) throws {
    for problem in problems where problem.kind == .warning {
      Terminal.printProblem("\(problem)")
    }
    try ConfigurationChoice.refuse(problems.filter { $0.kind == .error })
  }

  /// Runs the examples of rules, and prints a line for each rule; returns how many rules have examples.
  private func runExamples(of configuration: Configuration) throws -> Int {
    let rules = configuration.ownRules.filter { !$0.description.examples.isEmpty }
    var hasFailed = false
    var text = ""
    for rule in rules {
      let failures = rule.failures
      let examples = rule.description.examples
      let count = examples.count { $0.isViolating }
      text +=
        "\(failures.isEmpty ? "ok  " : "FAIL") \(rule.description.id): "
        + "\(examples.count - count) clean, \(count) violating\n"
      text += failures.map { "\($0)\n" }.joined()
      if !failures.isEmpty { hasFailed = true }
    }

    try Terminal.print(text)
    if hasFailed { throw ExitStatus.findings }
    return rules.count
  }

  /// What is wrong with the baseline that the configuration names.
  private func baselineProblems(_ configuration: Configuration) -> [ConfigurationProblem] {
    guard let said = configuration.baseline else { return [] }
    func problem(_ kind: ConfigurationProblem.Kind, _ message: String) -> ConfigurationProblem {
      ConfigurationProblem(kind: kind, place: said.place, message: message)
    }

    do {
      return configuration.namesOfNoRule(in: try BaselineFile.read(said.value)).map {
        problem(.warning, "\(said.value): \($0)")
      }
    } catch {
      return [problem(.error, "\(error)")]
    }
  }
}

/// `tracectl config show`: what is in force, and where it came from.
struct ConfigShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the settings in effect, and where each one comes from.")

  @Option(help: .config, completion: .file()) var config: String?

  func run() throws {
    let overview = ConfigurationOverview(try ConfigurationChoice(config).load(), today: .today)
    try Terminal.print(overview.text)
  }
}

/// `tracectl config schema`: for editors.
struct ConfigSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON schema of the configuration, for editors.",
    discussion: """
      If your editor has a YAML plug-in, save the schema, then begin .tracectl.yml with:

        # yaml-language-server: $schema=tracectl.schema.json
      """)

  func run() throws { try Terminal.print(ConfigurationSchema().text) }
}
