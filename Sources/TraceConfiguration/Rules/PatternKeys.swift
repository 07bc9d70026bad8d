import LifecycleModel
import TraceAnalysis
import YAMLReading

/// The forms of pattern: each is named by the key for the event that it is about.
enum PatternWord: String, CaseIterable {
  case never, every, order, budget, balance, count
}

/// The keys of a pattern: what it looks for, and in which circumstances.
struct PatternKeys: KeyGroup {
  let never = Key(.events, "the event that must not come")
  let between = Key(
    .mapping(WindowKeys.self), of: [.never], "never: the window in which it must not come")
  let exercisedBy = Key(
    .helper, of: [.never], "never: an event that shows that the rule had something to check")
  let every = Key(.events, "the event that requires a response")
  let then = Key(.events, of: [.every, .order], "every: the response; order: the second event")
  let before = Key(.helper, of: [.every], "every: an event that makes a response too late")
  let order = Key(.events, "the first event")
  let how = Key(
    .one(
      "a repetition of the order",
      of: [("pairs", OrderForm.Repetition.pairs), ("once", .once), ("begins", .mustHaveFirst)]),
    of: [.order], "order: how often the order can be kept")
  let budget = Key(.events, "the events that begin the timed spans")
  let balance = Key(.events, "the event that opens")
  let closedBy = Key(.helper, of: [.balance], "balance: the event that closes it, once")
  let closedAgain = Key(
    .text("a sentence"), of: [.balance], "balance: the message for a second close")
  let count = Key(.events, "the event that must not come too often")
  let times = Key(
    .number(
      "a number from 2 to \(CountForm.most), which is how many are too many", in: 2...CountForm.most
    ), of: [.count], "count: how many are too many")
  let within = Key(
    .time, of: [.never, .every, .count],
    "every: the response time limit; never: how long the window is open; count: the time span")
  let info = Key(
    .time, of: [.every, .budget], "budget, every: the time at which a finding is a note")
  let warning = Key(
    .time, of: [.every, .budget], "budget, every: the time at which a finding is a warning")
  let error = Key(.time, of: [.budget], "budget: the time at which a finding is an error")
  let of = Key(
    .one("each or sum", of: [("each", true), ("sum", false)]), of: [.budget],
    "budget: per span, or for their sum")
  let until = Key(.helper, of: [.order, .budget], "budget: ends a sum; order: ends a pair")
  let `while` = Key(
    .states, of: [.never, .every, .order, .budget, .count], "states in which the event counts")
  let unless = Key(
    .states, of: [.never, .every, .order, .budget, .count],
    "states in which the event does not count")
  let clock = Key(.clock, of: [.never, .every, .budget, .count], "the clock for all times")
  let per = Key(Kind<Scope>.choice("what to track separately"), "what to track separately")
  let role = Key(.oneOrMore(.role), "the scene roles")
  let launch = Key(.oneOrMore(Kind<LaunchReason>.choice("a launch reason")), "the launch reasons")
  let milder = Key(.mapping(MilderKeys.self), "when a finding is less severe")
  let says = Key(
    .prose("a sentence"), "the message of a finding, with {name}, {subject}, {since} and so on")

  /// A form: the event that it is about, and what makes its pattern.
  private typealias Form = (
    word: PatternWord, head: Key<ReadEvents>,
    make: (ReadEvents, Scope, YAMLValue) -> RulePattern?
  )

  private var forms: [Form] {
    [
      (.never, never, never(_:_:_:)), (.every, every, every(_:_:_:)),
      (.order, order, order(_:_:_:)), (.budget, budget, budget(_:_:_:)),
      (.balance, balance, balance(_:_:_:)), (.count, count, count(_:_:_:)),
    ]
  }

