import LifecycleModel
import TraceAnalysis
import TraceReport
import TraceText

/// The smallest traces that show findings of a log, each in a file of a directory.
struct ReducedFiles {
  /// So many findings of a rule are reduced.
  private static let perRule = 3

  private let directory: String
  private let log: String
  private let analysis: Analysis
  private let vocabulary: Vocabulary
  private let rules: [ActiveRule]
  private var names: Set<String> = []
  private var failures: [String] = []

  /// Makes the directory, and throws for a log that cannot be read twice.
  static func check(_ directory: String, _ log: String) throws {
    if log == "-" {
      throw CommandError.usage(
        "--reduce reads the log twice, which does not work with standard input; name a file")
    }
    try WholeFile.makeFolder(directory)
  }

  /// Reads the log again and writes the files for the first findings of each rule to `directory`.
  static func write(
    to directory: String, _ analysis: Analysis, of log: String, _ task: LogTask
  ) throws {
    var counts: [String: Int] = [:]
    let chosen = analysis.allFindings.enumerated().filter { _, finding in
      counts[finding.rule, default: 0] += 1
      return counts[finding.rule, default: 0] <= perRule
    }.map { (index: $0.offset, finding: $0.element) }
    var input = try task.reopen(log)
    var windows = FindingWindows(chosen, input.vocabulary)
    var files = ReducedFiles(
      directory: directory, log: log, analysis: analysis, vocabulary: input.vocabulary,
      rules: task.team.activeRules)
    var events: [Event] = []
    while !windows.isDone, try input.read(into: &events) {
      for window in windows.take(events) { try files.write(window) }
    }

    for window in windows.finish() { try files.write(window) }
    for failure in files.failures { Terminal.printError(failure) }
    Terminal.printProblem(
      "wrote \(CountText.of(files.names.count, "reduced trace")) to \(InertText.word(directory))")
  }

  private mutating func write(_ window: FindingWindows.Window) throws {
    let finding = analysis.allFindings[window.index]
    guard let rule = rules.first(where: { $0.description.id == finding.rule }) else {
      return
    }

    let reducer = TraceReducer(vocabulary, rule: rule)
    guard let events = reducer.reduce(window.events, to: window.culprit) else {
      failures.append(
        "\(finding.rule) at #\(window.culprit.sequence) needs more than the last "
          + "\(FindingWindows.kept) events before it and is not reduced")
      return
    }

    let trace = ReducedTrace(
      finding, of: rule.description, events, culprit: window.culprit, vocabulary)
    var name = trace.name

    // The same number may be that of another writer's event.
    var copy = 1
    while names.contains(name) {
      copy += 1
      name = "\(trace.name)-\(copy)"
    }

    names.insert(name)
    try ReportFile("\(directory)/\(name).trace", inputs: [log], isNamed: false)
      .write(Array(trace.text.utf8))
  }
}
