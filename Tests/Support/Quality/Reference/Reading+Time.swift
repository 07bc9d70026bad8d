import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// What takes too long, and what is never closed.
extension Reading {
  // MARK: Budgets

  /// The events that end what a pattern's begin.
  private func endings(_ spans: EventPattern) -> EventPattern {
    var pattern = spans
    pattern.attributes = []
    pattern.others = spans.others.map(endings)
    pattern.alternatives = spans.alternatives.compactMap { begin in
      guard let family = SpanFamily.allCases.first(where: { $0.opening == begin.verb }) else {
        return nil
      }
      var end = begin
      end.verb = family.closing
      return end
    }
    return pattern
  }

  /// Whether an end ends something that was seen to begin, and that says what is asked of it.
  private func endsSomething(_ index: Int, of spans: EventPattern) -> Bool {
    let event = trace.events[index]
    let begin = SpanFamily.allCases.first { $0.closing == event.verb }
      .flatMap { trace.states[index].open.span(closedBy: event, $0) }
    guard let begin else { return false }
    let isAsked = spans.branches.contains { !$0.attributes.isEmpty }
    return !isAsked || trace.matches(spans, Int(begin.ordinal) - 1) == true
  }

  private func counts(_ begin: Int, _ form: BudgetForm) -> Bool {
    if !isInState(begin) { return false }
    if form.counts == .always { return true }
    guard let app = trace.states[begin].app else { return false }
    if form.counts == .whileVisible {
      return isOnScreen(app.state, begin, form) && trace.isUnbroken(app.since, begin)
        && (app.state == .active || wasActive(before: begin))
    }
    return app.state == .active && trace.isUnbroken(app.since, begin)
  }

  /// Whether the app is on screen before an event, or the event brings it back there.
  private func isOnScreen(_ state: AppState, _ begin: Int, _ form: BudgetForm) -> Bool {
    state.isForeground || form.return.map { trace.matches($0.spans, begin) == true } ?? false
  }

  /// Whether the app has been active in the process of an event before it.
  private func wasActive(before index: Int) -> Bool {
    (trace.process(index).lowerBound..<index).contains {
      trace.states[$0 + 1].isAppChanged && trace.states[$0 + 1].appState == .active
    }
  }

  /// Whether a span that does not count could, if more were known.
  private func mayCount(_ begin: Int, _ form: BudgetForm) -> Bool {
    let state = trace.states[begin]
    guard let app = state.app else {
      return form.counts == .whileActive || state.processStart == nil
    }
    if form.counts == .whileActive {
      return app.state == .active && !trace.isUnbroken(app.since, begin)
    }
    guard isOnScreen(app.state, begin, form) else { return false }
    return !trace.isUnbroken(app.since, begin)
      || state.processStart == nil && app.state != .active && !wasActive(before: begin)
  }

  func budget(_ form: BudgetForm) -> [Judgement] {
    let (spans, ends) = (form.spans, endings(form.spans))
    var judgements: [Judgement] = []
    var judgedUpTo: [String: Int] = [:]
    for (begin, instance, _) in candidates(spans) {
      if begin < judgedUpTo[instance, default: 0] { continue }
      if form.counts != .always, !counts(begin, form) {
        if mayCount(begin, form) {
          judgements.append(Judgement(index: begin, verdict: .cannotTell))
        }
        continue
      }
      if !isInState(begin) { continue }
      let process = trace.process(begin)
      let last = possiblePlaces(form.until, instance, in: (begin + 1)..<process.upperBound).first

      // One account from its first span to what ends it, or of each span alone.
      var account = begin..<(last ?? process.upperBound)
      if form.isPerSpan,
        let own = places(ends, instance, in: account).first(where: { end in
          endsSomething(end, of: spans) && depth(form, ends, instance, begin..<(end + 1)) == 0
        })
      {
        account = begin..<(own + 1)
      }

      judgedUpTo[instance] = account.upperBound
      // The event that ends it comes at a time too.
      let looks = (begin + 1)..<min(account.upperBound + 1, process.upperBound)
      let over = looks.first { time(form, ends, instance, account, at: $0) >= form.limits[0].time }
      if let over {
        judgements.append(
          Judgement(
            index: begin, verdict: lasts(begin, over) ? .violated : .cannotTell,
            decided: over))
      } else {
        let isOpen = depth(form, ends, instance, account) > 0
        judgements.append(Judgement(index: begin, verdict: isOpen ? .cannotTell : .satisfied))
      }
    }
    return judgements
  }

