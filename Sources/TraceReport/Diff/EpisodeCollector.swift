import LifecycleModel
import Run

/// Cuts a run into episodes, and counts what happens in each; it sees every event once, in order.
///
/// What the system does to an app comes in bursts. Events of its life with less than ``Episode/pause`` between
/// them, and as long as a callback runs, are one burst. A burst in which the state of the app changes is a turn;
/// all else is the stay between two turns. An episode is not cut at the change itself: the events of one
/// hand-over would fall to both sides of it by chance.
package struct EpisodeCollector {
  private let vocabulary: Vocabulary
  private let orders: DocumentedOrders
  /// The hooks whose events count; `nil` for all.
  private let chosen: Set<Hook>?
  /// What happened up to now.
  private var counts: EpisodeCounts
  /// What the run states about itself.
  package private(set) var recording = RunRecording()
  private var state = LifecycleState()
  private var words: TokenWords
  /// What is open, by the place of its begin in the trace.
  private var open: [UInt64: (token: Int32, origin: Episode.Origin)] = [:]
  private var burst: Episode?
  private var stay: Episode?
  private var examples: EpisodeExamples?

  /// Makes a collector for a run whose events belong to `vocabulary`; it counts into `counts`.
  ///
  /// Of events that belong to a hook only those count that are `among` some. With a kind `shown`, an
  /// example of it is kept.
  package init(
    _ vocabulary: Vocabulary, _ orders: DocumentedOrders, into counts: EpisodeCounts,
    among hooks: Set<Hook>? = nil, shown kind: String? = nil
  ) {
    (self.vocabulary, self.orders, self.counts) = (vocabulary, orders, counts)
    (chosen, words) = (hooks, TokenWords(vocabulary))
    examples = kind.map(EpisodeExamples.init)
  }

  /// Takes the next events of the run.
  package mutating func observe(_ events: [Event]) {
    words.forgetOld(counts)
    for event in events where event.comes(from: chosen) { observe(event) }
  }

  /// Ends the run, where what goes on is an episode, too; the counts with those of this run.
  package mutating func finish() -> EpisodeCounts {
    endEpisodes()
    recording.see(words.hooks)
    counts.add(recording)
    return counts
  }

  /// Lets the vocabulary forget what no event can be asked about any more, when it has become large; for
  /// a run that nothing else reads along.
  package func forgetUnusedWords() {
    guard vocabulary.isLarge else { return }
    var use = VocabularyUse()
    use.add(state)
    vocabulary.forget(except: use)
  }

  /// An episode of the kind of which an example is wanted; `nil` when there is none.
  package var example: EpisodeExample? { examples?.example(counts) }

  // MARK: Events

  private mutating func observe(_ event: Event) {
    state.passLoss(before: event)
    if let loss = state.loss(before: event) { giveUpOldest(loss) }

    switch event.verb {
    case .profile:
      state.fold(event)
      recording.learn(Profile(statedBy: event, in: vocabulary))
    case .gap: lose(event)
    case .processStart:
      endEpisodes()
      open.removeAll(keepingCapacity: true)
      state.fold(event)
      burst = Episode(from: EpisodeKind.start, at: event.instant)
    case .kill, .exit:
      endEpisodes()
      state.fold(event)
    default: take(event)
    }
  }

  private mutating func lose(_ event: Event) {
    if burst?.isOver(at: event.instant) ?? false { endBurst() }
    state.fold(event)
    if let within = Gap(event, in: vocabulary)?.within {
      state.noteLoss(until: event.instant.advanced(by: within))
    }
    doubt()
  }

  /// Cuts the episode, as callbacks that are given up would let a burst last.
  private mutating func giveUpOldest(_ loss: Event) {
    doubt()
    endBurst()
    lose(loss)
    let oldest = state.open.oldestOrdinal ?? .max
    open = open.filter { $0.key >= oldest }
  }

  private mutating func doubt() {
    burst?.doubt()
    stay?.doubt()
  }

  private mutating func take(_ event: Event) {
    if burst?.isOver(at: event.instant) ?? false { endBurst() }
    let isOfLife = event.verb.isOfLife
    if burst == nil {
      if isOfLife {
        burst = Episode(from: standing, at: event.instant, isCertain: isStandingCertain)
      } else if stay == nil {
        beginStay()
      }
    }

    if state.lossEnd != nil { doubt() }
    let (app, isAsleep) = (state.appState, state.suspension != nil)
    let token = fold(event)
    if isOfLife { burst?.reach(event, at: state.ordinal, orders) }
    if let token { count(token, event) }
    if let now = state.appState, now != app { burst?.states.append(now.rawValue) }
    if (state.suspension != nil) == isAsleep { return }
    let now = standing
    burst?.sleeps.append(now)
  }

  private mutating func count(_ token: Int32, _ event: Event) {
    let instant = examples == nil ? nil : event.instant
    if burst == nil { stay?.add(token, at: instant) } else { burst?.add(token, at: instant) }
  }

  // MARK: Spans

  /// Folds an event into the state, and returns what it is counted as.
  private mutating func fold(_ event: Event) -> Int32? {
    if let family = SpanFamily.closed(by: event.verb), let opener = state.opener(closedBy: event) {
      let datum = state.datum(savedBy: event)
      state.fold(event)
      if let datum { _ = close(datum, .data, event) }
      guard let token = close(opener, family, event) else { return nil }
      return words.token(event.verb, ending: token, &counts)
    }

    let token = words.token(of: event, &counts)
    state.fold(event)
    guard let token, let family = SpanFamily.opened(by: event.verb),
      state.open.span(closedBy: event, family)?.ordinal == state.ordinal,
      let origin = burst?.origin ?? stay?.origin
    else { return token }

    open[state.ordinal] = (token, origin)
    if family.isHandler { burst?.calls += 1 }
    return token
  }

  /// Counts how long something took; its token, where that is counted.
  private mutating func close(
    _ opener: OpenEvent, _ family: SpanFamily, _ event: Event
  ) -> Int32? {
    guard let (token, origin) = open.removeValue(forKey: opener.ordinal) else { return nil }
    let isMeasured = state.isCertain(opener) && event.instant >= opener.event.instant
    let time = state.awake(since: opener, at: event.instant)
    if let current = burst?.origin, origin === current {
      if family.isHandler { burst?.calls -= 1 }
      if isMeasured { burst?.durations.append((token, time)) }
    } else if let kind = origin.kind, isMeasured {
      counts.add(time, of: token, in: kind)
    }
    return token
  }

  // MARK: Episodes

  /// The state that the app is in, as episodes are named.
  private var standing: String {
    if state.suspension != nil { return AppState.suspended.rawValue }
    return state.appState?.rawValue ?? "unknown"
  }

  private var isStandingCertain: Bool {
    guard state.lastGap != nil else { return true }
    return (state.app?.since ?? state.processStart).map(state.isCertain) ?? false
  }

  private mutating func beginStay() {
    let begun = Episode(from: standing, at: .origin, isCertain: isStandingCertain)
    let kind = counts.number(ofKind: EpisodeKind.stay(standing))
    begun.origin.kind = begun.isCertain ? kind : nil
    stay = begun
  }

  private mutating func endEpisodes() {
    endBurst()
    endStay()
  }

  private mutating func endBurst() {
    guard let ended = burst.take() else { return }
    let states = ended.states.isEmpty ? ended.sleeps : ended.states
    if states.isEmpty && ended.from != EpisodeKind.start {
      if stay == nil { beginStay() }
      stay?.absorb(ended)
    } else {
      endStay()
      let turn = counts.number(ofKind: EpisodeKind.turn(from: ended.from, through: states))
      // Now it is known in which kind of episode things began.
      ended.origin.kind = ended.isCertain ? turn : nil
      count(ended)
      beginStay()
    }

    guard let kind = ended.origin.kind else { return }
    for (token, time) in ended.durations { counts.add(time, of: token, in: kind) }
  }

  private mutating func endStay() {
    if let ended = stay.take() { count(ended) }
  }

  private mutating func count(_ episode: Episode) {
    guard let kind = episode.origin.kind else {
      counts.uncertain += 1
      return
    }
    counts.add(kind, episode.tally)

    for (index, order) in orders.orders.enumerated() {
      guard let first = episode.reached[order.events.first],
        let then = episode.reached[order.events.then], first.count == 1, then.count == 1
      else { continue }
      counts.add(order: index, isKept: first.place < then.place, in: kind)
    }
    if examples?.kind == counts.name(ofKind: kind) { examples?.add(episode.steps) }
  }
}
