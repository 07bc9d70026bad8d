import LifecycleRules
import Testing

@testable import TraceSources

/// A function that names by itself what stopped an app is one that the table of causes explains.
@Suite struct StoppingFunctionTests {
  private static let names = [ReportFrame.Sign.nameOfStop, .nameOfCause].flatMap {
    ReportFrame.parts[$0] ?? []
  }

  @Test(arguments: names) func isExplained(name: String) {
    #expect(DeathCauses.explaining(name) != nil, "no row of DeathCauses.stops has it")
  }

  @Test(arguments: ReportFrame.starts[.memoryOfObjects] ?? [])
  func theUseOfAnObjectIsExplained(name: String) {
    #expect(DeathCauses.explaining(name) != nil, "no row of DeathCauses.stops has it")
  }

  @Test func thereAreSome() { #expect(Self.names.count > 20) }
}
