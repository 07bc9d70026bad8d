import ArgumentParser
import TraceAnalysis
import TraceConfiguration
import TraceReport
import TraceText

/// `tracectl baseline`: the file of findings that are known.
struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Write and prune the file of known findings.",
    discussion: """
      A baseline lets a team start with an app that already has findings: analyze --baseline then reports only new ones. The file is that of the configuration, or \(BaselineFile.defaultPath). A baseline counts findings by fingerprint. Times, scene and task numbers, and unrelated events do not change a fingerprint.
      """,
    subcommands: [Write.self, Prune.self])

  struct Write: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a baseline of all findings in the logs.",
      discussion:
        "Entries that stay keep their text, so the diff of the file shows only real changes."
    )

    @OptionGroup var subject: BaselineSubject

    func run() throws {
      let team = try subject.reading.team()
      let path = try subject.path(team)
      let old = try BaselineFile.readIfThere(path) ?? Baseline()
      let new = try subject.analyze(team).baseline(updating: old)
      try ReportFile(path).write(Array(new.text.utf8))
      try Terminal.print(new.change(from: old, at: path))
    }
  }

  struct Prune: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove the entries that the logs show to be fixed.",
      discussion: """
        An entry is fixed only if its rule had something to check in these logs and did not find it again. Use logs that exercise the whole app: entries whose rules had nothing to check stay. New findings are not added. If these logs show no finding of the baseline at all, they are probably other logs: prune then removes nothing without --all.
        """)

    @OptionGroup var subject: BaselineSubject

    @Flag(help: "List the entries that would be removed, and write nothing.")
    var dryRun = false

    @Flag(help: "Also prune if the logs show no finding of the baseline, because all are fixed.")
    var all = false

    func run() throws {
      let team = try subject.reading.team()
      let path = try subject.path(team)
      let old = try BaselineFile.read(path, warningOf: team)
      let results = try subject.analyze(team)
      let new = results.pruned(old)
      let comparison = results.comparison(with: old)
      if comparison.known == 0, !comparison.fixed.isEmpty, !all, !dryRun {
        throw CommandError.usage(
          "these logs show no finding of \(path), so that they are probably not those it was "
            + "written of; name all of those logs, or pass --all if every finding is fixed")
      }

      let verb = dryRun ? "would remove" : "removed"
      let lines = comparison.fixed.map { "\(verb) \($0.count) × \($0.rule): \($0.message)\n" }
      if new != old && !dryRun { try ReportFile(path).write(Array(new.text.utf8)) }
      try Terminal.print(lines.joined())
      try Terminal.print(new.change(from: old, at: path, isDry: dryRun))
    }
  }
}

/// A baseline that a command changes, and the logs that show how.
struct BaselineSubject: ParsableArguments {
  @OptionGroup var logs: LogsArgument

  @OptionGroup var baseline: BaselineOption

  @OptionGroup var jobs: JobsOption

  @OptionGroup(title: ReadingOptions.title) var reading: ReadingOptions

  /// Where the baseline lies.
  func path(_ team: Configuration) throws -> String {
    if baseline.isNone {
      throw CommandError.usage("--baseline none names no file; name the baseline to change")
    }
    return baseline.path(team) ?? BaselineFile.defaultPath
  }

  /// What is found in all logs; a log that cannot be read is an error.
  func analyze(_ team: Configuration) throws -> AnalysisResults {
    let task = LogTask(team, try reading.settings(team))
    let results = try ManyLogs.analyze(logs.paths(), task, threads: jobs.count)
    if let unreadable = results.unreadable.first {
      throw CommandError.unreadable(unreadable.error)
    }
    return results
  }
}

extension Baseline {
  /// How it differs from an `old` one at `path`, in a line.
  fileprivate func change(from old: Baseline, at path: String, isDry: Bool = false) -> String {
    func surplus(of some: Baseline, over other: Baseline) -> Int {
      some.entries.reduce(0) { $0 + max(0, $1.count - other.count(of: $1.fingerprint)) }
    }
    let all = entries.reduce(0) { $0 + $1.count }
    let name = InertText.word(path)
    return "\(name)\(isDry ? " would have" : ""): \(CountText.of(all, "finding")) known, "
      + "\(surplus(of: self, over: old)) added, \(surplus(of: old, over: self)) removed\n"
  }
}
