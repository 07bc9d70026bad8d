import LifecycleModel
import TraceAnalysis

/// Results and a baseline: what is new is decided anew whenever something is merged.
extension AnalysisResults {
  /// A baseline that has all findings that nobody accepts.
  ///
  /// Where `old` has an entry its words stay, so that a change of the file shows what changed.
  public func baseline(updating old: Baseline = Baseline()) -> Baseline {
    let words = Dictionary(uniqueKeysWithValues: old.entries.map { ($0.fingerprint, $0) })
    return Baseline(
      causes.map { cause in
        var entry = words[cause.fingerprint] ?? cause.entry
        entry.count = cause.count
        return entry
      })
  }

  /// The baseline without what is fixed.
  public func pruned(_ baseline: Baseline) -> Baseline {
    let fixed = comparison(with: baseline).fixed.map { ($0.fingerprint, $0.count) }
    let counts = Dictionary(uniqueKeysWithValues: fixed)
    return Baseline(
      baseline.entries.map { entry in
        var entry = entry
        entry.count -= counts[entry.fingerprint] ?? 0
        return entry
      })
  }

  /// How the findings stand to the baseline; `nil` without one.
  public var comparison: BaselineComparison? { baseline.map(comparison) }

  /// What is in the baseline and no finding matches any more; empty without a baseline.
  public var fixed: [Baseline.Entry] { comparison?.fixed ?? [] }

  /// How the findings stand to `baseline`.
  public func comparison(with baseline: Baseline) -> BaselineComparison {
    let found = causes.map { ($0.fingerprint, (counted: $0.count, accepted: $0.accepted)) }
    let judged = rules.filter { $0.violated + $0.satisfied > 0 }
    return BaselineComparison(
      baseline, found: Dictionary(uniqueKeysWithValues: found),
      judged: judged.map(\.rule))
  }

  /// How much the most serious finding matters that is counted; `nil` when there is none.
  public var worst: Severity? {
    causes.filter { $0.count > baseline?.count(of: $0.fingerprint) ?? 0 }
      .map(\.severity).max()
  }

  /// The findings, each with whether the baseline has it, and so those under it.
  static func marked(
    _ findings: [ReportedFinding], _ causes: [Cause], _ baseline: Baseline
  ) -> [ReportedFinding] {
    let counts = Dictionary(uniqueKeysWithValues: causes.map { ($0.fingerprint, $0.count) })
    let kept = findings.flatMap { [$0] + $0.dependents }
      .filter { $0.suppression == nil }.sorted(by: ReportedFinding.comesFirst)
    var states: [ReportedFinding: Finding.BaselineState] = [:]
    for (fingerprint, findings) in Dictionary(grouping: kept, by: \.fingerprint) {
      let isNew = Baseline.newOnes(
        of: findings.map(\.severity), all: counts[fingerprint] ?? findings.count,
        known: baseline.count(of: fingerprint))
      for (finding, isNew) in zip(findings, isNew) { states[finding.bare] = isNew ? .new : .known }
    }

    func mark(_ finding: inout ReportedFinding) {
      finding.baselineState = finding.suppression == nil ? states[finding.bare] : nil
      for index in finding.dependents.indices { mark(&finding.dependents[index]) }
    }
    var findings = findings
    for index in findings.indices { mark(&findings[index]) }
    return findings
  }
}

extension ReportedFinding {
  /// By log and place, then by rule, by what opened the window and by message, and at last by its JSON: two that
  /// differ never stand in an order of chance.
  package static func comesFirst(_ first: ReportedFinding, _ second: ReportedFinding) -> Bool {
    let one = (first.log, first.ordinal, first.rule, first.opening, first.message)
    let other = (second.log, second.ordinal, second.rule, second.opening, second.message)
    return one == other ? EncodedJSON.precedes(first.bare, second.bare) : one < other
  }

  private var opening: Int64 { witnesses.lazy.compactMap(\.event).first?.t ?? 0 }

  /// By what it matters to those who accept nothing, then by ``comesFirst(_:_:)``.
  static func isKeptFirst(_ first: ReportedFinding, _ second: ReportedFinding) -> Bool {
    let (one, other) = (first.weight, second.weight)
    return one == other ? comesFirst(first, second) : one > other
  }

  /// How serious it is, or what stands under it; less than everything when all of it is accepted.
  private var weight: Int {
    let levels = ([self] + dependents).filter { $0.suppression == nil }.map(\.severity)
    return levels.max().flatMap(Severity.allCases.firstIndex) ?? -1
  }

  /// The same without how it stands to a baseline.
  var bare: ReportedFinding {
    var bare = self
    bare.baselineState = nil
    bare.dependents = dependents.map(\.bare)
    return bare
  }
}
