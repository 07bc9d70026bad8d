import Foundation
import Testing

/// `tracectl why` without knowing an event.
@Suite struct WhyTests {
  private let sample = CommandRun.root.appendingPathComponent(
    "samples/traces/slow-background.trace"
  ).path

  @Test func aRuleAloneListsWhatItLookedAt() throws {
    let run = try CommandRun("why", sample, "R78")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("task-leak-at-suspend (R78) checked "), "\(run.output)")
    let found = try #require(
      run.output.split(separator: "\n").first { $0.hasPrefix("  main#12 ") })
    #expect(found.contains("task.begin    task:1 \"save\""))
    #expect(run.output.contains("found: task:1 \"save\" was open when the process ended"))
    #expect(run.output.contains("\nNext: tracectl why \(sample) R78@main#12\n"))

    // What it names can be asked about.
    let next = try CommandRun("why", sample, "R78@main#12")
    #expect(next.status == 0 && next.output.contains(" at main#12: found, "), "\(next.output)")
  }

  /// Before one that passed, though that came last.
  @Test func theNextQuestionIsAboutWhatCannotBeTold() throws {
    let input = """
      0s - profile hooks=tasks
      1s main task.begin task:1 "a"
      2s main task.begin task:2 "b" holder=x
      3s main task.end task:1 "a"
      4s main task.end task:2 "b"
      5s main task.begin task:3 "c" holder=x

      """
    let run = try CommandRun("why", "-", "R76", input: input)
    #expect(run.status == 0 && run.output.contains("R76@main#2\n"), "\(run.output)")
  }

  @Test func aRuleThatLookedAtNothingSaysWhy() throws {
    let run = try CommandRun("why", "-", "R83", input: "0s - profile hooks=work\n1s main note\n")
    #expect(run.status == 0)
    #expect(
      run.output.hasPrefix(
        "lock-at-suspend (R83) checked no event of this log: cannot tell: "), "\(run.output)")
    #expect(run.output.contains("not met, the log does not record resources"))
    #expect(run.output.contains("  pattern  never suspend while a lock is held"))
  }

  @Test func anEventOfAnotherMatterNamesTheNearestOnes() throws {
    let input = """
      0s - profile mode=app hooks=resources,system
      1s main acquire lock app "a"
      2s main note "x"
      3s - suspend app

      """
    let run = try CommandRun("why", "-", "R83@main#2", input: input)
    #expect(
      run.status == 0 && run.output.contains("not checked: the rule concerns "), "\(run.output)")
    #expect(run.output.contains("  nearest  -#2  3s        -     suspend       app\n"))
  }

  @Test func aDeathIsToldAtTheEndAndAtWhatExplainsIt() throws {
    let input = """
      0s - profile mode=app hooks=app-delegate,work,process
      0s - process.start app pid=7
      1s main call applicationDidBecomeActive app
      1.1s main return applicationDidBecomeActive app
      2s main observe UIApplication.didReceiveMemoryWarningNotification app "x"
      2.1s main note "late"
      30s - kill app code=0x8badf00d namespace=FRONTBOARD

      """
    func why(_ event: String) throws -> String {
      try CommandRun("why", "-", "R110@\(event)", input: input).output
    }
    #expect(try why("main#3").hasPrefix("death (R110) at main#3: found, error: The system killed"))
    #expect(try why("-#3").hasPrefix("death (R110) at -#3: part of a finding (closes), error: "))
    let other = try why("main#4")
    #expect(other.hasPrefix("death (R110) at main#4: not checked: the rule concerns other events"))
    #expect(other.contains("30s       -     kill          app code=0x8badf00d"))
  }

  /// Each end is told with its class and with why, also where it is no finding.
  @Test func ofAllEndsTheClassIsTold() throws {
    let input = """
      0s - profile mode=app hooks=app-delegate,process,system
      0s - process.start app pid=7
      1s main call applicationDidBecomeActive app
      1.1s main return applicationDidBecomeActive app
      2s - kill app code=0x8badf00d namespace=FRONTBOARD
      3s - process.start app pid=8
      4s main call applicationDidEnterBackground app
      4.1s main return applicationDidEnterBackground app
      5s - kill app reason=jetsam

      """
    let run = try CommandRun("why", "-", "death", input: input)
    #expect(run.status == 0, "\(run.errors)")
    let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        "fault: Process 7: The system killed the app: the app exceeded a watchdog time limit"))
    #expect(words.contains("normal: Process 8: "), "\(run.output)")
    #expect(words.contains("The app was in the background for"))
    #expect(!words.contains("reason=jetsam noted; no conclusion"))
  }

  @Test func aLogWithoutARuleIsNoQuestion() throws {
    let run = try CommandRun("why", sample)
    #expect(run.status == 2 && run.errors.contains("is a log; name a rule after it"))
    let nothing = try CommandRun("why")
    #expect(nothing.status == 2 && nothing.errors.contains("name a rule, such as R11"))
  }
}
