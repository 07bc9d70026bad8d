import LifecycleModel
import TraceAnalysis
import TraceText

extension AnalysisResults {
  /// How often processes ended in one way, over all logs.
  public struct DeathTally: Hashable, Codable, Sendable {
    /// What such an end means: `fault`, `unexplained`, `normal` or `unknown`.
    public var deathClass: String
    /// What ended the process, in a word that is the same in every log.
    public var cause: String
    /// What MetricKit counts it under; `nil` when that is not known.
    public var exitReason: String?
    /// How many processes ended so.
    public var count: Int
    /// In how many logs.
    public var logs: Int

    private enum CodingKeys: String, CodingKey {
      case deathClass = "class"
      case cause, exitReason, count, logs
    }

    /// The place of a tally: by class, the most serious first, then by its words.
    struct Order: Comparable, Hashable {
      let rank: Int
      let cause: String
      let exitReason: String

      static func < (lhs: Order, rhs: Order) -> Bool {
        (lhs.rank, lhs.cause, lhs.exitReason) < (rhs.rank, rhs.cause, rhs.exitReason)
      }
    }

    var order: Order { Order(rank: kind.rank, cause: cause, exitReason: exitReason ?? "") }

    /// The class; `unknown` where a file says something else.
    var kind: DeathClass { DeathClass(rawValue: deathClass) ?? .unknown }

    /// `0x8badf00d (appWatchdog)`.
    var name: String { exitReason.map { "\(cause) (\($0))" } ?? cause }

    init(_ kind: Deaths.Kind, _ count: Int) {
      deathClass = kind.deathClass.rawValue
      cause = InertText.word(kind.cause)
      exitReason = kind.exitReason?.rawValue
      self.count = count
      logs = 1
    }

    mutating func merge(_ other: DeathTally) {
      count += other.count
      logs += other.logs
    }
  }
}
