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

  @OptionGroup var input: LogFileArgument

  @OptionGroup var window: WindowOptions

  @OptionGroup(title: "The picture") var options: PictureOptions

  @OptionGroup(title: "What the log does not state") var inputOptions: InputOptions

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func run() throws {
    let log = try input.path()
    let team = try configured.load()
    let settings = try inputOptions.settings(team)
    guard let picture = try options.picture(of: log, team, settings, window) else {
      throw CommandError.usage("\(InertText.word(log)): has no events\(window.inPart)")
    }
    try Terminal.print(picture.lines(color.color.style).joined(separator: "\n") + "\n")
  }
}
