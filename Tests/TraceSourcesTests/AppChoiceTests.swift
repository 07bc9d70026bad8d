import LifecycleModel
import Testing
import TraceSources

struct AppChoiceTests {
  @Test func anAppMayBeNamedInAnotherSpelling() throws {
    let text = ConsoleText.consoleApp("10:00:00 Notes -5 32>0\n10:00:01 Tunes -5 32>0\n")
    #expect(try notation(of: text, app: "notes") == notation(of: text, app: "Notes"))
    #expect(try notation(of: text, app: "TUNES").contains("line=2"))
  }

  private let two = ConsoleText.consoleApp(
    """
    10:00:00 Notes -5 32>0
    10:00:00.1 Notes sceneOfRecord: sceneID: sceneID:com.example.notes-default  persistentID: 1
    10:00:01 Chat +0 0>1
    10:00:01.1 Chat App with bundleID:org.example.chat is no longer foreground at time=1
    10:00:02 runningboardd [app<org.example.chat(7D)>:9] termination reported by launchd (0, 0, 0)
    """)

  private let notes = """
    0s        -     profile       hooks=tasks,system clock=wall
    0s        -     gap           source-hole -1 line=1
    0s        -     state         inactive->active app line=1
    """

  private let chat = """
    1s        -     profile       hooks=tasks,system clock=wall
    1s        -     gap           source-hole -1 line=3
    1s        -     state         active->inactive app line=3
    2s        -     exit          app status=0 pid=9 line=5
    """

  @Test func severalAppsAreAnErrorThatNamesThem() {
    #expect {
      _ = try notation(of: two)
    } throws: {
      "\($0)" == """
        line 3: expected the lifecycle lines of one app, found lines of "Notes" and of "Chat"; \
        pass --app with the process name or the bundle identifier
        """
    }
  }

  @Test(arguments: ["Notes", "com.example.notes"])
  func theAppIsChosenByProcessOrBundle(app: String) throws {
    #expect(try notation(of: two, app: app) == notes)
  }

  @Test(arguments: ["Chat", "org.example.chat"])
  func theOtherAppIsChosenByProcessOrBundle(app: String) throws {
    #expect(try notation(of: two, app: app) == chat)
  }

  @Test func anAppThatDoesNotAppearIsAnErrorThatListsTheProcesses() {
    #expect {
      _ = try notation(of: two, app: "Mail")
    } throws: {
      "\($0)" == """
        expected lines about "Mail", found only "org.example.chat", "Chat", "Notes", \
        "runningboardd"; pass --app with the process name or the bundle identifier
        """
    }
  }

  @Test(arguments: [("note", "Notes"), ("org.example.chats", "org.example.chat")])
  func anAppThatIsMisspeltIsAnErrorThatNamesTheNearest(app: String, near: String) {
    #expect {
      _ = try notation(of: two, app: app)
    } throws: {
      "\($0)".hasSuffix("\"Notes\", \"runningboardd\"; did you mean \"\(near)\"?")
    }
  }

  @Test func textThatNamesNoProcessIsNotTheMisspeltApp() {
    #expect {
      _ = try notation(
        of: "10:00:00.1  saved\n10:00:00.2  kernel: killing_specific_process pid 9 [Notes] 8KB\n",
        app: "Nots")
    } throws: {
      "\($0)" == "expected lines about \"Nots\", found only \"Notes\", \"kernel\"; "
        + "did you mean \"Notes\"?"
    }
  }

  @Test func ofManyProcessesTheFirstAreListed() {
    let lines = (1...14).map { "10:00:\($0 + 10) App\($0) hello" }.joined(separator: "\n")
    #expect {
      _ = try notation(of: ConsoleText.consoleApp(lines), app: "Mail")
    } throws: {
      "\($0)".contains("\"App4\", \"App5\" and 4 more; pass --app")
    }
  }

  @Test func whatOnlyTheSystemSpeaksOfHasToBeNamed() throws {
    let one = ConsoleText.consoleApp(
      "10:00:00 runningboardd [osservice<com.example.wall>:9] termination reported by launchd (2, 9, 9)"
    )
    #expect {
      _ = try notation(of: one)
    } throws: {
      "\($0)".hasSuffix(
        "found lines about \"com.example.wall\"; pass --app \"com.example.wall\"")
    }

    #expect(
      try notation(of: one, app: "com.example.wall")
        .hasSuffix("kill          app code=0x9 namespace=SIGNAL pid=9 line=1"))
    let killed = "kernel memorystatus: killing_specific_process pid"
    let several = ConsoleText.consoleApp(
      "10:00:00 \(killed) 9 [Chat] (highwater 10 1s) 8KB\n10:00:09 \(killed) 8 [Notes] (highwater 10 1s) 8KB"
    )
    #expect {
      _ = try notation(of: several)
    } throws: {
      "\($0)".hasSuffix("found lines about \"Chat\", \"Notes\"; pass --app with one of them")
    }
  }

  @Test func anAppWithoutLifecycleLinesIsAnErrorThatSaysSo() {
    #expect {
      _ = try notation(of: ConsoleText.consoleApp("10:00:00 Mail hello"), app: "Mail")
    } throws: {
      "\($0)" == """
        expected lifecycle lines of "Mail", such as "Deactivation reason added", found only other \
        lines about it; capture while the app starts and stops, without a message filter
        """
    }
  }

  @Test func aCaptureWithoutLifecycleLinesIsAnError() {
    let text = ConsoleText.consoleApp("10:00:00 locationd nothing of interest")
    #expect {
      _ = try notation(of: text)
    } throws: {
      ($0 as? SourceError)?.code == .appNotFound
    }
  }

  @Test func theOnlyAppThatTheSystemSpeaksOfIsTheApp() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 assertiond [Notes:12] Sending background permission expiration warning!
      10:00:05 assertiond [Notes:12] Forcing crash report with description: Notes:12 has active ones
      """)

    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=system clock=wall
        0s        -     gap           source-hole -1 line=1
        0s        -     note          app "Sending background permission expiration warning!" line=1
        5s        -     note          app "Forcing crash report with description: Notes:12 has \
        active ones" line=2
        """)
  }

  @Test func aRequestForALaunchIsNoEvent() {
    let request = ConsoleText.consoleApp(
      "10:00:00 SpringBoard Sending launch request: <RBSLaunchRequest| app<com.example.notes>; x>")
    #expect {
      _ = try notation(of: request)
    } throws: {
      ($0 as? SourceError)?.code == .appNotFound
    }
  }

  @Test func theSystemSpeaksOfOtherAppsToo() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 runningboardd Now tracking process: [app<org.example.chat(7D)>:9]
      10:00:00.1 runningboardd Now tracking process: [app<com.example.notes(7D)>:10]
      10:00:00.2 Runner +10 0>1024
      10:00:00.3 Runner sceneOfRecord: sceneID: sceneID:com.example.notes-default  persistentID: 1
      10:00:00.4 runningboardd [app<org.example.chat(7D)>:9] Suspending task.
      """)

    #expect(
      try notation(of: text) == """
        100ms     -     profile       hooks=tasks,system clock=wall
        100ms     -     process.start app pid=10 launch=unknown bundle=com.example.notes line=2
        200ms     -     state         notRunning->inactive app line=3
        """)
  }
}
