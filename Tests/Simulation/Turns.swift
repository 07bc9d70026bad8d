import Foundation
import Traces

/// Two threads of which one runs at a time: at each of its calls of the machine chance says who goes on.
///
/// So the same seed always gives the same history.
final class Turns: @unchecked Sendable {
  private let semaphores = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
  private var random: SeededGenerator
  /// Which of the two runs.
  private var current = 0
  /// Whether the second one has not ended, and whether the first one has.
  private(set) var isShared = false
  private var isFirstOver = false

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Runs `first` on this thread and `second` on another one, both to their ends; returns what `second` gives.
  ///
  /// Sound because what the two share is used by the one whose turn it is.
  func run<Value>(
    _ first: () throws -> Void, beside second: @escaping () throws -> Value
  ) throws -> Value {
    (current, isShared, isFirstOver) = (0, true, false)
    let work = Work(second)
    Thread { [self] in
      semaphores[1].wait()
      work.run()
      isShared = false
      current = 0
      semaphores[0].signal()
    }.start()

    let result = Result { try first() }
    isFirstOver = true
    if isShared { hand(over: 1) }
    try result.get()
    return try work.takeResult()
  }

  /// What the second thread does.
  ///
  /// The thread keeps nothing of it, since it may end when the machine is another one.
  private final class Work<Value>: @unchecked Sendable {
    private var body: (() throws -> Value)?
    private var result: Result<Value, any Error>?

    init(_ body: @escaping () throws -> Value) { self.body = body }

    func run() {
      result = body.map { body in Result { try body() } }
      body = nil
    }

    func takeResult() throws -> Value {
      defer { result = nil }
      guard let result else { throw Violation("the second thread has not ended") }
      return try result.get()
    }
  }

  /// A place where the other one may go on.
  func pass() {
    guard isShared, !isFirstOver, random.oneIn(4) else { return }
    hand(over: 1 - current)
  }

  private func hand(over next: Int) {
    let me = current
    current = next
    semaphores[next].signal()
    semaphores[me].wait()
  }
}
