import LifecycleModel
import TraceAnalysis

/// A second reading of the patterns: over the whole list of events, looking back and forth in it as
/// often as it takes.
///
/// Quadratic and worse; to be held against the analyzer.
///
/// Code of rules has no part in it.
package struct ReferenceEvaluator {
  /// What is said about one event by one pattern.
  package enum Outcome: Hashable, Sendable {
    /// It breaks the rule.
    case violated
    /// It shows that the rule was kept.
    case satisfied
    /// It would show whether the rule was kept, if more were known.
    case cannotTell
  }

  /// A verdict, with the place of its event from 0.
  package struct Judgement: Hashable, Sendable {
    /// The place of the event.
    package var index: Int
    /// What opened the window that the event is judged in.
    package var opener: Int?
    /// The verdict.
    package var verdict: Outcome
    /// The event before which it became clear; `nil` when that was the event itself.
    package var decided: Int?
  }

  let trace: ReferenceTrace

  /// Makes an evaluator for a trace whose events are in order.
  package init(_ trace: Trace) { self.trace = ReferenceTrace(trace) }

  /// What a pattern of a rule says, in the order in which it becomes clear; a verdict for each event
  /// that it means.
  package func judgements(_ pattern: RulePattern, _ needs: RuleNeeds) -> [Judgement] {
    let reading = Reading(trace: trace, pattern: pattern, needs: needs)
    return reading.judgements.map { reading.inRole(reading.underLaunch($0)) }
      + reading.unclear
  }

  /// The places of the culprits of all patterns of a rule, as the analyzer reports them: the same
  /// thing again in the same window is one finding.
  package func culprits(of rule: RuleDescription) -> [Int] {
    rule.patterns.flatMap { pattern in
      var seen: Set<[String]> = []
      return judgements(pattern, rule.needs).filter { $0.verdict == .violated }.compactMap {
        let event = trace.events[$0.index]
        let key = [
          "\($0.opener ?? $0.index)", "\(event.name)", "\(event.label)", "\(event.subject)",
        ]
        return seen.insert(key).inserted ? $0.index : nil
      }
    }.sorted()
  }

  /// Whether a pattern of the rule cannot tell about some event.
  package func isInDoubt(_ rule: RuleDescription) -> Bool {
    rule.patterns.contains { judgements($0, rule.needs).contains { $0.verdict == .cannotTell } }
  }
}

/// One pattern, read over one trace.
struct Reading {
  let trace: ReferenceTrace
  let pattern: RulePattern
  let needs: RuleNeeds

  typealias Judgement = ReferenceEvaluator.Judgement

  var judgements: [Judgement] {
    switch pattern.form {
    case .window(let form): window(form)
    case .condition(let form): condition(form.culprit, form.state)
    case .always(let form): always(form.culprit)
    case .order(let form):
      switch form.repetition {
      case .pairs: pairs(form.first, form.then, form.until)
      case .once: once(form.first, form.then, form.until)
      case .mustHaveFirst: begins(form.first, form.then)
      }
    case .every(let form):
      if let limit = form.limit {
        every(form, within: limit)
      } else {
        every(form.trigger, form.response, form.end)
      }
    case .budget(let form): budget(form)
    case .balance(let form): balance(form.opening, form.closing)
    case .count(let form): count(form)
    case .stretch(let form):
      stretch(form.opening, form.closing, form.cancelling, form.allowed)
    case .mainThread(let form): mainThread(form.code)
    }
  }

  /// A violation under a launch that the pattern is not about is none.
  func underLaunch(_ judgement: Judgement) -> Judgement {
    guard judgement.verdict == .violated, let launches = pattern.launches else { return judgement }
    var judgement = judgement
    switch trace.launch(judgement.index, decidedBefore: judgement.decided) {
    case nil: judgement.verdict = .cannotTell
    case let launch?: if !launches.contains(launch) { judgement.verdict = .satisfied }
    }
    return judgement
  }

  /// A violation in a scene of a role that the pattern is not about is none.
  func inRole(_ judgement: Judgement) -> Judgement {
    guard judgement.verdict == .violated, let roles = pattern.roles else { return judgement }
    var judgement = judgement
    switch trace.role(judgement.index, knownBefore: judgement.decided ?? judgement.index + 1) {
    case nil: judgement.verdict = .cannotTell
    case let role?: if !roles.contains(role) { judgement.verdict = .satisfied }
    }
    return judgement
  }

  // MARK: Strays

  /// The events of the form that may end what began in any instance, where nothing says in which.
  private func mayEnd(_ index: Int) -> Bool {
    let ends: [EventPattern] =
      switch pattern.form {
      case .window(let form): [form.closing]
      case .order(let form): [form.first] + (form.until.map { [$0] } ?? [])
      case .every(let form): [form.response]
      case .budget(let form): [form.until]
      case .balance(let form): [form.opening, form.closing]
      default: []
      }
    return isStray(ends, index)
  }

