import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// What differs between two sides, A and B: all that every form of the report is made from.
///
/// As JSON it is what the article `Formats` describes.
package struct RunComparison: Encodable, Sendable {
  /// At most this many differences are listed; the others are counted.
  static let rowsKept = 500
  /// At most this many logs and words are named.
  static let named = 20

  /// A side.
  struct Side: Hashable, Encodable, Sendable {
    /// The first of its logs.
    var logs: [String] = []
    var runs = 0
    var events: UInt64 = 0
    var episodes = 0
    /// How many episodes are left out, since events are missing.
    var uncertain = 0
    var gaps = 0
    /// In how many runs the end of the last process is not in the log.
    var openEnds = 0
  }

  /// A way to end, and in how many runs of each side a process ended so, of those that tell.
  struct Death: Hashable, Encodable, Sendable {
    /// `new`, `gone` or `same`; `cannot-tell` where no log of the side that does not have it shows the end.
    var change: String
    var phrase: String
    var a: Difference.Share
    var b: Difference.Share
  }

  /// A finding, and in how many runs of each side it is.
  struct Found: Hashable, Encodable, Sendable {
    /// `new`, `gone`, `more`, `fewer` or `same`; `known` where it is new and a baseline has it;
    /// `cannot-tell` where the side that does not have it could not judge, or its logs end before.
    var change: String
    /// Why nobody can tell.
    var reason: String?
    var fingerprint: String
    var rule: String
    var severity: Severity
    var message: String
    var a: Difference.Share
    var b: Difference.Share
    /// How often it was found, over all runs.
    var timesA: Int
    var timesB: Int
  }

  /// A hook that one side does not record: its events are not compared.
  struct NotCompared: Hashable, Encodable, Sendable {
    var hook: String
    /// `A` or `B`: who does not record it.
    var side: String
  }

  /// Something that can make runs differ without a change of the app.
  struct Surrounding: Hashable, Encodable, Sendable {
    var key: String
    var a: [String]
    var b: [String]
  }

  var schema = "tracectl-diff"
  var version = 1
  var a: Side
  var b: Side
  var deaths: [Death]
  /// What differs in the episodes.
  var rows: [Difference]
  var rowsLeftOut: Int
  var findings: [Found]
  var notCompared: [NotCompared]
  /// What one side shows, and the other would not say: its silence is no difference.
  var silentA: [String]
  var silentB: [String]
  /// How many kinds of episode are in one side alone, and the other would not show them for certain.
  var untoldKinds: Int
  var surroundings: [Surrounding]
  /// How many comparisons could have come out as unlikely by chance: those that p is adjusted for.
  var comparisons: Int
  var kinds: RunDifference.Sameness
  var tokens: RunDifference.Sameness

  /// Compares two sides, of whose runs orders were counted for these.
  ///
  /// `shown` are the hooks of which each side recorded something, when they were not the same. What is
  /// `known` is not new.
  package init(
    _ first: DiffSide, _ second: DiffSide, _ orders: DocumentedOrders,
    shown: (Set<Hook>, Set<Hook>)? = nil, known: Baseline? = nil
  ) {
    let difference = RunDifference(first.episodes, second.episodes, orders)
    (a, b) = (first.summary, second.summary)
    deaths = Death.all(first, second)
    let told = difference.differences.prefix(RunComparison.rowsKept)
    rows = told.map { $0.limited(under: second.profile) }
    rowsLeftOut = difference.differences.count - told.count
    findings = Found.all(first, second, known ?? Baseline())

    notCompared = Hook.independent.compactMap { hook in
      guard let shown, shown.0.contains(hook) != shown.1.contains(hook) else { return nil }
      return NotCompared(hook: hook.rawValue, side: shown.0.contains(hook) ? "B" : "A")
    }
    silentA = RunComparison.words(difference.silent.first)
    silentB = RunComparison.words(difference.silent.second)
    untoldKinds = difference.untoldKinds
    surroundings = RunRecording.surroundingKeys.compactMap { key in
      let (one, other) = (first.said(key), second.said(key))
      return one == other ? nil : Surrounding(key: key.rawValue, a: one, b: other)
    }
    comparisons = difference.comparisons
    (kinds, tokens) = (difference.kinds, difference.tokens)
  }

  private static func words(_ tokens: Set<EventToken>) -> [String] {
    tokens.sorted().prefix(named).map { InertText.line($0.text) }
  }

  /// Whether each side is one run.
  var isPair: Bool { a.runs == 1 && b.runs == 1 }

  /// Whether nothing differs at all.
  var isSame: Bool {
    rows.isEmpty && deaths.allSatisfy { $0.change == "same" }
      && findings.allSatisfy { $0.change == "same" }
  }

  /// What makes B worse than A: an end that A does not have, a new finding from `severity` on, and what is
  /// slower by so much at least where chance does not explain it.
  package func isRegression(slowerBy part: Double, findingsFrom severity: Severity?) -> Bool {
    if deaths.contains(where: { $0.change == "new" }) { return true }
    if let severity, findings.contains(where: { $0.change == "new" && $0.severity >= severity }) {
      return true
    }
    return rows.contains { row in
      guard row.isCertain, row.change == .slower, let shift = row.shift, let median = row.a.median
      else { return false }
      return Double(shift) >= part * Double(median)
    }
  }

  /// The comparison as JSON.
  package var json: String {
    get throws { try EncodedJSON.text(self) }
  }
}

