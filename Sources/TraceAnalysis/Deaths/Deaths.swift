import LifecycleModel

/// The verdicts on the ends of all processes of a log: one for each end, in order.
///
/// All ends are counted. ``keptVerdicts`` verdicts are kept: the most serious ones, of these the newest,
/// and the last one.
public struct Deaths: Sendable {
  /// How many verdicts are kept.
  public static let keptVerdicts = 256
  /// How many kinds of end are counted apart; the others are counted under ``Kind/others``.
  static let countedKinds = 1024

  /// A kind of end, by which ends are counted.
  public struct Kind: Hashable, Sendable {
    /// What such an end means.
    public var deathClass: DeathClass
    /// What ended the process, in a word, see ``DeathVerdict/cause``.
    public var cause: String
    /// What MetricKit counts it under; `nil` when that is not known.
    public var exitReason: ExitReason?

    /// The cause of the kinds of one class that are not counted apart.
    public static let others = "other causes"
  }

  /// The verdicts that are kept, in the order of the ends.
  public private(set) var verdicts: [DeathVerdict] = []
  /// How many processes ended, by the kind of their end.
  public private(set) var counts: [Kind: Int] = [:]
  /// How many processes ended.
  public private(set) var count = 0

  /// The verdict on the last end; `nil` when no process ended.
  public var last: DeathVerdict? { verdicts.last }

  /// Counts how many launches in a row ended as this one did, with this one.
  mutating func noteRun(_ verdict: inout DeathVerdict) {
    guard let last, last.isOfLaunch, verdict.isOfLaunch, verdict.deathClass != .normal,
      last.deathClass == verdict.deathClass, last.cause == verdict.cause,
      last.place == verdict.place
    else { return }
    verdict.launchesInARow = last.launchesInARow + 1
  }

  mutating func add(_ verdict: DeathVerdict) {
    count += 1
    var kind = Kind(verdict)
    if counts[kind] == nil && counts.count >= Deaths.countedKinds {
      kind = Kind(deathClass: verdict.deathClass, cause: Kind.others, exitReason: nil)
    }

    counts[kind, default: 0] += 1
    if verdicts.count == Deaths.keptVerdicts {
      let least = verdicts.map(\.deathClass.rank).max()
      verdicts.remove(at: verdicts.firstIndex { $0.deathClass.rank == least } ?? 0)
    }
    verdicts.append(verdict)
  }
}

extension Deaths.Kind {
  /// The kind of an end.
  package init(_ verdict: DeathVerdict) {
    self.init(deathClass: verdict.deathClass, cause: verdict.cause, exitReason: verdict.reason)
  }
}
