import LifecycleModel
import TraceAnalysis
import TraceText
import YAMLReading

/// The keys of a budget, and the rule that they make: how long each span of its kind may take.
struct BudgetKeys: Mapping {
  static let shape: Shape = ("budget", "a budget")

  let callback = Key(.oneOrMore(.callback), "calls of these")
  let work = Key(.oneOrMore(.category), "work of these kinds")
  let label = Key(.oneOrMore(.text("a label")), "work, handlers and locks with these labels")
  let role = Key(.oneOrMore(.role), "scenes with these roles")
  let info = Key(.time, "the time at which a finding is a note")
  let warning = Key(.time, "the time at which a finding is a warning")
  let error = Key(.time, "the time at which a finding is an error")
  let clock = Key(.clock, "the clock; default: awake")
  let id = Key(
    .id("an id of lowercase letters, digits and hyphens"),
    "the rule's id; default: derived from the budget")

  func model(_ owner: YAMLValue) -> OwnRule? {
    let limits = BudgetLimits([(.info, info), (.warning, warning), (.error, error)], owner)
    guard let limits, all.allSatisfy(\.isRead) else { return nil }
    let (callbacks, categories) = (callback.value ?? [], work.value ?? [])
    let (labels, roles) = (label.value ?? [], (role.value ?? []))
    guard let spans = BudgetKeys.spans(callbacks, categories, labels) else {
      owner.fail("expected the scope of the budget: one of the keys callback, work and label")
      return nil
    }
    if !callbacks.isEmpty, !categories.isEmpty {
      owner.fail("\"callback\" and \"work\" need separate budgets")
      return nil
    }

    limits.checkDocumented(spans)
    let form = BudgetForm(
      spans, limits.limits, isPerSpan: true, clock: clock.value ?? .awake)
    var pattern = RulePattern(
      .budget(form), per: labels.isEmpty ? .subject : .label,
      says: "{name} {label} of {subject} took {elapsed}; the configuration allows {allowed}")
    pattern.roles = roles.isEmpty ? nil : Set(roles)

    let about = callbacks.map(\.rawValue) + categories.map(\.rawValue) + labels
    let words = roles.map(\.rawValue)
    let place = roles.isEmpty ? "" : " in scenes with role \(words.joined(separator: " or "))"
    let longest = InstantText.print(limits.limits.map(\.time).max() ?? 0)
    let description = RuleDescription(
      id: id.value ?? BudgetKeys.id(about + words), number: nil, topic: .own,
      summary:
        "\(about.map(InertText.word).joined(separator: ", "))\(place) takes less than \(longest)",
      severity: limits.limits.map(\.severity).max() ?? .warning, sources: [],
      why: "The configuration sets this budget.",
      remedy: "Do less work there, do it later, or move it off the main thread.",
      limits: "Only spans with a recorded begin and end have a duration.",
      needs: RuleNeeds(hooks: form.neededHooks), patterns: [pattern], examples: [])
    return OwnRule(description: description, place: owner.place, examplePlaces: [])
  }

  private static func spans(
    _ callbacks: [Callback], _ categories: [WorkCategory], _ labels: [String]
  ) -> EventPattern? {
    var pattern = EventPattern.nothing
    pattern.alternatives =
      callbacks.map { EventPattern.Alternative(.call, $0.symbol) }
      + categories.map { EventPattern.Alternative(.workBegin, $0.symbol) }
    if labels.isEmpty { return pattern.isNothing ? nil : pattern }
    if pattern.alternatives.isEmpty {
      pattern.alternatives = [Verb.workBegin, .observe, .acquire, .taskBegin].map {
        EventPattern.Alternative($0, nil)
      }
    }
    pattern.labels = Set(labels)
    return pattern
  }

  /// An id that names what the budget is about, the same in every run.
  private static func id(_ about: [String]) -> String {
    let words = about.flatMap { word in
      word.replacing(/([a-z0-9])([A-Z])/) { "\($0.1)-\($0.2)" }.lowercased()
        .split(separator: /[^a-z0-9]+/)
    }
    return "own-budget-" + words.joined(separator: "-")
  }
}
