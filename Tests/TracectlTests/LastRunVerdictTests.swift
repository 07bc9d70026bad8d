import Foundation
import LifecycleModel
import Testing
import TraceRecorder

@testable import TraceVerdict

/// What the library says at a launch about the run before, which was a process of its own that died.
@Suite struct LastRunVerdictTests {
  private let scratch: ScratchFolder
  private var log: String { scratch.path("flight.bin") }
  private var mark: String { log + ".verdict" }

  init() throws { scratch = try ScratchFolder() }

  /// Runs the sample app, which ends as `argument` says.
  private func die(_ argument: String) throws {
    _ = try CommandRun(program: [CommandRun.built("note-taker"), argument], in: scratch.url)
  }

  /// The next launch: the body runs with its recorder, and its log is ended behind it.
  private func launch<Result>(_ body: (Recorder) async throws -> Result) async throws -> Result {
    let recorder = try Recorder.open(log: log)
    defer { recorder.finish() }
    return try await body(recorder)
  }

  /// The first verdict after the app has become active.
  private func firstVerdict(
    _ recorder: Recorder, within limits: LastRunAnalysis.Limits = LastRunAnalysis.Limits()
  ) async throws -> LastRunVerdict {
    let verdicts = TraceVerdict.lastRun(of: recorder, within: limits)
    recorder.callback(.applicationDidBecomeActive) {}
    return try #require(await verdicts.first { _ in true })
  }

  @Test(arguments: ["hang", "kill", "task", "background"])
  func itSaysWhatTheCommandSays(argument: String) async throws {
    try die(argument)
    let command = try CommandRun("analyze", log).output
    let verdict = try await launch { try await firstVerdict($0) }
    let lines = command.split(separator: "\n").filter { !$0.hasPrefix("  more ") }
    #expect(verdict.description == lines.joined(separator: "\n"))
    #expect(lines.joined(separator: "\n").contains(verdict.sentence))
    // The analyzer and the recorder agree what hung, and how sure that is.
    let hung = "likely: applicationDidBecomeActive, which held the main thread"
    #expect(command.contains(hung) == (verdict.cause.kind == .hung), "\(command)")
    #expect(!verdict.isFinal && !verdict.isOfPart && verdict.logs == [log])
  }

  @Test func aCrashReportMakesItFinal() async throws {
    try die("kill")
    let verdicts = try await launch { recorder in
      let verdicts = TraceVerdict.lastRun(of: recorder)
      recorder.callback(.applicationDidBecomeActive) {}
      var all: [LastRunVerdict] = []
      for await verdict in verdicts {
        all.append(verdict)
        TraceVerdict.add(crashReport: "SIGSEGV in NotesStore.save()", to: recorder)
      }
      return all
    }
    #expect(verdicts.map(\.isFinal) == [false, true])
    #expect(verdicts.map(\.cause.kind) == [.unknown, .crashed])
    #expect(verdicts[1].sentence == "the app crashed: SIGSEGV in NotesStore.save()")
    #expect(verdicts[1].description.hasPrefix(verdicts[1].sentence + "\n"))
    #expect(verdicts[1].findings == verdicts[0].findings)

    let copy = try JSONDecoder().decode(
      LastRunVerdict.self, from: JSONEncoder().encode(verdicts[1]))
    #expect(copy == verdicts[1])
  }

  @Test func nothingIsReadBeforeTheAppIsActive() async throws {
    try die("kill")
    let verdict = try await launch { recorder in
      let verdicts = TraceVerdict.lastRun(of: recorder)
      recorder.processStarts(launch: "prewarm")
      recorder.callback(.applicationDidFinishLaunching) {}
      recorder.callback(.applicationDidEnterBackground) {}
      recorder.notify(.applicationDidEnterBackground, object: .app)
      #expect(!FileManager.default.fileExists(atPath: mark))
      recorder.callback(.sceneDidBecomeActive, .scene(1)) {}
      return await verdicts.first { _ in true }
    }
    #expect(verdict != nil)
    #expect(FileManager.default.fileExists(atPath: mark))
  }

  @Test func aRunThatEndedItsAnalysisIsNotTriedAgain() async throws {
    try die("hang")
    try await launch { recorder in
      let log = try #require(recorder.logID)
      // As the launch left it that died in the analysis.
      #expect(AttemptMark(run: "\(log) flight.bin").store(at: mark))
      let verdict = try await firstVerdict(recorder)
      #expect(verdict.cause.kind == .hung)
      #expect(verdict.explanation == nil && verdict.findings.isEmpty)
      #expect(verdict.description.hasPrefix("likely the app hung: applicationDidBecomeActive\n"))
      #expect(AttemptMark(at: mark) == AttemptMark(run: "\(log) flight.bin"))
    }
  }

  @Test func whatPassesTheLimitIsOfAPart() async throws {
    try die("hang")
    for limits in [LastRunAnalysis.Limits(time: 0), LastRunAnalysis.Limits(bytes: 0)] {
      try? FileManager.default.removeItem(atPath: mark)
      let verdict = try await launch { try await firstVerdict($0, within: limits) }
      #expect(verdict.isOfPart)
      #expect(verdict.sentence == "\(verdict.cause)")
      if limits.time == 0 { try die("hang") }
    }
  }

  @Test func threeEndsAtOnePlaceAreACrashLoop() async throws {
    var said: [LastRunVerdict] = []
    for _ in 1...3 {
      try die("hang")
      said.append(try await launch { try await firstVerdict($0) })
    }
    try die("background")
    said.append(try await launch { try await firstVerdict($0) })
    #expect(said.map(\.launchesInARow) == [1, 2, 3, 1])
    let loop = "A crash loop: 3 launches in a row ended at the same place."
    #expect(said.map { $0.description.contains(loop) } == [false, false, true, false])
  }

  @Test func anUpdateStandsInFront() async throws {
    try die("kill")
    let verdict = try await launch { recorder in
      recorder.profile(Profile([Attribute(.version, "1.1")]))
      return try await firstVerdict(recorder)
    }
    #expect(verdict.sentence == "likely the app was updated: from 1.0 to 1.1")
    #expect(verdict.description.hasPrefix(verdict.sentence + "\n"))
  }

  @Test func withoutARunBeforeThereIsNone() async throws {
    let count = try await launch { await TraceVerdict.lastRun(of: $0).reduce(0) { n, _ in n + 1 } }
    #expect(count == 0)
  }
}
