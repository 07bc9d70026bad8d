import LifecycleModel
import TraceAnalysis

/// Results of logs that were read already, as NDJSON: a line a finding, then what could not be told,
/// then a summary.
public struct NDJSONReport {
  private let results: AnalysisResults

  /// Makes a report of results.
  public init(_ results: AnalysisResults) { self.results = results }

  /// The whole text; the same results give the same text.
  public var text: String {
    let groups = Dictionary(results.groups.map { ($0.fingerprint, $0) }) { first, _ in first }
    var text = FindingLine.begin()
    var key = 0
    for finding in results.findings {
      let group = groups[finding.fingerprint]
      key += 1
      let main = key
      let times = group.map { FindingLine.Times(count: $0.count, logs: $0.logs) }
      text += FindingLine.finding(finding, FindingLine.Place(key: main, cause: nil, times: times))
      for dependent in finding.dependents {
        key += 1
        text += FindingLine.finding(
          dependent, FindingLine.Place(key: key, cause: main, times: nil))
      }
    }
    return text + FindingLine.end(results)
  }
}

/// The findings of a log as NDJSON while it is read.
///
/// A finding is told when it is made, and told again at the end when more has become of it: what a key
/// names is what its last line says. Memory: the findings that an analysis keeps.
public struct FindingStream {
  private let log: String
  /// What was told of each finding; the key is the place, from 1.
  private var told: [ToldFinding] = []

  /// Makes a stream for the log that is named so.
  public init(of log: String) { self.log = log }

  /// The first line.
  public var begin: String { FindingLine.begin() }

  /// Lines for what was found since the last call.
  ///
  /// Call it before the analyzer forgets words.
  public mutating func lines(_ analyzer: Analyzer, _ vocabulary: Vocabulary) -> String {
    var lines = ""
    for finding in analyzer.findings(after: told.count) {
      let finding = ToldFinding(finding, of: log, vocabulary)
      told.append(finding)
      lines += FindingLine.finding(
        finding, FindingLine.Place(key: told.count, cause: nil, times: nil))
    }
    return lines
  }

  /// Lines for all that has changed, and the summary.
  ///
  /// `analysis` is what the analyzer has said at its end, and `results` is the same in words.
  public func end(
    _ analysis: Analysis, _ results: AnalysisResults, _ vocabulary: Vocabulary
  ) -> String {
    var last: [(place: FindingLine.Place, finding: ToldFinding)] = []
    for main in analysis.findings {
      for finding in [main] + main.dependents {
        var words = ToldFinding(finding, of: log, vocabulary)
        words.dependents = []
        let cause = finding.number == main.number ? nil : main.number
        last.append((FindingLine.Place(key: finding.number, cause: cause, times: nil), words))
      }
    }
    var lines = ""
    for (place, finding) in last.sorted(by: { $0.place.key < $1.place.key }) {
      let isTold = place.key <= told.count
      if isTold && place.cause == nil && told[place.key - 1] == finding { continue }
      lines += FindingLine.finding(finding, place, isUpdate: isTold)
    }
    return lines + FindingLine.end(results)
  }
}
