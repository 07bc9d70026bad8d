import ArgumentParser
import LifecycleModel
import TraceConfiguration
import TraceReport
import TraceText

/// `tracectl timeline`: a run as a picture in the terminal.
struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Draw a run in the terminal.",
    discussion: """
      The picture has a row for each lane: the states of the app and of its scenes, the process, calls by thread, background tasks, what was held, unsaved data, deliveries, work and notifications. Findings are numbered where their culprits are, and listed below.

        tracectl timeline log.bin
        tracectl timeline log.bin --from 12s --to 13s --axis clock

      A bar that ends with a cross was open when the process died; with an arrow, when the log ended. Work while the app was not active is red. tracectl analyze --timeline draws the same picture in its report.
      """)

  @OptionGroup var input: LogArgument

  @Option(
    help: ArgumentHelp(
      "Draw from this time on: 4.2s, or 17:30:31 by the wall clock.", valueName: "moment"))
  var from: MomentArgument?

  @Option(help: ArgumentHelp("Draw up to this time.", valueName: "moment"))
  var to: MomentArgument?

  @OptionGroup(title: "The picture") var options: PictureOptions

  @OptionGroup(title: "What the log does not state") var inputOptions: InputOptions

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func validate() throws {
    try from?.check("--from")
    try to?.check("--to")
  }

  func run() throws {
    let log = try input.path()
    try PictureOptions.check(log)
    let team = try configured.load()
    let settings = try inputOptions.settings(team)
    var reading = LogAnalysis(team, statistics: false, settings: settings)
    var instants = StoryInstants()
    let (analysis, _, _) = try reading.analyze(log) { _, _, events in instants.observe(events) }

    let window = try MomentArgument.window(from, to, by: reading.clock)
    guard let picture = try options.picture(of: log, analysis, instants, reading, in: window) else {
      let part = window == nil ? "" : " between --from and --to"
      throw CommandError.usage("\(InertText.word(log)): has no events\(part)")
    }
    try Terminal.print(picture.lines(color.color.style).joined(separator: "\n") + "\n")
  }
}
