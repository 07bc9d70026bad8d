import LifecycleModel
import Testing
import TraceSources

/// Captures that are torn, cut or told twice: nothing is invented, and what is wrong is said.
@Suite struct DamagedCaptureTests {
  private static func row(_ time: String, _ process: String, _ message: String) -> String {
    "Nov 22 \(time) \(process) <Notice>: \(message)\n"
  }

  private static let notes = "[app<com.example.notes(7D)>:412]"

  /// A launch and an end.
  private static let first = [
    row("10:00:00.100000", "runningboardd[31]", "Now tracking process: \(notes)"),
    row(
      "10:00:00.300000", "Notes(UIKitCore)[412]",
      "Deactivation reason added: 10; deactivation reasons: 0 -> 1024; animating application "
        + "lifecycle event: 0"),
    row("10:00:20.000000", "runningboardd[31]", "\(notes) Suspending task."),
    row(
      "10:00:40.000000", "runningboardd[31]", "\(notes) termination reported by launchd (2, 9, 9)"),
  ]

  /// The next launch.
  private static let second = [
    row(
      "10:01:30.000000", "runningboardd[31]",
      "Now tracking process: [app<com.example.notes(8E)>:431]"),
    row(
      "10:01:30.200000", "Notes(UIKitCore)[431]",
      "Deactivation reason added: 10; deactivation reasons: 0 -> 1024; animating application "
        + "lifecycle event: 0"),
  ]

  @Test func aBracketOfLaunchdThatNamesNoJobSaysNothing() throws {
    let damaged = Self.row(
      "10:00:10.000000", "launchd[1]", "[412]:] exited due to SIGKILL, ran for 9s")
    let text = Self.first.joined()
    #expect(try notation(of: text + damaged, app: "Notes") == notation(of: text, app: "Notes"))
  }

  @Test func wordsInThePlaceOfABundleNameNoApp() throws {
    let text =
      Self.row(
        "10:00:00.000000", "SpringBoard[50]",
        "[FBSystemService][0xc652] Received request to open \"<bundle>\" from nsurlsessiond:94.")
      + Self.row(
        "10:00:05.000000", "assertiond[51]",
        "[Notes:412] Forcing crash report with description: Notes:412 has active assertions beyond "
          + "permitted time")
    #expect(try notation(of: text).contains("kill          app reason=\"Notes:412 has active"))
  }

  /// The events of a capture, without its gaps and line numbers, and what was counted.
  private func told(
    _ text: String, chunk: Int = .max
  ) throws -> (events: [String], gaps: Int, tally: SourceTally) {
    var source = ConsoleSource(options: .init(app: "Notes"))
    let events = try events(of: text.utf8, &source, chunk: chunk)
    let lines = print(events, source.vocabulary).split(separator: "\n").map {
      String($0.replacing(/\ line=[0-9]+/, with: ""))
    }
    return (
      lines.filter { !$0.contains(" gap ") }, lines.count { $0.contains(" gap ") }, source.tally
    )
  }

  // MARK: Told twice

  @Test func whatIsPrintedAgainAfterAReconnectIsToldOnce() throws {
    let whole = try told((Self.first + Self.second).joined())
    for kept in 1...Self.first.count {
      let backlog = Self.first.suffix(kept)
      let text =
        Self.first.joined() + "[disconnected:00008110]\n[connected:00008110]\n" + backlog.joined()
        + Self.second.joined()
      for chunk in [Int.max, 61] {
        let again = try told(text, chunk: chunk)
        #expect(again.events == whole.events, "\(kept) lines again")
        #expect(again.gaps == whole.gaps + 1)
        #expect(again.tally.replayed == kept)
      }
    }
  }

  /// Also by a tool that says nothing of its device.
  @Test func whatIsPrintedAgainWithoutAWordIsToldOnce() throws {
    let whole = try told((Self.first + Self.second).joined())
    let again = try told((Self.first + Self.first + Self.second).joined())
    #expect(again.events == whole.events && again.gaps == whole.gaps)
    #expect(again.tally.replayed == Self.first.count && again.tally.clockSteps == 0)
  }

  /// A device holds lines of before the recording: they are not told at the time of the cut.
  @Test func linesOfBeforeTheRecordingAreNotTold() throws {
    let whole = try told((Self.first.dropFirst(2) + Self.second).joined())
    let text =
      Self.first.dropFirst(2).joined() + "[disconnected:00008110]\n" + Self.first.joined()
      + Self.second.joined()
    let again = try told(text)
    #expect(again.events == whole.events, "\(again.events)")
    #expect(again.tally.replayed == Self.first.count)
  }

  /// A clock that was set back prints new lines with old times.
  @Test func aClockThatWasSetBackIsNoRepetition() throws {
    let back = Self.second.map { $0.replacing("10:01:30", with: "09:00:00") }
    let again = try told((Self.first + back).joined())
    #expect(again.events.contains { $0.contains("process.start app pid=431") })
    #expect(again.tally.clockSteps == 1 && again.tally.replayed == 0)
  }

