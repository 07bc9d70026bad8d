import LifecycleModel
import TraceAnalysis
import TraceText

/// What was found in one log or in many: all that every form of report is made from.
///
/// Results merge, in any order and grouping, to the same result: what is known of one log alone, `log`,
/// is no part of it. Memory is taken by what is different, not by the number of logs: of each fingerprint
/// 20 findings are kept.
///
/// ```swift
/// import LifecycleModel
/// import LifecycleRules
/// import TraceAnalysis
/// import TraceReport
///
/// func jsonReport(of traces: [String: Trace]) throws -> String {
///   var results = AnalysisResults()
///   for (name, trace) in traces {
///     results.merge(AnalysisResults(Analyzer.analyze(trace), of: name, trace.vocabulary))
///   }
///   return try ReportForm.json.report(results, ReportForm.Look(toolVersion: "1.0"))
/// }
/// ```
public struct AnalysisResults: Equatable, Sendable {
  /// The largest number of findings of a fingerprint that are kept: the most serious that nobody accepts,
  /// of these the first by log and place.
  ///
  /// These are the ones that a baseline calls new first.
  package static let examplesKept = 20

  /// The findings of one fingerprint.
  package struct Group: Equatable, Encodable, Sendable {
    // The examples stand among all findings.
    private enum CodingKeys: CodingKey { case fingerprint, count, logs }

    /// The fingerprint.
    package var fingerprint: String
    /// How many findings there are, those that are not kept among them.
    package var count: Int
    /// In how many logs.
    package var logs: Int
    /// The most serious of them, see ``AnalysisResults/examplesKept``.
    package var examples: [ReportedFinding]
  }

  /// A log that could not be read.
  package struct UnreadableLog: Hashable, Encodable, Sendable {
    /// Its name.
    package var log: String
    /// What happened.
    package var error: String

    /// Makes one.
    package init(log: String, error: String) { (self.log, self.error) = (log, error) }
  }

  /// A word of a log that is not known.
  package struct UnknownWordOfLog: Hashable, Sendable {
    /// The largest number that is kept.
    package static let kept = 100

    /// The log's name.
    package var log: String
    /// The word.
    package var word: UnknownWord

    fileprivate var order: (String, String, String, String) {
      (log, word.places.first ?? "", word.owner, word.word)
    }
  }

  /// How many logs were analyzed.
  package var logs = 0
  /// In how many of them something was found that nobody accepts, known by a baseline or not.
  var logsWithFindings = 0
  /// How many are inconclusive, with findings or without: events were lost where a rule would have
  /// looked, no rule could judge anything, or a hook is not recorded that somebody requires.
  package internal(set) var logsInconclusive = 0
  /// How many events were looked at.
  package var events: UInt64 = 0
  /// How many gaps there are.
  package var gaps = 0
  /// How many events there are beside the gaps, which stand for others: what `verify` counts.
  package var toldEvents: UInt64 { events - min(events, UInt64(max(0, gaps))) }
  /// `51 events`.
  package var eventWords: String { CountText.of(toldEvents, "event") }
  /// `2 gaps`, or `no gaps`.
  package var gapWords: String { gaps == 0 ? "no gaps" : CountText.of(gaps, "gap") }
  /// The verdicts on the ends of processes, by log and process: of more than ``Deaths/keptVerdicts`` the most
  /// serious, of these the first by log.
  package var verdicts: [ReportedDeath] = []
  /// How processes ended, by class, cause and exit reason: all ends, the most serious class first.
  package var deaths: [DeathTally] = []
  /// The findings, by fingerprint.
  package var groups: [Group] = []
  /// The findings by their own fingerprints, those under others among them.
  package var causes: [Cause] = []
  /// What is known already; `nil` when that was not asked for.
  package var baseline: Baseline?
  /// What each rule concluded: by number, then by id.
  package var rules: [RuleTally] = []
  /// The logs that could not be read, by name.
  package internal(set) var unreadable: [UnreadableLog] = []
  /// Words of the logs that are not known, the first by log and place.
  package var unknownWords: [UnknownWordOfLog] = []
  /// How long things took; `nil` when that was not asked for.
  package var statistics: Statistics?
  /// The rules that are off, by id.
  package internal(set) var rulesOff: [String] = []
  /// What suppressions were good for.
  package var suppressions: [SuppressionUse] = []

