import LifecycleModel
import TraceAnalysis
import TraceText

/// What was found in one log or in many: findings by fingerprint, and what each rule concluded.
///
/// Results merge, in any order and grouping, to the same result. Memory is taken by what is different,
/// not by the number of logs: of each fingerprint ``examplesKept`` are kept.
public struct AnalysisResults: Equatable, Codable, Sendable {
  /// So many verdicts on ends of processes are kept: the most serious, of these the first by log.
  public static let verdictsKept = 200

  /// So many findings of a fingerprint are kept: the most serious that nobody accepts, of these the
  /// first by log and place.
  ///
  /// These are the ones that a baseline calls new first.
  public static let examplesKept = 20

  /// The findings of one fingerprint.
  public struct Group: Equatable, Codable, Sendable {
    /// The fingerprint.
    public var fingerprint: String
    /// How many findings there are, those that are not kept among them.
    public var count: Int
    /// In how many logs.
    public var logs: Int
    /// The most serious of them, see ``AnalysisResults/examplesKept``.
    public var examples: [ToldFinding]
  }

  /// What a rule concluded, over all logs.
  public struct RuleTally: Equatable, Codable, Sendable {
    /// What is known of the rule.
    public struct Rule: Hashable, Codable, Sendable {
      /// The slug.
      public var id: String
      /// The number in the catalogue; `nil` for a rule about the log, or one that somebody wrote.
      public var number: Int?
      /// How much a finding matters, at the most.
      public var severity: String
      /// What must be so.
      public var summary: String
      /// Why it matters.
      public var why: String
      /// What to do about a finding.
      public var remedy: String
      /// The documents that it rests on.
      public var sources: [String]
      /// Where these documents stand, as far as that is known; `nil` when it is of none.
      public var links: [String]?
    }

    /// The rule.
    public var rule: Rule
    /// In how many logs it found something.
    public var violated = 0
    /// In how many logs all was as it should be.
    public var satisfied = 0
    /// For each reason for not knowing the number of logs; the most frequent reason of each counts.
    public var cannotTell: [String: Int] = [:]
    /// In how many logs there was nothing for it to judge.
    public var notApplicable = 0
    /// In how many of these it was in force, and what it is about did not happen.
    public var idle = 0
  }

  /// A log that could not be read.
  public struct UnreadableLog: Hashable, Codable, Sendable {
    /// Its name.
    public var log: String
    /// What happened.
    public var error: String

    /// Makes one.
    public init(log: String, error: String) { (self.log, self.error) = (log, error) }
  }

  /// A word of a log that is not known.
  public struct UnknownWordOfLog: Hashable, Codable, Sendable {
    /// So many are kept.
    static let kept = 100

    /// The log's name.
    public var log: String
    /// The word.
    public var word: UnknownWord

    fileprivate var order: (String, String, String, String) {
      (log, word.places.first ?? "", word.owner, word.word)
    }
  }

  /// How many logs were analyzed.
  public private(set) var logs = 0
  /// In how many of them something was found that nobody accepts, known by a baseline or not.
  public private(set) var logsWithFindings = 0
  /// In how many nothing was found, and events were lost where a rule would have looked, no rule could
  /// judge anything, or a hook is not recorded that somebody requires.
  public private(set) var logsInconclusive = 0
  /// How many events were looked at.
  public private(set) var events: UInt64 = 0
  /// How many gaps there are.
  public private(set) var gaps = 0
  /// The verdicts on the ends of processes, by log and process; see ``verdictsKept``.
  public private(set) var verdicts: [ToldDeath] = []
  /// How processes ended, by class, cause and exit reason: all ends, the most serious class first.
  public private(set) var deaths: [DeathTally] = []
  /// A number for each log that is the same for the same log and name, in order: by it a log that is
  /// merged twice is found.
  public private(set) var digests: [UInt64] = []
  /// The findings, by fingerprint.
  public private(set) var groups: [Group] = []
  /// The findings by their own fingerprints, those under others among them.
  public private(set) var causes: [Cause] = []
  /// What is known already; `nil` when that was not asked for.
  public private(set) var baseline: Baseline?
  /// What each rule concluded: by number, then by id.
  public private(set) var rules: [RuleTally] = []
  /// The logs that could not be read, by name.
  public private(set) var unreadable: [UnreadableLog] = []
  /// Words of the logs that are not known, the first by log and place; `nil` when there are none.
  public private(set) var unknownWords: [UnknownWordOfLog]?
  /// How long things took; `nil` when that was not asked for.
  public private(set) var statistics: Statistics?
  /// What suppressions were good for; `nil` when there are none.
  public private(set) var suppressions: [SuppressionUse]?

