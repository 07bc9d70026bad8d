import Platform
import TraceConfiguration
import TraceReport

/// Which configuration holds, as `--config` names it, for every command that knows rules.
struct ConfigurationChoice {
  /// The word for no configuration.
  private static let none = "none"

  /// The file that holds; `nil` for none.
  let file: String?

  /// The file that is named, or else the nearest one.
  init(_ named: String?) {
    let isNone = named == ConfigurationChoice.none
    file = isNone ? nil : named ?? ConfigurationFiles.find(from: ".")
  }

  /// What was read of it, with its problems; `nil` without a file.
  func read() throws -> ConfigurationFiles.Result? {
    try file.map { try ConfigurationFiles.read($0, told: ConfigurationChoice.told($0)) }
  }

  /// The configuration; errors in it are told, a line each, and end the command.
  func load() throws -> Configuration {
    guard let result = try read() else { return Configuration() }
    try ConfigurationChoice.refuse(result.errors)
    return result.configuration
  }

  /// Ends the command when there are errors.
  static func refuse(_ errors: [ConfigurationProblem]) throws {
    if errors.isEmpty { return }
    for error in errors { Terminal.printProblem("\(error)") }
    throw CommandError.usage("the configuration has \(CountText.of(errors.count, "error"))")
  }

  /// A path below this directory, or in one of those above, as one would write it here.
  static func told(_ path: String) -> String {
    let here = PathText.absolute(".").split(separator: "/")
    let there = path.split(separator: "/")
    guard path.hasPrefix("/") else { return path }
    let common = zip(here, there).prefix { $0 == $1 }.count
    if common == 0 && !here.isEmpty { return path }
    let up = Array(repeating: "..", count: here.count - common)
    return (up + there[common...].map(String.init)).joined(separator: "/")
  }
}

extension CalendarDay {
  /// The day that it is here: the one place where the calendar enters.
  static var today: CalendarDay {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    let day = CalendarDay(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
    return day ?? CalendarDay.first
  }
}
