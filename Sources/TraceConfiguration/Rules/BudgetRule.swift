import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText
import YAMLReading

/// A budget of the configuration, as a rule: how long each span of its kind may take.
struct BudgetRule {
  let rule: (rule: OwnRule, value: YAMLValue)

  init?(_ value: YAMLValue) {
    guard let members = value.members(MappingSchema.budget) else { return nil }
    let callbacks = BudgetRule.choices(members["callback"], "a callback", Callback.self)
    let categories = BudgetRule.choices(members["work"], "a category of work", WorkCategory.self)
    let roles = BudgetRule.choices(members["role"], "a role of a scene", SceneRole.self)
    let labels = (members["label"]?.items ?? []).map { $0.text("a label") }
    let limits = BudgetReader.limits(members)
    let chosen = members["clock"].map { $0.choice("a clock", TimeLimit.Clock.self) } ?? .awake
    let ownID = members["id"].map { BudgetRule.id($0) }
    if case .some(nil) = ownID { return nil }

    guard let callbacks, let categories, let roles, let limits, let clock = chosen,
      !labels.contains(nil)
    else { return nil }

    let words = labels.compactMap(\.self)
    guard let spans = BudgetRule.spans(callbacks, categories, words) else {
      value.fail("expected the scope of the budget: one of the keys callback, work and label")
      return nil
    }

    if !callbacks.isEmpty, !categories.isEmpty {
      value.fail("\"callback\" and \"work\" need separate budgets")
      return nil
    }

    let about = callbacks.map(\.rawValue) + categories.map(\.rawValue) + words
    let id = (ownID ?? nil) ?? BudgetRule.id(about + roles.map(\.rawValue))

    BudgetReader.checkDocumented(spans, limits, members)
    let form = BudgetForm(spans, limits, isPerSpan: true, clock: clock)
    var pattern = RulePattern(
      .budget(form),
      per: words.isEmpty ? .subject : .label,
      says:
        "{name} {label} of {subject} took {elapsed}; the configuration allows {allowed}")

    pattern.roles = roles.isEmpty ? nil : Set(roles)
    let what = about.map(InertText.word).joined(separator: ", ")
    let place =
      roles.isEmpty ? "" : " in scenes with role \(roles.map(\.rawValue).joined(separator: " or "))"
    let longest = limits.map(\.time).max() ?? 0
    let description = RuleDescription(
      id: id, number: nil, topic: .own,
      summary: "\(what)\(place) takes less than \(InstantText.print(longest))",
      severity: limits.map(\.severity).max() ?? .warning, sources: [],
      why: "The configuration sets this budget.",
      remedy: "Do less work there, do it later, or move it off the main thread.",
      limits: "Only spans with a recorded begin and end have a duration.",
      needs: RuleNeeds(hooks: form.neededHooks), patterns: [pattern], examples: [])
    rule = (OwnRule(description: description, place: value.place, examplePlaces: []), value)
  }

  private static func choices<Choice: RawRepresentable & CaseIterable>(
    _ value: YAMLValue?, _ expected: String, _ type: Choice.Type
  ) -> [Choice]? where Choice.RawValue == String {
    let read = (value?.items ?? []).map { $0.choice(expected, type) }
    return read.contains { $0 == nil } ? nil : read.compactMap(\.self)
  }

  private static func spans(
    _ callbacks: [Callback], _ categories: [WorkCategory], _ labels: [String]
  ) -> EventPattern? {
    var alternatives = callbacks.map { EventPattern.Alternative(.call, $0.symbol) }
    alternatives += categories.map { EventPattern.Alternative(.workBegin, $0.symbol) }
    if alternatives.isEmpty {
      if labels.isEmpty { return nil }
      alternatives = [Verb.workBegin, .observe, .acquire, .taskBegin].map {
        EventPattern.Alternative($0, nil)
      }
    }

    var pattern = EventPattern.nothing
    pattern.alternatives = alternatives
    if !labels.isEmpty { pattern.labels = Set(labels) }
    return pattern
  }

  /// An id that somebody chose.
  private static func id(_ value: YAMLValue) -> String? {
    guard let text = value.scalar, text.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil else {
      value.expected("an id of lowercase letters, digits and hyphens")
      return nil
    }
    return value.isFree(id: text) ? text : nil
  }

  /// An id that says what the budget is about, the same in every run.
  private static func id(_ about: [String]) -> String {
    let words = about.map { word in
      word.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)-\($0.2)" }.lowercased()
        .replacing(/[^a-z0-9]+/, with: "-").trimmingHyphens
    }.filter { !$0.isEmpty }
    return "own-budget-" + words.joined(separator: "-")
  }
}

extension String {
  fileprivate var trimmingHyphens: String {
    let front = drop { $0 == "-" }
    return String(front.reversed().drop { $0 == "-" }.reversed())
  }
}
