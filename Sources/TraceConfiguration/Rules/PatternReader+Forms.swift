import LifecycleModel
import TraceAnalysis
import YAMLReading

/// The forms of pattern, each with its own keys.
extension PatternReader {
  func never(_ culprit: ReadEvents, _ scope: Scope?) -> RulePattern? {
    let message = DefaultMessage.never(isWindow: members["between"] != nil)
    if let between = members["between"] {
      guard let inner = between.members(MappingSchema.between),
        let opening = inner["from"].flatMap(helper)
      else { return nil }
      var closing = EventPattern.nothing
      if let until = inner["until"] {
        if until.scalar != EventWords.processEnd {
          guard let read = helper(until) else { return nil }
          closing = read
        }
      } else if members["within"] == nil {
        between.warn(
          "this window closes only at the end of its process, and holds "
            + "\((scope ?? .app).bound); if you mean that, add until: \(EventWords.processEnd)"
        )
      }
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
    guard let response = required("then", "every"), let before = optional("before") else {
      return nil
    }

    if before == nil && members["within"] == nil {
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

    return RulePattern(
      .every(EveryForm(trigger.pattern, then: response, before: before ?? .nothing)),
      per: scope, says: DefaultMessage.every(isTimed: members["within"] != nil))
  }

  func order(_ first: ReadEvents, _ scope: Scope) -> RulePattern? {
    guard let until = optional("until") else { return nil }
    guard let value = members["then"] else {
      members.owner.fail("expected the key \"then\" with \"order\"")
      return nil
    }
    guard let then = ReadEvents(value) else { return nil }

    var word = OrderWord.pairs
    if let how = members["how"] {
      guard let read = how.choice("how often the order can be kept", OrderWord.self) else {
        return nil
      }
      word = read
    }

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
    guard let limits = BudgetReader.limits(members), let until = optional("until") else {
      return nil
    }

    guard let begins = spans.spans("a budget") else { return nil }
    var isSum = false
    if let of = members["of"] {
      guard let word = of.choice("what to limit", BudgetWord.self) else { return nil }
      isSum = word == .sum
    }

    BudgetReader.checkDocumented(begins, limits, members)
    let form = BudgetForm(
      begins, limits, until: until ?? .nothing, isPerSpan: !isSum)
    return RulePattern(.budget(form), per: scope, says: DefaultMessage.budget)
  }

  func count(_ counted: ReadEvents, _ scope: Scope) -> RulePattern? {
    let expected = "how many are too many, from 2 to \(CountForm.most)"
    guard let times = members["times"], members["within"] != nil else {
      members.owner.fail("expected the keys \"times\" and \"within\" beside \"count\"")
      return nil
    }
    guard let number = times.number(expected, in: 2...CountForm.most) else { return nil }
    // The time and its clock are read with those of all forms.
    let form = CountForm(counted.pattern, times: number, within: TimeLimit(0))
    return RulePattern(.count(form), per: scope, says: DefaultMessage.count)
  }

  func balance(_ opening: ReadEvents, _ scope: Scope) -> RulePattern? {
    guard let closing = required("closed-by", "balance") else { return nil }
    var form = BalanceForm(
      opening.pattern, closedBy: closing, closedAgain: DefaultMessage.closedAgain)
    if let again = members["closed-again"] {
      guard let text = again.text("a sentence") else { return nil }
      checkPlaceholders(again, text)
      form.closedAgain = text
    }
    return RulePattern(.balance(form), per: scope, says: DefaultMessage.unclosed)
  }
}
