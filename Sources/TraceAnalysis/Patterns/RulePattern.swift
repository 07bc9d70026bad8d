import LifecycleModel

/// What each instance of a pattern is about: windows and counts are kept apart per scope.
public enum Scope: String, CaseIterable, Sendable {
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
  /// One for each value: the number that tells things of one name apart.
  case value
  /// One for each session, and the scenes that connect with it one after another.
  ///
  /// Which session a scene has says its connection.
  case session
  /// One for each holder: the variable that keeps a task, or the thread that took or began something.
  ///
  /// What ends something belongs to the holder that began it. `every`, `balance`, and a `budget` or an
  /// `order` of tasks cannot follow holders: an analyzer of such a pattern stops with a message.
  case holder
}

/// What a rule looks for, as a sentence of few words; most rules are nothing else.
///
/// Messages may hold `{name}`, `{subject}`, `{label}` and `{writer}` of the culprit, `{opener}` and
/// `{since}` (the name and the instant of the event that opened the window), `{holder}` and `{held}`
/// (its subject and its label), `{elapsed}` and `{allowed}`.
public struct RulePattern: Sendable {
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
  /// How much a finding matters, where that is less than the rule says.
  package var severity: Severity?
  /// The reasons for a launch under which the pattern is judged; `nil` for all.
  package var launches: Set<LaunchReason>?
  /// The severity of a finding to which the mitigation applies.
  package var milder: Severity?
  /// What makes a finding less serious.
  package var mitigation: Mitigation?
  /// In which states an event counts that a finding would name.
  package var guards = StateGuard()
  /// The roles of the scenes that the pattern is about; `nil` for all.
  package var roles: Set<SceneRole>?
  /// What must be known of a log beside what the rule needs; `nil` for nothing more.
  package var needs: RuleNeeds?

  /// Makes a pattern.
  package init(_ form: Form, per scope: Scope, says message: String) {
    self.form = form
    self.scope = scope
    self.message = message
  }

  /// Only in logs of which this is known too; others the rule judges without this pattern.
  public func needing(_ needs: RuleNeeds) -> RulePattern {
    var pattern = self
    pattern.needs = needs
    return pattern
  }

  /// Only in processes that were launched for one of these reasons; when the reason is not known, what
  /// would be found cannot be told.
  public func launched(by reasons: Set<LaunchReason>) -> RulePattern {
    var pattern = self
    pattern.launches = reasons
    return pattern
  }

  /// Only in these states; all must hold as the event comes that a finding would name.
  public func `while`(_ states: StateCondition...) -> RulePattern {
    var pattern = self
    pattern.guards.holding += states
    return pattern
  }

  /// Not in these states: none may hold as the event comes that a finding would name.
  public func unless(_ states: StateCondition...) -> RulePattern {
    var pattern = self
    pattern.guards.notHolding += states
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
