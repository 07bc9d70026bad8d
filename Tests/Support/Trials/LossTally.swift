import AnalysisTestSupport
import LifecycleModel
import TraceAnalysis
import TraceText
import Traces

/// What a hundredth of the events, lost and marked, does to what is found.
@MainActor
struct LossTally {
  /// A finding, whatever the numbering.
  private struct Key: Hashable {
    var rule: String
    var instant: Instant
    var verb: Verb
    var name: Symbol
    var subject: Subject
    var label: Symbol

    init(_ finding: Finding) {
      rule = finding.rule
      let culprit = finding.culprit
      instant = culprit?.instant ?? .origin
      verb = culprit?.verb ?? .note
      name = culprit?.name ?? .none
      subject = culprit?.subject ?? .none
      label = culprit?.label ?? .none
    }
  }

  private var findings = 0
  private var kept = 0
  private var told = 0
  private var silent: [String: Int] = [:]
  private var invented: [String: Int] = [:]

  mutating func add(
    _ trace: Trace, _ whole: Analysis, _ generator: inout SeededGenerator, isShown: Bool
  ) {
    let lossyTrace = Lossy.losing(oneIn: 100, of: trace, &generator)
    let lossy = RuleQuality.analyze(lossyTrace)
    let before = Set(whole.allFindings.map(Key.init))
    let after = Set(lossy.allFindings.filter { $0.rule != "lost-events" }.map(Key.init))
    findings += before.count
    kept += before.intersection(after).count
    for key in after.subtracting(before) { invented[key.rule, default: 0] += 1 }
    if isShown {
      for finding in lossy.allFindings
      where finding.rule != "lost-events" && !before.contains(Key(finding)) {
        show(finding, lossyTrace, of: trace)
      }
    }

    for key in before.subtracting(after) {
      let outcome = lossy.outcomes.first { $0.rule.id == key.rule }
      if outcome.map({ !$0.doubts.isEmpty }) ?? false {
        told += 1
      } else {
        silent[key.rule, default: 0] += 1
      }
    }
  }

  /// Prints a finding that the whole trace does not have, and what was lost within a minute of it.
  private func show(_ finding: Finding, _ lossy: Trace, of whole: Trace) {
    print("\nfalse: \(finding.rule): \(finding.message)")
    RuleQuality.show(lossy, around: Int(finding.ordinal) - 1)
    let printer = TraceNotation.Printer(vocabulary: whole.vocabulary)
    let kept = Set(lossy.events.map { printer.line($0) })
    for event in whole.events
    where abs(event.instant.since(finding.culprit?.instant ?? .origin)) < .seconds(60)
      && !kept.contains(printer.line(event))
    {
      print("  lost: \(printer.line(event))")
    }
  }

  func report() {
    let false_ = invented.values.reduce(0, +)
    print("\none event in a hundred lost, and marked")
    print("  findings of the whole traces: \(findings), still found: \(kept)")
    print("  not found, the rule cannot tell: \(told)")
    print("  not found, what would show it is lost: \(silent.values.reduce(0, +))")
    print("  false violations: \(RuleQuality.percent(false_, findings))")
    RuleQuality.list("false violations, by rule", invented)
  }
}
