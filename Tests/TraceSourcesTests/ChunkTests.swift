import LifecycleModel
import Testing

@testable import TraceSources

/// The same bytes give the same events, however they arrive, and no bytes do harm.
struct ChunkTests {
  private let capture = ConsoleText.consoleApp(
    """
    10:00:00 SpringBoard Bootstrapping app<com.example.Notes> with intent foreground-interactive
    10:00:00.1 runningboardd Now tracking process: [app<com.example.Notes(7D)>:412]
    10:00:00.4 Notes +10 0>1024
    10:00:00.5 Notes a list of
      things, and of
    \tother things
    10:00:00.6 Notes -10 1024>0
    10:00:01 Notes Created background task <_UI: 0x1>: taskID = 1, taskName = ä, creationTime = 1
    10:00:01.5 Notes got 0x2 {name = UIApplicationDidBecomeActiveNotification; object = <A: 0x1>}
    10:00:02 Notes Scene will invalidate: UIWindowScene: 0x1; scene identity: sceneID%3Ax.n-default
    10:00:03 runningboardd [app<com.example.Notes(7D)>:412] termination reported by launchd (2, 9, 9)
    """)

  @Test(arguments: [1, 2, 3, 17, 64, 1000])
  func theChunksMakeNoDifference(chunk: Int) throws {
    #expect(try notation(of: capture, chunk: chunk) == notation(of: capture))
  }

  @Test func aCaptureCutAtAnyByteTellsAPartOfTheSame() throws {
    let whole = try notation(of: capture).split(separator: "\n")
    let bytes = Array(capture.utf8)
    for length in bytes.indices {
      var source = ConsoleSource()
      var events: [Event] = []
      try source.take(bytes[..<length], into: &events)
      // An end before the app is known is an error, and nothing else is.
      do { try source.finish(into: &events) } catch { #expect(error is SourceError) }
      // What the profile may claim depends on all lines.
      let told = print(events, source.vocabulary).split(separator: "\n")
        .filter { !$0.contains(" profile ") }
      // A half line can still be a message: only what whole lines say must be the same.
      #expect(told.dropLast().allSatisfy { whole.contains($0) }, "cut after \(length) bytes")
    }
  }

  @Test func linesWithoutAPrefixBelongToTheRecordBefore() throws {
    let tally = try tally(of: capture)
    #expect(tally.lines == 11)
    #expect(tally.records == 9)
    #expect(tally.joined == 2)
  }

  @Test func linesBeforeTheFirstRecordAreSkipped() throws {
    let tally = try tally(of: "copied from the console\n\n" + capture)
    #expect(tally.skipped == 2)
    #expect(tally.records == 9)
  }

  @Test func aRecordOfAMillionLinesIsCutOff() throws {
    let flood = String(repeating: " and more\n", count: 1_000_000)
    let tally = try tally(of: capture + flood)
    #expect(tally.joined < 10_000)
    #expect(tally.joined + tally.cut == 1_000_002)
  }

  @Test func aLineThatIsTooLongIsAHole() throws {
    let long = String(repeating: "x", count: LineSplitter.maximumLength + 1) + "\n"
    let text = ConsoleText.consoleApp("10:00:00 Notes -5 32>0") + long
    #expect(try notation(of: text).hasSuffix("0s        -     gap           source-hole 1 line=2"))
  }

  @Test func anIdentifierBeyond32BitsGetsAFreeNumber() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes Created background task <_UI>: taskID = 5000000000, taskName = a, creationTime = 1
      10:00:01 Notes Created background task <_UI>: taskID = 4294967295, taskName = b, creationTime = 1
      10:00:02 Notes Created background task <_UI>: taskID = 5000000001, taskName = c, creationTime = 1
      10:00:03 Notes Ending background task with UIBackgroundTaskIdentifier: 5000000000
      """)

    let told = try notation(of: text, app: "Notes").split(separator: "\n").dropFirst(2)
    #expect(
      told.joined(separator: "\n") == """
        0s        -     task.begin    task:1 "a" line=1
        1s        -     task.begin    task:4294967295 "b" line=2
        2s        -     task.begin    task:2 "c" line=3
        3s        -     task.end      task:1 line=4
        """)
  }
}
