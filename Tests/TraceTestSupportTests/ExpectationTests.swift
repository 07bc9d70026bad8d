import Foundation
import LifecycleModel
import Testing
import TraceAnalysis
import TraceTestSupport
import TraceText

/// The checks for people's own tests: they pass, and above all they fail.
@Suite struct ExpectationTests {
  private static let clean = """
    0s - profile mode=scene hooks=scene-delegate,work
    1s main call sceneDidBecomeActive scene:1
    2s main work timer scene:1 "tick"
    3s main call sceneWillResignActive scene:1
    3.1s main return sceneWillResignActive scene:1
    """

  private func parse(_ notation: String) throws -> Trace { try TraceNotation.parse(notation) }

  @Test func whatIsKeptPasses() throws {
    expect(try parse(Self.clean), satisfies: "work-timer-while-inactive", "active-alternates")
    expectNothingFound(in: try parse(Self.clean))
  }

  @Test func whatIsViolatedFailsWithTheReport() throws {
    let trace = try parse(Self.clean + "\n5s main work timer scene:1 \"tick\"")
    expect(trace, violates: "work-timer-while-inactive")
    withKnownIssue {
      expect(trace, satisfies: "work-timer-while-inactive")
    } matching: {
      isTold($0, "warning work-timer-while-inactive (R57)", "main#5", "remedy")
    }

    withKnownIssue {
      expectNothingFound(in: trace)
    } matching: {
      isTold($0, "expected no findings of severity warning or above", "main#5")
    }

    expectNothingFound(in: trace, from: .error)
    try withKnownIssue {
      expect(try parse(Self.clean), violates: "work-timer-while-inactive")
    } matching: {
      isTold($0, "expected to be violated", "no findings: 1 of 1 rule could check")
    }
  }

  @Test func whatDidNotComeIsNamed() throws {
    let trace = try parse(
      Self.clean + "\n5s main call sceneDidBecomeActive scene:1\n"
        + "6s main call sceneDidEnterBackground scene:1")
    withKnownIssue {
      expect(trace, satisfies: "resign-before-background")
    } matching: {
      isTold(
        $0, "missing ", "call sceneWillResignActive scene:1,",
        "due after main#5 and before main#6")
    }
  }

  @Test func whatCannotBeToldFails() throws {
    try withKnownIssue {
      expect(try parse(Self.clean), satisfies: "files-open-at-resign")
    } matching: {
      isTold($0, "1 cannot tell: the log does not record resources")
    }
    try withKnownIssue {
      expect(try parse(Self.clean), satisfies: "work-gpu-in-background")
    } matching: {
      isTold($0, "1 not checked: the logs have no events that it checks")
    }
  }

  @Test func aRuleThatIsNotThereFails() throws {
    try withKnownIssue {
      expect(try parse(Self.clean), satisfies: "work-timer")
    } matching: {
      isTold($0, "there is no rule work-timer; tracectl explain lists all rules")
    }
  }

  @Test func aRecordingOfManyThreadsIsRead() async throws {
    let recording = try TestRecording(Profile(mode: .app, hooks: [.work, .appDelegate]))
    let recorder = recording.recorder
    recorder.callback(.applicationDidFinishLaunching) {}
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<500 { recorder.work(.network, .app, "/items") } }
      }
    }

    let trace = try recording.trace()
    #expect(trace.events.count { $0.verb == .work } == 2000)
    #expect(trace.events.prefix(2).map(\.verb) == [.profile, .processStart])

    // It goes on.
    recorder.work(.network)
    #expect(try recording.trace().events.count == trace.events.count + 1)
  }

  @Test func aRecordingLeavesNothingBehind() throws {
    var recording: TestRecording? = try TestRecording(Profile(mode: .app, hooks: [.work]))
    let recorder = recording?.recorder
    let directory = try #require(recording?.directory)
    #expect(FileManager.default.fileExists(atPath: directory))
    recording = nil
    #expect(!FileManager.default.fileExists(atPath: directory))
    // Whoever kept the recorder is not heard, and comes to no harm.
    for _ in 0..<10_000 { recorder?.work(.network) }
  }

  private func isTold(_ issue: Issue, _ words: String...) -> Bool {
    let text = issue.comments.map(\.rawValue).joined()
    return words.allSatisfy { text.contains($0) }
  }
}
