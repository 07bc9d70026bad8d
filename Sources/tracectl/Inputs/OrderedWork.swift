import Platform

/// Numbered pieces of work that several threads do; what they hand over is taken in the order of the
/// pieces, whatever the number of threads.
final class OrderedWork<Output: Sendable>: Sendable {
  /// There is no piece left, or the work failed elsewhere.
  private struct Stopped: Error {}

  private struct State {
    var next = 0
    /// The piece whose outputs are taken now.
    var turn = 0
    /// The outputs that wait for their turn, by piece.
    var waiting: [Int: [Output]] = [:]
    /// The pieces that were done before their turn.
    var done: Set<Int> = []
    var error: (any Error)?
  }

  private let count: Int
  private let piecesAhead: Int
  private let outputsAhead: Int
  private let take: @Sendable (Output) throws -> Void
  private let changes = Monitor()
  // Sound because it is touched inside of `changes` alone.
  nonisolated(unsafe) private var state = State()

  /// Makes `count` pieces of work.
  ///
  /// At most `piecesAhead` of them are at work or wait, each with at most `outputsAhead` outputs. One
  /// thread at a time calls `take`.
  init(
    _ count: Int, piecesAhead: Int, outputsAhead: Int = .max,
    take: @escaping @Sendable (Output) throws -> Void
  ) {
    (self.count, self.piecesAhead, self.outputsAhead) = (count, piecesAhead, outputsAhead)
    self.take = take
  }

  /// Runs `body`, which calls ``each(_:)``, on at most `threads` threads; throws the first error of a piece.
  func run(threads: Int, _ body: @escaping @Sendable () -> Void) throws {
    Threads.run(min(threads, count), body)
    if let error = changes.inside({ state.error }) { throw error }
    if Interrupt.isRequested { throw ExitStatus.interrupted }
  }

  /// Does one piece after another until none is left or one fails.
  func each(_ work: (_ piece: Int, _ handOver: (Output) throws -> Void) throws -> Void) {
    do {
      while true {
        let piece = try wait { state -> Int? in
          guard state.next < count else { throw Stopped() }
          guard state.next - state.turn < piecesAhead else { return nil }
          state.next += 1
          return state.next - 1
        }
        try work(piece) { try handOver($0, of: piece) }
        try end(piece)
      }
    } catch {
      changes.inside {
        if !(error is Stopped) { state.error = state.error ?? error }
        changes.signal()
      }
    }
  }

  private func handOver(_ output: Output, of piece: Int) throws {
    let ready = try wait { state -> [Output]? in
      var outputs = state.waiting.removeValue(forKey: piece) ?? []
      let isTurn = state.turn == piece
      defer { if !isTurn { state.waiting[piece] = outputs } }
      guard isTurn || outputs.count < outputsAhead else { return nil }
      outputs.append(output)
      return isTurn ? outputs : []
    }
    for output in ready { try take(output) }
  }

  /// Gives the turn to the first piece behind this one that is not done.
  private func end(_ piece: Int) throws {
    var isTurn = try wait { state -> Bool? in
      if state.turn != piece { state.done.insert(piece) }
      return state.turn == piece
    }
    while isTurn {
      let ready = try wait { state in state.waiting.removeValue(forKey: state.turn) ?? [] }
      for output in ready { try take(output) }
      isTurn = try wait { state in
        state.turn += 1
        changes.signal()
        return state.done.remove(state.turn) != nil
      }
    }
  }

  /// Repeats `step` after each change until it returns a result.
  private func wait<Result>(_ step: (inout State) throws -> Result?) throws -> Result {
    try changes.inside {
      while true {
        if state.error != nil || Interrupt.isRequested { throw Stopped() }
        if let result = try step(&state) { return result }
        changes.wait()
      }
    }
  }
}
