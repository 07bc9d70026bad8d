import LifecycleModel

/// What a rule concluded about a log.
public enum Outcome: Hashable, Sendable {
  /// It found something.
  case violated
  /// It looked, and all was as it should be.
  case satisfied
  /// It cannot tell, for these reasons, most frequent first.
  case cannotTell([Doubt])
  /// It is not about this app, or nothing that it is about happened; with the reason.
  case notApplicable(String)
}

/// The conclusion of one rule.
public struct RuleOutcome: Sendable {
  /// The rule.
  public var rule: RuleDescription
  /// What it concluded.
  public var outcome: Outcome
  /// How often it looked and found all as it should be.
  public var checks: Int
  /// How often it could not tell, by reason, most frequent first.
  public var doubts: [(doubt: Doubt, count: Int)]
}

/// All that the analyzer says about a log.
///
/// ```swift
/// import LifecycleRules
/// import TraceAnalysis
/// import TraceText
///
/// let trace = try TraceNotation.parse("0s - profile mode=scene hooks=scene-delegate,work")
/// var analyzer = Analyzer(trace.vocabulary, rules: RuleRegistry.all, statistics: true)
/// analyzer.observe(trace.events)
/// let analysis = analyzer.finish()
/// for outcome in analysis.outcomes where outcome.outcome == .satisfied {
///   print("kept:", outcome.rule.id)
/// }
/// ```
public struct Analysis: Sendable {
  /// What was found, in the order of the culprits, then of the rules; what has one cause is one
  /// finding with dependents.
  public var findings: [Finding]
  /// How many findings were left out because many of the same fingerprint stand here already.
  public var findingsLeftOut: [String: Int]
  /// The conclusion of every rule, in the order of the registry.
  public var outcomes: [RuleOutcome]
  /// What happened to the app, in its main turns.
  public var milestones: Milestones
  /// How many events were looked at.
  public var eventCount: UInt64
  /// The instants of the first and the last event; `nil` without events.
  public var extent: ClosedRange<Instant>?
  /// For how long processes could run code.
  public var awake: Nanoseconds
  /// How many gaps there are, and how many events are known to be missing in them.
  public var gaps: (count: Int, events: Int64)
  /// How processes ended.
  public var deaths: Deaths
  /// How many events stand behind a later instant: a clock went back.
  public var disorder: Int
  /// The profile that holds at the end.
  public var profile: Profile
  /// What is true at the end.
  public var state: LifecycleState
  /// What the log says in words that are not known here: no rule could use it.
  public var unknownWords: [UnknownWord] = []
  /// The rules that somebody turned off, by id: they looked at nothing.
  public var rulesOff: [String] = []
  /// What each suppression of the configuration was good for.
  public var suppressions: [SuppressionUse] = []
  /// How long things took; `nil` when that was not asked for.
  public var statistics: Statistics?

  /// What every rule found, each finding with its dependents behind it.
  public var allFindings: [Finding] { findings.flatMap { [$0] + $0.dependents } }

  /// How much the most serious finding matters that nobody accepts; `nil` when there is none.
  public var worst: Severity? { allFindings.filter { $0.suppression == nil }.map(\.severity).max() }

  /// The hooks that somebody requires and that the log does not record.
  public var missingHooks: [Hook] = []

  /// How many crash reports were held against the log, where none of them belongs to it; 0 where one does.
  public var reportsApart = 0
  /// Whether the rest of the log was not read.
  package var isCut = false

  /// Whether a rule that applies could not tell, for whatever reason.
  public var hasDoubts: Bool {
    outcomes.contains {
      if case .cannotTell = $0.outcome { true } else { false }
    }
  }

  /// Whether the log does not show what it claims to record, or what is required of it: a rule could
  /// not tell because events are missing, the log's end is missing and with it how the process ended, no
  /// rule found anything to judge, a required hook is not recorded, the log has words that are not known,
  /// or no crash report belongs to it of those given, or its rest was not read.
  ///
  /// That a rule asks for hooks which nobody offered makes no log inconclusive.
  public var isInconclusive: Bool {
    var isJudged = false
    for outcome in outcomes where !outcome.rule.isAboutRecording {
      switch outcome.outcome {
      case .cannotTell(let doubts): if doubts.contains(where: \.isUnkept) { return true }
      case .satisfied, .violated: isJudged = true
      case .notApplicable: break
      }
    }
    return !isJudged || !missingHooks.isEmpty || !unknownWords.isEmpty || reportsApart > 0
      || isCut || isEndMissing
  }

  /// Whether events are missing behind the last one, so that nobody knows how the process ended.
  package var isEndMissing: Bool { state.endsInGap && state.processEnd == nil }
}
