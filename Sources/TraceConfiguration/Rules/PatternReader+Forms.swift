import LifecycleModel
import TraceAnalysis
import YAMLReading

/// The forms of pattern, each with its own keys.
extension PatternReader {
  func never(_ culprit: ReadEvents, _ scope: Scope?) -> RulePattern? {
    let message = DefaultMessage.never(isWindow: members["between"] != nil)
    if let between = members["between"] {
      guard let inner = between.members(MappingSchema.between) else { return nil }
      let opening = inner["from"].flatMap(helper)
      var closing: EventPattern? = .nothing
      if let until = inner["until"] {
        if until.scalar != EventWords.processEnd { closing = helper(until) }
      } else if members["within"] == nil {
        between.warn(
          "this window closes only at the end of its process, and holds "
            + "\((scope ?? .app).bound); if you mean that, add until: \(EventWords.processEnd)"
        )
      }
      guard let opening, let closing else { return nil }
      return RulePattern(
        .window(WindowForm(culprit.pattern, between: opening, until: closing)),
        per: scope ?? .app, says: message)
    }

    if let within = members["within"] {
      within.fail("\"within\" needs a window: expected the key \"between\"")
      return nil
    }

    if let per = members["per"], scope != nil {
      per.fail("\"per\" needs a window: expected the key \"between\"")
      return nil
    }

    let states = members["while"].map(StateWords.read) ?? []
    if let first = states.first(where: \.isOfFacts) {
      return RulePattern(
        .condition(ConditionForm(culprit.pattern, while: first.condition)), per: .subject,
        says: message)
    }

    guard let exercised = optional("exercised-by") else { return nil }
    return RulePattern(
      .always(AlwaysForm(culprit.pattern, exercisedBy: exercised)), per: .subject, says: message)
  }

  func every(_ trigger: ReadEvents, _ scope: Scope) -> RulePattern? {
    let response = required("then", "every")
    let before = optional("before")
    if members["before"] == nil && members["within"] == nil {
      members.owner.fail(
        "expected the key \"before\" or \"within\" with \"every\": "
          + "without a limit the rule never finds anything")
      return nil
    }

    let early = ["info", "warning"].compactMap { members[$0] }
    if members["within"] == nil, let early = early.first {
      early.fail("expected the key \"within\": this is a time before it")
      return nil
    }

    guard let response, let before else { return nil }
    return RulePattern(
      .every(EveryForm(trigger.pattern, then: response, before: before ?? .nothing)),
      per: scope, says: DefaultMessage.every(isTimed: members["within"] != nil))
  }

  func order(_ first: ReadEvents, _ scope: Scope) -> RulePattern? {
    let until = optional("until")
    if members["then"] == nil { members.owner.fail("expected the key \"then\" with \"order\"") }
    let then = members["then"].flatMap { ReadEvents($0) }
    let how = members["how"].map {
      $0.choice("a repetition of the order", OrderWord.self)
    }

    guard let until, let then, let word = how ?? .pairs else { return nil }
    if word == .begins, until != nil {
      members["until"]?.fail("\"until\" cannot be used with \"how: begins\"")
      return nil
    }

    if !first.roles.isEmpty {
      first.value.fail("role= applies to the event that a finding names; use the key \"role\"")
    }
    var pattern = RulePattern(
      .order(OrderForm(first.pattern, then: then.pattern, until: until, word.repetition)),
      per: scope, says: DefaultMessage.order)
    if !then.roles.isEmpty { pattern.roles = Set(then.roles) }
    return pattern
  }

  func budget(_ spans: ReadEvents, _ scope: Scope) -> RulePattern? {
    let limits = BudgetReader.limits(members)
    let until = optional("until")
    let of = members["of"].map { $0.choice("each or sum", BudgetWord.self) } ?? .each
    if spans.pattern.isNothing { return nil }

    guard let begins = spans.spans("a budget"), let limits, let until, let of else { return nil }
    BudgetReader.checkDocumented(begins, limits, members)
    let form = BudgetForm(begins, limits, until: until ?? .nothing, isPerSpan: of == .each)
    return RulePattern(.budget(form), per: scope, says: DefaultMessage.budget)
  }

  func count(_ counted: ReadEvents, _ scope: Scope) -> RulePattern? {
    let expected = "a number from 2 to \(CountForm.most), which is how many are too many"
    let number = members["times"].map { $0.number(expected, in: 2...CountForm.most) }
    guard let number, members["within"] != nil else {
      members.owner.fail("expected the keys \"times\" and \"within\" beside \"count\"")
      return nil
    }
    guard let number else { return nil }
    // The time and its clock are read with those of all forms.
    let form = CountForm(counted.pattern, times: number, within: TimeLimit(0))
    return RulePattern(.count(form), per: scope, says: DefaultMessage.count)
  }

  func balance(_ opening: ReadEvents, _ scope: Scope) -> RulePattern? {
    let closing = required("closed-by", "balance")
    let again = members["closed-again"].map { $0.text("a sentence") }
    if let value = members["closed-again"], let text = again ?? nil {
      checkPlaceholders(value, text, "closed-again", DefaultMessage.ofSecondClose)
    }

    guard let closing, let closedAgain = again ?? DefaultMessage.closedAgain else { return nil }
    let form = BalanceForm(opening.pattern, closedBy: closing, closedAgain: closedAgain)
    return RulePattern(.balance(form), per: scope, says: DefaultMessage.unclosed)
  }
}
