import LifecycleModel

/// How much a query may take.
package struct QueryLimits: Sendable {
  /// How many rows of all tables may be loaded.
  package var rows = 10_000_000
  /// How many bytes the texts of those rows may have.
  package var textBytes = Int.max
  /// How long one statement may compute, in nanoseconds; 0 for any time.
  ///
  /// The time of those who take its rows does not count.
  package var time: Nanoseconds = 60_000_000_000
  /// How many bytes a statement may take beside the tables.
  package var bytes: Int64 = 1 << 30

  /// Whether somebody wants the query to stop; asked every few thousand steps.
  package var isStopped: @Sendable () -> Bool = { false }

  /// Makes limits that fit most questions.
  package init() {}
}
