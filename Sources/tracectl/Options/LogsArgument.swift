import ArgumentParser

/// The log that a command reads: the one that was named, or else the newest recording here.
struct LogArgument: ParsableArguments {
  @Argument(
    help: "The log to read. By default the newest recording in this directory.",
    completion: .file())
  var log: String?

  /// The path of the log.
  func path() throws -> String { try log ?? NewestLog.path() }
}

/// The logs that a command reads: files, directories and patterns, or else the newest recording here.
struct LogsArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      The logs to read: files, directories and quoted patterns such as 'runs/*.bin'. By default the \
      newest recording in this directory.
      """,
      valueName: "log"), completion: .file())
  var logs: [String] = []

  /// Finds the logs: `one` file, which is reported in full, or any number in the order of their names; `reports`
  /// are read by themselves where there is no log beside them.
  func choice(
    orElse reports: [String] = []
  ) throws -> (one: String?, many: [String], areReports: Bool) {
    let newest = logs.isEmpty && !reports.isEmpty ? NewestLog.find() : nil
    let areReports = logs.isEmpty && !reports.isEmpty && newest == nil
    let named = try areReports ? reports : newest.map { [$0] } ?? named()
    if named.count == 1, !LogFinder.isDirectory(named[0]), !LogFinder.isPattern(named[0]) {
      return (named[0], [], areReports)
    }
    return (nil, try LogFinder.paths(named), areReports)
  }

  /// The files of all logs, in the order of their names.
  func paths() throws -> [String] { try LogFinder.paths(named()) }

  /// What was named, or else the newest recording here.
  private func named() throws -> [String] { logs.isEmpty ? [try NewestLog.path()] : logs }
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

/// `--jobs`: on how many threads logs are read.
struct JobsOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many logs to read at a time; by default one per core. The output does not depend on it.",
      valueName: "count"), transform: WholeNumber.read)
  var jobs: Int?

  mutating func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs takes a number of at least 1") }
  }

  var count: Int { min(jobs ?? Threads.coreCount, Threads.coreCount) }
}
