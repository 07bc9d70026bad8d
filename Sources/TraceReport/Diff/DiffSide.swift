import LifecycleModel
import TraceAnalysis
import TraceText

/// One side of a comparison: what its runs show, and what was found in them.
package struct DiffSide: Sendable {
  /// What is known of a finding over the runs.
  struct Found: Sendable {
    var cause: AnalysisResults.Cause
    /// In how many runs it is.
    var runs: Int
  }

  /// What is known of a way to end that is a fault, or that nothing explains.
  struct Death: Sendable {
    /// How a headline says it, with what explains it.
    var phrase: String
    /// In how many runs a process ended so.
    var runs: Int
  }

  /// What happened in the episodes.
  package var run = RunDifference.Side()
  /// The names of the logs, in their order.
  private(set) var logs: [String] = []
  private(set) var events: UInt64 = 0
  private(set) var gaps = 0
  /// The findings that nobody accepts, by fingerprint.
  private(set) var found: [String: Found] = [:]
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
  var runs: Int { logs.count }

  /// Takes in what was found in a run.
  package mutating func add(_ results: AnalysisResults, of log: String, _ profile: Profile) {
    logs.append(log)
    events += results.events
    gaps += results.gaps
    self.profile = profile
    for cause in results.causes where cause.count > 0 {
      if found[cause.fingerprint] == nil {
        found[cause.fingerprint] = Found(cause: cause, runs: 1)
      } else {
        found[cause.fingerprint]?.cause.merge(cause)
        found[cause.fingerprint]?.runs += 1
      }
    }

    for tally in results.deaths where tally.class == .fault || tally.class == .unexplained {
      let end = results.verdicts.last { $0.order == tally.order }
      let phrase = end.map(DiffSide.phrase) ?? tally.name
      deaths[tally.order, default: Death(phrase: phrase, runs: 0)].runs += 1
    }
    pile.add(results)
  }

  private static func phrase(_ end: ReportedDeath) -> String {
    guard let suspect = end.explainedBy.first?.event else { return end.phrase }
    let name = [suspect.name, suspect.subject].compactMap(\.self).map(InertText.word)
    let label = suspect.label.map { ["\"\(InertText.line($0))\""] } ?? []
    return "\(end.phrase), explained by \(([suspect.verb] + name + label).joined(separator: " "))"
  }

  /// How its processes ended, the most serious first; `nil` when no end is recorded.
  package var ends: String? { DeathsText(pile.total).phrase?.text }

  /// The rules that could judge in no run, though they apply: what they do not find says nothing.
  var notJudging: Set<String> {
    Set(
      pile.total.rules.filter { $0.doubtful > 0 && $0.violated + $0.satisfied + $0.idle == 0 }
        .map(\.rule.id))
  }
}
