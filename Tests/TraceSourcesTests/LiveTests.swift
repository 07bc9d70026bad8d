import LifecycleModel
import Testing
import TraceSources

/// A live pipe: lines come in bursts, and what is known goes out when they pause.
struct LiveTests {
  private var source = ConsoleSource()
  private var events: [Event] = []

  private mutating func type(_ short: String) throws -> String {
    events = []
    try source.take(ArraySlice(ConsoleText.consoleApp(short).utf8), into: &events)
    return print(events, source.vocabulary)
  }

  private mutating func pause() throws -> String {
    events = []
    try source.flush(into: &events)
    return print(events, source.vocabulary)
  }

  @Test mutating func aPauseLetsHeldBackEventsGo() throws {
    #expect(try type("10:00:00 Notes -5 32>0") == "")
    #expect(
      try pause() == """
        0s        -     profile       process=Notes hooks=tasks,system clock=wall
        0s        -     gap           source-hole -1 line=1
        0s        -     state         inactive->active app line=1
        """)
    #expect(try type("10:00:05 Notes +0 0>1") == "")
    #expect(try pause() == "5s        -     state         active->inactive app line=2")
    #expect(try pause() == "")
  }

  @Test mutating func eventsGoOutByThemselvesAfterASecondOfTheInputsTime() throws {
    // The form is known after some lines, or at the first pause.
    #expect(try type("10:00:00 backboardd hello") == "")
    #expect(try pause() == "")
    #expect(try type("10:00:00 Notes -5 32>0\n10:00:00.5 Notes +0 0>1") == "")
    #expect(try type("10:00:01 Notes -0 1>0") == "")
    #expect(
      try type("10:00:02.2 Notes +0 0>1\n10:00:02.3 Notes hello") == """
        0s        -     profile       process=Notes hooks=tasks,system clock=wall
        0s        -     gap           source-hole -1 line=2
        0s        -     state         inactive->active app line=2
        500ms     -     state         active->inactive app line=3
        1s        -     state         inactive->active app line=4
        """)
  }

  @Test mutating func nothingIsToldBeforeTheAppIsKnown() throws {
    _ = try type("10:00:00 runningboardd Now tracking process: [app<com.example.Notes(7D)>:412]")
    #expect(try pause() == "")
    _ = try type("10:00:01 Notes +10 0>1024")
    #expect(
      try pause() == """
        0s        -     profile       process=Notes hooks=tasks,system clock=wall
        0s        -     process.start app pid=412 launch=unknown bundle=com.example.Notes line=1
        1s        -     state         notRunning->inactive app line=2
        """)
  }

  @Test mutating func aHalfLineWaitsForItsRest() throws {
    let line = ConsoleText.consoleApp("10:00:00 Notes -5 32>0").utf8
    try source.take(ArraySlice(line.prefix(60)), into: &events)
    #expect(try pause() == "")
    try source.take(ArraySlice(line.dropFirst(60)), into: &events)
    #expect(try pause().hasSuffix("state         inactive->active app line=1"))
  }

  @Test mutating func aThousandFactsDoNotWaitForAStart() throws {
    let tasks = (1...300).map {
      "10:00:\($0 / 10 + 10) Notes Ending background task with UIBackgroundTaskIdentifier: \($0)"
    }
    source = ConsoleSource(options: .init(app: "Notes"))
    let told = try type(tasks.joined(separator: "\n"))
    #expect(
      told.hasPrefix("0s        -     profile       process=Notes hooks=tasks,system clock=wall\n"))
    #expect(told.split(separator: "\n").dropFirst().first?.contains("gap ") == true)
  }
}
