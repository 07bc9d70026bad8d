import ArgumentParser
import LifecycleModel
import Platform
import TraceLog
import TraceText

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
      in this directory. For tables: logs, directories, quoted patterns and tar archives.
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

  /// The logs of which tables are made.
  func tabled(listedIn list: String?) throws -> TabledLogs {
    let named = logs.isEmpty && list == nil ? [try NewestLog.path()] : logs
    return try TabledLogs(named, listedIn: list)
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

/// The recording that a command takes when none was named.
enum NewestLog {
  /// The binary log in this directory that was written last, which standard error names.
  static func path() throws -> String {
    let names = Folder.names(in: ".") ?? []
    let logs = names.filter { $0.hasSuffix(".bin") && LogFinder.isBinaryLog($0) }
    // Of two that were written at once the name decides, so that the choice is always the same.
    let newest = logs.max { first, second in
      let times = (written(first), written(second))
      return times.0 == times.1 ? first > second : times.0 < times.1
    }

    guard let newest else {
      throw CommandError.usage(
        "there is no recording in this directory; name a log, or create one with tracectl record")
    }
    Terminal.printError("reading \(InertText.word(newest)), the newest recording here")
    return newest
  }

  /// When a log was last written, with its ring: an app may have written into that alone.
  private static func written(_ path: String) -> Int64 {
    [path, path + RingFormat.pathEnding].map { path in
      var status = stat()
      return stat(path, &status) == 0 ? platform_modified(&status) : 0
    }.max() ?? 0
  }
}