  /// Results of no log.
  public init() {}

  /// The results of one log, held against a baseline when one is given.
  ///
  /// `lines` are those of its events, when it is a text.
  public init(
    _ analysis: Analysis, of log: String, _ vocabulary: Vocabulary, _ baseline: Baseline? = nil,
    lines: EventLines? = nil
  ) {
    logs = 1
    let isFound = analysis.allFindings.contains { $0.suppression == nil }
    logsWithFindings = isFound ? 1 : 0
    logsInconclusive = !isFound && analysis.isInconclusive ? 1 : 0
    events = analysis.eventCount
    gaps = analysis.gaps.count
    statistics = analysis.statistics
    if !analysis.suppressions.isEmpty {
      suppressions = SuppressionUse.merged(analysis.suppressions, [])
    }
    if !analysis.unknownWords.isEmpty {
      unknownWords = analysis.unknownWords.map { UnknownWordOfLog(log: log, word: $0) }
        .sorted { $0.order < $1.order }
    }
    let isOneOfSeveral = analysis.deaths.count > 1
    let ends = analysis.deaths.verdicts.map {
      ToldDeath($0, of: log, vocabulary, isOneOfSeveral: isOneOfSeveral)
    }
    let endings = Dictionary(
      ends.compactMap { end in end.finding.map { ($0, end.phrase) } }, uniquingKeysWith: { $1 })
    let all = analysis.findings.map { finding in
      var told = ToldFinding(finding, of: log, vocabulary, lines)
      told.ending = finding.rule == "death" ? nil : endings[finding.fingerprint]
      return told
    }
    var told: [String: [ToldFinding]] = [:]
    for finding in all { told[finding.fingerprint, default: []].append(finding) }
    groups = told.map { fingerprint, findings in
      Group(
        fingerprint: fingerprint,
        count: findings.count + (analysis.findingsLeftOut[fingerprint] ?? 0), logs: 1,
        examples: Array(
          findings.sorted(by: ToldFinding.isKeptFirst).prefix(AnalysisResults.examplesKept)))
    }.sorted { $0.fingerprint < $1.fingerprint }
    causes = Cause.all(
      of: all.flatMap { [$0] + $0.dependents }, leftOut: analysis.findingsLeftOut)
    rules = analysis.outcomes.map(RuleTally.init).sorted { $0.order < $1.order }
    verdicts = AnalysisResults.kept(ends)
    deaths = analysis.deaths.counts.map(DeathTally.init).sorted { $0.order < $1.order }
    digests = [AnalysisResults.digest(analysis, log, all)]
    if let baseline { compare(with: baseline) }
  }

  /// The results of a log that could not be read.
  public init(unreadable log: UnreadableLog) { unreadable = [log] }

  /// The findings that are kept, in the order of logs and places.
  public var findings: [ToldFinding] {
    groups.flatMap(\.examples).sorted(by: ToldFinding.comesFirst)
  }

  /// Holds all findings against a baseline, and against that which is there already.
  public mutating func compare(with baseline: Baseline) {
    let baseline = self.baseline?.union(baseline) ?? baseline
    self.baseline = baseline
    groups = AnalysisResults.marked(groups, causes, baseline)
  }

  /// Takes in what was found in other logs.
  ///
  /// Associative and commutative. Cost: what is different in both; many results are merged with
  /// a ``ResultsPile``.
  public mutating func merge(_ other: AnalysisResults) {
    logs += other.logs
    logsWithFindings += other.logsWithFindings
    logsInconclusive += other.logsInconclusive
    events += other.events
    gaps += other.gaps
    groups = AnalysisResults.joined(groups, other.groups, by: { $0.fingerprint }) { $0.merge($1) }
    causes = AnalysisResults.joined(causes, other.causes, by: { $0.fingerprint }) { $0.merge($1) }
    rules = AnalysisResults.joined(rules, other.rules, by: { $0.order }) { $0.merge($1) }
    verdicts = AnalysisResults.kept(verdicts + other.verdicts)
    deaths = AnalysisResults.joined(deaths, other.deaths, by: { $0.order }) { $0.merge($1) }
    digests = (digests + other.digests).sorted()
    unreadable = (unreadable + other.unreadable).sorted { ($0.log, $0.error) < ($1.log, $1.error) }
    if let theirs = other.statistics {
      if statistics == nil { statistics = theirs } else { statistics?.merge(theirs) }
    }
    if let theirs = other.unknownWords {
      let all = ((unknownWords ?? []) + theirs).sorted { $0.order < $1.order }
      unknownWords = Array(all.prefix(UnknownWordOfLog.kept))
    }
    if let theirs = other.suppressions {
      suppressions = SuppressionUse.merged(suppressions ?? [], theirs)
    }
    if let known = other.baseline ?? baseline { compare(with: known) }
  }

