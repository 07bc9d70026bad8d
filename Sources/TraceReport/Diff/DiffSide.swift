import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// One side of a comparison: what its runs show, and what was found in them.
package struct DiffSide: Sendable {
  /// What is known of a way to end that is a fault, or that nothing explains.
  struct Death: Sendable {
    /// How a headline says it, with what explains it.
    var phrase: String
    /// In how many runs a process ended so.
    var runs: Int
    /// In how many of them another process runs at the end of the log.
    var openRuns: Int
  }

  /// What happened in the episodes.
  package var episodes = EpisodeCounts()
  /// What the report states about the side, without its episodes.
  private var counts = RunComparison.Side()
  /// How long the longest log is, from its first event to its last.
  private var length: Nanoseconds = 0
  /// How long after the beginning of its log each finding comes, where it comes first, by fingerprint.
  private var times: [String: Nanoseconds] = [:]
  /// The ends, by class and cause.
  private(set) var deaths: [AnalysisResults.DeathTally.Order: Death] = [:]
  /// The profile of the last run.
  private(set) var profile = Profile()
  /// An episode of the kind that somebody wants to see.
  package var example: EpisodeExample?
  private var pile = ResultsPile()

  /// Makes a side without runs.
  package init() {}

  /// How many runs there are.
  var runs: Int { counts.runs }

  /// What the report states about the side.
  var summary: RunComparison.Side {
    var summary = counts
    (summary.episodes, summary.uncertain) = (episodes.episodes, episodes.uncertain)
    return summary
  }

  /// What its runs say under a key, in order.
  func said(_ key: AttributeKey) -> [String] {
    episodes.recording?.surroundings[key]?.sorted() ?? []
  }

  /// Takes in what was found in a run.
  package mutating func add(_ results: AnalysisResults, of log: String, _ analysis: Analysis) {
    if runs < RunComparison.named { counts.logs.append(log) }
    counts.runs += 1
    counts.events += results.toldEvents
    counts.gaps += results.gaps
    profile = analysis.profile
    length = max(length, analysis.extent.map { $0.upperBound.since($0.lowerBound) } ?? 0)
    if !analysis.showsEnd { counts.openEnds += 1 }

    times.merge(results.timesOfFindings, uniquingKeysWith: min)
    addDeaths(results, isOpen: !analysis.showsEnd)
    pile.add(results)
  }

  /// The findings that nobody accepts, by fingerprint; without those about the recording.
  var found: [String: AnalysisResults.Cause] {
    let causes = pile.total.causes.filter {
      $0.count > 0 && !RuleRegistry.isAboutRecording($0.rule)
    }
    return Dictionary(uniqueKeysWithValues: causes.map { ($0.fingerprint, $0) })
  }

  private mutating func addDeaths(_ results: AnalysisResults, isOpen: Bool) {
    for tally in results.deaths where tally.class == .fault || tally.class == .unexplained {
      let end = results.verdicts.last { $0.order == tally.order }
      let phrase = end.map(DiffSide.phrase) ?? tally.name
      deaths[tally.order, default: Death(phrase: phrase, runs: 0, openRuns: 0)].runs += 1
      if isOpen { deaths[tally.order]?.openRuns += 1 }
    }
  }

  private static func phrase(_ end: ReportedDeath) -> String {
    end.phrase + (end.explainedBy.first.map { ", explained by \($0.event.what)" } ?? "")
  }

  /// In how many runs it is known whether a process ended in a way.
  func runs(telling death: Death?) -> Int { runs - counts.openEnds + (death?.openRuns ?? 0) }

  /// Whether a finding that another side alone has would be in the logs of this one: a run is there up to its
  /// end, or for as long as the finding takes to come.
  func reaches(_ fingerprint: String, of other: DiffSide) -> Bool {
    counts.openEnds < runs || length >= other.times[fingerprint] ?? 0
  }

  /// The rules that could judge in no run, though they apply: what they do not find says nothing.
  var notJudging: Set<String> {
    Set(
      pile.total.rules.filter { $0.doubtful > 0 && $0.violated + $0.satisfied + $0.idle == 0 }
        .map(\.rule.id))
  }
}

extension Analysis {
  /// Whether the end of the last process is in the log, and nothing is missing behind it.
  fileprivate var showsEnd: Bool {
    guard let end = state.processEnd else { return false }
    return (state.lastGap?.ordinal ?? 0) < end.ordinal
  }
}

extension AnalysisResults {
  /// How long after the first event of the one log each finding comes first, by fingerprint.
  fileprivate var timesOfFindings: [String: Nanoseconds] {
    guard let first = log?.first else { return [:] }
    let times = listedFindings.map(\.finding).compactMap { finding in
      finding.instant.map { (finding.fingerprint, $0.since(first)) }
    }
    return Dictionary(times, uniquingKeysWith: min)
  }
}
