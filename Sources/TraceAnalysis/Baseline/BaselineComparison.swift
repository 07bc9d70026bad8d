import LifecycleModel

/// What became of the entries of a baseline, and how many findings it does not have.
public struct BaselineComparison: Equatable, Encodable, Sendable {
  /// How many findings there are that the baseline does not have, those that are not kept among them.
  public var new = 0
  /// How many it has.
  public var known = 0
  /// What is in the baseline and no finding matches, with the count that is too many; only of rules
  /// that had something to judge.
  public var fixed: [Baseline.Entry] = []
  /// The same of rules that could not judge, had nothing to judge, or are off: nobody knows whether it
  /// is fixed.
  public var notJudged: [Baseline.Entry] = []

  /// Makes a comparison with nothing in it.
  public init() {}

  /// Holds the counts of findings against a baseline.
  ///
  /// `accepted` are findings that are suppressed: none of them is new, and their entries stay.
  package init(
    _ baseline: Baseline, found: [String: (counted: Int, accepted: Int)],
    judged: [some NamedRule]
  ) {
    let judged = Set(judged.flatMap(\.names))
    for (fingerprint, counts) in found {
      let surplus = max(0, counts.counted - baseline.count(of: fingerprint))
      new += surplus
      known += counts.counted - surplus
    }

    for var entry in baseline.entries {
      let counts = found[entry.fingerprint] ?? (0, 0)
      let missing = entry.count - counts.counted - counts.accepted
      guard missing > 0 else { continue }
      entry.count = missing
      if judged.contains(entry.rule) { fixed.append(entry) } else { notJudged.append(entry) }
    }
  }
}

extension Analysis {
  /// Says of each finding whether `baseline` has it, and what of the baseline is not there any more.
  ///
  /// Call it after the suppressions are known.
  public mutating func compare(with baseline: Baseline) {
    var kept: [String: [Severity]] = [:]
    var found: [String: (counted: Int, accepted: Int)] = [:]
    for finding in allFindingsInPlace {
      if finding.suppression == nil {
        kept[finding.fingerprint, default: []].append(finding.severity)
        found[finding.fingerprint, default: (0, 0)].counted += 1
      } else {
        found[finding.fingerprint, default: (0, 0)].accepted += 1
      }
    }

    for (fingerprint, count) in findingsLeftOut {
      // What is left out is like what is kept.
      if kept[fingerprint] != nil {
        found[fingerprint, default: (0, 0)].counted += count
      } else {
        found[fingerprint, default: (0, 0)].accepted += count
      }
    }

    let isNew = kept.map { fingerprint, severities in
      (
        fingerprint,
        Baseline.newOnes(
          of: severities, all: found[fingerprint]?.counted ?? 0,
          known: baseline.count(of: fingerprint))
      )
    }

    mark(Dictionary(uniqueKeysWithValues: isNew))
    let judged = outcomes.filter(\.outcome.isJudgement)
    comparison = BaselineComparison(
      baseline, found: found,
      judged: judged.map(\.rule))
  }

  /// All findings by the places of their culprits.
  private var allFindingsInPlace: [Finding] { allFindings.sorted(by: Finding.comesFirst) }

  /// Marks the findings that are not suppressed, of each fingerprint in their order.
  private mutating func mark(_ isNew: [String: [Bool]]) {
    var seen: [String: Int] = [:]
    var states: [Finding.Place: Finding.BaselineState] = [:]
    for finding in allFindingsInPlace where finding.suppression == nil {
      let index = seen[finding.fingerprint, default: 0]
      seen[finding.fingerprint] = index + 1
      states[finding.place] = isNew[finding.fingerprint]?[index] ?? true ? .new : .known
    }

    for index in findings.indices {
      findings[index].baselineState = states[findings[index].place]
      for dependent in findings[index].dependents.indices {
        let place = findings[index].dependents[dependent].place
        findings[index].dependents[dependent].baselineState = states[place]
      }
    }
  }
}

extension Outcome {
  /// Why a rule in force says nothing: what it is about did not happen.
  package static let nothingHappened = "the logs have no events that it checks"

  /// Whether the rule had something to judge, and judged it: only then a finding that is not there any
  /// more is fixed.
  package var isJudgement: Bool { self == .violated || self == .satisfied }
}

extension Finding {
  /// Where a finding is, among those of its fingerprint.
  fileprivate struct Place: Hashable {
    var fingerprint: String
    var ordinal: UInt64
    var message: String
    var witnesses: [Witness]
    var severity: Severity
  }

  fileprivate var place: Place {
    Place(
      fingerprint: fingerprint, ordinal: ordinal, message: message, witnesses: witnesses,
      severity: severity)
  }

  fileprivate static func comesFirst(_ first: Finding, _ second: Finding) -> Bool {
    (first.ordinal, first.rule, first.message) < (second.ordinal, second.rule, second.message)
  }
}
