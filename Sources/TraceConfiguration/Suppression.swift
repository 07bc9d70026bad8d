import LifecycleModel
import TraceAnalysis
import YAMLReading

/// Findings that somebody has looked at and accepts.
public struct Suppression: Hashable, Sendable {
  /// The rule.
  public var rule: String
  /// What the findings are about, as `app` or `scene:2`, or a kind such as `scene`; `nil` for all.
  public var subject: String?
  /// The label of their culprits; `nil` for all.
  public var label: String?
  /// Their fingerprint; `nil` for all.
  public var fingerprint: String?
  /// Why they are accepted.
  public var reason: String
  /// The last day on which they are; `nil` for ever.
  public var expires: CalendarDay?
  /// Where it stands.
  public var place: ConfigurationPlace

  /// Whether it means a finding.
  func means(_ finding: Finding, _ vocabulary: Vocabulary) -> Bool {
    guard finding.rule == rule, fingerprint.map({ $0 == finding.fingerprint }) ?? true else {
      return false
    }
    if let subject, subject != finding.subject.description, subject != "\(finding.subject.kind)" {
      return false
    }
    guard let label else { return true }
    return finding.culprit.map { vocabulary.text($0.label) == label } ?? false
  }
}

extension Configuration {
  /// Marks the findings of `analysis` that are accepted on `today`, and notes what each suppression
  /// was good for.
  ///
  /// One that has expired suppresses nothing; what it would have suppressed is counted all the same.
  /// The first that means a finding counts.
  public func suppress(_ analysis: inout Analysis, _ vocabulary: Vocabulary, today: CalendarDay) {
    var counts = Array(repeating: 0, count: suppressions.count)
    func mark(_ finding: inout Finding) {
      let index = suppressions.firstIndex { suppression in
        suppression.means(finding, vocabulary) && !isOver(suppression, today)
      }
      let expired = suppressions.firstIndex { $0.means(finding, vocabulary) }
      if let used = index ?? expired { counts[used] += 1 }
      if let index {
        finding.suppression = Finding.Suppression(
          reason: suppressions[index].reason, place: suppressions[index].place.description)
      }
      for dependent in finding.dependents.indices { mark(&finding.dependents[dependent]) }
    }

    for index in analysis.findings.indices { mark(&analysis.findings[index]) }
    analysis.suppressions = zip(suppressions, counts).map { suppression, count in
      SuppressionUse(
        rule: suppression.rule, reason: suppression.reason,
        place: suppression.place.description, expires: suppression.expires?.description,
        state: isOver(suppression, today) ? .expired : count > 0 ? .used : .unused, count: count)
    }
  }

  /// A warning for each suppression that is over on `today`.
  package func expiredSuppressions(on today: CalendarDay) -> [ConfigurationProblem] {
    suppressions.compactMap { suppression in
      guard let day = suppression.expires, isOver(suppression, today) else { return nil }
      return ConfigurationProblem(
        kind: .warning, place: suppression.place,
        message: "this suppression of \(suppression.rule) expired on \(day) and suppresses "
          + "nothing; remove it, or set a later day")
    }
  }

  private func isOver(_ suppression: Suppression, _ today: CalendarDay) -> Bool {
    suppression.expires.map { $0 < today } ?? false
  }
}