  /// The pattern; `nil` when a part cannot be read.
  func model(_ owner: YAMLValue) -> RulePattern? {
    let present = forms.filter { $0.head.written != nil }
    guard let (form, head, make) = present.first, present.count == 1, let written = head.written
    else {
      let list = forms.map(\.word.rawValue).joined(separator: ", ")
      let found = present.map(\.word.rawValue).joined(separator: " and ")
      owner.fail(
        "expected one of the keys \(list)" + (present.isEmpty ? "" : ", found \(found)"))
      return nil
    }

    // What cannot be read has a substitute, so that mistakes behind it are reported too.
    let keysFit = checkKeys(form)
    let events = head.value ?? ReadEvents(unread: written)
    let read = make(events, per.value ?? .app, owner)
    var pattern = read ?? RulePattern(.always(AlwaysForm(.nothing)), per: .app, says: "")
    let problems = read == nil || per.written == nil ? [] : pattern.scopeProblems
    for problem in problems { per.written?.fail(problem) }
    let isComplete = complete(&pattern, form, events.roles)
    if let text = says.value {
      let offered =
        read == nil ? DefaultMessage.placeholders : DefaultMessage.placeholders(of: pattern)
      DefaultMessage.check(says, form.rawValue, offered)
      pattern.message = text
    }

    let isRead = all.allSatisfy(\.isRead) && problems.isEmpty
    return keysFit && isRead && isComplete && read != nil ? pattern : nil
  }

  private func checkKeys(_ form: PatternWord) -> Bool {
    let ofForms = all.filter { $0.forms != nil }
    let wrong = ofForms.filter { $0.written != nil && !($0.forms?.contains(form) ?? true) }
    let own = ofForms.filter { $0.forms?.contains(form) ?? true }.map(\.name)
    for key in wrong {
      key.written?.fail(
        "\"\(key.name)\" cannot be used with \"\(form.rawValue)\", which takes "
          + own.joined(separator: ", "))
    }
    let needsTime = form != .budget && clock.forms?.contains(form) ?? false
    guard needsTime, within.written == nil, let written = clock.written else {
      return wrong.isEmpty
    }
    written.fail("\"clock\" needs a time: expected the key \"within\"")
    return false
  }

  /// The time limit of the form; `nil` without the key.
  private var limit: TimeLimit? {
    within.value.map { TimeLimit($0, by: clock.value ?? .awake) }
  }

  // MARK: The forms

  private func never(_ culprit: ReadEvents, _ scope: Scope, _: YAMLValue) -> RulePattern? {
    let message = DefaultMessage.never(isWindow: between.written != nil)
    if let written = between.written {
      guard let window = between.value else { return nil }
      if window.closing == nil, within.written == nil {
        written.warn(
          "this window closes only at the end of its process, and holds "
            + "\(scope.bound); if you mean that, add until: \(EventWords.processEnd)")
      }
      return RulePattern(
        .window(
          WindowForm(
            culprit.pattern, between: window.opening, until: window.closing ?? .nothing,
            within: limit)),
        per: scope, says: message)
    }

    if let within = within.written {
      within.fail("\"within\" needs a window: expected the key \"between\"")
      return nil
    }
    if let written = per.written, per.value != nil {
      written.fail("\"per\" needs a window: expected the key \"between\"")
      return nil
    }

    if let first = `while`.value?.first(where: \.isOfFacts) {
      return RulePattern(
        .condition(ConditionForm(culprit.pattern, while: first.condition)), per: .subject,
        says: message)
    }
    return RulePattern(
      .always(AlwaysForm(culprit.pattern, exercisedBy: exercisedBy.value)), per: .subject,
      says: message)
  }

  private func every(
    _ trigger: ReadEvents, _ scope: Scope, _ owner: YAMLValue
  ) -> RulePattern? {
    let response = require(then, .every, owner)?.asHelper
    if before.written == nil && within.written == nil {
      owner.fail(
        "expected the key \"before\" or \"within\" with \"every\": "
          + "without a limit the rule never finds anything")
      return nil
    }
    if within.written == nil, let early = info.written ?? warning.written {
      early.fail("expected the key \"within\": this is a time before it")
      return nil
    }

    guard let response else { return nil }
    return RulePattern(
      .every(
        EveryForm(
          trigger.pattern, then: response, before: before.value ?? .nothing, within: limit)),
      per: scope, says: DefaultMessage.every(isTimed: within.written != nil))
  }

