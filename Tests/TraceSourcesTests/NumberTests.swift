import LifecycleModel
import Testing
import Traces

@testable import TraceSources

/// The numbers that tasks have in a log.
struct NumberTests {
  @Test(arguments: UInt64(1)...20)
  func aNumberSetIsASet(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var set = NumberSet()
    var plain: Set<UInt32> = []
    for _ in 0..<300 {
      let number = UInt32.random(in: 0...200, using: &random)
      set.insert(number)
      plain.insert(number)
      #expect(!set.contains(set.free), "seed \(seed)")
    }
    #expect((0...210).allSatisfy { set.contains($0) == plain.contains($0) }, "seed \(seed)")
  }

  @Test func theHighestNumberLeavesTheFirstHole() {
    var set = NumberSet()
    for number in [1, 2, 4, UInt32.max] { set.insert(number) }
    #expect(set.free == 3)
  }

  @Test func tasksOfALaterProcessGetFreeNumbers() {
    var tasks = TaskNumbers()
    let first = [3, 5].map { tasks.begin($0, name: nil, at: .origin).number }
    tasks.endProcess()
    let second = [3, 4, 5, 6].map { tasks.begin($0, name: nil, at: .origin).number }
    let ends = [3, 4, 5, 6].map { tasks.end($0) }
    #expect(first == [3, 5])
    #expect(second == [6, 4, 7, 8])
    #expect(ends == second)
  }

  @Test func aHandlerIsForgottenWhenItsTaskDoesNotBegin() {
    var tasks = TaskNumbers()
    tasks.announce("sync", hasHandler: true, at: .origin)
    let later = Instant(nanoseconds: .seconds(3))
    #expect(tasks.begin(1, name: "sync", at: later).hasHandler == nil)
  }
}
