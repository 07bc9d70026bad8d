#if canImport(UIKit) && !os(watchOS)
  import LifecycleModel
  import TraceRecorder
  import UIKit

  /// The states as UIKit gives them: a change is stated when it is first seen.
  @MainActor
  final class StateWatch {
    private let recorder: Recorder
    private let numbers: SubjectNumbers
    /// The app's state at the last look.
    private(set) var app = AppState.notRunning
    private var scenes: [UInt32: SceneActivation] = [:]

    init(_ recorder: Recorder, _ numbers: SubjectNumbers) {
      (self.recorder, self.numbers) = (recorder, numbers)
    }

    /// Looks at the app and its scenes, and at one that may not be connected any more.
    func look(_ application: UIApplication?, _ departing: UIScene? = nil) {
      guard let application else { return }
      var connected = application.connectedScenes
      if let departing { connected.insert(departing) }
      let numbered = connected.map { (number: numbers.number(of: $0), scene: $0) }
      for (number, scene) in numbered.sorted(by: { $0.number < $1.number }) {
        look(number, SceneActivation(scene.activationState))
      }

      let now = AppState(application.applicationState)
      guard now != app else { return }
      recorder.record(.state, name: Transition(app, now).text, subject: .app)
      app = now
    }

    private func look(_ number: UInt32, _ activation: SceneActivation) {
      let before = scenes[number] ?? .unattached
      guard before != activation else { return }
      recorder.record(
        .state, name: Transition(before, activation).text, subject: .scene(number))
      scenes[number] = activation
    }
  }

  extension AppState {
    init(_ state: UIApplication.State) {
      switch state {
      case .active: self = .active
      case .inactive: self = .inactive
      case .background: self = .background
      @unknown default: self = .background
      }
    }
  }

  extension SceneActivation {
    init(_ state: UIScene.ActivationState) {
      switch state {
      case .unattached: self = .unattached
      case .foregroundActive: self = .foregroundActive
      case .foregroundInactive: self = .foregroundInactive
      case .background: self = .background
      @unknown default: self = .unattached
      }
    }
  }
#endif
