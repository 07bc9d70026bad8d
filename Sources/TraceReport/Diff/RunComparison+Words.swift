import LifecycleModel
import TraceAnalysis
import TraceText

/// The sentences that every form of the report has.
extension RunComparison {
  /// The findings that are not the same in both.
  var changedFindings: [Found] { findings.filter { $0.change != "same" } }

  /// What is worst, in a line: `B died, A did not: killed by the watchdog (0x8badf00d)`.
  var headline: String {
    if let parts = [verdict, found, certain].joined(by: "; ") { return parts }
    if isSame { return "no difference" }
    return rows.isEmpty
      ? "no difference in the episodes" : "no difference that chance does not explain"
  }

  private var certain: String? {
    let count = rows.count(where: \.isCertain)
    return count > 0 ? CountText.of(count, "certain difference") : nil
  }

  private var found: String? {
    let counts = ["new", "gone"].map { change in
      (change, findings.count { $0.change == change })
    }.filter { $0.1 > 0 }
    if counts.isEmpty { return nil }
    return counts.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
      + (counts.last?.1 == 1 ? " finding" : " findings")
  }

  /// Who died, and the other did not; `nil` when both ended the same way.
  private var verdict: String? {
    let changed = deaths.filter { $0.change != "same" }
    if changed.isEmpty { return nil }
    if !isPair { return changed.map(share).joined(separator: "; ") }
    let (ofA, ofB) = (phrases(\.a), phrases(\.b))
    if ofA.isEmpty { return died("B", ofB, without: "A", a) }
    if ofB.isEmpty { return died("A", ofA, without: "B", b) }
    return "A and B died in different ways: A \(ofA); B \(ofB)"
  }

  private func died(
    _ side: String, _ phrases: String, without other: String, _ ofOther: Side
  ) -> String {
    ofOther.openEnds > 0
      ? "\(side) died: \(phrases); \(other)'s end is not in its log"
      : "\(side) died, \(other) did not: \(phrases)"
  }

  private func phrases(_ side: KeyPath<Death, Difference.Share>) -> String {
    deaths.filter { $0[keyPath: side].having > 0 }.map(\.phrase).joined(separator: ", ")
  }

  private func share(_ death: Death) -> String {
    if death.change == "cannot-tell" {
      let (side, other, share) =
        death.a.having == 0 ? ("B", "A", death.b) : ("A", "B", death.a)
      return
        "\(death.phrase): in \(CountText.of(share.having, "run")) of \(side); the ends of \(other) "
        + "are not in its logs"
    }
    return "\(death.phrase): in \(death.a.having) of \(death.a.all) runs → in \(death.b.having) of "
      + "\(death.b.all)"
  }

  /// How both ended, when they did so in the same way; `nil` when nothing died.
  var sameEnd: String? {
    let same = deaths.filter { $0.change == "same" }
    return same.isEmpty ? nil : "both: " + same.map(\.phrase).joined(separator: ", ")
  }

  /// `A good.bin: 612 events, 43 episodes`, and the same of B.
  var sides: [String] { [("A", a), ("B", b)].map { side($0, $1) } }

  private func side(_ name: String, _ side: Side) -> String {
    let logs =
      side.runs == 1
      ? InertText.word(side.logs.first ?? "") : CountText.of(side.runs, "run")
    let left = side.uncertain
    return "\(name)  \(logs): \(CountText.of(side.events, "event")), "
      + CountText.of(side.episodes, "episode")
      + (left > 0 ? "; \(left) more left out, since events are missing" : "")
  }

  /// What makes the comparison say less than it could, a line each.
  var doubts: [String] {
    let hooks = notCompared.map {
      "\($0.hook) is not compared: \($0.side) does not record it"
    }
    let silent = [("A", silentA), ("B", silentB)]
      .compactMap { silence($0, $1) }
    let surroundings = surroundings.map { one in
      "\(one.key) differs: \(said(one.a)) → \(said(one.b))"
    }
    return ends + gaps + hooks + silent + untold + surroundings
  }

  /// How many gaps each side has, where they differ.
  private var gaps: [String] {
    let (ofA, ofB) = (a.gaps, b.gaps)
    return ofA == ofB
      ? []
      : ["events are missing: \(CountText.of(ofA, "gap")) in A, \(CountText.of(ofB, "gap")) in B"]
  }

  /// The sides that do not show all of their ends, where the other shows more.
  private var ends: [String] {
    a.openEnds * b.runs == b.openEnds * a.runs ? [] : openEnds
  }

  /// The sides that do not show all of their ends, a line each.
  private var openEnds: [String] {
    [("A", a), ("B", b)].compactMap { name, side in
      if side.openEnds == 0 { return nil }
      return side.runs == 1
        ? "\(name)'s end is not in its log"
        : "\(side.openEnds) of \(side.runs) runs of \(name) do not show their end"
    }
  }

  /// What keeps a gate from telling whether B is worse, a line each; empty when nothing does.
  package var notTold: [String] {
    let unseen = findings.count { $0.change == "cannot-tell" }
    let findings = "\(CountText.of(unseen, "finding")) cannot be compared"
    return openEnds + (unseen > 0 ? [findings] : [])
  }

  /// What the p of the rows is; `nil` without rows.
  var legend: String? {
    rows.isEmpty
      ? nil : "p is adjusted for all \(comparisons) comparisons that chance could decide"
  }

  private var untold: [String] {
    let count = untoldKinds
    if count == 0 { return [] }
    let verb = count == 1 ? "is" : "are"
    return [
      "\(CountText.of(count, "kind")) of episode \(verb) in one side alone; the other does not record "
        + "all states, so they are not told as differences"
    ]
  }

  private func silence(_ side: String, _ tokens: [String]) -> String? {
    guard let first = tokens.first else { return nil }
    let others = CountText.more(tokens.count - 1, behind: " ")
    return "\(first)\(others): not recorded in \(side) for certain, so not told as a difference"
  }

  private func said(_ values: [String]) -> String {
    values.isEmpty ? "not said" : values.map(InertText.word).joined(separator: ", ")
  }

  /// `14 of 17 kinds of episode; 61 of 64 events in them`.
  var same: String {
    "\(kinds.same) of \(CountText.of(kinds.all, "kind")) of episode; "
      + "\(tokens.same) of \(CountText.of(tokens.all, "kind")) of event in them"
  }

  /// A finding with its rule, and how often it is there.
  func line(_ finding: Found) -> String {
    "\(finding.severity.rawValue) \(finding.rule) \(finding.fingerprint): \(occurrence(finding))"
  }

  /// A finding, with how often it is there.
  private func occurrence(_ finding: Found) -> String {
    let times =
      isPair
      ? finding.change == "more" || finding.change == "fewer"
        ? ", \(finding.timesA) → \(CountText.of(finding.timesB, "time"))" : ""
      : ", in \(finding.a.having) of \(finding.a.all) runs → in \(finding.b.having) of "
        + "\(finding.b.all)"

    let why = finding.reason.map { "; \($0)" } ?? ""
    return "\(finding.message)\(times)\(why)"
  }

  /// The heading over what chance may explain.
  var maybeHeading: String {
    isPair ? "May be chance (one run each: take more)" : "May be chance"
  }
}
