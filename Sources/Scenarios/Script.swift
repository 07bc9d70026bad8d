import AppLifecycle
import LifecycleModel
import YAMLReading

/// What an app's handlers do, by what they are called for.
@MainActor
struct Script {
  /// What is no callback and can be handled all the same.
  private static let others = ["location", "input", "notification-response"]
  /// Callbacks that have a handler here; the others do nothing that a step could add to.
  private var handlers: [String: [Step]] = [:]

  init() {}

  /// The callbacks that have a handler.
  var callbacks: [Callback] { handlers.keys.sorted().compactMap { Callback(rawValue: $0) } }

  init(_ value: YAMLValue, mode: Profile.Mode) throws {
    let words = Callback.allCases.map(\.rawValue)
    for (key, steps) in try value.mapping("callbacks and their steps").orThrow() {
      let word = try key.word("a callback", words + Script.others).orThrow()
      let isOfScene = Callback(rawValue: word)?.hook == .sceneDelegate
      if mode == .app && isOfScene || mode == .scene && Script.silent.contains(word) {
        throw key.error(expected: "a callback that exists with mode=\(mode.rawValue)")
      }
      handlers[word] = try Step.list(steps)
    }
  }

  /// Those that an app with scenes never gets.
  private static let silent: Set = [
    "applicationDidBecomeActive", "applicationWillResignActive", "applicationDidEnterBackground",
    "applicationWillEnterForeground", "applicationPerformActionForShortcutItem",
  ]

  /// The delegate of an app with these handlers; completion handlers are called at once unless a
  /// handler says when.
  func delegate() -> any ApplicationDelegate {
    let memory = Memory()
    return DelegateCall.delegate { call in
      let place = Place(
        application: call.application, memory: memory, scene: call.scene, complete: call.complete)
      if call.callback == .applicationDidFinishLaunching { listen(place) }
      if let steps = handlers[call.callback.rawValue] {
        place.run(steps)
      } else {
        call.complete?()
      }
    }
  }

  private func listen(_ place: Place) {
    if let steps = handlers["location"] { place.application.onLocation { place.run(steps) } }
    if let steps = handlers["notification-response"] {
      place.application.onNotificationResponse { _, complete in
        place.completing(complete).run(steps)
      }
    }

    if let steps = handlers["input"] {
      place.application.onInput { scene in
        var place = place
        place.scene = scene
        place.run(steps)
      }
    }
  }
}

/// What one process of a scripted app keeps: where a handler leaves what another one needs.
@MainActor
final class Memory {
  var tasks: [String: BackgroundTaskIdentifier] = [:]
  private var timers: [TimerPlace: AppTimer] = [:]

  /// A timer by its label and the number of its scene; `nil` of the app's own.
  private struct TimerPlace: Hashable {
    let label: String
    let scene: UInt32?
  }

  /// Keeps the timer that `scene`, or the app, has started last with a label.
  func keep(_ timer: AppTimer, _ label: String, of scene: Scene?) {
    timers[TimerPlace(label: label, scene: scene?.number)] = timer
  }

  /// Stops the timer that `scene` has started with a label, or else the app's own; a handler of the app
  /// without one stops those of all scenes.
  func stopTimer(_ label: String, of scene: Scene?) {
    let own = [scene?.number, nil].map { TimerPlace(label: label, scene: $0) }
    if let place = own.first(where: { timers[$0] != nil }) { return stopTimer(at: place) }
    if scene != nil { return }
    let places = timers.keys.filter { $0.label == label }
    for place in places.sorted(by: { $0.scene ?? 0 < $1.scene ?? 0 }) { stopTimer(at: place) }
  }

  private func stopTimer(at place: TimerPlace) {
    timers.removeValue(forKey: place)?.invalidate()
  }
}

/// Where a step runs.
@MainActor
struct Place {
  let application: Application
  let memory: Memory
  var scene: Scene?
  /// What calls the completion handler of the event that is handled.
  var complete: (@MainActor () -> Void)?

  /// The same place, where `complete` does something else.
  func completing(_ complete: @escaping @MainActor () -> Void) -> Place {
    var place = self
    place.complete = complete
    return place
  }

  func run(_ steps: [Step]) {
    // Code of a process that has died goes no further.
    for step in steps where application.isRunning { step.body(self) }
  }
}
