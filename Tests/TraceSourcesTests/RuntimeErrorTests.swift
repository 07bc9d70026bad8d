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
      try told("|\(line)\n10:00:09 Notes x\n|Message from debugger: Terminated due to signal 9")
        .hasSuffix(
          "-     kill          app namespace=SIGNAL reason=\"\(line)\" pid=412 line=4"))
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
