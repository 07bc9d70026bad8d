import LifecycleModel

/// The latest callbacks and notifications of each subject, and the findings about them whose nearest
/// legal trace is still to be found.
///
/// A finding waits for some events of its subject after the culprit, or the end of the process: what
/// came too late is moved, and not added. Memory: 3 KB for each of the
/// latest scenes. Cost: some
/// nanoseconds for each callback and notification, nothing for other events.
struct RecentLifecycle {
  /// An event that was kept, without its label and attributes.
  struct Entry {
    var event: Event
    var ordinal: UInt64
    var letter: LifecycleLetter
  }

  /// A finding that waits.
  struct Waiting {
    var finding: Int
    var rule: Int
    var bits: UInt64
    var culprit: UInt64
  }

  /// What is known of one subject.
  struct Window {
    /// The state before the first entry.
    var base: LifecycleAutomaton.State
    var entries: [Entry] = []
    var waiting: [Waiting] = []
    /// How many events more the findings wait for.
    var patience = 0
    /// The place of the newest entry.
    var latest: UInt64 = 0
    /// Whether the scene has disconnected.
    var isGone = false
  }

  /// How many events of a subject are kept.
  static let kept = 32
  /// How many events are waited for: the culprit, and ten after it.
  static let patience = 11
  /// So many scenes are followed.
  private static let scenes = 64
  /// From so many on, those that have gone are forgotten when another one comes.
  private static let crowd = 8

  /// How many nodes the search for nearest traces may still look at: a log whose order is wrong throughout
  /// would cost seconds for what nobody reads.
  var budget = LegalRepair.budget
  let automata: LifecycleAutomata
  /// The letters that mean something to an app, and to a scene, a bit each.
  private let letters: (app: UInt64, scene: UInt64)
  private(set) var app: Window
  private(set) var scenes = KeyedTable<Window>()
  /// The state that a scene begins with.
  private var sceneBase: LifecycleAutomaton.State
  /// The return of `applicationDidFinishLaunching` that was noted last.
  private var launchEnd: UInt64 = 0

  init(_ rules: [RuleDescription], _ patterns: [NumberedPattern]) {
    automata = LifecycleAutomata(rules, patterns)
    letters = (automata.app.letters, automata.scene.letters)
    app = Window(base: automata.app.initial(atProcessStart: false))
    sceneBase = automata.scene.initial(atProcessStart: false)
  }

  /// Forgets all events; `atProcessStart` says whether it is known that there are none before.
  mutating func restart(atProcessStart: Bool) {
    app = Window(base: automata.app.initial(atProcessStart: atProcessStart))
    scenes.removeAll()
    sceneBase = automata.scene.initial(atProcessStart: atProcessStart)
  }

  /// Notes an event that was folded as the newest of `state`; whether findings have waited enough.
  @inline(__always)
  mutating func note(_ event: Event, _ state: borrowing LifecycleState) -> Bool {
    guard let letter = LifecycleLetter(event.verb, event.name),
      (letters.app | letters.scene) & letter.bit != 0
    else { return false }
    if let end = state.launchEnd, end.ordinal != launchEnd { noteLaunchEnd(end) }
    return note(event, letter, state.ordinal)
  }

  /// The return is no event that is followed by itself: few returns are of any interest.
  mutating func noteLaunchEnd(_ opener: OpenEvent) {
    launchEnd = opener.ordinal
    _ = note(opener.event, .launchReturn, opener.ordinal)
  }

  private mutating func note(_ event: Event, _ letter: LifecycleLetter, _ ordinal: UInt64) -> Bool {
    let isOfScene = letter.isOfScene
    if (isOfScene ? letters.scene : letters.app | letters.scene) & letter.bit == 0 { return false }
    var event = event
    event.label = .none
    event.attributes = .none

    let entry = Entry(event: event, ordinal: ordinal, letter: letter)
    if isOfScene {
      guard event.subjectKind == .scene else { return false }
      let key = UInt64(event.subjectNumber)
      guard let position = scenes.position(key) else {
        makeRoom()
        var window = Window(base: sceneBase)
        _ = window.note(entry, automata.scene)
        scenes.update(key, window)
        return false
      }
      var isDue = false
      scenes.modify(at: position) { isDue = $0.note(entry, automata.scene) }
      return isDue
    }

    var isDue = letters.app & letter.bit != 0 && app.note(entry, automata.app)
    if letters.scene & letter.bit == 0 { return isDue }
    _ = automata.scene.read(letter, &sceneBase)
    for position in scenes.entries.indices {
      scenes.modify(at: position) { isDue = $0.note(entry, automata.scene) || isDue }
    }
    return isDue
  }

