import LifecycleModel
import TraceAnalysis

/// What must not come between, and what must come before.
extension Reading {
  /// What opened the window of an instance that is open after some events; `nil` when none is.
  private func opener(_ form: WindowForm, _ instance: String, _ before: Range<Int>) -> Int? {
    let openers = places(form.opening, instance, in: before)
    return openers.last { opener in
      // What replaced it; what closed it, or was found in it already: one cause is one finding.
      let after = (opener + 1)..<before.upperBound
      return (opener == openers.last || isBesideOthers(opener))
        && possiblePlaces(form.closing, instance, in: after).allSatisfy { endsAnother($0, opener) }
        && places(form.culprit, instance, in: after).filter(isInState).isEmpty
    }
  }

  /// Whether what an event began is held by a thread, which holds other things beside it.
  private func isBesideOthers(_ opener: Int) -> Bool {
    let event = trace.events[opener]
    return pattern.scope == .holder && event.subjectKind != .task
      && SpanFamily.allCases.contains { $0.opening == event.verb }
  }

  /// What opened a window before an event without saying which, and has not ended.
  private func hasStrayOpener(_ form: WindowForm, _ before: Range<Int>) -> Bool {
    before.contains { opener in
      guard hears(form.opening, opener), isStray([form.opening], opener) else { return false }
      let subject = trace.events[opener].subject
      return !((opener + 1)..<before.upperBound).contains {
        hears(form.closing, $0) && trace.events[$0].subject == subject && !endsAnother($0, opener)
      }
    }
  }

  /// The culprits that do not say where they belong: in doubt while any window is open.
  private func strayCulprits(_ form: WindowForm) -> [Judgement] {
    trace.events.indices.compactMap { index in
      guard hears(form.culprit, index), isInState(index), isStray([form.culprit], index) else {
        return nil
      }
      let before = trace.process(index).lowerBound..<index
      let instances = Set(before.compactMap { instance($0) })
      let isOpen =
        instances.contains { opener(form, $0, before) != nil } || hasStrayOpener(form, before)
      return Judgement(index: index, verdict: isOpen ? .cannotTell : .satisfied)
    }
  }

  func window(_ form: WindowForm) -> [Judgement] {
    let (culprit, closing) = (form.culprit, form.closing)
    return strayCulprits(form)
      + guarded(culprit).map { index, instance, before in
        guard let opener = opener(form, instance, before) else {
          // It may stand in a window that did not say where it belongs.
          let isSure = !hasStrayOpener(form, before)
          return Judgement(index: index, verdict: isSure ? .satisfied : .cannotTell)
        }
        if let limit = form.limit,
          trace.time(limit.clock, index) - trace.time(limit.clock, opener) >= limit.time
        {
          return Judgement(index: index, verdict: .satisfied)
        }
        let isSure = lasts(opener, index) && showsItself(closing, before: index)
        return Judgement(index: index, opener: opener, verdict: isSure ? .violated : .cannotTell)
      }
  }

  func always(_ culprit: EventPattern) -> [Judgement] {
    var anybody = culprit
    anybody.subjects = nil
    for other in anybody.others.indices { anybody.others[other].subjects = nil }
    return trace.events.indices.compactMap { index in
      if hears(culprit, index) {
        return isInState(index) ? Judgement(index: index, verdict: .violated) : nil
      }
      guard hears(anybody, index), trace.events[index].subjectKind == .none else { return nil }
      return Judgement(index: index, verdict: .cannotTell)
    }
  }

  // MARK: Pairs

  /// The last of several patterns' events before an event, in its process.
  private func previous(
    _ patterns: [EventPattern], orCounting then: EventPattern, _ instance: String,
    before index: Int
  ) -> Int? {
    (trace.process(index).lowerBound..<index).last { place in
      trace.instance(pattern.scope, place) == instance
        && (patterns.contains { mayHear($0, place) } || hears(then, place) && isInState(place))
    }
  }

  /// Each `first` that comes after its `then`.
  func pairs(
    _ first: EventPattern, _ then: EventPattern, _ until: EventPattern?
  ) -> [Judgement] {
    let all = [first] + (until.map { [$0] } ?? [])
    /// A `then` that has a `first` right before it, one that was not late itself.
    func isPaired(_ index: Int, _ instance: String) -> Bool {
      guard let before = previous(all, orCounting: then, instance, before: index) else {
        return false
      }
      // What may have ended the question is taken for a `first` that was in time.
      if all.contains(where: { mayHear($0, before) && !hears($0, before) }) { return true }
      return hears(first, before) && lateFor(before, instance) == nil
    }

    /// The `then` that a `first` came too late for.
    func lateFor(_ index: Int, _ instance: String) -> Int? {
      guard let before = previous(all, orCounting: then, instance, before: index),
        hears(then, before), isInState(before)
      else {
        return nil
      }
      return isPaired(before, instance) ? nil : before
    }

    return candidates(first).compactMap { index, instance, _ in
      lateFor(index, instance).map { early in
        let isSure =
          lasts(early, index)
          && isUnbroken(
            since: previous(all, orCounting: then, instance, before: early), early)
        return Judgement(index: early, verdict: isSure ? .violated : .cannotTell, decided: index)
      }
    }
  }

