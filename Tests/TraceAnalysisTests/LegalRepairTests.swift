import LifecycleModel
import Testing

@testable import LifecycleRules
@testable import TraceAnalysis

@Suite struct LegalRepairTests {
  /// A scene that becomes active without a connection and resigns twice.
  private func repair() throws -> (LegalRepair, LifecycleAutomaton.State) {
    let rules = RuleRegistry.all.map(\.description)
    let automaton = LifecycleAutomata(rules, NumberedPattern.all(of: rules)).scene
    let word = try [
      Callback.sceneDidBecomeActive, .sceneWillResignActive, .sceneWillResignActive,
    ].map { LegalRepair.Item(letter: try #require(LifecycleLetter(.call, $0.symbol))) }
    let repair = LegalRepair(
      automaton: automaton, word: word, bits: 1 << UInt64(automaton.clauses.count) - 1,
      addable: LifecycleLetter.all.filter(\.isOfScene))
    return (repair, automaton.initial(atProcessStart: true))
  }

  @Test func aSearchTakesFromTheBudget() throws {
    let (repair, start) = try repair()
    var budget = LegalRepair.budget
    #expect(repair.operations(from: start, budget: &budget) != nil)
    #expect((1..<LegalRepair.budget).contains(budget))
  }

  @Test func withoutABudgetNothingIsFound() throws {
    let (repair, start) = try repair()
    var budget = 3
    #expect(repair.operations(from: start, budget: &budget) == nil)
    #expect(budget == 0)
  }
}
