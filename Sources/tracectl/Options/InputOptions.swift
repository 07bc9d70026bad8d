import ArgumentParser
import LifecycleModel
import TraceConfiguration
import TraceSources
import TraceText

/// What a person says about an input that the input does not say itself.
struct InputOptions: ParsableArguments {
  @OptionGroup var console: ConsoleOptions

  @OptionGroup var crash: CrashOption

  @OptionGroup var answers: AnswerOptions

  @OptionGroup var work: WorkOption

  /// The options as they were given, for a command that reads the same log.
  var words: [String] { console.words + crash.words }

  /// What holds for every input: what the command line says, and else the configuration.
  func settings(_ team: Configuration) throws -> InputSettings {
    InputSettings(
      console: console.options, answers: answers.profile.completed(by: team.answers),
      reports: try crash.reports(app: console.app), work: work.limit)
  }
}

/// What a person says about console text.
struct ConsoleOptions: ParsableArguments {
  /// The options as they were given, for a command that reads the same text.
  var words: [String] {
    (app.map { ["--app", $0] } ?? []) + (date.map { ["--date", "\($0)"] } ?? [])
  }

  @Option(
    help: ArgumentHelp(
      "The app to follow in console text: process name or bundle identifier.",
      valueName: "name"))
  var app: String?

  @Option(
    help: ArgumentHelp(
      "The day of console text without dates, as year-month-day.", valueName: "date"))
  var date: String?

  mutating func validate() throws {
    try ConsoleOptions.check(app: app)
    if let date, ConsoleSource.Day(date) == nil {
      throw ValidationError("--date takes a day such as 2026-11-21, not \(date)")
    }
  }

  /// Refuses an app without a name, as a shell variable that is not set gives it.
  static func check(app: String?) throws {
    guard let app, app.allSatisfy(\.isWhitespace) else { return }
    throw ValidationError("--app takes a process name or a bundle identifier, not an empty text")
  }

  /// The options as the importer takes them.
  var options: ConsoleSource.Options {
    ConsoleSource.Options(app: app, date: date.flatMap { ConsoleSource.Day($0) })
  }
}

/// What a person answers where a log does not say it.
struct AnswerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Whether the app uses scenes, if the log does not state it: app or scene.",
      valueName: "mode"))
  var mode: Profile.Mode?

  @Option(
    help: ArgumentHelp(
      "The system version, if the log does not state it, such as 18.2.", valueName: "version"))
  var os: String?

  @Option(
    help: ArgumentHelp(
      """
      The background modes from the app's Info.plist, if the log does not state them: names \
      separated by commas, or none.
      """,
      valueName: "modes"))
  var backgroundModes: String?

  /// The answers as a log would say them.
  var profile: Profile {
    var attributes: [Attribute] = []
    if let mode { attributes.append(Attribute(.mode, mode.rawValue)) }
    if let os { attributes.append(Attribute(.os, os)) }
    if let backgroundModes { attributes.append(Attribute(.backgroundModes, backgroundModes)) }
    return Profile(attributes)
  }

  mutating func validate() throws {
    try checkBackgroundModes()
    if let os, Profile([Attribute(.os, os)]).osMajor == nil {
      throw ValidationError("--os takes a version such as 18.2, not \(os)")
    }
  }
}

extension AnswerOptions {
  /// Refuses what no app can declare: a mode with a slip of the hand would stand for no mode.
  private func checkBackgroundModes() throws {
    guard let backgroundModes, backgroundModes != "none" else { return }
    let known = Profile.knownBackgroundModes
    let said = backgroundModes.split(separator: ",", omittingEmptySubsequences: false)
    for mode in said.map(String.init) where !known.contains(mode) {
      let near = NearestWord.of(mode, in: known).map { "did you mean \($0)?" }
      throw ValidationError(
        "--background-modes: \(InertText.word(mode)) is not a background mode; "
          + (near ?? "expected none, or of \(known.joined(separator: ", "))"))
    }
  }
}

extension Profile.Mode: ExpressibleByArgument {}

/// How inputs are read, and what is known about them beside what they say.
struct InputSettings {
  /// What console text does not say.
  var console = ConsoleSource.Options()
  /// What holds where a log does not say it.
  var answers = Profile()
  /// Whether no progress is shown.
  var isQuiet = false
  /// Whether damages of a log that no gap in its events tells are told.
  var tellsDamages = true
  /// Crash reports that are held against each log.
  var reports: [ReportFiles.Entry] = []
  /// How much of each log is read.
  var work = WorkLimit()

  /// A line for each answer that is not used, as the log says something else.
  func unused(in profile: Profile, of name: String) -> [String] {
    answers.attributes.compactMap { answer in
      guard let said = profile.attributes.first(where: { $0.key == answer.key }),
        said.value != answer.value
      else { return nil }
      return "\(name): states \(answer.key)=\(InertText.word(said.value)) itself; "
        + "\(answer.key)=\(InertText.word(answer.value)) is ignored"
    }
  }
}
