import LifecycleModel
import Testing

@testable import TraceSources

/// What the runtimes of Swift and C++ say before the process ends.
struct RuntimeErrorTests {
  private func told(_ short: String) throws -> String {
    let text = ConsoleText.xcode("10:00:00 Notes -5 32>0\n" + short)
    let all = try notation(of: text)
    return all.split(separator: "\n").dropFirst(3).joined(separator: "\n")
  }

  @Test(arguments: [
    "Notes/Store.swift:12: Fatal error: no note", "My Notes/Store.swift:12: Fatal error",
    "Fatal error: Unexpectedly found nil while unwrapping an Optional value",
    "Fatal error: no note: file Notes/Store.swift, line 12",
    "Notes/Store.swift:12: Precondition failed: no note",
    "Notes/Store.swift:12: Assertion failed",
  ])
  func theLastWordsOfSwiftAreACrash(line: String) throws {
    #expect(
      try told("10:00:01 Notes saving\n|\(line)") == """
        1s        -     note          app "\(line)" line=3
        1s        -     kill          app namespace=SIGNAL reason="\(line)" pid=412 line=3
        """)
  }

  @Test(arguments: [
    "Fatal error: the server is away", "the fatal words: Fatal error: Index out of range",
    "last crash: Notes/Store.swift:12: Fatal error: no note", "Notes/Store.swift: Fatal error: no",
    "Notes/Store.swift:12: Fatal errors: none", "Notes/Store.m:12: Fatal error: no note",
    "Fatal error: see the file, line 12", "Fatal error",
  ])
  func whatAnAppSaysOfAnErrorIsNoEnd(line: String) throws {
    #expect(try told("10:00:01 Notes \(line)") == "")
  }

  @Test func theLastWordsExplainTheSignalThatFollows() throws {
    let line = "Notes/Store.swift:12: Fatal error: no note"
    let end = "runningboardd [app<com.example.Notes(7D)>:412] termination reported by launchd"
    let text = ConsoleText.consoleApp(
      "10:00:00 Notes -5 32>0\n10:00:01 Notes \(line)\n10:00:02.5 \(end) (2, 5, 5)")
    #expect(
      try notation(of: text, app: "Notes").hasSuffix(
        """
        2.5s      -     kill          app code=0x5 namespace=SIGNAL reason="\(line)" pid=412 line=3
        """))
  }

  @Test func whoStopsAStoppedProcessDidNotEndIt() throws {
    let line = "Notes/Store.swift:12: Fatal error: no note"
    #expect(
      try told("|\(line)\n|Message from debugger: Terminated due to signal 9")
        .hasSuffix(
          "-     kill          app namespace=SIGNAL reason=\"\(line)\" pid=412 line=3"))
  }

  // MARK: Words that end nothing

  private static let keeper = "runningboardd [app<com.example.Notes(7D)>:412]"
  private static let words = [
    "Notes/Net.swift:12: Fatal error: retrying",
    "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'empty'",
  ]

  /// The last event of a capture with the words and more lines behind them.
  private func last(_ words: String, _ more: String...) throws -> String {
    let text = ConsoleText.consoleApp(
      (["10:00:00 Notes -5 32>0", "10:00:01 Notes \(words)"] + more).joined(separator: "\n"))
    let line = try notation(of: text, app: "Notes").split(separator: "\n").last ?? ""
    return line.split(separator: " ").dropFirst(2).joined(separator: " ")
  }

  @Test(arguments: words)
  func whoGoesOnHasNotEnded(words: String) throws {
    #expect(try last(words, "10:00:09 Notes +5 0>32") == "state active->inactive app line=3")
    #expect(try last(words, "10:00:09 Notes saved").hasPrefix("note app "))
    #expect(try last(words, "10:00:01.5 Notes saved").hasPrefix("note app "))
    #expect(try last(words, "10:00:09 \(Self.keeper) Suspending task.").hasPrefix("suspend app"))
    let killed = "10:00:12 \(Self.keeper) termination reported by launchd"
    #expect(
      try last(words, "10:00:09 Notes saved", killed + " (2, 9, 9)")
        == "kill app code=0x9 namespace=SIGNAL pid=412 line=4")
  }

  @Test(arguments: words)
  func anEndThatIsNoCrashIsNotExplainedByTheApp(words: String) throws {
    let end = "10:00:01.5 \(Self.keeper) termination reported by launchd"
    let exited = try last(words, end + " (0, 0, 0)")
    #expect(exited == "exit app status=0 line=2")
    let reclaimed = try last(words, end + " (1, 4, 9)")
    #expect(
      reclaimed
        == "kill app code=0x4 namespace=JETSAM reason=vm-pageshortage line=2")

    let swipe =
      "10:00:01.4 \(Self.keeper) Terminating with context: <RBSTerminateContext| domain:10 "
      + "code:0xDEADFA11 explanation:user initiated termination>"
    let swiped = try last(words, swipe, end + " (2, 9, 9)")
    #expect(
      swiped
        == "kill app code=0xdeadfa11 namespace=FRONTBOARD reason=\"user initiated termination\" "
        + "line=2")
  }

  // MARK: Other last words

  @Test(arguments: [
    "Could not cast value of type 'Swift.Int' (0x1) to 'Swift.String' (0x2).",
    "==412==ERROR: AddressSanitizer: heap-use-after-free on address 0x60300 at pc 0x1",
    "Notes(412,0x16f) malloc: *** error for object 0x600: pointer being freed was not allocated",
    "Assertion failed: (x > 0), function save, file Store.m, line 12.",
  ])
  func theLastWordsOfOtherRuntimesAreACrash(line: String) throws {
    #expect(
      try told("10:00:01 Notes saving\n|\(line)").hasSuffix(
        "-     kill          app namespace=SIGNAL reason=\"\(line)\" pid=412 line=3"))
  }

  @Test(arguments: [
    (
      "Thread 1: EXC_BAD_ACCESS (code=1, address=0x0)",
      "reason=\"EXC_BAD_ACCESS (code=1, address=0x0)\""
    ),
    ("Thread 1: Fatal error: Index out of range", "reason=\"Fatal error: Index out of range\""),
    (
      "* thread #1, queue = 'main', stop reason = EXC_BAD_ACCESS (code=1, address=0x10)",
      "reason=\"EXC_BAD_ACCESS (code=1, address=0x10)\""
    ),
    (
      "libc++abi: terminating with uncaught foreign exception",
      "reason=\"terminating with uncaught foreign exception\""
    ),
  ])
  func whereADebuggerStopsTheProcessItHasCrashed(line: String, reason: String) throws {
    #expect(
      try told("10:00:01 Notes saving\n|\(line)").hasSuffix(
        "-     kill          app namespace=SIGNAL \(reason) pid=412 line=3"))
  }

  @Test(arguments: [
    "Thread 1: breakpoint 1.1", "Thread 2: signal SIGSTOP", "==== saved ====", "Thread pool: full",
    "* thread #1, queue = 'main', stop reason = breakpoint 1.1",
    "* thread #1, stop reason = EXC_RESOURCE (RESOURCE_TYPE_MEMORY: high watermark)",
    "Could not cast value of type Note", "retrying after malloc: *** error for object 0x1",
    "Assertion failed: see the file, line 12.", "Program ended with exit code: ",
  ])
  func whatIsLikeLastWordsIsNoEnd(line: String) throws {
    #expect(try told("10:00:01 Notes saving\n|\(line)") == "")
  }

  @Test(arguments: [
    ("0", "exit          app status=0"), ("3", "exit          app status=3"),
    ("9", "kill          app code=0x9 namespace=SIGNAL"),
  ])
  func xcodeSaysHowAProgramEnded(code: String, event: String) throws {
    #expect(
      try told("10:00:01 Notes saving\n|Program ended with exit code: \(code)").hasSuffix(
        "-     \(event) pid=412 line=3"))
  }

  @Test func aMissingUsageDescriptionIsPrivacysEnd() throws {
    let line =
      "This app has crashed because it attempted to access privacy-sensitive data without a usage "
      + "description.  The app's Info.plist must contain a key"
    #expect(
      try told("10:00:01 Notes saving\n|\(line)").hasSuffix(
        "-     kill          app namespace=TCC reason=\"\(line)\" pid=412 line=3"))
  }

  @Test(arguments: [
    (
      "libc++abi: terminating due to uncaught exception of type std::out_of_range: a vector: 3",
      "exit          app exception=std::out_of_range reason=\"a vector: 3\" pid=412 line=3"
    ),
    (
      "libc++abi.dylib: terminating with uncaught exception of type int",
      "exit          app exception=int pid=412 line=3"
    ),
    (
      "libc++abi: terminating with uncaught exception of type NSException",
      "exit          app exception=NSException pid=412 line=3"
    ),
  ])
  func anExceptionOfCXXIsAnUncaughtException(line: String, event: String) throws {
    #expect(
      try told("10:00:01 Notes saving\n|\(line)").hasSuffix("\n1s        -     \(event)"))
  }

  @Test func theExceptionThatFoundationNamesIsNotToldAgainByItsCarrier() throws {
    #expect(
      try told(
        """
        10:00:01 Notes *** Terminating app due to uncaught exception 'NSRangeException', reason: 'empty'
        |libc++abi: terminating due to uncaught exception of type NSException
        """) == """
          1s        -     note          app "uncaught exception NSRangeException" line=2
          1s        -     exit          app exception=NSRangeException reason=empty pid=412 line=3
          """)
  }

  @Test func whatCXXSaysOfNoExceptionIsNoEnd() throws {
    #expect(try told("10:00:01 Notes saving\n|libc++abi: Pure virtual function called!") == "")
  }
}
