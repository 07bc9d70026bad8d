import Testing

/// What UIKit's mask tells about a launch.
struct LaunchTests {
  @Test func aColdLaunchBecomesActive() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes +10 0>1024
      10:00:00.2 Notes +11 1024>3072
      10:00:00.3 Notes -10 3072>2048
      10:00:00.4 Notes +5 2048>2080
      10:00:01 Notes -11 2080>32
      10:00:01.5 Notes -5 32>0
      """)

    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=tasks,system clock=wall
        0s        -     process.start app launch=unknown line=1
        0s        -     state         notRunning->inactive app line=1
        1.5s      -     state         inactive->active app line=6
        """)
  }

  @Test func aLaunchWithALostLineIsStillALaunch() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes +10 0>1024
      10:00:02 Notes +12 2080>6176
      10:00:02.1 Notes -11 6176>4128
      10:00:02.2 Notes -12 4128>32
      10:00:02.3 Notes -5 32>0
      """)

    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=tasks,system clock=wall
        0s        -     process.start app launch=unknown line=1
        0s        -     state         notRunning->inactive app line=1
        2s        -     gap           source-hole -1 line=2
        2.3s      -     state         inactive->active app line=5
        """)
  }

  @Test func theSystemSaysWhenAProcessStartsAndWhy() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 SpringBoard Bootstrapping app<com.example.notes> with intent foreground-interactive
      10:00:00.1 runningboardd Now tracking process: [app<com.example.notes(7D1F)>:412]
      10:00:00.2 runningboardd [app<com.example.notes(7D1F)>:412] Resuming task.
      10:00:00.3 SpringBoard [app<com.example.notes>:412] Bootstrap success!
      10:00:00.4 Notes +10 0>1024
      10:00:00.41 Notes sceneOfRecord: sceneID: sceneID:com.example.notes-default  persistentID: 1
      10:00:01.5 Notes -10 1024>0
      """)

    #expect(
      try notation(of: text) == """
        100ms     -     profile       launch=user hooks=tasks,system clock=wall
        100ms     -     process.start app pid=412 launch=user bundle=com.example.notes line=2
        400ms     -     state         notRunning->inactive app line=5
        1.5s      -     state         inactive->active app line=7
        """)
  }

  @Test func aSecondProcessOfWhichOnlyTheSystemSpeaksIsTold() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 assertiond [Notes:12] Sending background permission expiration warning!
      10:00:05 assertiond [Notes:12] Forcing crash report with description: Notes:12 has active assertions beyond permitted time
      10:09:00 SpringBoard Bootstrapping com.example.Notes with intent background
      10:09:36 assertiond [Notes:20] Sending background permission expiration warning!
      10:09:41 assertiond [Notes:20] Forcing crash report with description: Notes:20 has active assertions beyond permitted time
      """)

    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=system clock=wall
        0s        -     gap           source-hole -1 line=1
        0s        -     note          app "Sending background permission expiration warning!" line=1
        5s        -     kill          app reason="Notes:12 has active assertions beyond permitted \
        time" pid=12 line=2
        540s      -     profile       launch=unknown hooks=system clock=wall
        540s      -     process.start app pid=20 launch=unknown bundle=com.example.Notes line=3
        576s      -     note          app "Sending background permission expiration warning!" line=4
        581s      -     kill          app reason="Notes:20 has active assertions beyond permitted \
        time" line=5
        """)
  }

  @Test func aLaunchInTheBackgroundIsNoForegroundLaunch() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 SpringBoard Bootstrapping app<com.example.Notes> with intent background
      10:00:00.1 runningboardd Now tracking process: [app<com.example.Notes(7D1F)>:412]
      10:00:00.4 Notes +10 0>1024
      10:00:00.5 Notes +11 1024>3072
      10:00:00.6 Notes -10 3072>2048
      10:00:09 runningboardd [app<com.example.Notes(7D1F)>:412] Suspending task.
      10:01:00 runningboardd [app<com.example.Notes(7D1F)>:412] Resuming task.
      10:01:01 Notes -11 2048>0
      """)

    #expect(
      try notation(of: text) == """
        100ms     -     profile       launch=unknown hooks=tasks,system clock=wall
        100ms     -     process.start app pid=412 launch=unknown bundle=com.example.Notes line=2
        400ms     -     state         notRunning->background app line=3
        9s        -     suspend       app line=6
        60s       -     resume        app line=7
        61s       -     state         background->inactive app line=8
        61s       -     state         inactive->active app line=8
        """)
  }

  @Test func aSuspendedLaunchHasStayedInTheBackground() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00.4 Notes +10 0>1024
      10:00:00.5 Notes +11 1024>3072
      10:00:00.6 Notes -10 3072>2048
      10:00:09 runningboardd [app<com.example.Notes(7D1F)>:412] Suspending task.
      """)

    #expect(
      try notation(of: text).hasSuffix(
        """
        8.6s      -     state         inactive->background app line=4
        8.6s      -     suspend       app line=4
        """))
  }

  @Test func aTaskBegunBeforeTheFirstSignBelongsToTheNewProcess() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes Created background task <_UI: 0x1>: taskID = 1, taskName = a, creationTime = 1
      10:00:01 Notes Created background task <_UI: 0x1>: taskID = 2, taskName = b, creationTime = 1
      10:00:02 Notes Ending background task with UIBackgroundTaskIdentifier: 1
      10:00:03 Notes +10 0>1024
      """)

    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=tasks,system clock=wall
        0s        -     process.start app launch=unknown line=1
        0s        -     task.begin    task:1 "a" line=1
        1s        -     task.begin    task:2 "b" line=2
        2s        -     task.end      task:1 line=3
        3s        -     state         notRunning->inactive app line=4
        """)
  }

  @Test func aSecondLaunchIsASecondProcessWithNumbersOfItsOwn() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes +10 0>1024
      10:00:01 Notes Created background task <_UI: 0x1>: taskID = 1, taskName = a, creationTime = 1
      10:00:02 Notes Scene will invalidate: UIWindowScene: 0x1; scene identity: sceneID%3Ax.n-default
      10:00:10 Notes +10 0>1024
      10:00:11 Notes Created background task <_UI: 0x1>: taskID = 1, taskName = a, creationTime = 1
      10:00:12 Notes Ending background task with UIBackgroundTaskIdentifier: 1
      10:00:13 Notes Scene will invalidate: UIWindowScene: 0x1; scene identity: sceneID%3Ax.n-default
      """)

    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=tasks,system clock=wall
        0s        -     process.start app launch=unknown bundle=x.n line=1
        0s        -     state         notRunning->inactive app line=1
        1s        -     task.begin    task:1 "a" line=2
        2s        -     state         background->unattached scene:1 line=3
        10s       -     process.start app launch=unknown bundle=x.n line=4
        10s       -     state         notRunning->inactive app line=4
        11s       -     task.begin    task:2 "a" line=5
        12s       -     task.end      task:2 line=6
        13s       -     state         background->unattached scene:2 line=7
        """)
  }

  @Test func aLaunchAfterALateBeginningIsANewProcess() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes -5 32>0
      10:00:09 Notes +10 0>1024
      """)

    #expect(
      try notation(of: text).hasSuffix(
        """
        0s        -     state         inactive->active app line=1
        9s        -     process.start app launch=unknown line=2
        9s        -     state         notRunning->inactive app line=2
        """))
  }

  @Test func anotherProcessNumberIsAnotherProcess() throws {
    let text =
      ConsoleText.compact("10:00:00 Notes -5 32>0", pid: 412)
      + ConsoleText.compact("10:00:05 Notes +5 0>32", pid: 500)
    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=tasks,system clock=wall
        0s        -     gap           source-hole -1 line=1
        0s        -     state         inactive->active app line=1
        5s        -     gap           source-hole -1 line=2
        5s        -     process.start app pid=500 launch=unknown line=2
        5s        -     state         active->inactive app line=2
        """)
  }
}
