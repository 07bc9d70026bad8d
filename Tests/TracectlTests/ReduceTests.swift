import Foundation
import Testing

@Suite struct ReduceTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private let trace = """
    0s - profile mode=scene hooks=scene-delegate,scene-notifications,work
    0.5s main work timer scene:2 "tick"
    1s main call sceneDidBecomeActive scene:1
    1.1s main return sceneDidBecomeActive scene:1
    2s main work timer scene:2 "tick"
    3s main call sceneDidEnterBackground scene:1
    3.1s main return sceneDidEnterBackground scene:1
    4s main work timer scene:2 "tick"

    """

  @Test func eachFindingBecomesAFile() throws {
    let log = try scratch.file("log.trace", trace).path
    let folder = scratch.path("reduced")
    let run = try CommandRun("analyze", "--reduce", folder, log)
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.hasSuffix("wrote 1 reduced trace to \(folder)\n"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder)
        == ["resign-before-background-5.trace"])
    let text = try String(
      contentsOfFile: folder + "/resign-before-background-5.trace", encoding: .utf8)
    #expect(
      text == """
        # resign-before-background (R11), error: scene:1 entered the background while active: \
        no sceneWillResignActive since 1s
        # an active app or scene gets willResignActive before didEnterBackground or didDisconnect
        # Reduced: the finding needs every line below, each call with its return.
        0s        -     profile       mode=scene hooks=scene-delegate,scene-notifications,work
        1s        main  call          sceneDidBecomeActive scene:1
        1.1s      main  return        sceneDidBecomeActive scene:1
        # missing: call sceneWillResignActive scene:1 or notify \
        UIScene.willDeactivateNotification scene:1
        3s        main  call          sceneDidEnterBackground scene:1
        # ◀ resign-before-background
        3.1s      main  return        sceneDidEnterBackground scene:1

        """)
  }

  @Test func aReducedTraceShowsTheSameFinding() throws {
    let folder = scratch.path("reduced")
    let sample = CommandRun.root.appendingPathComponent("samples/traces/slow-background.trace").path
    let run = try CommandRun("analyze", "--reduce", folder, sample)
    #expect(run.status == 1, "\(run.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)

    // As many as the report of the sample has.
    #expect(names.count == 6, "\(names)")
    for name in names {
      let again = try CommandRun("analyze", "--format", "json", folder + "/" + name)
      let rule = try #require(name.range(of: "-\\d+\\.trace$", options: .regularExpression))
      #expect(again.output.contains("\"rule\" : \"\(name[..<rule.lowerBound])\""), "\(name)")
    }
  }

  @Test func aCleanLogGivesNoFile() throws {
    let log = try scratch.file("clean.trace", "0s - profile hooks=work\n1s main note \"x\"\n").path
    let folder = scratch.path("reduced")
    let run = try CommandRun("analyze", "--reduce", folder, log)
    #expect(run.status == 0 && run.errors.hasSuffix("wrote 0 reduced traces to \(folder)\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func standardInputCannotBeReadTwice() throws {
    let run = try CommandRun("analyze", "--reduce", scratch.path("reduced"), "-", input: trace)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains("--reduce reads the log twice"))
  }

  @Test func aFolderThatCannotBeMadeIsThree() throws {
    let log = try scratch.file("log.trace", trace).path
    let run = try CommandRun("analyze", "--reduce", scratch.path("no/such/folder"), log)
    #expect(run.status == 3 && run.errors.contains("cannot be made a directory"), "\(run.errors)")
    let file = try scratch.file("file").path
    let second = try CommandRun("analyze", "--reduce", file, log)
    #expect(second.status == 3 && second.errors.contains("cannot be written"), "\(second.errors)")
  }
}