  /// What is known of one log alone; `nil` for several, and for what was merged.
  package var log: OneLog?
  /// How many crash reports were held against the one log, where none belongs to it.
  package var reportsApart = 0

  /// Results of no log.
  public init() {}

  /// The results of one log, held against a baseline when one is given.
  ///
  /// `lines` are those of its events, when it is a text; `clock` is what it knows of the wall clock.
  public init(
    _ analysis: Analysis, of log: String, _ vocabulary: Vocabulary, _ baseline: Baseline? = nil,
    lines: EventLines? = nil, clock: WallClock? = nil
  ) {
    logs = 1
    let isFound = analysis.allFindings.contains { $0.suppression == nil }
    logsWithFindings = isFound ? 1 : 0
    logsInconclusive = analysis.isInconclusive ? 1 : 0
    events = analysis.eventCount
    gaps = analysis.gaps.count
    reportsApart = analysis.reportsApart
    statistics = analysis.statistics
    rulesOff = analysis.rulesOff.sorted()
    suppressions = analysis.suppressions
    unknownWords = analysis.unknownWords.map { UnknownWordOfLog(log: log, word: $0) }

    let isOneOfSeveral = analysis.deaths.count > 1
    verdicts = analysis.deaths.verdicts.map {
      ReportedDeath(
        $0, of: log, vocabulary, isOneOfSeveral: isOneOfSeveral,
        remark: analysis.remark(on: $0.end, vocabulary))
    }
    deaths = analysis.deaths.counts.map(DeathTally.init).sorted { $0.order < $1.order }

    let all = AnalysisResults.reported(analysis, of: log, vocabulary, lines, verdicts)
    groups = Dictionary(grouping: all, by: \.fingerprint).map { fingerprint, findings in
      let leftOut = analysis.findingsLeftOut[fingerprint] ?? 0
      return Group(fingerprint, findings, count: findings.count + leftOut, logs: 1)
    }.sorted { $0.fingerprint < $1.fingerprint }
    causes = Cause.all(
      of: all.flatMap { [$0] + $0.dependents }, leftOut: analysis.findingsLeftOut)

    rules = analysis.outcomes.map(RuleTally.init).sorted(by: RuleTally.comesFirst)
    self.log = OneLog(analysis, of: log, vocabulary, clock)
    if let baseline { compare(with: baseline) }
  }

  /// The findings in words, each with how the process ended that it explains.
  private static func reported(
    _ analysis: Analysis, of log: String, _ vocabulary: Vocabulary, _ lines: EventLines?,
    _ ends: [ReportedDeath]
  ) -> [ReportedFinding] {
    let endings = Dictionary(
      ends.compactMap { end in end.finding.map { ($0, end.phrase) } }, uniquingKeysWith: { $1 })
    return analysis.findings.map { finding in
      var reported = ReportedFinding(finding, of: log, vocabulary, lines, profile: analysis.profile)
      reported.ending = finding.rule == "death" ? nil : endings[finding.fingerprint]
      return reported
    }
  }

  /// The findings of one log in words, in their order, held against a baseline when one is given.
  package static func findings(
    _ analysis: Analysis, of log: String, _ vocabulary: Vocabulary, _ baseline: Baseline? = nil
  ) -> [ReportedFinding] {
    let all = reported(analysis, of: log, vocabulary, nil, [])
    guard let baseline else { return all }
    let causes = Cause.all(
      of: all.flatMap { [$0] + $0.dependents }, leftOut: analysis.findingsLeftOut)
    return marked(all, causes, baseline)
  }

  /// The results of a log that could not be read.
  package init(unreadable log: UnreadableLog) { unreadable = [log] }

