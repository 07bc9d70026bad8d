import Testing

/// Messages whose words mislead: none of them is an event.
struct FalseFriendTests {
  private let active = "10:00:00 Notes -5 32>0\n"
  private let told = """
    0s        -     profile       hooks=tasks,system clock=wall
    0s        -     gap           source-hole -1 line=1
    0s        -     state         inactive->active app line=1
    """

  @Test(arguments: [
    "App transitioned to background, suspending HangTracing.",
    "App transitioned to foreground, resuming HangTracing.",
    "com.example.notes(412) invalidateConnection (appDidSuspend)",
    "Received state update for 412 (app<com.example.notes(7D1F)>, unknown-NotVisible",
    "Ignoring already applied deactivation reason: 5; deactivation reasons: 2080",
    "Send setDeactivating: N (-DeactivationReason:SuspendedEventsOnly)",
    "animating application lifecycle event: 1",
    "Creating new background assertion",
    "Will invalidate assertion: <BKSProcessAssertion: 0x1> for task identifier: 3",
    "App will end the Background Task 3 (sync) itself",
    "Snapshotting a view (0x1, UIView) that is not in a visible window requires afterScreenUpdates",
    "a note that quotes: Deactivation reason added: 11; deactivation reasons: 0 -> 2048;",
  ])
  func theAppSaysNoEvent(message: String) throws {
    let text = ConsoleText.consoleApp(active + "10:00:01 Notes \(message)")
    #expect(try notation(of: text) == told)
  }

  @Test(arguments: [
    "SpringBoard [sceneID:com.example.Notes-default] Setting deactivation reasons to: '(none)'",
    "SpringBoard [0x1:(FBSceneManager):sceneID:com.example.Notes-default] Scene lifecycle state "
      + "did change: Foreground",
    "CommCenter Received state update for 412 (app<com.example.Notes(7)>, running-active-Visible",
    "runningboardd [app<com.example.Other(7)>:99] Suspending task.",
    "SpringBoard Termination of the animation",
  ])
  func theSystemSaysNoEvent(line: String) throws {
    let text = ConsoleText.consoleApp(active + "10:00:01 \(line)")
    #expect(try notation(of: text) == told)
  }

  @Test func reasonElevenDuringALaunchIsNoBackgroundEntry() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes +10 0>1024
      10:00:01 Notes +11 1024>3072
      10:00:02 Notes -10 3072>2048
      """)
    #expect(try !notation(of: text).contains("background"))
  }
}
