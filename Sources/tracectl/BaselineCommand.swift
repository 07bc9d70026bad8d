import ArgumentParser
import TraceAnalysis
import TraceConfiguration
import TraceReport

/// `tracectl baseline`: the file of findings that are known.
struct BaselineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Write, check and prune the file of findings that are known.",
    discussion: """
      A baseline lets a team begin with an app that has findings: analyze --baseline tells only what
      is new. It counts findings by fingerprint, which other times, other numbers of scenes and tasks,
      and what else happens do not change.
      """,
    subcommands: [Write.self, Check.self, Prune.self])

  /// The baseline and the logs that a subcommand is about.
  struct Input: ParsableArguments {
    @OptionGroup var logs: LogsArgument

    @Option(
      help: ArgumentHelp(
        "The baseline; else that of the configuration, or \(BaselineFile.defaultPath).",
        valueName: "file"), completion: .file())
    var baseline: String?

    @OptionGroup var jobs: JobsOption

    @OptionGroup(title: "What the logs do not say") var inputOptions: InputOptions

    @OptionGroup var configured: ConfigurationOption

    /// Where the baseline lies.
    func path(_ team: Configuration) -> String {
      baseline ?? team.baseline?.value ?? BaselineFile.defaultPath
    }

    /// What is found in all logs; a log that cannot be read is an error.
    func analyze(_ team: Configuration) throws -> AnalysisResults {
      let many = ManyLogs(
        try logs.paths(), team, statistics: false, settings: inputOptions.settings(team)
      ) { _ in }
      let results = try many.run(threads: jobs.count)
      if let unreadable = results.unreadable.first {
        throw CommandError.unreadable(unreadable.error)
      }
      return results
    }
  }

  struct Write: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make all that is found in the logs known.",
      discussion: "What the file says in words of an entry that stays is kept.")

    @OptionGroup var input: Input

    func run() throws {
      let team = try input.configured.load()
      let path = input.path(team)
      let old = try BaselineFile.readIfThere(path) ?? Baseline()
      let new = try input.analyze(team).baseline(updating: old)
      try BaselineFile.write(new, to: path)
      try Terminal.print(BaselineChange(old, new).text(of: path))
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say what is not in the baseline, and what of it is fixed.",
      discussion: "Exits with 1 when there is any. Nothing is written.")

    @OptionGroup var input: Input
    @OptionGroup var color: ColorOptions

    func run() throws {
      let team = try input.configured.load()
      let baseline = try BaselineFile.read(input.path(team))
      var results = try input.analyze(team)
      results.compare(with: baseline)
      try Terminal.print(ResultsReport(results, style: color.color.style).text)
      guard let comparison = results.comparison else { return }
      if comparison.new > 0 || !comparison.fixed.isEmpty { throw ExitStatus.findings }
    }
  }

  struct Prune: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take out of the baseline what the logs show to be fixed.",
      discussion: """
        Give it logs that show all of the app: what a rule could not judge in any of them stays. What
        is new is not taken in.
        """)

    @OptionGroup var input: Input

    func run() throws {
      let team = try input.configured.load()
      let path = input.path(team)
      let old = try BaselineFile.read(path)
      let new = try input.analyze(team).pruned(old)
      if new != old { try BaselineFile.write(new, to: path) }
      try Terminal.print(BaselineChange(old, new).text(of: path))
    }
  }
}

/// How a baseline was changed, in a line.
private struct BaselineChange {
  let old: Baseline
  let new: Baseline

  init(_ old: Baseline, _ new: Baseline) { (self.old, self.new) = (old, new) }

  func text(of path: String) -> String {
    let added = surplus(of: new, over: old)
    let gone = surplus(of: old, over: new)
    let all = new.entries.reduce(0) { $0 + $1.count }
    return "\(path): \(CountText.of(all, "finding")) known, \(added) added, \(gone) taken out\n"
  }

  private func surplus(of some: Baseline, over other: Baseline) -> Int {
    some.entries.reduce(0) { $0 + max(0, $1.count - other.count(of: $1.fingerprint)) }
  }
}

/// `--jobs`: on how many threads logs are read.
struct JobsOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read so many logs at a time; as many as there are cores when not said. The output is the same.",
      valueName: "count"))
  var jobs: Int?

  mutating func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs takes a number from 1 on") }
  }

  var count: Int { min(jobs ?? ManyLogs.coreCount, ManyLogs.coreCount) }
}
