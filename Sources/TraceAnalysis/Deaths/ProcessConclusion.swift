import LifecycleModel

/// What is concluded of one process of a log, once it is over.
package struct ProcessConclusion: Sendable {
  /// How it ended; `nil` for the one that is there when the log ends.
  package let death: DeathVerdict?
  /// How many rules judged it: they found something, or all was as it should be.
  package let rulesTold: Int
  /// How many rules cannot tell.
  package let rulesUntold: Int
}

/// Keeps the conclusions of all processes of a log, for who asks for each of them.
///
/// Memory is taken by those that nobody has taken yet.
struct ProcessConclusions {
  private struct Count {
    var checks = 0
    var violations = 0
    var doubts = 0

    init() {}

    init(_ tally: Tally) {
      (checks, violations) = (tally.checks, tally.violations)
      doubts = tally.doubts.values.reduce(0, &+)
    }
  }

  /// What each rule had counted when the last process was over.
  private var before: [Count]
  private var untaken: [ProcessConclusion] = []

  init(ruleCount: Int) { before = Array(repeating: Count(), count: ruleCount) }

  /// Concludes about a process, by what the rules have counted by now.
  mutating func add(_ death: DeathVerdict?, _ tallies: Slab<Tally>) {
    var (told, untold) = (0, 0)
    for (index, tally) in tallies.enumerated() {
      let (count, last) = (Count(tally), before[index])
      before[index] = count
      if count.violations > last.violations {
        told += 1
      } else if count.doubts > last.doubts {
        untold += 1
      } else if count.checks > last.checks {
        told += 1
      } else if case .doubt = tally.force {
        untold += 1
      }
    }
    untaken.append(ProcessConclusion(death: death, rulesTold: told, rulesUntold: untold))
  }

  /// The conclusions that were not taken yet, in the order of the ends.
  mutating func take() -> [ProcessConclusion] {
    defer { untaken.removeAll() }
    return untaken
  }

  /// The verdicts that were not taken yet.
  var verdicts: [DeathVerdict] { untaken.compactMap(\.death) }
}
