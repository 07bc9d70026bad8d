import Editor
import LifecycleModel
import Testing
import TraceTestSupport
import TraceText

@Suite struct EditorTests {
  private static let profile = Profile(mode: .scene, hooks: [.sceneDelegate, .work, .data, .tasks])

  /// What is recorded while a window is opened, typed into and left, and one comes back to it.
  private func visit(forgetsTimer: Bool = false) throws -> Trace {
    let recording = try TestRecording(Self.profile)
    recording.asMainThread {
      let editor = Editor(scene: 1, recorder: recording.recorder)
      editor.forgetsTimer = forgetsTimer
      goHome(editor)
      editor.sceneWillEnterForeground()
      editor.sceneDidBecomeActive()
      editor.secondPassed()
    }
    return try recording.trace()
  }

  private func goHome(_ editor: Editor) {
    editor.sceneWillEnterForeground()
    editor.sceneDidBecomeActive()
    editor.type()
    editor.sceneWillResignActive()
    editor.secondPassed()
    editor.sceneDidEnterBackground()
    editor.secondPassed()
  }

  @Test func theTimerStopsWithTheScene() throws {
    let trace = try visit()
    expect(trace, satisfies: "work-timer-while-inactive")
    expectNothingFound(in: trace)
  }

  @Test func whatWasTypedIsSavedBeforeTheBackground() throws {
    expect(try visit(), satisfies: "data-dirty-at-background")
  }

  /// The bug that the first test is there for, and that it would find it.
  @Test func aForgottenTimerIsFound() throws {
    expect(try visit(forgetsTimer: true), violates: "work-timer-while-inactive")
  }

  /// A trace that a user sent, in the notation that `tracectl dump` prints.
  @Test func theReportedTraceIsClean() throws {
    let trace = try TraceNotation.parse(
      """
      0s - profile mode=scene hooks=scene-delegate,work
      1s main call sceneDidBecomeActive scene:1
      2s main work timer scene:1 "autosave"
      3s main call sceneWillResignActive scene:1
      3.1s main return sceneWillResignActive scene:1
      4s main call sceneDidEnterBackground scene:1
      """)
    expect(trace, satisfies: "resign-before-background", "work-timer-while-inactive")
  }
}