  private func order(_ first: ReadEvents, _ scope: Scope, _ owner: YAMLValue) -> RulePattern? {
    let then = require(then, .order, owner)
    if how.value == .mustHaveFirst, let until = until.written {
      until.fail("\"until\" cannot be used with \"how: begins\"")
      return nil
    }
    guard let then else { return nil }
    var pattern = RulePattern(
      .order(
        OrderForm(
          first.asHelper, then: then.pattern, until: until.value, how.value ?? .pairs)),
      per: scope, says: DefaultMessage.order)
    if !then.roles.isEmpty { pattern.roles = Set(then.roles) }
    return pattern
  }

  private func budget(_ spans: ReadEvents, _ scope: Scope, _ owner: YAMLValue) -> RulePattern? {
    let limits = BudgetLimits([(.info, info), (.warning, warning), (.error, error)], owner)
    if spans.pattern.isNothing { return nil }
    guard let begins = spans.spans("a budget"), let limits else { return nil }
    limits.checkDocumented(begins)
    let form = BudgetForm(
      begins, limits.limits, until: until.value ?? .nothing, isPerSpan: of.value ?? true,
      clock: clock.value ?? .awake)
    return RulePattern(.budget(form), per: scope, says: DefaultMessage.budget)
  }

  private func balance(_ opening: ReadEvents, _ scope: Scope, _ owner: YAMLValue) -> RulePattern? {
    let closing = require(closedBy, .balance, owner)
    DefaultMessage.check(closedAgain, closedAgain.name, DefaultMessage.ofSecondClose)
    guard let closing else { return nil }
    let again = closedAgain.value ?? DefaultMessage.closedAgain
    let form = BalanceForm(opening.pattern, closedBy: closing, closedAgain: again)
    return RulePattern(.balance(form), per: scope, says: DefaultMessage.unclosed)
  }

  private func count(_ counted: ReadEvents, _ scope: Scope, _ owner: YAMLValue) -> RulePattern? {
    guard times.written != nil, within.written != nil else {
      owner.fail("expected the keys \"times\" and \"within\" beside \"count\"")
      return nil
    }
    guard let number = times.value else { return nil }
    let form = CountForm(counted.pattern, times: number, within: limit ?? TimeLimit(0))
    return RulePattern(.count(form), per: scope, says: DefaultMessage.count)
  }

  private func require<Value>(
    _ key: Key<Value>, _ form: PatternWord, _ owner: YAMLValue
  ) -> Value? {
    if key.written == nil {
      owner.fail("expected the key \"\(key.name)\" with \"\(form.rawValue)\"")
    }
    return key.value
  }

  // MARK: Circumstances

  /// Sets what every form can have, and whether it fits; `roles` are those of the form's events.
  private func complete(
    _ pattern: inout RulePattern, _ form: PatternWord, _ roles: [SceneRole]
  ) -> Bool {
    setStates(&pattern)
    let isInOrder = setMilder(&pattern)
    let all =
      Array(pattern.roles ?? []) + (form == .order ? [] : roles) + (role.value ?? [])
    if !all.isEmpty { pattern.roles = Set(all) }
    if let launch = launch.value { pattern.launches = Set(launch) }
    if let milder = milder.value {
      (pattern.milder, pattern.mitigation) = (milder.severity, milder.mitigation)
    }
    return isInOrder
  }