  /// How many spans are open at the end of `range`.
  private func depth(
    _ form: BudgetForm, _ ends: EventPattern, _ instance: String, _ range: Range<Int>
  ) -> Int {
    range.reduce(0) { depth, index in
      guard self.instance(index) == instance else { return depth }
      let isInside = form.isPerSpan && depth > 0
      if hears(form.spans, index) && (isInside || counts(index, form)) { return depth + 1 }
      if hears(ends, index) && endsSomething(index, of: form.spans) { return max(0, depth - 1) }
      return depth
    }
  }

  /// The awake time up to an event in which a span of the account was open.
  private func time(
    _ form: BudgetForm, _ ends: EventPattern, _ instance: String, _ account: Range<Int>,
    at index: Int
  ) -> Nanoseconds {
    func now(_ index: Int) -> Nanoseconds { trace.time(form.clock, index) }
    return (account.lowerBound..<index).reduce(0) { sum, place in
      let isOpen = depth(form, ends, instance, account.lowerBound..<(place + 1)) > 0
      return isOpen ? sum &+ max(0, now(place + 1) &- now(place)) : sum
    }
  }

  // MARK: Balances

  func balance(_ opening: EventPattern, _ closing: EventPattern) -> [Judgement] {
    let again = candidates(closing).compactMap { index, instance, before -> Judgement? in
      let closed = places(closing, instance, in: before).filter { close in
        isOpen(opening, closing, instance, before.lowerBound..<close)
          && !mayChange([opening, closing], instance, (close + 1)..<index)
      }
      if isOpen(opening, closing, instance, before) {
        return Judgement(index: index, verdict: .satisfied)
      }
      return closed.last.flatMap { close in
        // Something may have opened it again; a gap hides no second begin of a task.
        if hasStray(close, index) { return nil }
        let isSure = pattern.scope == .task || trace.isUnbroken(close, index)
        return Judgement(index: index, opener: close, verdict: isSure ? .violated : .cannotTell)
      }
    }

    let left = candidates(opening).compactMap { index, instance, _ -> Judgement? in
      let process = trace.process(index)
      let after = (index + 1)..<process.upperBound
      guard possiblePlaces(closing, instance, in: after).isEmpty,
        possiblePlaces(opening, instance, in: after).isEmpty
      else { return nil }
      return Judgement(
        index: index, verdict: isLeak(index, process), decided: process.upperBound)
    }
    return again + left
  }

  private func isOpen(
    _ opening: EventPattern, _ closing: EventPattern, _ instance: String, _ range: Range<Int>
  ) -> Bool {
    guard let opener = places(opening, instance, in: range).last else { return false }
    let after = (opener + 1)..<range.upperBound
    return places(closing, instance, in: after).isEmpty
      && !mayChange([opening, closing], instance, after)
  }

  /// Whether something in a range may be of a pattern, and does not say so.
  private func mayChange(
    _ patterns: [EventPattern], _ instance: String, _ range: Range<Int>
  ) -> Bool {
    patterns.contains { pattern in
      possiblePlaces(pattern, instance, in: range).contains { !hears(pattern, $0) }
    }
  }

  private func isLeak(_ index: Int, _ process: Range<Int>) -> ReferenceEvaluator.Outcome {
    let background = (index..<process.upperBound - 1)
      .reduce(Nanoseconds(0)) { sum, place in
        let app = trace.states[place + 1].app
        return app?.state == .background
          && app.map { trace.isUnbroken($0.since, place + 1) } ?? false
          ? sum &+ max(0, trace.awake(place + 1) &- trace.awake(place)) : sum
      }

    let profile = trace.profiles[process.upperBound - 1]
    let isJudged =
      background >= Allowances.backgroundTasks(profile) && profile.backgroundModes == []
      && trace.isUnbroken(index, process.upperBound - 1)
      && !hasStray(index, process.upperBound)
      && trace.events[process.upperBound - 1].verb != .gap
    return isJudged ? .violated : .cannotTell
  }

  // MARK: Counts

