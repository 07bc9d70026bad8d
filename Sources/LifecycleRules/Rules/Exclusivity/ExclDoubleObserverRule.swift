import LifecycleModel
import TraceAnalysis

/// One component does its work once in a transition.
struct ExclDoubleObserverRule: Rule {
  static let description: RuleDescription = .init(
    id: "excl-double-observer",
    number: 41,
    topic: .exclusivity,
    summary: "no observer repeats its work for UIApplication's and UIScene's notification",
    severity: .warning,
    sources: [.doubleObservers],
    why: """
      One transition posts both notifications. A component that observes both saves, sends or \
      counts everything twice.
      """,
    remedy: """
      Observe one family: the scene's if the work belongs to a window, the app's if it belongs to \
      the process.
      """,
    limits: """
      Labels identify observers; "others" stands for several and identifies none. The effect must repeat: the same verb, name and label on the \
      observer's thread while its handler runs. The rule also reports work that is harmless when \
      repeated, and does not see work that the handler passes to another thread. Events more than \
      a second after the others belong to another transition.
      """,
    needs: RuleNeeds(hooks: [[.appNotifications], [.sceneNotifications], [.work, .data, .tasks]]),
    given: "0s - profile mode=scene hooks=app-notifications,scene-notifications,work",
    examples: """
      clean: one of the two
      1s main notify UIScene.didEnterBackgroundNotification scene:1
      1.1s..1.3s main observe UIScene.didEnterBackgroundNotification scene:1 "Archiver"
      1.2s main work save app "notes"
      1.4s main notify UIApplication.didEnterBackgroundNotification app

      clean: both are observed, in either order, and the effect does not repeat
      1s main notify UIApplication.didEnterBackgroundNotification app
      1.1s..1.3s main observe UIApplication.didEnterBackgroundNotification app "Archiver"
      1.2s main work save app "settings"
      1.4s main notify UIScene.didEnterBackgroundNotification scene:1
      1.5s..1.7s main observe UIScene.didEnterBackgroundNotification scene:1 "Archiver"
      1.6s main work save scene:1 "notes"
      9s main notify UIScene.willEnterForegroundNotification scene:1
      9.1s main notify UIApplication.willEnterForegroundNotification app

      clean: two components
      1s..1.3s main observe UIScene.didEnterBackgroundNotification scene:1 "Archiver"
      1.2s main work save app "notes"
      1.5s..1.7s main observe UIApplication.didEnterBackgroundNotification app "Backup"
      1.6s main work save app "notes"

      clean: the recorder does not know which of the others did it
      1s..1.2s main observe UIScene.didEnterBackgroundNotification scene:1 "Archiver"
      1.1s main work save app "notes"
      1.3s..1.5s main observe UIScene.didEnterBackgroundNotification scene:1 "others"
      1.4s main work save app "notes"
      1.6s..1.8s main observe UIApplication.didEnterBackgroundNotification app "others"
      1.7s main work save app "notes"

      clean: another transition
      1s..1.3s main observe UIScene.didEnterBackgroundNotification scene:1 "Archiver"
      1.2s main work save app "notes"
      5s main notify UIScene.willEnterForegroundNotification scene:1
      9s..9.2s main observe UIApplication.didEnterBackgroundNotification app "Archiver"
      9.1s main work save app "notes"

      clean: one window resigns, and an hour later the other one and with it the app
      1s main notify UIScene.willDeactivateNotification scene:1
      1.1s..1.3s main observe UIScene.willDeactivateNotification scene:1 "Archiver"
      1.2s main work save app "notes"
      3600s main notify UIScene.willDeactivateNotification scene:2
      3600s main notify UIApplication.willResignActiveNotification app
      3600.1s..3600.3s main observe UIApplication.willResignActiveNotification app "Archiver"
      3600.2s main work save app "notes"

      cannot tell: another transition may be in the gap
      1s..1.3s main observe UIScene.didEnterBackgroundNotification scene:1 "Archiver"
      1.2s main work save app "notes"
      1.4s - gap ring-full 4
      2s..2.2s main observe UIApplication.didEnterBackgroundNotification app "Archiver"
      2.1s main work save app "notes"

      violating: saves on both
      1s main notify UIScene.didEnterBackgroundNotification scene:1
      1.1s..1.3s main observe UIScene.didEnterBackgroundNotification scene:1 "Archiver"
      1.2s main work save app "notes"
      1.4s main notify UIApplication.didEnterBackgroundNotification app
      1.5s..1.7s main observe UIApplication.didEnterBackgroundNotification app "Archiver"
      1.6s main work save app "notes" ◀
      """
  )

  private static let turns = Turn.allCases.filter { $0 != .disconnect }
  private static let notifications = Turner.allCases.flatMap { turner in
    turns.compactMap { turner.callback($0)?.notification }
  }

  static let interests: [EventPattern] = [
    .named(.notify, notifications), .named(.observed, notifications),
    EventPattern.work(.save, .load, .network, .dispatch, .other, .audio, .location, .camera)
      .insideObserver,
    EventPattern.verbs(.dataSave, .taskBegin).insideObserver,
  ]

  private struct Effect {
    var fact: OpenEvent
    var handler: OpenEvent
    var turner: Turner

    /// Whether the same observer did the same.
    func isSame(_ event: Event, in handler: OpenEvent) -> Bool {
      self.handler.event.label == handler.event.label && fact.event.verb == event.verb
        && fact.event.name == event.name && fact.event.label == event.label
    }
  }

  /// What comes so much later belongs to another transition of the same kind, another window's say.
  private static let pause: Nanoseconds = .seconds(1)

  /// The turn that goes on.
  private var turn: Turn?
  /// When something of it was last told or done.
  private var latest = Instant.distantPast
  /// What observers did in it: the event, the handler in which it came, and the family of that.
  private var effects = Remembered<Effect>(256, beyond: .cannotTell)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .notify || event.verb == .observed {
      if let told = Turner.turn(event.name) { take(told.turn, event) }
      return
    }

    let handlers = moment.state.open.facts(.observe).filter {
      $0.event.writer == event.writer && !$0.event.label.isNone
    }
    guard let handler = handlers.last, let told = Turner.turn(handler.event.name),
      Self.turns.contains(told.turn),
      moment.vocabulary.text(handler.event.label) != "others"
    else { return }

    take(told.turn, event)
    guard let earlier = effects.first(where: { $0.isSame(event, in: handler) }) else {
      let effect = Effect(
        fact: moment.fact(event), handler: handler, turner: told.turner)
      return effects.append(effect) ? findings.foundClean() : findings.cannotTell(.tooManyInstances)
    }

    if earlier.turner == told.turner { return }
    findings.report(
      event, since: earlier.fact,
      says: """
        the observer did {name} {label} again for the same transition; the first was at {since}
        """)
  }

  private mutating func take(_ next: Turn, _ event: Event) {
    defer { latest = event.instant }
    if next == turn && event.instant.since(latest) <= Self.pause { return }
    turn = next
    effects.removeAll()
  }
}
