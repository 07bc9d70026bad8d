import Foundation
import Platform
import Testing

@testable import tracectl

/// Pieces of work that several threads do, and whose outputs are taken in order.
@Suite struct OrderedWorkTests {
  private struct Failure: Error {}

  /// Hands over `piece % 5` outputs of each of 60 pieces, of which some let other threads go first; `failing` throws.
  private func outputs(
    threads: Int, failing: Int? = nil, take: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) -> (taken: [Int], error: (any Error)?) {
    let taken = Lock<[Int]>([])
    let work = OrderedWork<Int>(60, piecesAhead: threads + 2, outputsAhead: 2) { output in
      try take(output)
      taken.withLock { $0.append(output) }
    }
    let run = Result {
      try work.run(threads: threads) {
        work.each { piece, handOver in
          if piece % 7 == 0 { for _ in 0..<100 { sched_yield() } }
          for output in 0..<piece % 5 { try handOver(piece * 10 + output) }
          if piece == failing { throw Failure() }
        }
      }
    }
    let error: (any Error)? = if case .failure(let error) = run { error } else { nil }
    return (taken.withLock { $0 }, error)
  }

  private static let all = (0..<60).flatMap { piece in (0..<piece % 5).map { piece * 10 + $0 } }

  @Test(arguments: 1...6) func outputsAreTakenInTheOrderOfThePieces(threads: Int) {
    let (taken, error) = outputs(threads: threads)
    #expect(taken == Self.all && error == nil)
  }

  @Test(arguments: 1...6) func aPieceThatFailsEndsTheWork(threads: Int) {
    let (taken, error) = outputs(threads: threads, failing: 30)
    #expect(error is Failure)
    #expect(Self.all.starts(with: taken) && taken.allSatisfy { $0 < 310 })
  }

  @Test(arguments: 1...6) func outputsThatCannotBeTakenEndTheWork(threads: Int) {
    let (taken, error) = outputs(threads: threads) { if $0 == 331 { throw Failure() } }
    #expect(error is Failure && taken == Self.all.filter { $0 < 331 })
  }
}
