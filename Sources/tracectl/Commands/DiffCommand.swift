import ArgumentParser
import TraceConfiguration
import TraceReport
import TraceText

/// `tracectl diff`: what differs between two runs, or between many and many.
struct DiffCommand: ParsableCommand {
  /// The forms of the report.
  enum Format: String, CaseIterable {
    case text, json, markdown, github
  }

  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two runs, or many with many.",
    discussion: """
      tracectl cuts each run into episodes, such as "a turn from active to background", and compares what happens in episodes of one kind: whether, how often, for how long, and in which order where a document fixes it. Exact tests tell what chance does not explain from what may be chance. How the runs ended and what rules found is compared, too.

        tracectl diff good.bin bad.bin
        tracectl diff before/*.bin --against after/*.bin
        tracectl diff good.bin bad.bin --episodes 'turn active->inactive->background'

      With --fail-on-regression the exit status is 1 if B died and A is known not to have, if B has a new finding at or above --fail-on, or if something is certainly slower by 20%, or by as much as you say. What the logs do not show, such as an end behind the last event, is no regression; standard error says so.
      """)

  @Argument(
    help: ArgumentHelp(
      """
      The logs: files, directories and quoted patterns. Without --against, two: A and B. With it, \
      all runs of A.
      """,
      valueName: "log"), completion: .file())
  var logs: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("The runs of B: files, directories and patterns.", valueName: "log"),
    completion: .file())
  var against: [String] = []

  @OptionGroup var formats: FormOptions<Format>

  @Option(
    help: ArgumentHelp(
      "Show an episode of this kind of each side, event by event (text only).", valueName: "kind"))
  var episodes: String?

  @Option(
    defaultAsFlag: Percentage.usual, parsing: .next,
    help: ArgumentHelp(
      """
      Exit with 1 if B is worse; the percentage says from which slowdown on. Write it with =, as \
      in --fail-on-regression=50%.
      """,
      valueName: "percent"))
  var failOnRegression: Percentage?

  @Option(
    help: ArgumentHelp(
      """
      The severity from which a new finding is a regression: error, warning (the default), info or \
      never.
      """,
      valueName: "severity"))
  var failOn: AnalyzeCommand.FailOn?

  @OptionGroup var baseline: BaselineOption

  @OptionGroup(title: ReadingOptions.title) var reading: ReadingOptions

  @OptionGroup var color: ColorOptions

  func validate() throws {
    _ = try failOnRegression?.read()
    try refuse(
      against.isEmpty && logs.count != 2,
      "diff takes two logs, A and B; for more, name those of B after --against")
    try refuse(!against.isEmpty && logs.isEmpty, "name the logs of A before --against")

    try refuse(episodes != nil && !formats.given.isEmpty, "--episodes is text; leave out --format")
    try refuse(failOn != nil && failOnRegression == nil, "--fail-on needs --fail-on-regression")
  }

  func run() throws {
    let task = try reading.task(baseline)
    let paths = try sides()
    let inputs = paths.a + paths.b + reading.inputs(task.team, baseline)
    let files = try formats.given.map { try $0.path.map { try ReportFile($0, inputs: inputs) } }

    let runs = RunReading(task, shown: episodes.map(EpisodeKind.read))
    let sides = try runs.read(paths.a, paths.b)
    let (first, second) = (sides.a.side, sides.b.side)
    if let episodes { return try show(episodes, first, second) }

    let result = RunComparison(first, second, runs.orders, shown: sides.shown, known: task.known)
    for (request, file) in zip(formats.given, files) {
      try file?.write(Array(report(result, request.form, style: .plain).utf8))
    }
    let given = formats.given
    let printed = given.isEmpty ? .text : given.first { $0.path == nil }?.form
    if let printed { try Terminal.print(report(result, printed, style: color.color.style)) }
    try check(result, task.team)
  }

  /// Throws where B is worse, and somebody asked for that.
  private func check(_ result: RunComparison, _ team: Configuration) throws {
    guard let part = try failOnRegression?.read() else { return }
    for line in result.notTold { Terminal.printError("cannot tell: \(line)") }
    let severity = AnalyzeCommand.FailOn.holding(failOn, team)
    if result.isRegression(slowerBy: part, findingsFrom: severity.severity) {
      throw ExitStatus.findings
    }
  }

  /// The logs of each side.
  private func sides() throws -> (a: [String], b: [String]) {
    let (ofA, ofB) = against.isEmpty ? ([logs[0]], [logs[1]]) : (logs, against)
    if (ofA + ofB).filter({ $0 == "-" }).count > 1 {
      throw CommandError.usage("- is standard input, which one of both can be; name a file")
    }
    return (try LogFinder.paths(ofA), try LogFinder.paths(ofB))
  }

  private func report(
    _ comparison: RunComparison, _ form: Format, style: TextStyle
  ) throws -> String {
    switch form {
    case .text: comparison.text(style: style)
    case .json: try comparison.json
    case .markdown: comparison.markdown
    case .github: comparison.github
    }
  }

  private func show(_ said: String, _ first: DiffSide, _ second: DiffSide) throws {
    let kind = EpisodeKind.read(said)
    if first.example == nil && second.example == nil {
      let kinds = Set(first.episodes.kinds).union(second.episodes.kinds).sorted()
      let near = NearestWord.of(kind, in: kinds).map { "; did you mean '\($0)'?" } ?? "."
      let known =
        kinds.isEmpty ? "They have no episodes" : "They have: " + kinds.joined(separator: ", ")
      throw CommandError.usage(
        "no run has an episode of the kind \(InertText.word(said))\(near) \(known)")
    }
    let text = EpisodeText(kind, first.example, second.example, style: color.color.style)
    try Terminal.print(text.text)
  }
}

/// A percentage, as an option takes it: `20%`.
///
/// Any word is taken, so that a wrong one is reported, and the usual one does not take its place.
struct Percentage: ExpressibleByArgument, CustomStringConvertible {
  /// From which slowdown on something is a regression by default.
  static let usual = Percentage(argument: "\(Int(RunDifference.leastShift.part * 100))%")

  /// The percentage as it was written.
  let description: String

  init(argument: String) { description = argument }

  /// The part, such as 0.2, or an error that states how to write it.
  func read() throws -> Double {
    let number = description.hasSuffix("%") ? String(description.dropLast()) : description
    if let percent = Double(number), percent >= 0, percent.isFinite { return percent / 100 }
    throw ValidationError(
      "\(InertText.word(description)) is no percentage; write --fail-on-regression=20%, or put the "
        + "option behind the logs")
  }
}
