import Testing
import Traces

@testable import LifecycleModel

/// The connected scenes, held against a dictionary.
@Suite struct SceneTableTests {
  private static func scene(_ number: UInt32, _ activation: SceneActivation) -> SceneState {
    let event = Event(instant: .origin, writer: .main, verb: .notify, subject: .scene(number))
    return SceneState(
      number: number, activation: activation,
      since: OpenEvent(event: event, ordinal: 1, suspendedBefore: 0))
  }

  private func compare(_ table: SceneTable, _ plain: [UInt32: SceneActivation], _ seed: UInt64) {
    #expect(table.count == plain.count, "seed \(seed)")
    for number in UInt32(0)..<10 {
      #expect(table.activation(number) == plain[number], "seed \(seed)")
      #expect(table[number]?.number == plain[number].map { _ in number }, "seed \(seed)")
    }

    for activation in SceneActivation.allCases {
      #expect(table.count(of: activation) == plain.values.count { $0 == activation })
    }
    let mostActive = plain.values.map(\.appState).max { AppRank($0) < AppRank($1) }
    #expect(table.mostActive == mostActive, "seed \(seed)")
    #expect(table.brokenInvariants() == [], "seed \(seed)")
  }

  /// How active an app is.
  private struct AppRank: Comparable {
    let rank: Int
    init(_ state: AppState) {
      rank = [.background, .inactive, .active].firstIndex(of: state) ?? -1
    }
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }
  }

  /// Scenes come and go in any order of their numbers.
  @Test(arguments: 0..<30) func theTableIsTheDictionary(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var table = SceneTable()
    var plain: [UInt32: SceneActivation] = [:]
    for _ in 0..<150 {
      let number = UInt32.random(in: 0..<10, using: &random)
      if random.oneIn(3) {
        table.remove(number)
        plain[number] = nil
      } else {
        let activation = SceneActivation.allCases.randomElement(using: &random) ?? .background
        table.update(Self.scene(number, activation))
        plain[number] = activation
      }
      compare(table, plain, seed)
    }
    table.removeAll()
    compare(table, [:], seed)
  }

  @Test func aSceneIsOnScreenWhenItsActivationSaysSo() {
    for activation in SceneActivation.allCases {
      #expect(activation.isForeground == activation.appState.isForeground, "\(activation)")
    }
    #expect(AppState.allCases.filter(\.isForeground) == [.inactive, .active])
  }
}
