import Testing

/// UIKit's sentences about background tasks, and the numbers that it gives them.
struct TaskWordsTests {
  private func told(_ short: String) throws -> String {
    let text = ConsoleText.consoleApp("10:00:00 Notes -5 32>0\n" + short)
    let all = try notation(of: text, app: "Notes")
    return all.split(separator: "\n").dropFirst(3).joined(separator: "\n")
  }

  private func created(_ id: Int) -> String {
    "Created background task <_UI: 0x1>: taskID = \(id), taskName = t\(id), creationTime = 1"
  }

  @Test func aTaskThatIsOpenTooLongIsSaidOfIt() throws {
    #expect(
      try told(
        """
        10:00:01 Notes \(created(3))
        10:00:31 Notes Background Task 3 ("t3"), was created over 30 seconds ago. In applications running in the background, this creates a risk of termination.
        10:00:40 Notes Background task still not ended after expiration handlers were called: <_UIBackgroundTaskInfo: 0x1>: taskID = 3, taskName = t3, creationTime = 70784 (elapsed = 39). This app will likely be terminated by the system.
        """) == """
          1s        -     task.begin    task:3 "t3" line=2
          31s       -     note          task:3 "created over 30s ago and still open" warning=overdue line=3
          40s       -     note          task:3 "still open after the expiration handlers were called" warning=expired line=4
          """)
  }

  @Test func anOpenTaskWhoseBeginWasNotPrintedHasBegun() throws {
    #expect(
      try told(
        """
        10:00:31 Notes Background Task 3 (“Saving, library”), was created over 30 seconds ago. In …
        """) == """
          31s       -     gap           source-hole -1 line=2
          31s       -     task.begin    task:3 "Saving, library" elapsed=30s line=2
          31s       -     note          task:3 "created over 30s ago and still open" warning=overdue line=2
          """)
  }

  @Test func aSentenceThatWasWrappedIsWhole() throws {
    #expect(
      try told(
        """
        10:00:31 Notes Background Task 3 ("Called by Notes,
        |from save()"), 
        |was created over 30 seconds ago.
        10:00:40 Notes Background task still not ended after expiration handlers were called: <_UI: 0x1>: taskID = 3, taskName = Called by Notes, 
        |from save(), creationTime = 70784
        |(elapsed = 39). This app will likely be terminated by the system.
        """) == """
          31s       -     gap           source-hole -1 line=2
          31s       -     task.begin    task:3 "Called by Notes, from save()" elapsed=30s line=2
          31s       -     note          task:3 "created over 30s ago and still open" warning=overdue line=2
          40s       -     note          task:3 "still open after the expiration handlers were called" warning=expired line=5
          """)
  }

  @Test func anEndThatUIKitRefusesIsAnEndAllTheSame() throws {
    let words =
      "Can't end BackgroundTask: no background task exists with identifier 9 (0x9), or it "
    #expect(
      try told(
        """
        10:00:01 Notes Ending background task with UIBackgroundTaskIdentifier: 9
        10:00:01.1 Notes \(words)may have already been ended.
        10:00:09 Notes \(words.replacing("BackgroundTask:", with: "BackgroundTask :"))may have.
        10:00:10 Notes Can't end the day: no background light
        """) == """
          1s        -     task.end      task:9 line=2
          1.1s      -     note          task:9 "\(words)may have already been ended." warning=refused line=3
          9s        -     task.end      task:9 line=4
          9s        -     note          task:9 "\(words.replacing("BackgroundTask:", with: "BackgroundTask :"))may have." warning=refused line=4
          """)
  }

  @Test func theDescriptionOfATaskIsItsEndWhenNothingElseSaysIt() throws {
    #expect(
      try told(
        """
        10:00:01 Notes \(created(3))
        10:00:02 Notes Ending task with identifier 3 and description: <_UI: 0x1>: taskID = 3, taskName = t3
        10:00:03.1 Notes Ending task with identifier 3 and description: <_UI: 0x1>: taskID = 3, taskName = t3
        """) == """
          1s        -     task.begin    task:3 "t3" line=2
          2s        -     task.end      task:3 line=3
          """)
  }

  @Test func aJumpInTheNumbersIsAHole() throws {
    #expect(
      try told(
        """
        10:00:01 Notes \(created(3))
        10:00:02 Notes \(created(5))
        10:00:02.1 Notes \(created(4))
        10:00:03 Notes \(created(8))
        10:00:09 Notes \(created(9))
        10:00:10 Notes \(created(6))
        """) == """
          1s        -     task.begin    task:3 "t3" line=2
          2s        -     task.begin    task:5 "t5" line=3
          2.1s      -     task.begin    task:4 "t4" line=4
          3s        -     gap           source-hole -1 line=5
          3s        -     task.begin    task:8 "t8" line=5
          9s        -     task.begin    task:9 "t9" line=6
          10s       -     task.begin    task:6 "t6" line=7
          """)
  }

  @Test func whereIdentifiersAreHiddenAJumpIsNoHole() throws {
    let told = try told(
      """
      10:00:01 Notes \(created(3))
      10:00:02 Notes Created background task <private>.
      10:00:03 Notes \(created(5))
      """)
    #expect(!told.contains("gap"))
  }

  @Test func theFirstTaskOfALaunchIsNumberOne() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes +10 0>1024
      10:00:01 Notes \(created(2))
      """)

    #expect(
      try notation(of: text).hasSuffix(
        """
        1s        -     gap           source-hole -1 line=2
        1s        -     task.begin    task:2 "t2" line=2
        """))
  }

  @Test func theNumberOneAgainIsAnotherProcess() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes +10 0>1024
      10:00:01 Notes \(created(1))
      10:05:00 Notes \(created(1))
      10:05:03 Notes +10 0>1024
      """)

    #expect(
      try notation(of: text).hasSuffix(
        """
        1s        -     task.begin    task:1 "t1" line=2
        300s      -     process.start app launch=unknown line=3
        300s      -     task.begin    task:2 "t1" line=3
        303s      -     state         notRunning->inactive app line=4
        """))
  }
}
