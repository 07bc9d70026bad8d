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
  /// What each rule had counted when the last process was over.
  private var before: [Tally.Count]
  private var untaken: [ProcessConclusion] = []

  init(ruleCount: Int) { before = Array(repeating: Tally.Count(), count: ruleCount) }

  /// Concludes about a process, by what the rules have counted by now.
  mutating func add(_ death: DeathVerdict?, _ tallies: Slab<Tally>) {
    var (told, untold) = (0, 0)
    for (index, tally) in tallies.enumerated() {
      let count = tally.count
      switch count.answer(since: before[index]) {
      case .found, .kept: told += 1
      case .cannotTell: untold += 1
      case .noted: if case .doubt = tally.force { untold += 1 }
      }
      before[index] = count
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
