import Testing

/// What is told of tasks, snapshots, scenes and notifications.
struct AppLifeTests {
  private func told(_ short: String) throws -> String {
    let text = ConsoleText.consoleApp("10:00:00 Notes -5 32>0\n" + short)
    let all = try notation(of: text, app: "Notes")
    return all.split(separator: "\n").dropFirst(3).joined(separator: "\n")
  }

  @Test func aTaskHasItsNameAndItsHandler() throws {
    #expect(
      try told(
        """
        10:00:01 Notes Will add backgroundTask with taskName: sync, expirationHandler: <__NS: 0x1>
        10:00:01.1 Notes Will add backgroundTask with taskName: a, b, expirationHandler: (null)
        10:00:01.2 Notes Created background task <_UI: 0x1>: taskID = 4, taskName = a, b, creationTime = 1
        10:00:01.3 Notes Created background task <_UI: 0x1>: taskID = 3, taskName = sync, creationTime = 1
        10:00:02 Notes Ending background task with UIBackgroundTaskIdentifier: 3
        10:00:02 Notes Ending task with identifier 3 and description: <_UI: 0x1>: taskID = 3, taskName = sync
        10:00:03 Notes Created background task <_UI: 0x1>: taskID = 5, taskName = sync, creationTime = 1
        10:00:04 Notes Ending background task with UIBackgroundTaskIdentifier: 99
        """) == """
          1.2s      -     task.begin    task:4 "a, b" handler=false line=4
          1.3s      -     task.begin    task:3 "sync" handler=true line=5
          2s        -     task.end      task:3 line=6
          3s        -     task.begin    task:5 "sync" line=8
          4s        -     task.end      task:99 line=9
          """)
  }

  @Test func hiddenTasksAreNoLongerClaimed() throws {
    #expect(
      try told(
        """
        10:00:01 Notes Created background task <private>.
        10:00:02 Notes Ending background task with UIBackgroundTaskIdentifier: 1
        """) == """
          1s        -     profile       hooks=system clock=wall
          2s        -     task.end      task:1 line=3
          """)
  }

  @Test func aSnapshotHasADuration() throws {
    #expect(
      try told(
        """
        10:00:01 Notes Performing snapshot request 0x15b81c060 (type 1)
        10:00:01.04 Notes Snapshot request 0x15b81c060 complete
        """) == """
          1s        -     snapshot.begin app line=2
          1.04s     -     snapshot.end  app line=3
          """)
  }

  @Test func aSceneActionHasItsAllowance() throws {
    let scene = "[0x1:(FBSceneManager):sceneID:com.example.Notes-default]"
    #expect(
      try told(
        """
        10:00:01 SpringBoard \(scene) Sending scene action [Logical Activate][0x6d] to process 0x8 (watchdog: 19.97s)
        10:00:01.3 SpringBoard \(scene) Scene action [Logical Activate][0x6d] completed with success: 1
        """) == """
          1s        -     work.begin    other scene:1 "Logical Activate" 109 allowance=19.97s line=2
          1.3s      -     work.end      other scene:1 "Logical Activate" 109 line=3
          """)
  }

  @Test func scenesAreNumberedAsTheyAppear() throws {
    let gone = "Scene will invalidate: UIWindowScene: 0x1; scene identity: "
    let manager = "com.apple.frontboard.systemappservices/FBSceneManager:"
    #expect(
      try told(
        """
        10:00:01 Notes sceneOfRecord: sceneID: sceneID:com.example.notes-A  persistentID: A
        10:00:01 Notes sceneOfRecord: sceneID: sceneID:com.example.notes-B  persistentID: B
        10:00:02 Notes \(gone)\(manager)sceneID%3Acom.example.notes-B
        10:00:03 Notes \(gone)\(manager)sceneID%3Acom.example.notes-A
        """) == """
          2s        -     state         background->unattached scene:2 line=4
          3s        -     state         background->unattached scene:1 line=5
          """)
  }

  @Test func scenesOfOthersAreNotCounted() throws {
    #expect(
      try told(
        """
        10:00:00.1 Notes App with bundleID:com.example.notes is no longer foreground at time=1
        10:00:01 Notes sceneOfRecord: sceneID: sceneID:com.example.keyboard-A  persistentID: A
        10:00:03 Notes Scene will invalidate: UIWindowScene: 0x1; scene identity: sceneID%3Acom.example.notes-A
        """) == "3s        -     state         background->unattached scene:1 line=4")
  }

  @Test func aNotificationIsToldOnceHoweverManyObserversPrintIt() throws {
    #expect(
      try told(
        """
        10:00:01 Notes {"self":"0x1", "n":"0x2 {name = UIApplicationWillResignActiveNotification; object = <App: 0x1>}"}
        10:00:01.004 Notes {"self":"0x2", "n":"0x2 {name = UIApplicationWillResignActiveNotification; object = <App: 0x1>}"}
        10:00:02 Notes got 0x2 {name = UISceneDidActivateNotification; object = <UIWindowScene: 0x1>}
        10:00:03 Notes got 0x2 {name = UIApplicationProtectedDataDidBecomeAvailable}
        10:00:04 Notes got 0x2 {name = UIKeyboardWillShowNotification; object = <UIScreen: 0x1>}
        """) == """
          1s        -     notify        UIApplication.willResignActiveNotification app line=2
          2s        -     notify        UIScene.didActivateNotification line=4
          3s        -     notify        UIApplication.protectedDataDidBecomeAvailableNotification line=5
          """)
  }

  @Test func suspendingAndWakingAreTold() throws {
    #expect(
      try told(
        """
        10:00:01 runningboardd [app<com.example.Notes(7D1F)>:412] Suspending task.
        10:00:09 runningboardd [app<com.example.Notes(7D1F)>:412] Resuming task.
        """) == """
          1s        -     suspend       app line=2
          9s        -     resume        app line=3
          """)
  }

  @Test func warningsAreNotes() throws {
    #expect(
      try told(
        """
        10:00:01 assertiond [Notes:412] Sending background permission expiration warning!
        10:00:02 runningboardd Assertions for process will expire soon: [application<com.example.Notes>:412]
        10:00:03 SpringBoard [app<com.example.Notes>:412] Now flagged as pending exit for reason: jetsam
        """) == """
          1s        -     note          app "Sending background permission expiration warning!" line=2
          2s        -     note          app "Assertions for process will expire soon: \
          [application<com.example.Notes>:412]" line=3
          3s        -     note          app "Now flagged as pending exit for reason: jetsam" line=4
          """)
  }

  @Test func sceneObjectsDoNotSayTheMode() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes Not push traits update to screen for new style 1, <UIWindowScene: 0x1> (1B)
      10:00:01 Notes +0 0>1
      """)
    #expect(
      try notation(of: text).hasPrefix(
        "1s        -     profile       hooks=tasks,system clock=wall\n"))
  }
}
