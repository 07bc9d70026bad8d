import ArgumentParser
import TraceSources

/// The crash reports that are held against logs.
struct CrashOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A crash report about an app that has a log here, or a directory of them: joins the end that it \
      tells to the log.
      """,
      valueName: "report"), completion: .file())
  var crash: [String] = []

  /// The options as they were given, for a command that reads the same log.
  var words: [String] { crash.flatMap { ["--crash", $0] } }

  /// The reports, those of one incident once.
  func reports(app: String?) throws -> [ReportFiles.Entry] {
    crash.isEmpty ? [] : try ReportFiles(crash, app: app).entries
  }
}
