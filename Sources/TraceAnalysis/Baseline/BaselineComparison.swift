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
    judged: [RuleDescription]
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

extension Outcome {
  /// Why a rule in force says nothing: what it is about did not happen.
  package static let nothingHappened = "the logs have no events that it checks"
}
