import ArgumentParser
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceReport
import TraceText

/// `analyze --reduce`: the smallest trace for each finding, in a file of its own.
struct ReduceOption: ParsableArguments {
  /// So many findings of a rule are reduced.
  private static let perRule = 3

  @Option(
    help: ArgumentHelp(
      """
      Write the smallest trace that still shows a finding to this directory, in notation, for the \
      first three findings of each rule.
      """,
      valueName: "dir"), completion: .directory)
  var reduce: String?

  /// Looks at what can be known before the log is read.
  func check(_ log: String) throws {
    guard let reduce else { return }
    if log == "-" {
      throw CommandError.usage(
        "--reduce reads the log twice, which does not work with standard input; name a file")
    }
    try WholeFile.makeFolder(reduce)
  }

  /// Reads the log again and writes the files.
  func write(_ analysis: Analysis, _ log: String, _ settings: InputSettings, rules: [ActiveRule])
    throws
  {
    guard let reduce else { return }
    var counts: [String: Int] = [:]
    let chosen = analysis.allFindings.enumerated().filter { _, finding in
      counts[finding.rule, default: 0] += 1
      return counts[finding.rule, default: 0] <= ReduceOption.perRule
    }.map { (index: $0.offset, finding: $0.element) }
    var input = try TraceInput(log, settings: settings, isReadAgain: true)
    var windows = FindingWindows(chosen, input.vocabulary)
    var files = ReducedFiles(
      directory: reduce, log: log, analysis: analysis, vocabulary: input.vocabulary, rules: rules)
    var events: [Event] = []
    while !windows.isDone, try input.read(into: &events) {
      for window in windows.take(events) { try files.write(window) }
    }

    for window in windows.finish() { try files.write(window) }
    for failure in files.failures { Terminal.printError(failure) }
    Terminal.printProblem(files.summary)
  }
}

/// The files that hold reduced traces.
private struct ReducedFiles {
  let directory: String
  let log: String
  let analysis: Analysis
  let vocabulary: Vocabulary
  let rules: [ActiveRule]
  private var names: Set<String> = []
  private(set) var failures: [String] = []

  init(
    directory: String, log: String, analysis: Analysis, vocabulary: Vocabulary,
    rules: [ActiveRule]
  ) {
    (self.directory, self.log, self.rules) = (directory, log, rules)
    (self.analysis, self.vocabulary) = (analysis, vocabulary)
  }

  var summary: String {
    "wrote \(CountText.of(names.count, "reduced trace")) to \(InertText.word(directory))"
  }

  mutating func write(_ window: FindingWindows.Window) throws {
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
