import LifecycleModel
import TraceAnalysis

/// Results of logs that were read already, as NDJSON: a line a finding, then what could not be told,
/// then a summary.
struct NDJSONReport {
  private let results: AnalysisResults

  /// Makes a report of results.
  init(_ results: AnalysisResults) { self.results = results }

  /// The whole text; the same results give the same text.
  var text: String {
    let groups = Dictionary(results.groups.map { ($0.fingerprint, $0) }) { first, _ in first }
    var text = FindingLine.begin()
    var key = 0
    for finding in results.findings {
      let group = groups[finding.fingerprint]
      key += 1
      let main = key
      let times = group.map { FindingLine.Times(count: $0.count, logs: $0.logs) }
      text += FindingLine.finding(finding, FindingLine.Place(key: main, times: times))
      for dependent in finding.dependents {
        key += 1
        text += FindingLine.finding(dependent, FindingLine.Place(key: key, cause: main))
      }
    }
    return text + FindingLine.end(results)
  }
}

/// The findings of a log as NDJSON while it is read.
///
/// A finding is told when it is made, and told again at the end when more has become of it: what a key
/// names is what its last line says. Memory: the lines of the findings that an analysis keeps.
package struct FindingStream {
  private let log: String
  /// What was told of each finding; the key is the place, from 1.
  private var told: [String] = []

  /// Makes a stream for the log that is named so.
  package init(of log: String) { self.log = log }

  /// The first line.
  package var begin: String { FindingLine.begin() }

  /// Lines for what was found since the last call.
  ///
  /// Call it before the analyzer forgets words.
  package mutating func lines(_ analyzer: Analyzer, _ vocabulary: Vocabulary) -> String {
    let first = told.count
    for finding in analyzer.findings(after: first) {
      let place = FindingLine.Place(key: told.count + 1)
      told.append(FindingLine.finding(ReportedFinding(finding, of: log, vocabulary), place))
    }
    return told[first...].joined()
  }

  /// Lines for all that has changed, and the summary; `results` are those of the log.
  package func end(_ results: AnalysisResults) -> String {
    let last = results.listedFindings.sorted { $0.finding.number < $1.finding.number }
    var lines = ""
    for listed in last {
      let place = FindingLine.Place(key: listed.finding.number, cause: listed.cause?.number)
      let isTold = place.key <= told.count
      if isTold && FindingLine.finding(listed.finding, place) == told[place.key - 1] { continue }
      lines += FindingLine.finding(listed.finding, place, isUpdate: isTold)
    }
    return lines + FindingLine.end(results)
  }
}