  /// The verdicts that are kept of these, in their order.
  private static func kept(_ verdicts: [ToldDeath]) -> [ToldDeath] {
    let kept =
      verdicts.count <= verdictsKept
      ? verdicts : Array(verdicts.sorted(by: ToldDeath.isKeptFirst).prefix(verdictsKept))
    return kept.sorted(by: ToldDeath.comesFirst)
  }

  /// A number below 2^53, which JSON holds exactly.
  private static func digest(
    _ analysis: Analysis, _ log: String, _ findings: [ToldFinding]
  ) -> UInt64 {
    // FNV-1a, 64 bits.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ text: String) {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0xff) &* 0x100_0000_01b3
    }
    add(log)
    add("\(analysis.eventCount) \(analysis.awake) \(analysis.deaths.count)")
    if let extent = analysis.extent {
      add("\(extent.lowerBound.nanoseconds) \(extent.upperBound.nanoseconds)")
    }
    for finding in findings { add("\(finding.ordinal) \(finding.fingerprint)") }
    return hash >> 11
  }

  /// How the processes ended, in a phrase for a line, and the most serious class; `nil` when none
  /// ended.
  var ending: (text: String, worst: DeathClass)? {
    DeathsText.phrase(
      verdicts.map { ($0.phrase, $0.kind, 1) }, count: deaths.reduce(0) { $0 + $1.count })
  }

  /// Joins two lists that are sorted by a key.
  private static func joined<Element, Key: Comparable>(
    _ first: [Element], _ second: [Element], by key: (Element) -> Key,
    _ merge: (inout Element, Element) -> Void
  ) -> [Element] {
    var joined: [Element] = []
    joined.reserveCapacity(max(first.count, second.count))
    var (left, right) = (first[...], second[...])
    while var element = left.first, let other = right.first {
      let (mine, theirs) = (key(element), key(other))
      if mine < theirs {
        joined.append(left.removeFirst())
      } else if theirs < mine {
        joined.append(right.removeFirst())
      } else {
        merge(&element, other)
        joined.append(element)
        left.removeFirst()
        right.removeFirst()
      }
    }
    return joined + left + right
  }
}

extension AnalysisResults.Group {
  fileprivate mutating func merge(_ other: AnalysisResults.Group) {
    count += other.count
    logs += other.logs
    examples = Array(
      (examples + other.examples).sorted(by: ToldFinding.isKeptFirst)
        .prefix(AnalysisResults.examplesKept))
  }
}

extension AnalysisResults.RuleTally {
  /// The place of a rule among the rules.
  struct Order: Comparable {
    let number: Int
    let id: String

    static func < (lhs: Order, rhs: Order) -> Bool {
      lhs.number == rhs.number ? lhs.id < rhs.id : lhs.number < rhs.number
    }
  }

  /// By number, then by id.
  var order: Order { Order(number: rule.number ?? .max, id: rule.id) }

  fileprivate init(_ outcome: RuleOutcome) {
    rule = Rule(outcome.rule)
    switch outcome.verdict {
    case .violated: violated = 1
    case .satisfied: satisfied = 1
    case .cannotTell(let doubts): cannotTell = [doubts.first?.reason ?? "": 1]
    case .notApplicable:
      notApplicable = 1
      idle = outcome.verdict.isIdle ? 1 : 0
    }
  }

  fileprivate mutating func merge(_ other: Self) {
    // Where two say different things of one rule, the choice must not depend on the order.
    if other.rule != rule, other.rule.words.lexicographicallyPrecedes(rule.words) {
      rule = other.rule
    }
    violated += other.violated
    satisfied += other.satisfied
    cannotTell.merge(other.cannotTell, uniquingKeysWith: +)
    notApplicable += other.notApplicable
    idle += other.idle
  }
}

extension AnalysisResults.RuleTally.Rule {
  init(_ rule: RuleDescription) {
    id = rule.id
    number = rule.number
    severity = rule.severity.rawValue
    summary = rule.summary
    why = rule.why
    remedy = rule.remedy
    sources = rule.sources.map { "\($0.title) [\($0.key)]" }
    let known = rule.sources.compactMap(\.url)
    links = known.isEmpty ? nil : known
  }

  fileprivate var words: [String] { [severity, summary, why, remedy] + sources + (links ?? []) }
}
