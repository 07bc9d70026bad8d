import LifecycleModel
import LifecycleRules
import TraceAnalysis
import YAMLReading

/// The limits of a budget, in rising order.
struct BudgetLimits {
  let limits: [BudgetLimit]
  /// Where the last stands.
  let last: YAMLValue?

  /// Reads limits from the keys of their severities; `nil` when there are none, or not in order.
  init?(_ keys: [(severity: Severity, key: Key<Nanoseconds>)], _ owner: YAMLValue?) {
    let written = keys.filter { $0.key.written != nil }
    var limits: [BudgetLimit] = []
    for (severity, key) in written {
      guard let time = key.value else { continue }
      if let last = limits.last, last.time > time {
        key.written?.fail(
          "expected at least the \(InstantText.print(last.time)) of \"\(last.severity.rawValue)\"")
      } else {
        limits.append(BudgetLimit(severity, from: time))
      }
    }

    if written.isEmpty { owner?.fail("expected a limit: one of the keys info, warning and error") }
    guard !limits.isEmpty, limits.count == written.count else { return nil }
    (self.limits, last) = (limits, written.last?.key.written)
  }

  /// Warns where more is allowed than the system does.
  func checkDocumented(_ spans: EventPattern) {
    let known = spans.branches.flatMap(\.alternatives).compactMap { Allowances.known(for: $0) }
    guard let longest = limits.last, let least = known.min(by: { $0.time < $1.time }),
      least.time < longest.time
    else { return }
    last?.warn(
      "\(InstantText.print(longest.time)) is longer than the \(InstantText.print(least.time)) that "
        + "the system allows (\(least.source)): it may end the process first")
  }
}