  /// Whether nothing says to which instance an event belongs that patterns mean, or may mean.
  func isStray(_ patterns: [EventPattern], _ index: Int) -> Bool {
    trace.isStray(pattern.scope, index) && patterns.contains { mayHear($0, index) }
      && !endsAnother(index, nil)
  }

  /// Whether an event ends something else than what `opener` began: with holders, only its own end
  /// closes a window.
  func endsAnother(_ index: Int, _ opener: Int?) -> Bool {
    guard case .window = pattern.form, pattern.scope == .holder else { return false }
    let event = trace.events[index]
    let begin = SpanFamily.allCases.first { $0.closing == event.verb }
      .flatMap { trace.states[index].open.span(closedBy: event, $0) }
    return begin.map { Int($0.ordinal) - 1 != opener } ?? false
  }

  /// Whether nothing was lost between an event and a later one, and nothing between them may have ended
  /// what began in any instance.
  func lasts(_ first: Int, _ last: Int) -> Bool {
    if !trace.isUnbroken(first, last) { return false }
    let since = max(first, trace.process(last).lowerBound - 1)
    return since >= last || !((since + 1)..<last).contains(where: mayEnd)
  }

  /// Whether something between two events may have ended what began in any instance.
  func hasStray(_ first: Int, _ last: Int) -> Bool { ((first + 1)..<last).contains(where: mayEnd) }

  // MARK: Looking

  /// Whether the rule hears of an event, and the pattern means it.
  func hears(_ pattern: EventPattern, _ index: Int) -> Bool {
    trace.matches(pattern, index) == true && isInForce(index)
  }

  /// The same, or the pattern may mean the event: what it does not say decides.
  func mayHear(_ pattern: EventPattern, _ index: Int) -> Bool {
    trace.matches(pattern, index) != false && isInForce(index)
  }

  private func isInForce(_ index: Int) -> Bool {
    [needs, pattern.needs ?? RuleNeeds()].allSatisfy {
      $0.force(under: trace.profiles[index]) == .inForce
    }
  }

  /// The places in `range` of what a pattern means in an instance.
  func places(_ pattern: EventPattern, _ instance: String, in range: Range<Int>) -> [Int] {
    range.filter { hears(pattern, $0) && self.instance($0) == instance }
  }

  /// The same, with what the pattern may mean.
  func possiblePlaces(
    _ pattern: EventPattern, _ instance: String, in range: Range<Int>
  ) -> [Int] {
    range.filter { mayHear(pattern, $0) && self.instance($0) == instance }
  }

  /// What an event is about in the pattern's scope; a budget per subject has one instance for an app
  /// and its only scene.
  func instance(_ index: Int) -> String? {
    guard case .budget = pattern.form, case .subject = pattern.scope else {
      return trace.instance(pattern.scope, index)
    }

    let event = trace.events[index]
    let opening = SpanFamily.allCases.first { $0.closing == event.verb }
      .flatMap { trace.states[index].open.span(closedBy: event, $0) }

    // An end belongs where its begin does.
    let begin = opening.map { Int($0.ordinal) - 1 } ?? index
    let scenes = trace.states[begin].scenes
    return event.subjectKind != .scene && scenes.count == 1
      ? "scene:\(scenes[0].number)" : trace.instance(.subject, index)
  }

  /// The events that the form is about and that count in their states, each as ``candidates(_:)``.
  func guarded(
    _ culprit: EventPattern
  ) -> [(index: Int, instance: String, before: Range<Int>)] {
    candidates(culprit).filter { isInState($0.index) }
  }

  /// The events that a pattern means, each with its instance and what its process did before.
  func candidates(_ culprit: EventPattern) -> [(index: Int, instance: String, before: Range<Int>)] {
    trace.events.indices.compactMap { index in
      guard hears(culprit, index), let instance = instance(index) else {
        return nil
      }
      return (index, instance, trace.process(index).lowerBound..<index)
    }
  }

  /// Whether silence says that what a pattern means did not happen.
  func showsItself(_ pattern: EventPattern, before index: Int) -> Bool {
    let (callbacks, others) = pattern.hooks
    let recorded = trace.profiles[index].hooks ?? []
    let named = pattern.callbacks
    let partial = trace.profiles[index].partial
    let isImplemented =
      !named.isEmpty && named.isSubset(of: trace.profiles[index].implements ?? [])
      && named.allSatisfy { recorded.contains($0.hook) }
    return callbacks.isEmpty && others.isEmpty || isImplemented
      || !recorded.intersection(others).isSubset(of: partial)
      || (0..<index).contains {
        hears(pattern, $0) && trace.instance(self.pattern.scope, $0) != nil
      }
  }
}
