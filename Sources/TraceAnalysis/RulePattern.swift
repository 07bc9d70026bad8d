import LifecycleModel

/// What each instance of a pattern is about: windows and counts are kept apart per scope.
public enum Scope: Sendable {
  /// One for the process.
  case app
  /// One for each scene.
  case scene
  /// One for each subject: the app, and each scene.
  case subject
  /// One for each background task.
  case task
  /// One for each name, such as the identifier of a task of BGTaskScheduler.
  case name
  /// One for each label: the app's own words.
  case label
}

/// What a rule looks for, as a sentence of few words; most rules are nothing else.
///
/// Messages may hold `{name}`, `{subject}`, `{label}` and `{writer}` of the culprit, `{opener}` and
/// `{since}` (the name and the instant of the event that opened the window), `{holder}` and `{held}`
/// (its subject and its label), `{elapsed}` and `{allowed}`.
public struct RulePattern: Sendable {
  /// The forms of pattern.
  package enum Form: Sendable {
    /// `never(_:between:until:per:says:)`.
    case window(culprit: EventPattern, opening: EventPattern, closing: EventPattern)
    /// `never(_:while:says:)`.
    case condition(culprit: EventPattern, state: StateCondition)
    /// `never(_:exercisedBy:says:)`.
    case always(culprit: EventPattern, exercisedBy: EventPattern?)
    /// `order(_:then:until:per:says:)`, `orderOnce` and `begins(with:before:per:says:)`.
    case order(first: EventPattern, then: EventPattern, until: EventPattern?, Repetition)
    /// `every(_:then:before:per:says:)`.
    case every(trigger: EventPattern, response: EventPattern, before: EventPattern)
    /// `budget(_:warning:error:until:per:says:)` and `budgetWhileActive`.
    case budget(spans: EventPattern, limits: [BudgetLimit], until: EventPattern)
    /// `balance(_:_:per:unclosed:closedAgain:)`.
    case balance(opening: EventPattern, closing: EventPattern)
    /// `stretch(from:to:cancelledBy:allowed:says:)`.
    case stretch(
      opening: EventPattern, closing: EventPattern, cancelling: EventPattern, allowed: Nanoseconds)
    /// `mainThreadShares(atKill:)`.
    case mainThread(code: String)
  }

  /// How often an order can be kept or broken.
  package enum Repetition: Hashable, Sendable {
    /// Again and again; either event may be absent.
    case pairs
    /// Once for each scope in a process; either event may be absent.
    case once
    /// Once for each scope in a process, and the first event must have come.
    case mustHaveFirst
  }

  /// A reason to take a finding less seriously.
  package enum Mitigation: Sendable {
    /// The events come from another implementation of UIKit.
    case port
    /// These versions of the system, or one that the profile does not name.
    case osMajor(ClosedRange<Int>)
    /// An event of the pattern came less than this before the culprit.
    case recently(EventPattern, Nanoseconds)
  }

  /// The form, with the events that it is about.
  package var form: Form
  /// What each instance is about.
  package var scope: Scope
  /// What a finding says.
  package var message: String
  /// The message of a balance for what is closed twice.
  package var secondMessage = ""
  /// How much a finding matters, where that is less than the rule says.
  package var severity: Severity?
  /// The reasons for a launch under which the pattern is judged; `nil` for all.
  package var launches: Set<LaunchReason>?
  /// Whether a budget judges each span by itself.
  package var isPerSpan = false
  /// Whether a budget counts only spans that begin while the app is active.
  package var isWhileActive = false
  /// From which time on a stretch is more serious, and how much.
  package var worse: BudgetLimit?
  /// Whether a budget counts only spans that begin while the app is on screen, where it has been active
  /// before.
  package var isWhileVisible = false
  /// The severity of a finding to which the mitigation applies.
  package var milder: Severity?
  /// What makes a finding less serious.
  package var mitigation: Mitigation?
  /// In which states an event counts that a finding would name.
  package var guards = StateGuard()
  /// The time in which a response comes, or for which a window is open.
  package var limit: TimeLimit?
  /// The clock that budgets are read from.
  package var clock = TimeLimit.Clock.awake
  /// The roles of the scenes that the pattern is about; `nil` for all.
  package var roles: Set<SceneRole>?

  /// Makes a pattern.
  package init(_ form: Form, per scope: Scope, says message: String) {
    self.form = form
    self.scope = scope
    self.message = message
  }

  /// No `culprit` after an `opening` until a `closing`.
  public static func never(
    _ culprit: EventPattern, between opening: EventPattern, until closing: EventPattern,
    per scope: Scope, says message: String
  ) -> RulePattern {
    RulePattern(
      .window(culprit: culprit, opening: opening, closing: closing), per: scope, says: message)
  }

