import LifecycleModel

/// What would have been legal instead of a finding.
extension Ledger {
  /// Notes an event that was folded, where the order of the lifecycle is concerned.
  ///
  /// Such events are few: the loop over events is faster without this in it.
  @inline(never)
  mutating func noteLifecycle(_ event: Event) {
    if recent.note(event, present.state) { findNearestTraces(all: false) }
  }

  /// Tells the events that make those before them unsure, or that end them.
  mutating func noteLifecycleTurn(_ event: Event) {
    switch event.verb {
    case .suspend, .resume: noteLifecycle(event)
    case .gap: endLifecycle()
    case .processStart: recent.restart(atProcessStart: true)
    default: break
    }
  }

  /// Nothing more is coming that belongs to the events so far.
  mutating func endLifecycle() {
    if let end = present.state.launchEnd { recent.noteLaunchEnd(end) }
    findNearestTraces(all: true)
    recent.restart(atProcessStart: false)
  }

  /// Lets a new finding wait until the events around it are there.
  mutating func awaitNearestTrace(
    _ finding: Int?, _ culprit: OpenEvent, _ opener: OpenEvent?, clause: Int, rule: Int
  ) {
    guard let finding, collector.findings[finding].occurrences == 1,
      collector.findings[finding].nearest == nil
    else { return }

    var subject = culprit.event.subject
    if subject.kind != .scene, let opener, opener.event.subjectKind == .scene {
      subject = opener.event.subject
    }

    let isOfScene = subject.kind == .scene
    let automaton = isOfScene ? recent.automata.scene : recent.automata.app
    let bits = automaton.bits(clause: clause, rule: rule)
    if bits == 0 { return }
    recent.wait(
      RecentLifecycle.Waiting(
        finding: finding, rule: rule, bits: bits,
        culprit: max(culprit.ordinal, present.state.ordinal &+ 1)),
      subject: subject, isOfScene: isOfScene)
  }

  private mutating func findNearestTraces(all: Bool) {
    for (window, isOfScene) in recent.takeDue(all: all) {
      guard let nearest = nearestTrace(window, isOfScene: isOfScene, isOver: all) else { continue }
      for waiting in window.waiting {
        collector.update(waiting.finding) { $0.nearest = nearest }
      }
    }
  }

  private mutating func nearestTrace(
    _ window: RecentLifecycle.Window, isOfScene: Bool, isOver: Bool
  ) -> NearestLegalTrace? {
    let automaton = isOfScene ? recent.automata.scene : recent.automata.app
    let word = window.word(isOfScene: isOfScene)
    let found = window.waiting.reduce(0) { $0 | $1.bits }
    var kept = inForce(automaton)
    var state = window.base
    var broken: UInt64 = 0
    var repeated: Set<LifecycleLetter> = []

    for item in word {
      let now = automaton.read(item.letter, &state)
      broken |= now
      if now & found & automaton.effects[Int(item.letter.rawValue)].open != 0 {
        repeated.insert(item.letter)
      }
    }

    // What is broken and was not found is excused by something that is not order.
    kept = kept & ~broken | found
    guard broken & found != 0 else { return nil }

    let addable = LifecycleLetter.all.filter {
      $0.isOfScene == isOfScene && present.profile.hooks?.contains($0.hook) ?? false
        && LegalRepair.canBeAdded.contains($0)
    }
    let repair = LegalRepair(
      automaton: automaton, word: word, bits: kept, addable: addable, repeated: repeated,
      following: isOver ? nil : state)
    guard let operations = repair.operations(from: window.base, budget: &recent.budget) else {
      return nil
    }
    return window.trace(operations, word)
  }

  /// The clauses that are judged under the profile and the launch that hold.
  private func inForce(_ automaton: LifecycleAutomaton) -> UInt64 {
    var bits: UInt64 = 0
    for (bit, clause) in automaton.clauses.enumerated()
    where tallies[clause.rule].force == .inForce
      && clause.clause.map({ clausesInForce[$0] }) ?? true
      && clause.launches.map({ launches in present.launch.map(launches.contains) ?? false }) ?? true
    {
      bits |= 1 << UInt64(bit)
    }
    return bits
  }
}

