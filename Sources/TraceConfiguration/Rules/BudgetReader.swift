import LifecycleModel
import LifecycleRules
import TraceAnalysis
import YAMLReading

/// The limits of budgets.
enum BudgetReader {
  /// The limits in `members`, in rising order; `nil` when there are none, or not in order.
  static func limits(_ members: YAMLMembers) -> [BudgetLimit]? {
    var limits: [BudgetLimit] = []
    let values = Severity.allCases.compactMap { severity in
      members[severity.rawValue].map { (severity, $0) }
    }

    for (severity, value) in values {
      guard let time = value.time() else { continue }
      if let last = limits.last, last.time > time {
        value.fail(
          "expected at least the \(InstantText.print(last.time)) of \"\(last.severity.rawValue)\""
        )
      } else {
        limits.append(BudgetLimit(severity, from: time))
      }
    }

    if values.isEmpty {
      members.owner.fail("expected a limit: one of the keys info, warning and error")
    }
    return limits.isEmpty || limits.count < values.count ? nil : limits
  }

  /// Warns where more is allowed than the system does.
  static func checkDocumented(
    _ spans: EventPattern, _ limits: [BudgetLimit], _ members: YAMLMembers
  ) {
    guard let last = limits.last else { return }
    let known = spans.branches.flatMap(\.alternatives).compactMap {
      Allowances.known(for: $0)
    }
    guard let least = known.min(by: { $0.time < $1.time }), least.time < last.time else { return }
    members[last.severity.rawValue]?.warn(
      "\(InstantText.print(last.time)) is longer than the \(InstantText.print(least.time)) that "
        + "the system allows (\(least.source)): it may end the process first")
  }
}