  /// The cut lies before the process that begins behind it.
  @Test func aGapStandsBeforeTheStartBehindIt() throws {
    var source = ConsoleSource(options: .init(app: "Notes"))
    var events: [Event] = []
    try source.take(Array(Self.first.joined().utf8)[...], into: &events)
    try source.noteCut(into: &events)
    let second = Self.second.joined().replacing("10:01:30", with: "10:00:40")
    try source.take(Array(second.utf8)[...], into: &events)
    try source.finish(into: &events)
    let verbs = events.map(\.verb)
    let gap = try #require(verbs.lastIndex(of: .gap))
    let start = try #require(verbs.lastIndex(of: .processStart))

    #expect(gap < start, "\(print(events, source.vocabulary))")
  }

  // MARK: Torn

  @Test(arguments: [
    "[app<com.example.notes(7D)>:20220617+0900 runningboardd exited with context "
      + "<RBSProcessExitContext| voluntary>.",
    "[app<com.example.notes(7D)>:4130 22 10:00:30 exited with context <RBSProcessExitContext| voluntary>.",
    "[app<com.example.notes(7D)>:123456] termination reported by launchd (2, 9, 9)",
    "[app<com.example.notes(7D)>:413x] termination reported by launchd (2, 9, 9)",
  ])
  func aDamagedNumberInventsNoProcess(message: String) throws {
    let damaged = Self.row("10:00:30.000000", "runningboardd[31]", message)
    let whole = try told(Self.first.joined())
    let again = try told((Self.first.prefix(3) + [damaged] + Self.first.suffix(1)).joined())
    #expect(again.events == whole.events, "\(again.events)")
  }

  @Test func zeroBytesArePassedOverAndTold() throws {
    let whole = try told((Self.first + Self.second).joined())
    let text = (Self.first + Self.second).joined()
    let torn = text.replacing("Suspending", with: "Susp\0ending").replacing(
      "Nov 22 10:01", with: "\0Nov 22 10:01")
    let again = try told(torn)
    #expect(again.events == whole.events && again.gaps == whole.gaps)
    #expect(again.tally.zeros == 3)
    #expect(
      again.tally.damages
        == ["3 zero bytes were passed over; was the file damaged, or its machine switched off?"])
  }

  /// What stood where a machine wrote zeros is not known, nor what was torn at both sides.
  @Test func aHoleOfZerosIsAGap() throws {
    let hole = "Nov 22 10:00:5" + String(repeating: "\0", count: 4096) + "rocess: done\n"
    let whole = try told((Self.first + Self.second).joined())
    let again = try told(Self.first.joined() + hole + Self.second.joined())
    #expect(again.events == whole.events)
    #expect(again.gaps == whole.gaps + 1 && again.tally.zeros == 4096)
  }

  // MARK: Cut

  @Test func aCaptureThatIsCutInALineSaysSo() throws {
    let text = Self.first.joined()
    let last = try #require(Self.first.last)
    let before = text.dropLast(last.count)

    for length in 1..<(last.count - 2) {
      let cut = try told(String(before + last.prefix(length)))
      #expect(!cut.events.contains { $0.contains(" kill ") }, "\(last.prefix(length))")
      let start = last.prefix(length)
      let isWithin =
        !start.contains("<Notice>:") || start.contains("[app<") && !start.contains("412]")
      guard isWithin else { continue }
      #expect(cut.tally.cutAtLine == 4 && cut.gaps == 0, "\(start)")
      #expect(cut.tally.damages == ["ends in the middle of line 4; what follows is missing"])
    }
  }

  /// What was copied from a window ends without a line's end.
  @Test func aWholeLastLineNeedsNoEnd() throws {
    let whole = try told(Self.first.joined())
    let copied = try told(String(Self.first.joined().dropLast()))
    #expect(copied.events == whole.events && copied.gaps == whole.gaps)
    #expect(copied.tally.cutAtLine == nil)
    let words =
      Self.first.joined() + "Nov 22 10:00:50.000000 Notes(UIKitCore)[412] <Notice>: 3 of 4"
    #expect(try told(words).tally.cutAtLine == nil)
    // A number at the end that says nothing.
    let launch = Self.first.prefix(2).joined().dropLast()
    #expect(try told(String(launch)).tally.cutAtLine == nil)
  }

  /// A number at the end may lack digits: task 2 may be task 23.
  @Test func aNumberAtTheEndIsNotTrusted() throws {
    let text =
      Self.first.prefix(2).joined()
      + "Nov 22 10:00:10.000000 Notes(UIKitCore)[412] <Notice>: Ending background task with "
      + "UIBackgroundTaskIdentifier: 2"
    #expect(try told(text).tally.cutAtLine == 3)
    #expect(try told(text + "\n").tally.cutAtLine == nil)
  }

  @Test func anObjectThatIsCutIsTold() throws {
    let text = ConsoleText.ndjson(
      """
      10:00:00 Notes +10 0>1024
      10:00:01 Notes -5 32>0
      """)
    let cut = try told(String(text.dropLast(40)))
    #expect(cut.tally.cutAtLine == 2 && cut.gaps >= 1)
  }
}