  /// Whether no gap can hide what came after an event, or after the start of the process.
  private func isUnbroken(since known: Int?, _ index: Int) -> Bool {
    lasts(max(known ?? -1, trace.beginning(index) ?? -1), index)
  }

  /// The first `first` of a process, unless something ended the question, and the last `then` before.
  func once(
    _ first: EventPattern, _ then: EventPattern, _ until: EventPattern?
  ) -> [Judgement] {
    candidates(first).compactMap { index, instance, before in
      let isOver =
        !possiblePlaces(first, instance, in: before).isEmpty
        || until.map { !possiblePlaces($0, instance, in: before).isEmpty } ?? false
      guard !isOver, let early = places(then, instance, in: before).last(where: isInState) else {
        return nil
      }
      let isSure = lasts(early, index) && isUnbroken(since: nil, early)
      return Judgement(
        index: early, verdict: isSure ? .violated : .cannotTell, decided: index)
    }
  }

  /// The first `then` of a process, when no `first` came before.
  func begins(_ first: EventPattern, _ then: EventPattern) -> [Judgement] {
    guarded(then).map { index, instance, before in
      let isKept =
        !possiblePlaces(first, instance, in: before).isEmpty || mayHear(first, index)
        || !places(then, instance, in: before).filter(isInState).isEmpty
      if isKept { return Judgement(index: index, verdict: .satisfied) }
      let isSure =
        trace.beginning(index).map { lasts($0, index) } ?? false
        && showsItself(first, before: index)
      return Judgement(index: index, verdict: isSure ? .violated : .cannotTell)
    }
  }

  // MARK: Responses

  /// Each end before which the last trigger had no response.
  func every(
    _ trigger: EventPattern, _ response: EventPattern, _ end: EventPattern
  ) -> [Judgement] {
    var judgements = candidates(end).compactMap { index, instance, before in
      let triggers = places(trigger, instance, in: before).filter {
        isKnown($0) && isInState($0)
      }
      guard let last = triggers.last else { return Judgement?.none }
      let after = (last + 1)..<index
      if !possiblePlaces(response, instance, in: after).isEmpty
        || !places(end, instance, in: after).isEmpty || mayHear(response, index)
      {
        return nil
      }
      let isSure = lasts(last, index) && showsItself(response, before: index)
      return Judgement(
        index: last, verdict: isSure ? .violated : .cannotTell, decided: index)
    }

    for (index, instance, _) in guarded(trigger) {
      let after = (index + 1)..<trace.process(index).upperBound
      let isAnswered =
        !possiblePlaces(response, instance, in: after).isEmpty
        || !places(end, instance, in: after).isEmpty
      let isLast = places(trigger, instance, in: after).filter { isKnown($0) && isInState($0) }
        .isEmpty
      if !isKnown(index) || !isAnswered && isLast {
        judgements.append(Judgement(index: index, verdict: .cannotTell))
      }
    }
    return judgements
  }

  /// The first trigger that has no response in its time, or before its end.
  func every(_ form: EveryForm, within limit: TimeLimit) -> [Judgement] {
    var judgements: [Judgement] = []
    let early = form.milder.first?.time ?? limit.time
    for process in trace.processes {
      for instance in Set(process.compactMap { trace.instance(pattern.scope, $0) }).sorted() {
        var waiting: (trigger: Int, isFound: Bool)?
        func miss(at index: Int) {
          guard let first = waiting, !first.isFound else { return }
          let isSure =
            lasts(first.trigger, index) && showsItself(form.response, before: index)
          judgements.append(
            Judgement(
              index: first.trigger, verdict: isSure ? .violated : .cannotTell, decided: index))
          waiting = isSure ? (first.trigger, true) : nil
        }

        for index in process {
          if let first = waiting?.trigger {
            let elapsed = trace.time(limit.clock, index) - trace.time(limit.clock, first)
            if elapsed >= early { miss(at: index) }
            if elapsed >= limit.time { waiting = nil }
          }
          guard trace.instance(pattern.scope, index) == instance else { continue }
          if mayHear(form.response, index) { waiting = nil }
          if hears(form.end, index) {
            miss(at: index)
            waiting = nil
          }

          guard hears(form.trigger, index), isInState(index) else { continue }
          if !isKnown(index) {
            judgements.append(Judgement(index: index, verdict: .cannotTell))
          } else if waiting == nil {
            waiting = (index, false)
          }
        }
        if let first = waiting, !first.isFound {
          judgements.append(Judgement(index: first.trigger, verdict: .cannotTell))
        }
      }
    }
    return judgements
  }

  /// Whether the task was seen to begin that something happens to.
  private func isKnown(_ index: Int) -> Bool {
    guard case .task = pattern.scope else { return true }
    return trace.states[index].open.span(closedBy: trace.events[index], .task) != nil
  }
}
