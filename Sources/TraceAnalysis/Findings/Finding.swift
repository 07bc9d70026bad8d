import LifecycleModel

/// Something that a rule found, with its evidence.
///
/// ```swift
/// import TraceAnalysis
///
/// func explain(_ finding: Finding) {
///   print(finding.rule, finding.message)
///   for witness in finding.witnesses {
///     print(witness.role, witness.event.map { "event \($0.sequence)" } ?? "missing")
///   }
///   for other in finding.dependents { print("same cause:", other.rule) }
/// }
/// ```
public struct Finding: Hashable, Sendable {
  /// The part that an event plays in the evidence.
  public enum Role: String, CaseIterable, Sendable {
    /// It opened the window in which the culprit must not come.
    case opens
    /// It is what is wrong.
    case culprit
    /// It closed the window, or ended what took too long.
    case closes
    /// It had to come and did not: no event of the log.
    case missing
  }

  /// A part of the evidence: an event, or what had to come and did not.
  public struct Witness: Hashable, Sendable {
    /// Its part.
    public let role: Role
    /// The event; `nil` for what is missing.
    public let event: Event?
    /// What is missing; `nil` for an event.
    public let missing: MissingEvent?

    /// Makes a witness of an event, which is not missing.
    public init(role: Role, event: Event) {
      (self.role, self.event, missing) = (role, event, nil)
    }

    /// Makes a witness of what had to come and did not.
    public init(missing: MissingEvent) {
      (role, event, self.missing) = (.missing, nil, missing)
    }
  }

  /// The rule's slug.
  public var rule: String
  /// How much it matters.
  public var severity: Severity
  /// What it is about.
  public var subject: Subject
  /// What is wrong, in one sentence.
  public var message: String
  /// Why it matters, where that is not what its rule says; `nil` otherwise.
  public var why: String?
  /// What to do about it, where that is not what its rule says; `nil` otherwise.
  public var remedy: String?
  /// What shows it: what opens, the culprit and what closes, and what is missing at its place among
  /// them.
  public var witnesses: [Witness]
  /// The time that was taken; `nil` when the rule is not about time.
  public var elapsed: Nanoseconds?
  /// The time that was allowed.
  public var allowed: Nanoseconds?
  /// The profile under which it was judged.
  public var profile: Profile
  /// How often it happened in the same window.
  public var occurrences: Int
  /// The same for the same bug in another log: free of times, ids and numbers.
  public var fingerprint: String
  /// The place of the culprit in the trace, from 1.
  public var ordinal: UInt64
  /// Its place in the order in which findings were made, from 1.
  public var number = 0
  /// What other rules found of the same cause; none of them has dependents of its own.
  public var dependents: [Finding] = []
  /// What would have been legal; `nil` when no few edits make it so.
  public var nearest: NearestLegalTrace?
  /// Whether it does not stand any more: its time was measured across a change of the clock, or a crash loop
  /// counts it.
  package var isWithdrawn = false
  /// The place of the event before which it was made, or became more serious.
  var madeBefore: UInt64 = 0
  /// What was true when it was found; `nil` when nothing was known.
  public var state: State?
  /// Why somebody accepts it; `nil` when nobody does.
  public var suppression: Suppression?

  /// The id that makes the fingerprint, where its rule had another one; `nil` for that of its rule.
  var fingerprintRule: String?
  /// The cause that its rule shares with others; `nil` when it stands alone.
  var cause: SharedCause?
  /// The place of the first event of the turn that its culprit is part of; `nil` where that does not
  /// matter.
  var turn: UInt64?
  /// What makes it the same in another log, where that is not its witnesses: words for the
  /// fingerprint.
  var identity: [String] = []
  /// The limit that it has passed where more is allowed: from there on it is less serious.
  var milderLimit: Nanoseconds?
  /// Whether what takes too long had not ended when the time that it took was last known.
  var isGoingOn = false
  /// The event that tells of the end of a process for which it stands; `nil` when for none.
  var standsFor: Event?

  /// The event that states an end that it explains together with the finding that stands for it; `nil` when
  /// it does not.
  var explains: Event?

  /// What was true when something was found: before its culprit, or at the deadline that passed.
  public struct State: Hashable, Sendable, CustomStringConvertible {
    /// The state of the app; `nil` when it was not known.
    public var app: AppState?
    /// The state of the scene that it is about; `nil` when it is about none, or it was not known.
    public var scene: SceneActivation?
    /// Whether the process was suspended.
    public var isSuspended: Bool

    /// The state of the app, and of the scene that `subject` may be; `nil` when nothing is known.
    init?(_ state: LifecycleState, _ subject: Subject) {
      app = state.appState
      scene = subject.kind == .scene ? state.activation(ofScene: subject.number) : nil
      isSuspended = state.suspension != nil
      if app == nil && scene == nil && !isSuspended { return nil }
    }

    /// The state in words, such as `app active, scene foregroundActive`.
    public var description: String {
      [
        app.map { "app \($0.rawValue)" }, scene.map { "scene \($0.rawValue)" },
        isSuspended ? "process suspended" : nil,
      ].compactMap(\.self).joined(separator: ", ")
    }
  }

  /// Whether a baseline has it already.
  public enum BaselineState: String, Sendable {
    case new, known
  }

  /// That somebody has looked at such findings and accepts them.
  public struct Suppression: Hashable, Encodable, Sendable {
    /// Why.
    public var reason: String
    /// Where that is said, as `file:line`.
    public var place: String

    /// Makes a suppression.
    public init(reason: String, place: String) {
      (self.reason, self.place) = (reason, place)
    }
  }

  /// The event that is wrong.
  public var culprit: Event? { event(.culprit) }

  /// The first event of its evidence that plays a part.
  func event(_ role: Role) -> Event? { witnesses.first { $0.role == role }?.event }
}

/// What is found when a limit passes, and goes on.
extension Finding {
  /// It has passed the next limit.
  mutating func escalate(_ found: RuleFindings.Report, before place: UInt64) {
    witnesses = Finding.ordered(witnesses.filter { $0.role != .missing }, missing: found.missing)
    severity = max(severity, found.severity ?? severity)
    madeBefore = place
    elapsed = max(elapsed ?? 0, found.elapsed ?? 0)
  }

  /// It has passed a limit, of several that end with `last`, and goes on.
  mutating func note(passed limit: Nanoseconds, of last: Nanoseconds) {
    milderLimit = limit < last ? limit : nil
    isGoingOn = true
  }

  /// What took too long has ended at last: too late, and not missing any more.
  mutating func finish(at event: Event, elapsed: Nanoseconds) {
    self.elapsed = elapsed
    isGoingOn = false
    witnesses.removeAll { $0.role == .closes || $0.role == .missing }
    witnesses.append(Witness(role: .closes, event: event))
  }
}
