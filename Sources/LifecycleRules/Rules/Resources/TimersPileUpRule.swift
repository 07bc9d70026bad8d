import LifecycleModel
import TraceAnalysis

/// Activations do not add one repeating timer after another.
struct TimersPileUpRule: Rule {
  static let description: RuleDescription = .init(
    id: "timers-pile-up",
    number: 121,
    topic: .resources,
    summary: "no activation adds a repeating timer while those of earlier activations are valid",
    severity: .warning,
    cause: SharedCause(.heldResource, rank: 4),
    sources: [.s4, .didBecomeActive, .timersInForeground],
    why: """
      The run loop keeps a timer until it is invalidated, also when the variable gets another one. \
      With each return the app does its work once more: requests, drawing, power.
      """,
    remedy: """
      Invalidate the timer in sceneWillResignActive(_:) or, without scenes, \
      applicationWillResignActive(_:), and before its variable gets the next one.
      """,
    limits: """
      Reported at the third repeating timer of the same label and subject that comes within a \
      second of an activation of the same scene, or of the app, when none of them was invalidated. \
      The event that acquires a timer states kind=repeating; without that the rule cannot tell. \
      Timers without a label are not followed, nor are those beyond 64 labels.
      """,
    needs: RuleNeeds(hooks: [[.resources], .states]),
    given: "0s - profile mode=app hooks=app-delegate,resources",
    examples: """
      clean: invalidated at the resign
      \(rounds(4, releasing: true))

      clean: a timer that fires once
      \(rounds(4, kind: "once"))

      clean: one for each window that is opened
      0s - profile mode=scene hooks=scene-delegate,resources
      1s main call sceneDidBecomeActive scene:1
      1.1s main acquire timer app "clock" kind=repeating
      5s..5.1s main call sceneWillResignActive scene:1
      6s main call sceneDidBecomeActive scene:2
      6.1s main acquire timer app "clock" kind=repeating
      9s..9.1s main call sceneWillResignActive scene:2
      10s main call sceneDidBecomeActive scene:3
      10.1s main acquire timer app "clock" kind=repeating

      clean: several in one activation, and one for each document that the user opens
      1s..1.2s main call applicationDidBecomeActive app
      1.1s main acquire timer app "row" kind=repeating
      1.1s main acquire timer app "row" kind=repeating
      1.1s main acquire timer app "row" kind=repeating
      9s main acquire timer app "autosave" kind=repeating
      20s main acquire timer app "autosave" kind=repeating
      30s main acquire timer app "autosave" kind=repeating

      cannot tell: timer kind unknown
      \(rounds(3, kind: nil))

      cannot tell: the end of a timer may be in the gap
      \(rounds(2))
      25s - gap ring-full 3
      \(rounds(1, from: 31))

      violating: one more at each activation
      \(rounds(5, mark: 3))

      violating: a scene's, soon after the notification
      0s - profile mode=scene hooks=scene-notifications,resources
      1s main notify UIScene.didActivateNotification scene:1
      1.3s main acquire timer scene:1 "poll" kind=repeating
      5s main notify UIScene.willDeactivateNotification scene:1
      6s main notify UIScene.didActivateNotification scene:1
      6.3s main acquire timer scene:1 "poll" kind=repeating
      9s main notify UIScene.willDeactivateNotification scene:1
      10s main notify UIScene.didActivateNotification scene:1
      10.3s main acquire timer scene:1 "poll" kind=repeating ◀
      """
  )

  static let interests: [EventPattern] = [
    ActivityWord.events, .acquire(.timer) | .named(.release, [Resource.timer]),
  ]

  /// Timers of one label and subject that activations of one subject have added.
  private struct Pile {
    let first: OpenEvent
    let activating: Subject
    var lastActivation: OpenEvent
    var count = 1

    func isOf(_ timer: Event) -> Bool {
      first.event.label == timer.label && first.event.subject == timer.subject
    }
  }

  /// The number of valid timers that are a pile.
  private static let pile = 3

  private var turns = ActivationTurns()
  private var piles = Remembered<Pile>(64, beyond: .cannotTell)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .acquire: add(event, moment, &findings)
    case .release:
      let count = piles.count
      piles.removeAll { $0.isOf(event) }
      if piles.count < count { findings.foundClean() }
    default: turns.note(event, moment)
    }
  }

  private mutating func add(_ timer: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    let kind = moment.attribute(.kind, timer)
    guard kind != "once", timer.isLabelled, !moment.isSystems(timer),
      let activation = turns.activation(before: timer, moment)
    else { return }
    let place = piles.firstIndex {
      $0.isOf(timer) && $0.activating == activation.event.subject
    }

    guard let place else {
      let pile = Pile(
        first: moment.fact(timer), activating: activation.event.subject,
        lastActivation: activation)
      return piles.append(pile, &findings)
    }
    if piles[place].lastActivation.ordinal == activation.ordinal { return }
    piles[place].lastActivation = activation
    piles[place].count += 1
    if piles[place].count != Self.pile { return }
    findings.report(
      timer, since: piles[place].first, unless: kind == nil ? .attributeMissing(.kind) : nil,
      says: """
        the timer {label} was added at an activation, while \(Self.pile - 1) earlier ones were still \
        valid, the first added at {since}
        """)
  }

  /// A trace of activations that add a timer each.
  private static func rounds(
    _ count: Int, from start: Int = 1, kind: String? = "repeating", releasing: Bool = false,
    mark: Int = 0
  ) -> String {
    (0..<count).flatMap { round -> [String] in
      let second = start + round * 10
      let said = kind.map { " kind=\($0)" } ?? ""
      return [
        "\(second)s..\(second).2s main call applicationDidBecomeActive app",
        "\(second).1s main acquire timer app \"poll\"\(said)\(round + 1 == mark ? " ◀" : "")",
        "\(second + 5)s..\(second + 5).2s main call applicationWillResignActive app",
        releasing ? "\(second + 5).1s main release timer app \"poll\"" : nil,
      ].compactMap(\.self)
    }.joined(separator: "\n")
  }
}