extension RunComparison.Death {
  fileprivate static func all(_ first: DiffSide, _ second: DiffSide) -> [Self] {
    let orders = Set(first.deaths.keys).union(second.deaths.keys).sorted()
    let all = orders.map { order in
      let (one, other) = (first.deaths[order], second.deaths[order])
      let (ofA, ofB) = (first.runs(telling: one), second.runs(telling: other))
      let isTold = (one != nil || ofA > 0) && (other != nil || ofB > 0)
      return Self(
        change: !isTold ? "cannot-tell" : one == nil ? "new" : other == nil ? "gone" : "same",
        phrase: other?.phrase ?? one?.phrase ?? "",
        a: .init(having: one?.runs ?? 0, all: ofA), b: .init(having: other?.runs ?? 0, all: ofB))
    }
    return all.filter { $0.change != "same" } + all.filter { $0.change == "same" }
  }
}

extension RunComparison.Found {
  fileprivate static func all(
    _ first: DiffSide, _ second: DiffSide, _ known: Baseline
  ) -> [Self] {
    let (silentInA, silentInB) = (first.notJudging, second.notJudging)
    let (ofA, ofB) = (first.found, second.found)
    let found = Set(ofA.keys).union(ofB.keys).compactMap { print -> Self? in
      let (one, other) = (ofA[print], ofB[print])
      guard let cause = other ?? one else { return nil }
      var reason: String?
      if one == nil {
        reason = silence("A", first.reaches(print, of: second), silentInA.contains(cause.rule))
      } else if other == nil {
        reason = silence("B", second.reaches(print, of: first), silentInB.contains(cause.rule))
      }

      let change = reason == nil ? change(one, first.runs, other, second.runs) : "cannot-tell"
      let isKnown = change == "new" && cause.count <= known.count(of: print)
      return Self(
        change: isKnown ? "known" : change, reason: reason, fingerprint: print, rule: cause.rule,
        severity: cause.severity, message: cause.message,
        a: .init(having: one?.logs ?? 0, all: first.runs),
        b: .init(having: other?.logs ?? 0, all: second.runs),
        timesA: one?.count ?? 0, timesB: other?.count ?? 0)
    }
    return found.sorted { $0.order < $1.order }
  }

  /// Why a side that does not have a finding says nothing by that; `nil` when it does.
  private static func silence(_ side: String, _ isReached: Bool, _ isSilent: Bool) -> String? {
    if !isReached { return "not seen: \(side)'s log ends before" }
    return isSilent ? "\(side) lacks the evidence to judge it" : nil
  }

  private static func change(
    _ one: AnalysisResults.Cause?, _ runs: Int, _ other: AnalysisResults.Cause?, _ ofOther: Int
  ) -> String {
    guard let one else { return "new" }
    guard let other else { return "gone" }
    if runs == 1 && ofOther == 1 {
      let (times, ofB) = (one.count, other.count)
      return times == ofB ? "same" : times < ofB ? "more" : "fewer"
    }

    let p = ExactTests.fisher(one.logs, of: runs, other.logs, of: ofOther).p
    if p >= 0.05 { return "same" }
    return one.logs * ofOther < other.logs * runs ? "more" : "fewer"
  }

  private var order: (Int, Int, String, String) {
    let changes = ["new", "gone", "more", "fewer", "known", "cannot-tell", "same"]
    let place = Severity.allCases.firstIndex(of: severity) ?? 0
    return (changes.firstIndex(of: change) ?? changes.count, -place, rule, fingerprint)
  }
}