  private func setStates(_ pattern: inout RulePattern) {
    var holding = `while`.value ?? []
    let notHolding = unless.value ?? []
    if `while`.isRead && unless.isRead { StateWords.check(while: holding, unless: notHolding) }
    switch pattern.form {
    case .condition:
      if let first = holding.firstIndex(where: \.isOfFacts) { holding.remove(at: first) }
    case .budget(var form) where holding.map(\.word) == ["app-active"]:
      form.counts = .whileActive
      pattern.form = .budget(form)
      holding = []
    default: break
    }
    pattern.guards = StateGuard(
      while: holding.map(\.condition), unless: notHolding.map(\.condition))
  }

  /// Sets the times of `every` before the last from which on a missing response is less serious.
  private func setMilder(_ pattern: inout RulePattern) -> Bool {
    guard info.written != nil || warning.written != nil, let time = within.value,
      case .every(var form) = pattern.form
    else { return true }
    guard let limits = BudgetLimits([(.info, info), (.warning, warning)], nil) else { return false }
    if let last = limits.limits.last, last.time >= time {
      limits.last?.fail("expected less than the \(InstantText.print(time)) of \"within\"")
      return false
    }

    form.milder = limits.limits
    pattern.form = .every(form)
    return true
  }
}

/// The keys of the window of `never`.
struct WindowKeys: Mapping {
  static let shape: Shape = ("between", "the mapping of \"between\"")

  let from = Key(.helper, isRequired: true, "opens the window")
  let until = Key(
    Kind<EventPattern>.closing, "closes it; with process-end, only the end of the process closes it"
  )

  func model(_: YAMLValue) -> (opening: EventPattern, closing: EventPattern?)? {
    guard let opening = from.value, until.isRead else { return nil }
    return (opening, until.value)
  }
}

/// The keys that say when a finding is less serious.
struct MilderKeys: Mapping {
  static let shape: Shape = ("milder", "the mapping of \"milder\"")

  let severity = Key(.severity, isRequired: true, "the severity in that case")
  let onPorts = Key(
    .only("true", RulePattern.Mitigation.port), "if the events come from a UIKit port")
  let os = Key(.versions, "on these major system versions, such as 11..12")
  let after = Key(.events, "if such an event came before")
  let within = Key(.time, "less than this long before")

  func model(_ owner: YAMLValue) -> (severity: Severity, mitigation: RulePattern.Mitigation)? {
    guard [onPorts.written, os.written, after.written].count(where: { $0 != nil }) == 1 else {
      owner.fail("expected one of the keys on-ports, os and after with \"severity\"")
      return nil
    }
    if let within = within.written, after.written == nil {
      within.fail("expected the key \"after\" with \"within\"")
    }
    if let after = after.written, within.written == nil {
      after.fail("expected the key \"within\" with \"after\"")
    }

    var recently: RulePattern.Mitigation?
    if let after = after.value, let time = within.value {
      recently = .recently(after.pattern, time)
    }
    guard let severity = severity.value,
      let mitigation = onPorts.value ?? os.value.map({ .osMajor($0) }) ?? recently
    else { return nil }
    return (severity, mitigation)
  }
}

extension Kind<ClosedRange<Int>> {
  /// Major versions, as `11..12`.
  fileprivate static var versions: Kind {
    Kind(JSONSchema.text) { value in
      let bounds = value.scalar?.split(separator: ".").compactMap { Int($0) } ?? []
      let isRange = (1...2).contains(bounds.count) && bounds[0] <= bounds[bounds.count - 1]
      return value.read(
        isRange ? bounds[0]...bounds[bounds.count - 1] : nil,
        orExpect: "major versions such as 11..12")
    }
  }
}

extension Scope {
  /// How many instances there may be at a time, in words.
  fileprivate var bound: String {
    switch self {
    case .app: "one event"
    case .scene: "one event for each scene of the process"
    case .subject: "one event for the app and one for each of its scenes"
    case .task: "one event for each background task of the process"
    case .session: "one event for each scene session of the process"
    case .name, .label, .value, .holder:
      "one event for each of up to \(Scope.followedWords) \(rawValue)s"
    }
  }
}