extension LegalRepair {
  /// What can have been forgotten: a launch, an end or a connection that nobody saw is no repair.
  static let canBeAdded = Set(
    (Turn.events(.foreground, .activate, .resign, .background)
      | .events(of: [.sceneWillConnect])).letters ?? [])
}

extension RecentLifecycle.Window {
  /// The entries as a word; the app's own events are not changed for a scene's sake.
  fileprivate func word(isOfScene: Bool) -> [LegalRepair.Item] {
    var word = entries.map { entry in
      var item = LegalRepair.Item(letter: entry.letter)
      if entry.letter == .launchReturn {
        item.freedom = .moves
      } else if entry.letter == .suspend || entry.letter == .resume
        || isOfScene && !entry.letter.isOfScene
      {
        item.freedom = .none
      }
      return item
    }

    for index in word.indices where word[index].letter == .launchCall {
      word[index].partner = word[(index + 1)...].firstIndex { $0.letter == .launchReturn }
    }
    return word
  }

  /// Tells operations as edits: what is dropped and added again is moved.
  fileprivate func trace(
    _ operations: [LegalRepair.Operation], _ word: [LegalRepair.Item]
  ) -> NearestLegalTrace {
    let kept = operations.compactMap { if case .keep(let index) = $0 { index } else { nil } }
    let drops = operations.compactMap { if case .drop(let index) = $0 { index } else { nil } }
    let partners = Set(drops.compactMap { word[$0].partner })
    var dropped = drops.filter { !partners.contains($0) }
    var edits: [NearestLegalTrace.Edit] = []

    // Between two kept events stand the letters that are added there.
    var gaps: [[LifecycleLetter]] = [[]]
    for operation in operations {
      switch operation {
      case .keep: gaps.append([])
      case .add(let letter): gaps[gaps.count - 1].append(letter)
      case .drop: break
      }
    }

    for (gap, letters) in gaps.enumerated() where !letters.isEmpty {
      let previous = gap > 0 ? kept[gap - 1] : nil
      let next = gap < kept.count ? kept[gap] : nil
      // Behind the last event they are put in one by one, the last one first.
      for letter in next == nil ? letters.reversed() : letters {
        let source = dropped.filter { word[$0].letter == letter }
          .min { abs($0 - (previous ?? -1)) < abs($1 - (previous ?? -1)) }
        let place: NearestLegalTrace.Place
        let isLater = source.map { $0 < next ?? .max } ?? true
        if let previous, letters.count == 1 || next == nil,
          isLater && source != nil && isSafe(previous, next) || next == nil
        {
          place = .after(entries[previous].event)
        } else if let next {
          place = .before(entries[next].event)
        } else {
          continue
        }
        edits.append(edit(letter, from: source, to: place))
        dropped.removeAll { $0 == source }
      }
    }
    return NearestLegalTrace(edits: edits + dropped.map { .drop(entries[$0].event) })
  }

  private func edit(
    _ letter: LifecycleLetter, from source: Int?, to place: NearestLegalTrace.Place
  ) -> NearestLegalTrace.Edit {
    if let source { return .move(entries[source].event, place) }
    let scene = entries.first { $0.letter.isOfScene }?.event.subject
    return .add(
      Event(
        instant: place.neighbor.instant, writer: .main, verb: letter.verb, name: letter.name,
        subject: letter.isOfScene ? scene ?? .none : .app), place)
  }

  /// Whether what comes after an event, and after its return, comes before the next one.
  private func isSafe(_ previous: Int, _ next: Int?) -> Bool {
    guard let next else { return true }
    return entries[previous].letter.verb != .call || entries[next].letter.verb == .call
  }
}
