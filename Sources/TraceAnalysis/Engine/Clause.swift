import LifecycleModel

/// One pattern of one rule, while a log is analyzed.
struct Clause {
  let rule: Int
  let message: String
  let secondMessage: String
  let scope: Scope
  let severity: Severity
  let milder: Severity?
  let mitigation: RulePattern.Mitigation?
  /// When the last event came that makes a finding less serious.
  var lastMitigation: Instant?

  init(_ pattern: RulePattern, rule: Int, severity: Severity) {
    self.rule = rule
    message = pattern.message
    secondMessage = pattern.secondMessage
    scope = pattern.scope
    self.severity = pattern.severity ?? severity
    milder = pattern.milder
    mitigation = pattern.mitigation
  }

  /// The severity of a finding at `instant` under `profile`.
  func severity(at instant: Instant, under profile: Profile) -> Severity {
    guard let milder, let mitigation else { return severity }
    let isMitigated =
      switch mitigation {
      case .port: profile.port
      case .osMajor(let versions): profile.osMajor.map(versions.contains) ?? true
      case .recently(_, let time): lastMitigation.map { instant.since($0) <= time } ?? false
      }
    return isMitigated ? milder : severity
  }
}

extension Scope {
  /// The key of the instance that `event` belongs to; `nil` when it belongs to none.
  @inline(__always)
  func key(_ event: Event) -> UInt64? {
    switch self {
    case .app: 0
    case .scene: event.subjectKind == .scene ? UInt64(event.subjectNumber) : nil
    case .task: event.subjectKind == .task ? UInt64(event.subjectNumber) : nil
    case .subject: event.subjectKind == .scene ? UInt64(event.subjectNumber) + 1 : 0
    }
  }
}

/// Whether the silence of a pattern's events says that they did not happen.
///
/// A callback that an app does not implement is silent too. So either a hook is recorded that shows
/// the event in another way, or such a callback was seen before.
struct Visibility {
  private let callbackHooks: Set<Hook>
  private let otherHooks: Set<Hook>
  private var isRecorded = false
  private var wasSeen = false

  init(_ pattern: EventPattern) {
    (callbackHooks, otherHooks) = pattern.hooks
  }

  mutating func update(_ profile: Profile) {
    isRecorded = !(profile.hooks ?? []).isDisjoint(with: otherHooks)
  }

  @inline(__always)
  mutating func see() { wasSeen = true }

  var isGiven: Bool { isRecorded || wasSeen || callbackHooks.isEmpty && otherHooks.isEmpty }
}

/// `never(culprit, between: opening, until: closing)`.
struct WindowClause {
  let clause: Int
  var open = KeyedTable<Fact>()
  var closing: Visibility
}

/// `never(culprit, while: state)`.
struct ConditionClause {
  let clause: Int
  let condition: StateCondition
}

/// `order(first, then:)` and `begins(with:before:)`.
struct OrderClause {
  enum Progress {
    case sawFirst
    case sawThen(Fact)
  }

  let clause: Int
  let mustHaveFirst: Bool
  var progress = KeyedTable<Progress>()
  var first: Visibility
}

/// `every(trigger, then: response, before: end)`.
struct EveryClause {
  let clause: Int
  var pending = KeyedTable<Fact>()
}

/// `budget(spans, warning:error:until:)`.
struct BudgetClause {
  /// The time that the spans of one transition take together.
  struct Account {
    /// The span that was entered first; the culprit.
    var first: Fact
    var openSpans = 0
    /// Awake time in which a span was open, before the current stretch.
    var spent: Nanoseconds = 0
    /// Awake time at the beginning of the current stretch.
    var busySince: Nanoseconds = 0
    /// The next limit, if it is not passed yet.
    var nextLimit: Nanoseconds?
    /// The finding that was made when a limit passed.
    var finding: Int?

    /// The awake time at which the next limit passes.
    var deadline: Nanoseconds? {
      guard openSpans > 0, let nextLimit else { return nil }
      return busySince &+ (nextLimit - spent)
    }
  }

  let clause: Int
  let warning: Nanoseconds
  let error: Nanoseconds
  var accounts = KeyedTable<Account>()

  init(clause: Int, warning: Nanoseconds, error: Nanoseconds) {
    self.clause = clause
    self.warning = warning
    self.error = error
  }
}

/// `balance(opening, closing)`.
struct BalanceClause {
  struct Open {
    var fact: Fact
    /// The background time that the process had spent when it was opened.
    var backgroundBefore: Nanoseconds
  }

  /// A second end is seen when it comes within this many ends.
  static let rememberedEnds = 1024

  let clause: Int
  var open = KeyedTable<Open>()
  private var ended = KeyedTable<Fact>()
  private var order: [UInt64] = []
  private var oldest = 0

  init(clause: Int) { self.clause = clause }

  /// What is held, open or ended.
  var facts: [Fact] { open.entries.map(\.value.fact) + ended.entries.map(\.value) }

  func firstEnd(_ key: UInt64) -> Fact? { ended[key] }

  mutating func remember(_ key: UInt64, _ end: Fact) {
    ended.update(key, end)
    if order.count < BalanceClause.rememberedEnds {
      order.append(key)
    } else {
      ended.remove(order[oldest])
      order[oldest] = key
      oldest = (oldest + 1) % BalanceClause.rememberedEnds
    }
  }

  mutating func removeAll() {
    open.removeAll()
    ended.removeAll()
    order.removeAll()
    oldest = 0
  }
}