  /// The findings that are kept, in the order of logs and places.
  package var findings: [ReportedFinding] {
    groups.flatMap(\.examples).sorted(by: ReportedFinding.comesFirst)
  }

  /// Holds all findings against a baseline, and against that which is there already.
  public mutating func compare(with baseline: Baseline) {
    let baseline = self.baseline?.union(baseline) ?? baseline
    self.baseline = baseline
    var rest = Self.marked(groups.flatMap(\.examples), causes, baseline)[...]
    for index in groups.indices {
      let count = groups[index].examples.count
      groups[index].examples = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
  }

  /// Takes in what was found in other logs.
  ///
  /// Associative and commutative; what is known of one log alone is left out. Cost: what is different in
  /// both; many results are merged by a `ResultsPile`.
  public mutating func merge(_ other: AnalysisResults) {
    log = nil
    logs += other.logs
    logsWithFindings += other.logsWithFindings
    logsInconclusive += other.logsInconclusive
    events += other.events
    gaps += other.gaps
    groups = Self.joined(groups, other.groups, Self.by(\.fingerprint)) { $0.merge($1) }
    causes = Self.joined(causes, other.causes, Self.by(\.fingerprint)) { $0.merge($1) }
    rules = Self.joined(rules, other.rules, RuleTally.comesFirst) { $0.merge($1) }
    verdicts = AnalysisResults.kept(verdicts + other.verdicts)
    deaths = Self.joined(deaths, other.deaths, Self.by(\.order)) { $0.merge($1) }
    unreadable = (unreadable + other.unreadable).sorted { ($0.log, $0.error) < ($1.log, $1.error) }
    if let theirs = other.statistics {
      if statistics == nil { statistics = theirs } else { statistics?.merge(theirs) }
    }

    let words = (unknownWords + other.unknownWords).sorted { $0.order < $1.order }
    unknownWords = Array(words.prefix(UnknownWordOfLog.kept))
    rulesOff = Set(rulesOff + other.rulesOff).sorted()
    suppressions = SuppressionUse.merged(suppressions, other.suppressions)
    if let known = other.baseline ?? baseline { compare(with: known) }
  }

  /// The verdicts that are kept of these, in their order.
  private static func kept(_ verdicts: [ReportedDeath]) -> [ReportedDeath] {
    verdicts.sorted(by: ReportedDeath.isKeptFirst).prefix(Deaths.keptVerdicts)
      .sorted(by: ReportedDeath.comesFirst)
  }

  /// How many processes ended.
  package var ended: Int { deaths.reduce(0) { $0 + $1.count } }

  /// Whether no log has anything but ends of processes.
  package var hasOnlyEnds: Bool { ended > 0 && events == UInt64(ended) }

  /// Joins two lists in the order of `comesFirst`; two elements of which neither comes first are merged.
  private static func joined<Element>(
    _ first: [Element], _ second: [Element], _ comesFirst: (Element, Element) -> Bool,
    merge: (inout Element, Element) -> Void
  ) -> [Element] {
    var joined: [Element] = []
    for element in (first + second).sorted(by: comesFirst) {
      if let last = joined.indices.last, !comesFirst(joined[last], element) {
        merge(&joined[last], element)
      } else {
        joined.append(element)
      }
    }
    return joined
  }

  private static func by<Element>(
    _ key: KeyPath<Element, some Comparable>
  ) -> (Element, Element) -> Bool {
    { $0[keyPath: key] < $1[keyPath: key] }
  }
}

extension AnalysisResults.Group {
  /// The findings of a fingerprint, of which the most serious are kept.
  init(_ fingerprint: String, _ findings: [ReportedFinding], count: Int, logs: Int) {
    (self.fingerprint, self.count, self.logs) = (fingerprint, count, logs)
    examples = Array(
      findings.sorted(by: ReportedFinding.isKeptFirst).prefix(AnalysisResults.examplesKept))
  }

  fileprivate mutating func merge(_ other: AnalysisResults.Group) {
    self = Self(
      fingerprint, examples + other.examples, count: count + other.count, logs: logs + other.logs)
  }
}
