import LifecycleModel

/// An invariant of the lifecycle.
///
/// A file a rule; most rules are a description with patterns.
public protocol Rule: RuleLogic {
  /// What the rule says of itself.
  ///
  /// A rule states the type of this property: a compiler that has to infer it checks the whole description in each
  /// part of the module, which makes a build of LifecycleRules ten times as long.
  static var description: RuleDescription { get }

  /// The events that ``RuleLogic/observe(_:_:_:)`` wants to see, or that
  /// ``RuleLogic/conclude(_:_:_:)`` is about; empty for a rule of patterns alone.
  static var interests: [EventPattern] { get }

  /// Whether the rule is a ``JudgingRule``.
  static var isJudgedByCode: Bool { get }

  /// Makes the rule for one log.
  init()

  /// Takes what holds for the app, and not for one process only, from the rule as it was when the
  /// process ended; the rest is forgotten.
  mutating func keep(from last: Self)
}

/// A rule whose code decides about what its patterns find.
public protocol JudgingRule: Rule {
  /// Decides about an event that a pattern of the rule has found in a state, or in a window, that
  /// `opener` brought about; or that is the last of a count, which `opener` began. Of a response that
  /// did not come both are what called for it.
  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement
}

extension JudgingRule {
  /// It is.
  public static var isJudgedByCode: Bool { true }
}

extension Rule {
  /// It is not.
  public static var isJudgedByCode: Bool { false }

  /// No events: the patterns do the looking.
  public static var interests: [EventPattern] { [] }

  /// Nothing: the next process is another.
  public mutating func keep(from last: Self) {}

  /// Begins anew with what it keeps.
  public mutating func forgetProcess() {
    var next = Self()
    next.keep(from: self)
    self = next
  }
}

/// What a rule does that no pattern can say.
///
/// It names the events it is interested in and sees them in order, with the state before each. It
/// never prints, reads files or looks at a clock. It remembers facts and events in its properties:
/// the analyzer finds them there when words are forgotten, and clears them when the process ends.
public protocol RuleLogic: Sendable {
  /// Sees an event of ``Rule/interests``. Called only while the rule's needs are met.
  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings)

  /// Decides about what a pattern has found, when the rule is a ``JudgingRule``.
  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement

  /// Is told that the awake time has come that it asked for with ``RuleFindings/wake(at:)``.
  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings)

  /// Is told how a process ended, once, when all is known that the log says of it.
  ///
  /// The moment is that before the end; what the rule itself held of the process is gone.
  mutating func conclude(
    _ death: DeathVerdict, _ moment: Moment, _ findings: inout RuleFindings)

  /// Is told that the process has ended, or the log: what was still open cannot be told, for this
  /// reason.
  ///
  /// May be called twice for one process; ``forgetProcess()`` follows each time.
  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings)

  /// Forgets what it holds of the process that has ended.
  mutating func forgetProcess()
}

extension RuleLogic {
  /// Nothing to see.
  public mutating func observe(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {}

  /// What a pattern has found is a finding.
  public mutating func judge(
    _ culprit: Event, since opener: OpenEvent, _ moment: Moment
  ) -> Judgement { .violation() }

  /// Nothing to do: the rule asks for no time.
  public mutating func wake(
    _ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings
  ) {}

  /// Nothing to conclude.
  public mutating func conclude(
    _ death: DeathVerdict, _ moment: Moment, _ findings: inout RuleFindings
  ) {}

  /// Nothing is open.
  public mutating func end(
    _ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings
  ) {}

  /// Nothing to forget.
  public mutating func forgetProcess() {}
}

extension Event {
  /// The session that a connection says.
  package func session(in vocabulary: Vocabulary) -> UInt32? {
    vocabulary.attributes(attributes)[.session].flatMap { UInt32($0) }
  }
}
