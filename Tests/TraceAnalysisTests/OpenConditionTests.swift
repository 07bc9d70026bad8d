import LifecycleModel
import Testing
import TraceText

@testable import LifecycleRules
@testable import TraceAnalysis

/// What nothing is known to be open means: after a gap something may be, and no rule passes or finds by
/// that.
@Suite struct OpenConditionTests {
  private func outcome(_ id: String, _ notation: String) throws -> Outcome? {
    let analysis = Analyzer.analyze(try TraceNotation.parse(notation))
    return analysis.outcomes.first { $0.rule.id == id }?.outcome
  }

  private static let profile =
    "0s - profile mode=app background-modes=none hooks=resources,system,app-delegate,work,tasks\n"
  private static let background = """
    1s main call applicationDidEnterBackground app
    1.1s main return applicationDidEnterBackground app

    """
  private static let start = "0s - process.start app pid=1 launch=user\n"
  private static let gap = "1.2s - gap ring-full 9\n"

  @Test func aLockThatAGapMayHideIsNotAbsent() throws {
    let life = Self.profile + Self.start + Self.background
    #expect(try outcome("lock-at-suspend", life + "2s - suspend app") == .satisfied)
    #expect(
      try outcome("lock-at-suspend", life + Self.gap + "2s - suspend app") == .cannotTell([.gap]))

    // What is known to be held is found all the same, and a process that begins holds nothing.
    let held = "1.3s db acquire lock app \"notes.db\"\n2s - suspend app"
    #expect(try outcome("lock-at-suspend", life + Self.gap + held) == .violated)
    let next = "2s - process.start app pid=2 launch=user\n" + "3s - suspend app"
    #expect(try outcome("lock-at-suspend", life + Self.gap + next) == .satisfied)
  }

  @Test func aTaskThatAGapMayHideIsNoneThatIsMissing() throws {
    let save = "1.3s db work.begin save app \"draft\"\n2s - suspend app"
    let life = Self.profile + Self.start + Self.background
    #expect(try outcome("work-survives-suspension", life + save) == .violated)
    #expect(try outcome("work-survives-suspension", life + Self.gap + save) == .cannotTell([.gap]))
    // A log that begins in the middle of a life has nothing that could be missing but by a gap.
    #expect(try outcome("work-survives-suspension", Self.profile + save) == .violated)
  }
}
