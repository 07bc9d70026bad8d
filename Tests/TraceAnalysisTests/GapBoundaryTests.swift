import LifecycleModel
import Testing
import TraceText

@testable import LifecycleRules
@testable import TraceAnalysis

/// Where events are missing, the start of a process may be among them: a second launch callback tells.
@Suite struct GapBoundaryTests {
  private static let life = """
    0s - profile mode=scene os=26.0 platform=ios hooks=app-delegate,scene-delegate,process
    0s - process.start app pid=1 launch=user
    10ms main call applicationDidFinishLaunching app
    20ms main return applicationDidFinishLaunching app
    30ms main call sceneWillConnect scene:1 session=1
    40ms main return sceneWillConnect scene:1
    50ms main call sceneWillEnterForeground scene:1
    60ms main return sceneWillEnterForeground scene:1

    """
  private static let second = """
    400s main call applicationDidFinishLaunching app
    400.1s main return applicationDidFinishLaunching app
    400.2s main call sceneWillConnect scene:2 session=1
    """

  private func analysis(_ between: String) throws -> Analysis {
    Analyzer.analyze(try TraceNotation.parse(Self.life + between + Self.second))
  }

  @Test func aLaunchCallbackBehindAGapBeginsAProcessWithoutTheOldWindows() throws {
    let analysis = try analysis("3s - gap ring-full 30\n")
    #expect(
      analysis.deaths.count == 1 && analysis.findings.filter { $0.rule != "lost-events" }.isEmpty)
    #expect(analysis.deaths.last?.deathClass == .unknown)
    #expect(analysis.state.scenes.map(\.number) == [2])
  }

  @Test func withoutAGapTheStartWouldBeInTheLog() throws {
    let analysis = try analysis("")
    #expect(analysis.deaths.count == 0)
    #expect(analysis.state.scenes.map(\.number) == [1, 2])
  }

  @Test func aGapInTheLaunchBeginsNothing() throws {
    let text = """
      0s - profile mode=app os=26.0 platform=ios hooks=app-delegate,process
      0s - process.start app pid=1 launch=user
      10ms main call applicationWillFinishLaunching app
      11ms - gap ring-full 3
      30ms main call applicationDidFinishLaunching app
      40ms main return applicationDidFinishLaunching app
      50ms main call applicationDidBecomeActive app
      """
    #expect(Analyzer.analyze(try TraceNotation.parse(text)).deaths.count == 0)
  }
}
