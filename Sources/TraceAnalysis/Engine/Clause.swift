import LifecycleModel

/// One pattern of one rule, as the loop over events knows it: plain, so that a copy costs nothing.
struct Clause {
  /// Its place among the patterns of all rules.
  let number: Int
  /// The place of its rule.
  let rule: Int
  let scope: Scope
  /// Whether it is judged only under some reasons for a launch.
  let isLaunchBound: Bool

  init(_ numbered: NumberedPattern) {
    number = numbered.number
    rule = numbered.rule
    scope = numbered.pattern.scope
    isLaunchBound = numbered.pattern.launches != nil
  }
}

/// A pattern with its place among those of all rules, which is given here and nowhere else.
struct NumberedPattern {
  let number: Int
  /// The place of its rule.
  let rule: Int
  let pattern: RulePattern

  static func all(of rules: [RuleDescription]) -> [NumberedPattern] {
    let patterns = rules.enumerated().flatMap { index, rule in
      rule.patterns.map { (rule: index, pattern: $0) }
    }
    return patterns.enumerated().map { number, one in
      NumberedPattern(number: number, rule: one.rule, pattern: one.pattern)
    }
  }
}

/// What only the findings of a clause ask for.
struct ClauseTerms {
  let pattern: RulePattern
  /// The severity of a finding to which no mitigation applies.
  let severity: Severity
  /// Whether the rule's code decides about what is found.
  let isJudgedByCode: Bool

  init(_ pattern: RulePattern, _ rule: ActiveRule) {
    self.pattern = pattern
    severity = pattern.severity ?? rule.description.severity
    isJudgedByCode = rule.isJudgedByCode
  }

  /// The severity of a finding at `instant` under `profile`, after the last event that makes one less
  /// serious.
  func severity(
    at instant: Instant, under profile: Profile, after lastMitigation: Instant?
  ) -> Severity {
    guard let milder = pattern.milder, let mitigation = pattern.mitigation else { return severity }
    let isMitigated =
      switch mitigation {
      case .port: profile.port
      case .osMajor(let versions): profile.osMajor.map(versions.contains) ?? true
      case .recently(_, let time): lastMitigation.map { instant.since($0) <= time } ?? false
      }
    return isMitigated ? milder : severity
  }
}

/// What came in a log that bears on all instances of a clause.
struct ClauseMarks {
  /// When the last event came that makes a finding less serious.
  var lastMitigation: Instant?
  /// Whether there were more instances than are followed: what is not known by now is not told.
  var isOverfull = false
  /// The place of the last event that may have ended something in any instance.
  var lastStray: UInt64 = 0
  /// What that event does not say.
  var strayDoubt: Doubt?
}

extension Scope {
  /// So many names, labels, values or holders are followed at a time.
  package static let followedWords = 4096
  /// So many scenes, sessions or tasks are: as many as can be open.
  static let followedSubjects = OpenSpans.most

  /// Whether instances are kept apart by words.
  var isOfWords: Bool { self == .name || self == .label }

  /// Whether there may be instances without number.
  var isUnbounded: Bool { isOfWords || self == .value || self == .holder }

  /// What an event must say for its instance to be known; `nil` when the event alone shows it.
  @inline(__always)
  var said: AttributeKey? {
    switch self {
    case .session: .session
    case .holder: .holder
    default: nil
    }
  }

  /// The key of the instance that `event` belongs to; `nil` when it belongs to none, or what is
  /// ``said`` tells it.
  @inline(__always)
  func key(_ event: Event) -> UInt64? {
    switch self {
    case .app: 0
    case .scene: event.subjectKind == .scene ? UInt64(event.subjectNumber) : nil
    case .name: event.name.isNone ? nil : UInt64(event.name.rawValue)
    case .label: event.label.isNone ? nil : UInt64(event.label.rawValue)
    case .task: event.subjectKind == .task ? UInt64(event.subjectNumber) : nil
    case .subject:
      event.turner.map { $0.kind == .scene ? UInt64($0.number) + 1 : 0 }
    case .value: event.hasValue ? UInt64(bitPattern: event.rawValue) : nil
    case .session, .holder: nil
    }
  }
}
