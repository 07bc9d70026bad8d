import LifecycleModel
import TraceAnalysis
import TraceText

extension AnalysisResults {
  /// How often processes ended in one way, over all logs.
  package struct DeathTally: Hashable, Encodable, Sendable {
    package var `class`: DeathClass
    package var cause: String
    package var exitReason: String?
    package var count: Int
    package var logs: Int

    /// The place of a tally: by class, the most serious first, then by its words.
    package struct Order: Comparable, Hashable {
      let rank: Int
      let cause: String
      let exitReason: String

      package static func < (lhs: Order, rhs: Order) -> Bool {
        (lhs.rank, lhs.cause, lhs.exitReason) < (rhs.rank, rhs.cause, rhs.exitReason)
      }
    }

    package var order: Order {
      Order(rank: `class`.rank, cause: cause, exitReason: exitReason ?? "")
    }

    /// `0x8badf00d (appWatchdog)`.
    package var name: String { exitReason.map { "\(cause) (\($0))" } ?? cause }

    init(_ kind: Deaths.Kind, _ count: Int) {
      `class` = kind.deathClass
      cause = InertText.word(kind.cause)
      exitReason = kind.exitReason?.rawValue
      self.count = count
      logs = 1
    }

    package mutating func merge(_ other: DeathTally) {
      count += other.count
      logs += other.logs
    }
  }
}
