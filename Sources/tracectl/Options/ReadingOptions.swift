import ArgumentParser
import LifecycleModel
import TraceConfiguration
import TraceSources
import TraceText

/// How a command reads and judges logs.
///
/// Its options stand in it and not in groups of their own, since a debug build checks each level four times more.
struct ReadingOptions: ParsableArguments {
  @Option(help: .app) var app: String?

  @Option(help: .date) var date: String?

  @Option(help: .crash, completion: .file()) var crash: [String] = []

  @Option(name: .customLong("profile"), help: .profile, transform: StatedProfile.read)
  var answers: [[Attribute]] = []

  @Option(parsing: .unconditional, help: .maxWork, transform: WorkLimit.read)
  var maxWork: WorkLimit?

  @Option(help: .config, completion: .file()) var config: String?

  /// The title under which a command's help lists them.
  static let title = "How logs are read"

  mutating func validate() throws { try ConsoleOptions.check(app, date) }

  /// The options as they were given, for a command that reads the same log.
  var words: [String] {
    let given = [("--app", app), ("--date", date)] + crash.map { ("--crash", $0) }
    return given.flatMap { option, value in value.map { [option, $0] } ?? [] }
  }

  /// The configuration, and what holds for every input.
  func load() throws -> (team: Configuration, settings: InputSettings) {
    let team = try team()
    return (team, try settings(team))
  }

  /// What applies to every log, with the findings that a `baseline` knows.
  func task(
    _ baseline: BaselineOption? = nil, statistics: Bool = false, judges: Bool = true
  ) throws -> LogTask {
    let (team, settings) = try load()
    let known = try baseline?.load(team)
    return LogTask(team, settings, known: known, statistics: statistics, judges: judges)
  }

  /// What is read beside the logs: no output is written over it.
  func inputs(_ team: Configuration, _ baseline: BaselineOption) -> [String] {
    crash + [baseline.path(team)].compactMap(\.self) + team.files
  }

  /// The configuration that holds.
  func team() throws -> Configuration { try ConfigurationChoice(config).load() }

  /// What holds for every input, by the command line, or else by the configuration.
  func settings(_ team: Configuration) throws -> InputSettings {
    InputSettings(
      console: ConsoleOptions.read(app, date), answers: StatedProfile.of(answers, team),
      reports: crash.isEmpty ? [] : try ReportFiles(crash, app: app).entries,
      work: maxWork ?? WorkLimit())
  }
}

/// What options mean that several commands have, and not all of them in a group.
extension ArgumentHelp {
  static let app = ArgumentHelp(
    "The app to follow in console text: process name or bundle identifier.", valueName: "name")

  static let date = ArgumentHelp(
    "The day of console text without dates, as year-month-day.", valueName: "date")

  static let crash = ArgumentHelp(
    """
    A crash report about an app that has a log here, or a directory of them: joins the end that it \
    tells to the log.
    """,
    valueName: "report")

  static let profile = ArgumentHelp(
    """
    What the log does not state, such as mode=app or mode=scene, os=18.2, and \
    background-modes=audio,fetch (from the app's Info.plist, or none); separated by commas, or \
    repeated.
    """,
    valueName: "key=value")

  static let maxWork = ArgumentHelp(
    """
    Read at most this many events of a log, such as 50M; a gap says that the rest was not read. \
    By default ten for each byte of a binary log, one for two bytes of compressed text, and at \
    least 250K; 0 is no limit.
    """,
    valueName: "events")

  static let config = ArgumentHelp(
    """
    The configuration file, or none; by default the nearest .tracectl.yml, in this directory or \
    above.
    """,
    valueName: "file")
}

/// What a person states about console text.
struct ConsoleOptions: ParsableArguments {
  @Option(help: .app) var app: String?

  @Option(help: .date) var date: String?

  mutating func validate() throws { try ConsoleOptions.check(app, date) }

  /// Whether any was given.
  var isEmpty: Bool { app == nil && date == nil }

  /// The options as the importer takes them.
  var options: ConsoleSource.Options { ConsoleOptions.read(app, date) }

  /// Refuses a day that is none, and an app without a name, as a shell variable that is not set gives it.
  static func check(_ app: String?, _ date: String?) throws {
    if let app, app.allSatisfy(\.isWhitespace) {
      throw ValidationError("--app takes a process name or a bundle identifier, not an empty text")
    }
    if let date, ConsoleSource.Day(date) == nil {
      throw ValidationError("--date takes a day such as 2026-11-21, not \(date)")
    }
  }

  static func read(_ app: String?, _ date: String?) -> ConsoleSource.Options {
    ConsoleSource.Options(app: app, date: date.flatMap { ConsoleSource.Day($0) })
  }
}

/// What a person states where a log does not, as `--profile` takes it.
enum StatedProfile {
  /// The answers as a log would state them, completed by those of the configuration; of two for one key the last
  /// counts.
  static func of(_ answers: [[Attribute]], _ team: Configuration) -> Profile {
    let said = answers.flatMap(\.self)
    let profile = Profile(keys.compactMap { key in said.last { $0.key == key.rawValue } })
    return profile.completed(by: team.answers)
  }

  private static let keys: [AttributeKey] = [.mode, .os, .backgroundModes]

  /// Reads `key=value,…`; what has no `=` continues the list before it.
  static func read(_ text: String) throws -> [Attribute] {
    var answers: [Attribute] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 {
        let word = String(parts[0])
        guard let key = keys.first(where: { $0.rawValue == word }) else {
          throw ValidationError(
            "\(InertText.word(word)) is not a key; expected mode, os or background-modes")
        }
        answers.append(Attribute(key, String(parts[1])))
      } else if let last = answers.popLast() {
        answers.append(Attribute(last.key, last.value + "," + piece))
      } else {
        throw ValidationError("it takes key=value, such as mode=scene")
      }
    }

    for answer in answers { try check(answer) }
    return answers
  }

  /// Refuses what no app can state: a value with a slip of the hand would stand for nothing.
  private static func check(_ answer: Attribute) throws {
    switch AttributeKey(rawValue: answer.key) {
    case .mode where Profile.Mode(rawValue: answer.value) == nil:
      throw ValidationError("mode is app or scene, not \(InertText.word(answer.value))")
    case .os where Profile([answer]).osMajor == nil:
      throw ValidationError("os is a version such as 18.2, not \(InertText.word(answer.value))")
    case .backgroundModes where answer.value != "none":
      let known = Profile.knownBackgroundModes
      let modes = answer.value.split(separator: ",", omittingEmptySubsequences: false)
      guard let mode = modes.map(String.init).first(where: { !known.contains($0) }) else { return }
      let near = NearestWord.question(
        mode, in: known, else: "expected none, or of \(known.joined(separator: ", "))")
      throw ValidationError("\(InertText.word(mode)) is not a background mode; \(near)")
    default: return
    }
  }
}