  /// Each event with which so many have come in the time, but for those right after it.
  func count(_ form: CountForm) -> [Judgement] {
    let all = guarded(form.counted)
    func isFull(_ place: Int) -> Int? {
      let own = all[...place].filter {
        $0.instance == all[place].instance && $0.before.lowerBound == all[place].before.lowerBound
      }
      guard own.count >= form.times else { return nil }
      let first = own[own.count - form.times].index
      let time =
        trace.time(form.limit.clock, all[place].index) - trace.time(form.limit.clock, first)
      return time <= form.limit.time ? first : nil
    }

    return all.indices.compactMap { place in
      guard let first = isFull(place) else {
        return Judgement(index: all[place].index, verdict: .satisfied)
      }
      let last = all[..<place].lastIndex {
        $0.instance == all[place].instance && $0.before.lowerBound == all[place].before.lowerBound
      }
      if let last, isFull(last) != nil { return nil }
      let isSure = trace.isUnbroken(first, all[place].index)
      return Judgement(
        index: all[place].index, opener: first, verdict: isSure ? .violated : .cannotTell)
    }
  }

  // MARK: Stretches

  /// The first closing of each process, and the first opening before it that was not cancelled.
  func stretch(
    _ opening: EventPattern, _ closing: EventPattern, _ cancelling: EventPattern,
    _ allowed: Nanoseconds
  ) -> [Judgement] {
    trace.processes.compactMap { process in
      let close = places(closing, "app", in: process).first
      let before = process.lowerBound..<(close ?? process.upperBound)
      let cancel = places(cancelling, "app", in: before).last
      // What cancels may open anew.
      let after = (cancel ?? before.lowerBound)..<before.upperBound
      guard let open = places(opening, "app", in: after).first else { return nil }
      let end = close ?? process.upperBound - 1
      let state = trace.states[end]
      let start = trace.states[open].nextFact(trace.events[open])
      let elapsed = state.awake(since: start, at: max(trace.events[end].instant, state.instant))
      let isOver = elapsed >= allowed && (close != nil || isWatchdog(trace.events[end]))
      if isOver {
        let isSure = trace.isUnbroken(open, end)
        let held = longestHold(from: open, to: end, isClosed: close != nil)
        let isMost = held.time >= elapsed / StretchForm.partOfCulprit
        return Judgement(
          index: isMost ? held.begin ?? open : open, opener: open,
          verdict: isSure ? .violated : .cannotTell, decided: end)
      }
      return Judgement(index: open, verdict: close == nil ? .cannotTell : .satisfied)
    }
  }

  /// The span between two events that held the main thread longest.
  private func longestHold(
    from open: Int, to end: Int, isClosed: Bool
  ) -> (begin: Int?, time: Nanoseconds) {
    var longest: (begin: Int?, time: Nanoseconds) = (nil, 0)
    func take(_ begin: Int, until place: Int) {
      let time = trace.awake(place) &- trace.awake(begin)
      if begin >= open && time >= longest.time { longest = (begin, time) }
    }

    for place in open..<end {
      let event = trace.events[place]
      guard event.writer == .main,
        let family = SpanFamily.allCases.first(where: {
          $0.closing == event.verb && [.call, .observe, .work].contains($0)
        }), let opener = trace.states[place].open.span(closedBy: event, family)
      else { continue }
      let begin = opener.event
      let isAlone = event.sequence > 1 && event.sequence == begin.sequence + 1
      if begin.writer == .main, holds(begin) || isAlone {
        take(Int(opener.ordinal) - 1, until: place)
      }
    }

    if isClosed && trace.events[end].verb != .work && trace.events[end].verb != .workBegin {
      return longest
    }
    let running = trace.states[end].open.facts.filter {
      $0.event.writer == .main && $0.ordinal > open
    }
    let call = running.last { $0.event.verb == .call }?.ordinal ?? 0
    let first = running.first { holds($0.event) && $0.ordinal >= call }
    if let first { take(Int(first.ordinal) - 1, until: end) }
    return longest
  }

  private func holds(_ begin: Event) -> Bool {
    begin.verb == .call || begin.verb == .observe
      || begin.verb == .workBegin && begin.name == WorkCategory.mainBusy.symbol
  }

  private func isWatchdog(_ event: Event) -> Bool {
    event.verb == .kill && trace.says(event, code: "0x8badf00d")
  }
}
