import LifecycleModel
import Run

/// Cuts a run into episodes, and counts what happens in each; it sees every event once, in order.
///
/// What the system does to an app comes in bursts. Events of its life with less than ``EpisodeBurst/pause``
/// between them, and as long as a callback runs, are one burst. A burst in which the state of the app changes is
/// a turn; all else is the stay between two turns. An episode is not cut at the change itself: the
/// events of one hand-over would fall to both sides of it by chance.
package struct EpisodeCollector {
  /// The time between two turns.
  private struct Stay {
    var bucket: EpisodeBucket
    let kind: Int32
  }

  private let vocabulary: Vocabulary
  private let orders: DocumentedOrders
  /// What happened up to now.
  package private(set) var counts: EpisodeCounts
  /// What the run states about itself.
  package private(set) var recording = RunRecording()
  private var state = LifecycleState()
  private var words: TokenWords
  private var open = OpenThings()
  private var burst: EpisodeBurst?
  private var stay: Stay?
  /// Buckets of episodes that are over, to be used again.
  private var spare: [EpisodeBucket] = []
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
    words = TokenWords(vocabulary, orders, among: hooks)
    examples = kind.map(EpisodeExamples.init)
  }

  /// Takes the next events of the run.
  package mutating func observe(_ events: [Event]) {
    words.forgetOld(counts)
    for event in events {
      let word = words.place(of: event)
      if !words[word].isIgnored { observe(event, word) }
    }
  }

  /// Ends the run: what goes on is an episode, too.
  package mutating func finish() {
    endBurst()
    endStay()
    recording.see(words.hooks)
  }

  /// Lets the vocabulary forget what no event can be asked about any more, when it has become large; for
  /// a run that nothing else reads along.
  package func forgetUnusedWords() {
    guard vocabulary.isLarge else { return }
    var use = VocabularyUse()
    use.add(state)
    vocabulary.forget(except: use)
  }

  /// An episode of the kind that somebody wants to see; `nil` when there is none.
  package var example: EpisodeExample? { examples?.example(counts) }

  // MARK: Events

  private mutating func observe(_ event: Event, _ word: Int) {
    state.passLoss(before: event)
    if let loss = state.loss(before: event) { giveUpOldest(loss) }

    switch event.verb {
    case .profile:
      state.fold(event)
      recording.learn(Profile(statedBy: event, in: vocabulary))
    case .gap: lose(event)
    case .processStart:
      endBurst()
      endStay()
      open.removeAll()
      state.fold(event)
      burst = EpisodeBurst(newBucket(), from: "start", at: event.instant)
      burst?.isStart = true
    case .kill, .exit:
      endBurst()
      endStay()
      state.fold(event)
    default: take(event, word)
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
    open.removeAll(before: state.open.oldestOrdinal ?? .max)
  }

  private mutating func doubt() {
    burst?.bucket.isCertain = false
    stay?.bucket.isCertain = false
  }

  private mutating func take(_ event: Event, _ word: Int) {
    if burst?.isOver(at: event.instant) ?? false { endBurst() }
    let isOfLife = EpisodeVerbs.ofLife[Int(event.verb.code)]
    if burst == nil {
      if isOfLife {
        let isCertain = isStandingCertain
        burst = EpisodeBurst(newBucket(), from: standing, at: event.instant)
        burst?.bucket.isCertain = isCertain
      } else if stay == nil {
        beginStay()
      }
    }

    if state.lossEnd != nil { doubt() }
    let (app, isAsleep) = (state.appState, state.suspension != nil)
    let token = fold(event, word)
    count(token, event, word, isOfLife: isOfLife)
    if let now = state.appState, now != app { burst?.states.append(now.rawValue) }
    if (state.suspension != nil) == isAsleep { return }
    let now = standing
    burst?.sleeps.append(now)
  }

  private mutating func count(_ token: Int32?, _ event: Event, _ word: Int, isOfLife: Bool) {
    if burst == nil {
      guard let token else { return }
      stay?.bucket.counts.add(token)
      if examples != nil { stay?.bucket.steps.append(token, event.instant) }
      return
    }

    if isOfLife {
      burst?.reach(event.instant)
      let letter = words[word].letter
      if letter >= 0 { burst?.bucket.letters.add(letter, at: state.ordinal) }
    }
    guard let token else { return }
    burst?.bucket.counts.add(token)
    if examples != nil { burst?.bucket.steps.append(token, event.instant) }
  }

  // MARK: Spans

  /// Folds an event into the state, and says what it is counted as.
  private mutating func fold(_ event: Event, _ word: Int) -> Int32? {
    if let family = SpanFamily.closed(by: event.verb), let opener = state.opener(closedBy: event) {
      let datum = state.datum(savedBy: event)
      state.fold(event)
      if let datum { _ = close(datum, .data, event) }
      guard let token = close(opener, family, event) else { return nil }
      return words.token(event.verb, ending: token, &counts)
    }

    let token = words.token(at: word, event, &counts)
    state.fold(event)
    guard let token, let family = SpanFamily.opened(by: event.verb),
      state.open.span(closedBy: event, family)?.ordinal == state.ordinal
    else { return token }

    if burst != nil {
      open.begin(token, at: state.ordinal, in: .burst)
      if family == .call || family == .observe { burst?.calls += 1 }
    } else if let kind = stay?.kind {
      let isCertain = stay?.bucket.isCertain ?? false
      open.begin(token, at: state.ordinal, in: isCertain ? .kind(kind) : .nowhere)
    }
    return token
  }

  /// Counts how long something took; its token, where that is counted.
  private mutating func close(
    _ opener: OpenEvent, _ family: SpanFamily, _ event: Event
  ) -> Int32? {
    guard let thing = open.end(opener.ordinal) else { return nil }
    let token = thing.token
    let isMeasured = state.isCertain(opener) && event.instant >= opener.event.instant
    let time = state.awake(since: opener, at: event.instant)

    switch thing.place {
    case .burst:
      if family == .call || family == .observe { burst?.calls -= 1 }
      if isMeasured { burst?.bucket.durations.append((token, time)) }
    case .kind(let kind): if isMeasured { counts.add(time, of: token, in: kind) }
    case .nowhere: break
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

  private mutating func newBucket() -> EpisodeBucket { spare.popLast() ?? EpisodeBucket() }

  private mutating func beginStay() {
    let isCertain = isStandingCertain
    stay = Stay(bucket: newBucket(), kind: counts.number(ofKind: EpisodeKind.stay(standing)))
    stay?.bucket.isCertain = isCertain
  }

  private mutating func endBurst() {
    guard var ended = burst.take() else { return }
    let states = ended.states.isEmpty ? ended.sleeps : ended.states
    let kind: Int32?
    if states.isEmpty && !ended.isStart {
      if stay == nil { beginStay() }
      stay?.bucket.absorb(ended.bucket)
      kind = stay.flatMap { $0.bucket.isCertain ? $0.kind : nil }
    } else {
      endStay()
      let turn = counts.number(ofKind: EpisodeKind.turn(from: ended.from, through: states))
      count(ended.bucket, as: turn)
      kind = ended.bucket.isCertain ? turn : nil
      beginStay()
    }

    // Now it is known in which kind of episode things began.
    open.settleBurst(in: kind.map(OpenThings.Place.kind) ?? .nowhere)
    if let kind {
      for (token, time) in ended.bucket.durations { counts.add(time, of: token, in: kind) }
    }
    reuse(&ended.bucket)
  }

  private mutating func endStay() {
    guard var ended = stay.take() else { return }
    count(ended.bucket, as: ended.kind)
    reuse(&ended.bucket)
  }

  private mutating func reuse(_ bucket: inout EpisodeBucket) {
    bucket.clear()
    spare.append(bucket)
  }

  private mutating func count(_ bucket: EpisodeBucket, as kind: Int32) {
    guard bucket.isCertain else {
      counts.uncertain += 1
      return
    }
    counts.add(kind, bucket.counts)
    for (index, order) in orders.orders.enumerated() where !bucket.letters.came.isEmpty {
      let (first, then) = (
        bucket.letters[order.letters.first], bucket.letters[order.letters.then]
      )
      if first.count == 1 && then.count == 1 {
        counts.add(order: index, isKept: first.place < then.place, in: kind)
      }
    }

    if let examples, examples.kind == counts.name(ofKind: kind) { self.examples?.add(bucket.steps) }
  }
}
