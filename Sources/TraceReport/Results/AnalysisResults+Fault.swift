import LifecycleModel
import TraceAnalysis
import TraceText

/// What results that came from a file must fulfil, so that they can be merged and printed.
extension AnalysisResults {
  /// So large a number is what JSON holds exactly; sums of many of them do not overflow.
  private static let countLimit = 1 << 53

  /// What contradicts itself; `nil` when nothing does.
  var fault: String? {
    if !numbers.allSatisfy({ (0...AnalysisResults.countLimit).contains($0) }) {
      return "a count is not a number from 0 to 2^53"
    }
    if events > UInt64(AnalysisResults.countLimit) { return "the event count is not valid" }
    if !isOrdered(groups, by: \.fingerprint) || !isOrdered(causes, by: \.fingerprint)
      || !isOrdered(rules, by: \.order) || !isOrdered(deaths, by: \.order)
      || !zip(digests, digests.dropFirst()).allSatisfy({ $0 <= $1 })

    {
      return "a list is out of order"
    }
    if groups.contains(where: { !$0.isSound }) || !causes.allSatisfy(\.isSound) {
      return "the findings contradict their counts"
    }

    let ends = deaths.reduce(0) { $0 &+ $1.count }
    if verdicts.count > min(ends, AnalysisResults.verdictsKept) || digests.count != logs {
      return "the verdicts contradict their counts"
    }

    let texts = groups.flatMap(\.examples).flatMap(\.texts) + causes.flatMap(\.texts)
    let others =
      rules.flatMap(\.texts) + (rulesOff ?? []) + unreadable.flatMap { [$0.log, $0.error] }
    let accepted = (suppressions ?? []).flatMap {
      [$0.rule, $0.reason, $0.place, $0.expires ?? ""]
    }
    let known = baseline?.entries.flatMap { [$0.rule, $0.subject, $0.message] } ?? []
    let told = verdicts.flatMap(\.texts) + deaths.flatMap { [$0.cause, $0.exitReason ?? ""] }
    if !(texts + others + accepted + known + told).allSatisfy(InertText.isInert) {
      return "a text contains hidden characters"
    }
    return nil
  }

  private var numbers: [Int] {
    var numbers = [logs, logsWithFindings, logsInconclusive, gaps]
    numbers += groups.flatMap { [$0.count, $0.logs] }
    numbers += causes.flatMap { [$0.count, $0.accepted] }
    numbers += rules.flatMap { $0.numbers }
    numbers += deaths.flatMap { [$0.count, $0.logs] } + verdicts.map(\.process.number)
    numbers += (suppressions ?? []).map(\.count)
    return numbers + (baseline?.entries.map(\.count) ?? [])
  }

  private func isOrdered<Element, Key: Comparable>(
    _ list: [Element], by key: (Element) -> Key
  ) -> Bool {
    zip(list, list.dropFirst()).allSatisfy { key($0) < key($1) }
  }
}

extension AnalysisResults.Group {
  fileprivate var isSound: Bool {
    !examples.isEmpty && examples.count <= min(count, AnalysisResults.examplesKept) && logs > 0
      && examples.allSatisfy { $0.fingerprint == fingerprint && $0.isSound }
  }
}

extension AnalysisResults.Cause {
  fileprivate var isSound: Bool { count + accepted > 0 }

  fileprivate var texts: [String] { [fingerprint, rule, subject, message, log] }
}

extension AnalysisResults.RuleTally {
  fileprivate var numbers: [Int] {
    [violated, satisfied, checks] + cannotTell.values + otherDoubts.values + notApplicable.values
  }

  fileprivate var texts: [String] {
    [rule.id, rule.summary, rule.why, rule.remedy] + rule.sources + (rule.links ?? [])
      + [rule.contradiction ?? ""] + rule.formerNames + cannotTell.keys + otherDoubts.keys
      + notApplicable.keys
  }
}

extension ReportedFinding {
  fileprivate var isSound: Bool {
    dependents.allSatisfy(\.isSound) && witnesses.allSatisfy(\.isSound)
  }

  fileprivate var texts: [String] {
    [log, rule, subject, message, fingerprint] + [why, remedy].compactMap(\.self)
      + witnesses.flatMap(\.texts) + (nearest?.says ?? []) + [ending].compactMap(\.self)
      + (suppression.map { [$0.reason, $0.place] } ?? []) + dependents.flatMap(\.texts)
  }
}
