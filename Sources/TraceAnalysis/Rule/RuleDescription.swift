import LifecycleModel

/// What a rule says of itself: all that `tracectl explain` and its page in `docs/reference/rules` print, and its tests.
///
/// ```swift
/// import LifecycleRules
/// import TraceAnalysis
///
/// let rule = ActiveRule(
///   patternsOf: RuleDescription(
///     id: "no-timer-while-inactive", number: nil, topic: .own,
///     summary: "no timer fires while the app is not active", severity: .warning, sources: [],
///     why: "It costs power.", remedy: "Stop it at the resign.", limits: "None are known.",
///     needs: RuleNeeds(hooks: [[.work], [.appDelegate, .sceneDelegate]]),
///     patterns: [
///       .never(.work(.timer), while: .subjectInactive, says: "{label} fired while not active")
///     ],
///     given: "0s - profile mode=app hooks=app-delegate,work",
///     examples: """
///       clean: while active
///       1s main call applicationDidBecomeActive app
///       2s main work timer app "autosave"
///
///       violating: after the resign
///       1s main call applicationDidBecomeActive app
///       2s main call applicationWillResignActive app
///       2.1s main return applicationWillResignActive app
///       3s main work timer app "autosave" ◀
///       """))
/// for example in rule.description.examples { print(example.problems(under: rule)) }
/// ```
public struct RuleDescription: Sendable {
  /// The part of the catalogue that a rule belongs to.
  public enum Topic: String, CaseIterable, Sendable {
    case launch = "Launch"
    case appOrder = "Order of turns"
    case sceneOrder = "Order of scenes"
    case exclusivity = "Exclusivity and aggregation"
    case identity = "Identity and threads"
    case budget = "Time limits"
    case work = "Work in the wrong state"
    case resources = "Resource balance"
    case data = "Data safety"
    case postMortem = "Post-mortem"
    case recording = "The recording itself"
    case own = "Your own rules"
  }

  /// The slug, the same for ever.
  public var id: String
  /// What the rule was called before, and the rules that it has taken in.
  ///
  /// Such a name is always accepted, and it makes the fingerprints of findings, so that baselines hold.
  public var formerRules: [FormerRule]
  /// The number in the catalogue, such as 11 for R11; `nil` for a rule about the log itself.
  public var number: Int?
  /// The part of the catalogue.
  public var topic: Topic
  /// What must be so, in one line.
  public var summary: String
  /// How much a finding matters, at the most.
  public var severity: Severity
  /// The cause that it shares with other rules, so that one bug is one finding; `nil` when it stands
  /// alone.
  public var cause: SharedCause?
  /// What would be legal instead of a finding, where the order of callbacks does not say it.
  public var advice: LegalAdvice?
  /// The documents that the rule rests on.
  public var sources: [Citation]
  /// Why it matters.
  public var why: String
  /// What to do about a finding, in an app with scenes.
  public var remedy: String { MethodNames.fill(unfilledRemedy, .scene) }
  /// The same in an app without scenes, where other methods are to be named; `nil` otherwise.
  public var remedyWithoutScenes: String? {
    let withoutScenes = MethodNames.fill(unfilledRemedy, .app)
    return withoutScenes == remedy ? nil : withoutScenes
  }
  /// What is said of something that ends or is completed a second time, where that is another fault;
  /// `nil` otherwise.
  public var secondEnd: (why: String, remedy: String)?
  /// What the rule cannot see, and where it may be wrong.
  public var limits: String
  /// Where documents contradict each other, or the field; `nil` where they agree.
  public var contradiction: String?
  /// What the rule must know of a log before it can judge it.
  public var needs: RuleNeeds
  /// What the rule looks for; empty when its type does the looking.
  public var patterns: [RulePattern]
  /// The order that its code checks, written as patterns: they find nothing by themselves, and the
  /// nearest legal trace is made with them.
  public var order: [RulePattern]
  /// Traces that are clean, and traces that are not.
  public var examples: [RuleExample] { examplesAsWritten.all(given: preambleOfExamples) }
  /// Whether its findings are about the recording, and not about the app.
  package var isAboutRecording: Bool

  // An analysis makes the description of each rule, and shows few. Filled in only where they are shown, these texts
  // save 49 million of the 118 million instructions of an analysis of 50,000 events.
  private let unfilledRemedy: String
  private let preambleOfExamples: String?
  private let examplesAsWritten: RuleExamples

  /// Makes a description.
  ///
  /// `given` is what the examples begin with, but for those that begin with a profile of their own: a profile,
  /// and what is the same in most of them.
  ///
  /// In the remedy `{resign}`, `{background}`, `{foreground}`, `{activate}` and `{launch}` are the
  /// delegate's methods, by the names that they have in the app's mode.
  public init(
    id: String, formerRules: [FormerRule] = [], number: Int?, topic: Topic, summary: String,
    severity: Severity, cause: SharedCause? = nil, advice: LegalAdvice? = nil, sources: [Citation],
    why: String, remedy: String, secondEnd: (why: String, remedy: String)? = nil, limits: String,
    contradiction: String? = nil,
    needs: RuleNeeds = RuleNeeds(), patterns: [RulePattern] = [], order: [RulePattern] = [],
    given: String? = nil, examples: RuleExamples, isAboutRecording: Bool = false
  ) {
    self.id = id
    self.formerRules = formerRules
    self.number = number
    self.topic = topic
    self.summary = summary
    self.severity = severity
    self.cause = cause
    self.advice = advice
    self.sources = sources
    self.why = why
    unfilledRemedy = remedy
    self.secondEnd = secondEnd
    self.limits = limits
    self.contradiction = contradiction
    self.needs = needs
    self.patterns = patterns
    self.order = order
    preambleOfExamples = given
    examplesAsWritten = examples
    self.isAboutRecording = isAboutRecording || topic == .recording
  }
}

extension RuleDescription {

  /// Whether `name` is the rule's id, a former one, or a number such as `R78` or `r78`.
  package func isCalled(_ name: some StringProtocol) -> Bool {
    let upper = name.uppercased()
    return names.contains { name == $0 || upper == $0 }
  }

  /// Its id and its former ones.
  package var ids: [String] { [id] + formerRules.map(\.id) }

  /// The id under which findings about `culprit` have their fingerprints.
  func fingerprintID(_ culprit: Event, _ vocabulary: Vocabulary) -> String {
    let former = formerRules.first { $0.culprits?.means(culprit, vocabulary) ?? true }
    return former?.id ?? id
  }
}

/// A rule that is now another one, or a part of it.
public struct FormerRule: Sendable, ExpressibleByStringLiteral {
  /// Its id.
  public var id: String
  /// Its number in the catalogue; `nil` when the rule that it is now has that number.
  public var number: Int?
  /// The culprits of its findings; `nil` for any.
  public var culprits: EventPattern?

  /// Makes a rule that was found by other culprits than the other rules that became the same one.
  public init(_ id: String, number: Int? = nil, culprits: EventPattern? = nil) {
    (self.id, self.number, self.culprits) = (id, number, culprits)
  }

  /// Makes a rule that has another id now.
  public init(stringLiteral id: String) { self.init(id) }
}

extension RuleDescription {
  /// Its former ids, and numbers such as `R28` of rules that it has taken in.
  package var formerNames: [String] {
    formerRules.map(\.id) + formerRules.compactMap { $0.number.map { "R\($0)" } }
  }

  /// What a person may call the rule: its ids, and last `R78` when it has a number.
  package var names: [String] {
    [id] + formerNames + (number.map { ["R\($0)"] } ?? [])
  }
}
