import LifecycleModel
import TraceAnalysis

extension Catalogue {
  /// All rules, and what is known of Apple's systems: their limits, their codes, and how they end
  /// processes.
  public static let lifecycle = Catalogue(rules: RuleRegistry.all, system: AppleSystems())
}

/// What Apple's systems allow, and how they end processes.
private struct AppleSystems: SystemKnowledge {
  var deathRule: String { DeathRule.description.id }

  func verdict(_ evidence: DeathVerdict.Evidence, _ moment: Moment) -> DeathVerdict {
    DeathVerdict(evidence, moment)
  }

  func isOutOfTime(_ end: Event, _ vocabulary: Vocabulary) -> Bool {
    DeathCauses.isByWatchdog(end, vocabulary)
  }

  func unknownWord(ofKill attributes: [Attribute]) -> (key: AttributeKey, word: String)? {
    DeathCauses.unknownWord(ofKill: attributes)
  }

  func backgroundTime(_ profile: Profile) -> Nanoseconds { Allowances.backgroundTasks(profile) }

  func limit(of key: Statistics.Key, _ profile: Profile) -> Nanoseconds? {
    Allowances.limit(of: key, profile)
  }
}

// MARK: - Analyses by the whole catalogue

extension Analyzer {
  /// Makes an analyzer for a trace whose events belong to `vocabulary`, by `rules` or by all.
  ///
  /// With `statistics` the analysis says how long things took; without, measuring costs nothing.
  public init(
    _ vocabulary: Vocabulary, rules: [ActiveRule] = RuleRegistry.all, statistics: Bool = false
  ) {
    self.init(vocabulary, .lifecycle.applying(rules), statistics: statistics)
  }

  /// Analyzes a whole trace by `rules`, or by the whole catalogue; its words stay known.
  ///
  /// The catalogue is made ready once: see `RuleProgram.catalogue`.
  public static func analyze(
    _ trace: Trace, rules: [ActiveRule]? = nil, statistics: Bool = false
  ) -> Analysis {
    var analyzer = ready(trace.vocabulary, rules, statistics)
    return analyzer.analyze(trace)
  }

  /// Analyzes all events of `stream` by `rules`, or by the whole catalogue.
  public static func analyze(
    _ stream: inout some EventStream, rules: [ActiveRule]? = nil, statistics: Bool = false
  ) throws -> Analysis {
    var analyzer = ready(stream.vocabulary, rules, statistics)
    return try analyzer.analyze(&stream)
  }

  private static func ready(
    _ vocabulary: Vocabulary, _ rules: [ActiveRule]?, _ statistics: Bool
  ) -> Analyzer {
    if let rules { return Analyzer(vocabulary, rules: rules, statistics: statistics) }
    return RuleProgram.catalogue.analyzer(vocabulary, statistics: statistics)
  }
}

extension RuleProgram {
  /// The whole catalogue, made ready at the first use.
  public static let catalogue = RuleProgram()

  /// Makes rules ready; with `statistics` the analyses say how long things took.
  public convenience init(_ rules: [ActiveRule] = RuleRegistry.all, statistics: Bool = false) {
    self.init(.lifecycle.applying(rules), statistics: statistics)
  }
}

extension UnknownWords {
  /// Makes a collector for events of `vocabulary`.
  public init(_ vocabulary: Vocabulary) { self.init(vocabulary, .lifecycle) }
}

extension Inquiry {
  /// Asks `rule` about the event that is the `sequence`th of `writer`.
  public init(_ vocabulary: Vocabulary, rule: ActiveRule, writer: String, sequence: UInt64) {
    self.init(vocabulary, rule: rule, .lifecycle, writer: writer, sequence: sequence)
  }
}

extension RuleSurvey {
  /// Makes a survey of a trace whose events belong to `vocabulary`.
  public init(_ vocabulary: Vocabulary, _ rule: ActiveRule) {
    self.init(vocabulary, rule, .lifecycle)
  }
}

extension TraceReducer {
  /// Makes a reducer for findings of `rule`, in traces of `vocabulary`; no rule of the catalogue finds
  /// more in the result than it found before.
  public init(_ vocabulary: Vocabulary, rule: ActiveRule) {
    self.init(vocabulary, rule: rule, .lifecycle, .catalogue)
  }
}

extension RuleExample {
  /// Analyzes the example with `rule` alone; what is wrong with it, empty when nothing is.
  ///
  /// A violating example must give a finding at each marked line and at no other; a clean one must
  /// give none, and leave the rule in doubt when it is to be undecided.
  public func problems(under rule: ActiveRule) -> [String] { problems(under: rule, .lifecycle) }
}
