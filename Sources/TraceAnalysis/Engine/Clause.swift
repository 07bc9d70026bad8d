import LifecycleModel

/// One pattern of one rule, while a log is analyzed.
struct Clause {
  let rule: Int
  let message: String
  let secondMessage: String
  let scope: Scope
  let severity: Severity
  /// The reasons for a launch under which the clause is judged; `nil` for all.
  let launches: Set<LaunchReason>?
  /// Whether there are such reasons, at hand for the loop.
  let isLaunchBound: Bool
  /// The roles of the scenes that the clause is about; `nil` for all, and for what is about no scene.
  let roles: Set<SceneRole>?
  let milder: Severity?
  let mitigation: RulePattern.Mitigation?
  /// When the last event came that makes a finding less serious.
  var lastMitigation: Instant?
  /// Whether there were more instances than are followed: what is not known by now is not told.
  var isOverfull = false

  init(_ pattern: RulePattern, rule: Int, severity: Severity) {
    self.rule = rule
    message = pattern.message
    secondMessage = pattern.secondMessage
    scope = pattern.scope
    self.severity = pattern.severity ?? severity
    launches = pattern.launches
    isLaunchBound = pattern.launches != nil
    roles = pattern.roles
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
    case .name: event.name.isNone ? nil : UInt64(event.name.rawValue)
    case .label: event.label.isNone ? nil : UInt64(event.label.rawValue)
    case .task: event.subjectKind == .task ? UInt64(event.subjectNumber) : nil
    case .subject: event.subjectKind == .scene ? UInt64(event.subjectNumber) + 1 : 0
    }
  }
}

extension Scope {
  /// So many names or labels are followed at a time.
  package static let followedWords = 4096

  /// Whether instances are kept apart by words.
  var isOfWords: Bool {
    switch self {
    case .name, .label: true
    case .app, .scene, .subject, .task: false
    }
  }
}

/// Whether the silence of a pattern's events says that they did not happen.
///
/// A callback that an app does not implement is silent too. So either a hook is recorded that shows
/// the event in another way, or such a callback was seen before, or the profile says that the app
/// implements it.
struct Visibility {
  private let callbacks: Set<Callback>
  private let callbackHooks: Set<Hook>
  private let otherHooks: Set<Hook>
  private var isRecorded = false
  private var wasSeen = false

  init(_ pattern: EventPattern) {
    (callbackHooks, otherHooks) = pattern.hooks
    callbacks = pattern.callbacks
  }

  /// Takes the hooks that are recorded, and what the profile says of them and of the app's callbacks.
  mutating func update(_ hooks: Set<Hook>, _ profile: Profile) {
    isRecorded =
      !hooks.intersection(otherHooks).isSubset(of: profile.partial)
      || !callbacks.isEmpty && callbacks.allSatisfy { hooks.contains($0.hook) }
        && callbacks.isSubset(of: profile.implements ?? [])
  }

  @inline(__always)
  mutating func see() { wasSeen = true }

  var isGiven: Bool { isRecorded || wasSeen || callbackHooks.isEmpty && otherHooks.isEmpty }
}

/// `never(culprit, between: opening, until: closing)`.
struct WindowClause {
  let clause: Int
  /// How long a window stays open; `nil` until it is closed.
  let limit: TimeLimit?
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
    /// Whether a gap may hide its first.
    case sawThen(Fact, isHidden: Bool)
  }

  let clause: Int
  let repetition: RulePattern.Repetition
  var progress = KeyedTable<Progress>()
  /// After a gap, the place of the last event of each pair's scope.
  var known = KeyedTable<UInt64>()
  var first: Visibility
}

/// `every(trigger, then: response, before: end)`.
struct EveryClause {
  let clause: Int
  /// The time in which the response has to come; `nil` for any before the end.
  let limit: TimeLimit?
  var pending = KeyedTable<Fact>()
  var response: Visibility
}

/// `budget(spans, limits, until:)`.
struct BudgetClause {
  /// The time that the spans of one transition take together.
  struct Account {
    /// The span that was entered first; the culprit.
    var first: Fact
    var openSpans = 0
    /// Time in which a span was open, before the current stretch.
    var spent: Nanoseconds = 0
    /// The time at the beginning of the current stretch.
    var busySince: Nanoseconds = 0
    /// The place of the next limit among ``BudgetClause/limits``; their count when all are passed.
    var nextLimit = 0
    /// The finding that was made when a limit passed.
    var finding: Int?
  }

  let clause: Int
  /// In rising order; the last is what is allowed.
  let limits: [BudgetLimit]
  /// Whether each span is judged by itself and not with those before it.
  let isPerSpan: Bool
  /// Whether only spans count that begin while the app is active.
  let isWhileActive: Bool
  /// Whether only spans count that begin while the app is on screen, where it has been active before.
  let isWhileVisible: Bool
  /// The clock that the time is read from.
  let clock: TimeLimit.Clock
  var accounts = KeyedTable<Account>()
  /// The keys of the accounts that open spans were charged to, where those are not their own, by the
  /// spans' places; nearly always none.
  private var charged: [UInt64: UInt64] = [:]

  init(clause: Int, limits: [BudgetLimit], _ pattern: RulePattern) {
    self.clause = clause
    self.limits = limits
    isPerSpan = pattern.isPerSpan
    isWhileActive = pattern.isWhileActive
    isWhileVisible = pattern.isWhileVisible
    clock = pattern.clock
  }

  /// Remembers that the span at `place` is charged to an account that is not its own.
  mutating func charge(_ place: UInt64, to key: UInt64) { charged[place] = key }

  /// The account that the span at `place` was charged to, which ends; `nil` for its own.
  mutating func takeCharged(_ place: UInt64) -> UInt64? {
    charged.isEmpty ? nil : charged.removeValue(forKey: place)
  }

  /// Forgets what was charged to other accounts.
  mutating func forgetCharged() { charged.removeAll() }

  /// The time of its clock at which an account passes its next limit.
  func deadline(_ account: Account) -> Nanoseconds? {
    guard account.openSpans > 0, account.nextLimit < limits.count else { return nil }
    return account.busySince.adding(limits[account.nextLimit].time &- account.spent)
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
