import Testing

/// `tracectl explain` with what crash reports and consoles say of an end.
@Suite struct ExplainTests {
  @Test(arguments: [
    (["0x8badf00d"], "0x8badf00d (termination code, 2343432205 in decimal)"),
    (["3735883980"], "0xdead10cc (termination code"),
    (["RUNNINGBOARD", "0xdead10cc"], "the app held a file or SQLite lock at suspension"),
    (["SIGSEGV"], "SIGSEGV (signal 11): it accessed memory that is not mapped"),
    (
      ["jetsam", "7"], "per-process-limit (jetsam reason 7): the app exceeded its own memory limit"
    ),
    (["highwater"], "highwater (jetsam reason 2)"),
    (["appWatchdog"], "MetricKit counts it under appWatchdog."),
    (["TCC"], "TCC (namespace 11)"),
  ])
  func aCauseIsExplained(_ words: [String], _ text: String) throws {
    let run = try CommandRun(["explain"] + words)
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output.contains(text), "\(run.output)")
    for heading in ["class", "before", "look for", "source"] {
      #expect(run.output.contains("\n\(heading) "), "\(heading)")
    }
  }

  @Test func aNumberThatIsARulesAndASignalsIsExplainedAsBoth() throws {
    let run = try CommandRun("explain", "11")
    #expect(run.output.contains("(R11, ") && run.output.contains("SIGSEGV (signal 11)"))
    #expect(run.output.contains("\nexit status (reason): "))
    #expect(try !CommandRun("explain", "R11").output.contains("SIGSEGV"))
  }

  /// A shell tells signal 9 as status 137.
  @Test func aStatusIsExplained() throws {
    let shell = try CommandRun("explain", "137").output
    #expect(shell.hasPrefix("SIGKILL (signal 9)") && shell.contains("\nexit status (reason): "))
    #expect(try CommandRun("explain", "status", "9").output.hasPrefix("exit status (reason): "))
    #expect(try CommandRun("explain", "0").output.hasPrefix("voluntary"))
  }

  @Test(arguments: [
    ("SIGSEGW", "did you mean SIGSEGV?"), ("appWatchdgo", "did you mean appWatchdog?"),
    ("0x8badf00e", "did you mean 0x8badf00d?"), ("vm-pageshortge", "did you mean vm-pageshortage?"),
  ])
  func aTypoIsToldTheNearestWord(_ word: String, _ advice: String) throws {
    let run = try CommandRun("explain", word)
    #expect(run.status == 2 && run.output == "" && run.errors.contains(advice), "\(run.errors)")
  }
}
