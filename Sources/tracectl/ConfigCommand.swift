import ArgumentParser
import TraceAnalysis
import TraceConfiguration

/// `tracectl config`: what a configuration says, and whether it can be understood.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Check the configuration, show what is in force, or print its schema.",
    subcommands: [
      ConfigCheckCommand.self, ConfigShowCommand.self, ConfigSchemaCommand.self,
    ])
}

/// `tracectl config check`: every error, a line each.
struct ConfigCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the configuration and its rules; every error, a line each.",
    discussion: "Exit status: 2 when there are errors, or no configuration.")

  @OptionGroup var configured: ConfigurationOption

  func run() throws {
    guard let result = try configured.read() else {
      throw CommandError.usage(
        "there is no \(ConfigurationFiles.name) in this directory or above; --config names a file")
    }
    for problem in result.problems where problem.kind == .warning {
      Terminal.printStatus("\(problem)\n")
    }
    try ConfigurationOption.refuse(result.errors)
    let configuration = result.configuration
    let own = configuration.ownRules.count - configuration.budgetCount
    try Terminal.print(
      "\(configuration.files.joined(separator: ", ")): "
        + "\(Count.of(configuration.rules.count, "setting")), "
        + "\(Count.of(configuration.budgetCount, "budget")), "
        + "\(Count.of(configuration.suppressions.count, "suppression")), "
        + "\(Count.of(own, "rule")) of your own\n")
  }
}

/// `tracectl config show`: what is in force, and where it came from.
struct ConfigShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what is in force, and where each value came from.")

  @OptionGroup var configured: ConfigurationOption

  @Option(help: ArgumentHelp("As in analyze.", valueName: "severity"))
  var failOn: AnalyzeCommand.FailOn?

  @Option(help: ArgumentHelp("As in analyze.", valueName: "form"))
  var format: String?

  @OptionGroup var color: ColorOptions

  func run() throws {
    var said: [String: String] = [:]
    said["fail-on"] = failOn?.rawValue
    said["output.format"] = format
    said["output.color"] = color.said?.rawValue
    let overview = ConfigurationOverview(
      try configured.load(), today: .today, commandLine: said)
    try Terminal.print(overview.text)
  }
}

/// `tracectl config schema`: for editors.
struct ConfigSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON schema of the configuration, for editors.",
    discussion: """
      With the YAML plug-in of an editor, save it and say so in the first line of .tracectl.yml:

        # yaml-language-server: $schema=tracectl.schema.json
      """)

  func run() throws { try Terminal.print(ConfigurationSchema().text) }
}
