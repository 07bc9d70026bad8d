import LifecycleModel
import TraceRecorder

/// A document in a window: it saves itself by a timer while its scene is active.
///
/// It states what happens to it to a recorder; in the app that is `Recorder.shared`.
public final class Editor {
  private let recorder: Recorder
  private let scene: Subject
  private var isAutosaving = false
  private var isDirty = false
  /// Whether the timer is left on when the scene resigns, as it once was.
  public var forgetsTimer = false

  /// Makes the editor of the window with this number.
  public init(scene: UInt32, recorder: Recorder = .shared) {
    self.scene = .scene(scene)
    self.recorder = recorder
    recorder.callback(.sceneWillConnect, self.scene) {}
  }

  /// The scene delegate's callback.
  public func sceneWillEnterForeground() { recorder.callback(.sceneWillEnterForeground, scene) {} }

  /// The scene delegate's callback.
  public func sceneDidBecomeActive() {
    recorder.callback(.sceneDidBecomeActive, scene) { isAutosaving = true }
  }

  /// The scene delegate's callback.
  public func sceneWillResignActive() {
    recorder.callback(.sceneWillResignActive, scene) {
      if !forgetsTimer { isAutosaving = false }
      save()
    }
  }

  /// The scene delegate's callback.
  public func sceneDidEnterBackground() { recorder.callback(.sceneDidEnterBackground, scene) {} }

  /// The user types.
  public func type() {
    recorder.work(.input, scene, "key")
    recorder.dirty("draft", scene)
    isDirty = true
  }

  /// A second has passed: the run loop fires the timer, when it is on.
  public func secondPassed() {
    guard isAutosaving else { return }
    recorder.work(.timer, scene, "autosave")
    save()
  }

  private func save() {
    guard isDirty else { return }
    recorder.working(.save, scene, "draft") { isDirty = false }
    recorder.saved("draft", scene)
  }
}