  /// Lets a finding wait whose culprit, or what brought it about, is of `subject`.
  mutating func wait(_ waiting: Waiting, subject: Subject, isOfScene: Bool) {
    if isOfScene {
      let key = UInt64(subject.number)
      if scenes.position(key) == nil {
        makeRoom()
        scenes.update(key, Window(base: sceneBase))
      }
      guard let position = scenes.position(key) else { return }
      scenes.modify(at: position) { $0.wait(waiting) }
    } else {
      app.wait(waiting)
    }
  }

  /// The place of the first event of the turn that `fact` is part of: a call, its notification, and what
  /// repeats them while its subject takes no other step.
  func turn(of fact: OpenEvent) -> UInt64 {
    guard let letter = LifecycleLetter(fact.event.verb, fact.event.name) else {
      return fact.ordinal
    }
    let window = letter.isOfScene ? scenes[UInt64(fact.event.subjectNumber)] : app
    let before = (window?.entries ?? []).reversed().drop { $0.ordinal >= fact.ordinal }
    return before.prefix { $0.letter.turn == letter.turn }.last?.ordinal ?? fact.ordinal
  }

  /// Takes out the windows whose findings have waited enough, or all whose findings wait.
  mutating func takeDue(all: Bool) -> [(window: Window, isOfScene: Bool)] {
    var due: [(window: Window, isOfScene: Bool)] = []
    if app.isDue(all) { due.append((app.take(automata.app), false)) }
    for position in scenes.entries.indices where scenes.entries[position].value.isDue(all) {
      scenes.modify(at: position) { due.append(($0.take(automata.scene), true)) }
    }
    return due
  }

  /// Forgets the scenes that have gone, and the one that was quiet for longest, if there are many.
  private mutating func makeRoom() {
    if scenes.entries.count < RecentLifecycle.crowd { return }
    let gone = scenes.entries.filter { $0.value.isGone && $0.value.waiting.isEmpty }
    for scene in gone { scenes.remove(scene.key) }
    guard scenes.entries.count >= RecentLifecycle.scenes else { return }
    let quietest = scenes.entries.min {
      ($0.value.latest, $0.key) < ($1.value.latest, $1.key)
    }
    if let quietest { scenes.remove(quietest.key) }
  }
}

extension RecentLifecycle.Window {
  @inline(__always)
  fileprivate mutating func note(
    _ entry: RecentLifecycle.Entry, _ automaton: LifecycleAutomaton
  ) -> Bool {
    if entries.count == RecentLifecycle.kept { forget(RecentLifecycle.kept / 4, automaton) }
    if entries.isEmpty { entries.reserveCapacity(RecentLifecycle.kept) }
    entries.append(entry)
    latest = entry.ordinal
    if entry.letter.isOfScene { isGone = entry.letter.disconnects }
    if waiting.isEmpty { return false }
    patience -= 1
    return patience <= 0
  }

  fileprivate mutating func wait(_ one: RecentLifecycle.Waiting) {
    waiting.append(one)
    patience = RecentLifecycle.patience
  }

  fileprivate func isDue(_ all: Bool) -> Bool {
    !waiting.isEmpty && (all || patience <= 0 || entries.count >= RecentLifecycle.kept)
  }

  /// Forgets the oldest entries.
  private mutating func forget(_ count: Int, _ automaton: LifecycleAutomaton) {
    for entry in entries.prefix(count) { _ = automaton.read(entry.letter, &base) }
    entries.removeFirst(count)
  }

  /// What is known; what is told then is not looked at again.
  fileprivate mutating func take(_ automaton: LifecycleAutomaton) -> RecentLifecycle.Window {
    let whole = self
    let latest = waiting.map(\.culprit).max() ?? 0
    forget(entries.prefix { $0.ordinal <= latest }.count, automaton)
    waiting = []
    return whole
  }
}
