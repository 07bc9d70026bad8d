import ArgumentParser

/// The log that a command reads: the one that was named, or else the newest recording here.
struct LogArgument: NamedLog {
  @Argument(
    help:
      "The log to read; - is standard input. By default the newest recording in this directory.",
    completion: .file())
  var log: String?
}

/// The same for a command that reads the log more than once.
struct LogFileArgument: NamedLog {
  @Argument(
    help: "The log to read, a file. By default the newest recording in this directory.",
    completion: .file())
  var log: String?
}

/// The same for an export: one log, which some forms read twice, or any number for tables.
struct ExportedLogsArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      The log to read; - is standard input, for csv, ndjson and tables. By default the newest recording \
      in this directory. For tables: logs, directories and quoted patterns.
      """,
      valueName: "log"), completion: .file())
  var logs: [String] = []

  /// The path of the one log.
  func path() throws -> String {
    if logs.count > 1 {
      throw CommandError.usage(
        "an export is of one log; name one, or say --tables for tables of many")
    }
    return try logs.first ?? NewestLog.path()
  }
}

/// What log is named, or else the newest recording.
protocol NamedLog: ParsableArguments {
  /// What was named.
  var log: String? { get }
}

extension NamedLog {
  /// The path of the log.
  func path() throws -> String { try log ?? NewestLog.path() }
}

/// The logs that a command is pointed at: files, directories and patterns.
struct LogsArgument: NamedLogs {
  @Argument(
    help: ArgumentHelp(
      """
      The logs to read: files, directories and quoted patterns such as 'runs/*.bin'; - is standard \
      input. By default the newest recording in this directory.
      """,
      valueName: "log"), completion: .file())
  var logs: [String] = []
}

/// The same for a command that reads the logs twice.
struct LogFilesArgument: NamedLogs {
  @Argument(
    help: ArgumentHelp(
      """
      The logs to read: files, directories and quoted patterns such as 'runs/*.bin'. By default the \
      newest recording in this directory.
      """,
      valueName: "log"), completion: .file())
  var logs: [String] = []
}

/// A file that names the logs of which a command makes tables.
struct LogListOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the names of the logs from this file, a name a line; - is standard input.",
      valueName: "file"), completion: .file())
  var filesFrom: String?

  /// The logs that are `named` and those in the list, or else the newest recording here.
  func logs(_ named: [String]) throws -> TabledLogs {
    let isNone = named.isEmpty && filesFrom == nil
    return try TabledLogs(isNone ? [NewestLog.path()] : named, listedIn: filesFrom)
  }
}

/// What the logs are that were named, or else the newest recording.
protocol NamedLogs: ParsableArguments {
  /// What was named.
  var logs: [String] { get }
}

/// What logs are named.
enum LogChoice {
  /// One file, which is told in full.
  case one(String)
  /// Any number of files, in the order of their names.
  case many([String])
}

extension NamedLogs {
  /// Finds the logs.
  func choice() throws -> LogChoice {
    let logs = try named()
    if logs.count == 1, !LogFinder.isDirectory(logs[0]), !LogFinder.isPattern(logs[0]) {
      return .one(logs[0])
    }
    return .many(try LogFinder.paths(logs))
  }

  /// The files of all logs, in the order of their names.
  func paths() throws -> [String] { try LogFinder.paths(named()) }

  /// What was named, or else the newest recording here.
  private func named() throws -> [String] { logs.isEmpty ? [try NewestLog.path()] : logs }
}