  /// No `culprit` while a condition on the state holds.
  public static func never(
    _ culprit: EventPattern, while state: StateCondition, says message: String
  ) -> RulePattern {
    RulePattern(.condition(culprit: culprit, state: state), per: .subject, says: message)
  }

  /// No `culprit` at all; `exercisedBy` are the events that show that the rule had something to
  /// judge, where the culprit's own verb and name do not.
  public static func never(
    _ culprit: EventPattern, exercisedBy: EventPattern? = nil, says message: String
  ) -> RulePattern {
    RulePattern(
      .always(culprit: culprit, exercisedBy: exercisedBy), per: .subject, says: message)
  }

  /// A `first` comes before its `then`; either may be absent.
  ///
  /// An `until` ends the pair.
  public static func order(
    _ first: EventPattern, then: EventPattern, until: EventPattern, per scope: Scope,
    says message: String
  ) -> RulePattern {
    RulePattern(
      .order(first: first, then: then, until: until, .pairs), per: scope, says: message)
  }

  /// A `first` comes before any `then` of its scope in a process.
  public static func begins(
    with first: EventPattern, before then: EventPattern, per scope: Scope, says message: String
  ) -> RulePattern {
    RulePattern(
      .order(first: first, then: then, until: nil, .mustHaveFirst), per: scope, says: message)
  }

  /// Every `trigger` is followed by a `response` before the next `end`.
  public static func every(
    _ trigger: EventPattern, then response: EventPattern, before end: EventPattern,
    per scope: Scope, says message: String
  ) -> RulePattern {
    RulePattern(
      .every(trigger: trigger, response: response, before: end), per: scope, says: message)
  }

  /// The time in which at least one span is open, added up until an `until`, stays within limits.
  ///
  /// `spans` are the events that open them. Time in which the process is suspended does not count.
  /// Per subject, an app with one scene has one account for both: what observes the app's
  /// notification runs in the time of the scene's callback.
  public static func budget(
    _ spans: EventPattern, warning: Nanoseconds, error: Nanoseconds, until: EventPattern,
    per scope: Scope, says message: String
  ) -> RulePattern {
    RulePattern(
      .budget(
        spans: spans,
        limits: [BudgetLimit(.warning, from: warning), BudgetLimit(.error, from: error)],
        until: until), per: scope, says: message)
  }

  /// What is opened is closed once: not twice, and before the process has spent the background time
  /// that its system allows.
  public static func balance(
    _ opening: EventPattern, _ closing: EventPattern, per scope: Scope,
    unclosed message: String, closedAgain: String
  ) -> RulePattern {
    var pattern = RulePattern(
      .balance(opening: opening, closing: closing), per: scope, says: message)
    pattern.secondMessage = closedAgain
    return pattern
  }

  /// Only in processes that were launched for one of these reasons; when the reason is not known, what
  /// would be found cannot be told.
  func launched(by reasons: Set<LaunchReason>) -> RulePattern {
    var pattern = self
    pattern.launches = reasons
    return pattern
  }

  /// The same with a severity below the rule's.
  public func severity(_ severity: Severity) -> RulePattern {
    var pattern = self
    pattern.severity = severity
    return pattern
  }

  /// Less serious when the events come from another implementation of UIKit.
  public func milderOnPorts(_ severity: Severity) -> RulePattern {
    mitigated(severity, .port)
  }

  /// Less serious on these major versions of the system, or when the profile does not name one.
  public func milder(_ severity: Severity, onOSMajor versions: ClosedRange<Int>) -> RulePattern {
    mitigated(severity, .osMajor(versions))
  }

  /// Less serious when an event of `pattern` came less than `time` before the culprit.
  public func milder(
    _ severity: Severity, within time: Nanoseconds, after pattern: EventPattern
  ) -> RulePattern {
    mitigated(severity, .recently(pattern, time))
  }

  private func mitigated(_ severity: Severity, _ mitigation: Mitigation) -> RulePattern {
    var pattern = self
    pattern.milder = severity
    pattern.mitigation = mitigation
    return pattern
  }
}

extension RulePattern.Form {
  /// The events that it is about.
  package var events: [EventPattern] {
    switch self {
    case .window(let culprit, let opening, let closing): [culprit, opening, closing]
    case .condition(let culprit, _): [culprit]
    case .always(let culprit, let exercisedBy): [culprit] + (exercisedBy.map { [$0] } ?? [])
    case .order(let first, let then, let until, _): [first, then] + (until.map { [$0] } ?? [])
    case .every(let trigger, let response, let before): [trigger, response, before]
    case .budget(let spans, _, let until): [spans, until]
    case .balance(let opening, let closing): [opening, closing]
    case .stretch(let opening, let closing, let cancelling, _): [opening, closing, cancelling]
    case .mainThread: []
    }
  }
}
