import LifecycleModel
import Platform
import TraceReport
import TraceText

/// Reads many logs into tables on several threads; the rows come in the order of the logs, in the same
/// chunks whatever the number of threads.
///
/// Memory is taken by some chunks a thread, and by what is summed over logs.
final class ManyTables: Sendable {
  /// What could not be read.
  struct Failures: Sendable {
    /// How many logs.
    var count = 0
    /// The first of them, in words.
    var first: [String] = []

    /// What cannot be read, in lines.
    var told: [String] {
      let rest = count - first.count
      let others =
        rest > 0 ? ["and \(CountText.of(rest, "other log")), as the table logs says"] : []
      return first + others
    }

    mutating func add(_ errors: [String]) {
      count += errors.count
      first += errors.prefix(max(0, ManyTables.toldFailures - first.count))
    }
  }

  /// So many logs, or so many bytes of them, are read by one thread one after another.
  private static let logsOfShare = 64
  private static let bytesOfShare = 4 << 20
  /// So many chunks of a share wait for the shares before it; then its thread waits.
  private static let waitingChunks = 8
  private static let toldFailures = 3

  private struct State {
    var nextShare = 0
    /// The share whose rows are taken now.
    var turn = 0
    /// What could not be read, by share.
    var failures: [Int: [String]] = [:]
    var sums = TableSums()
    var error: (any Error)?
  }

  /// The work is over, and this thread has not done its part.
  private struct Stopped: Error {}

  private let shares: [ArraySlice<TabledLog>]
  /// What cannot even be tried.
  private let refused: [(name: String, reason: String)]
  private let task: TableReading.Task
  private let progress: Progress
  private let state = Lock(State())
  private let turns = Monitor()

  /// Makes ready to read these logs, which have to stay until all is read.
  init(_ logs: TabledLogs, _ task: TableReading.Task) {
    self.task = task
    refused = logs.refused
    shares = ManyTables.shares(of: logs.logs)
    progress = Progress("reading \(logs.logs.count) logs", isQuiet: task.settings.isQuiet)
  }

  private static func shares(of logs: [TabledLog]) -> [ArraySlice<TabledLog>] {
    var shares: [ArraySlice<TabledLog>] = []
    var (first, bytes) = (0, 0)
    for index in logs.indices {
      var status = stat()
      bytes += stat(logs[index].path, &status) == 0 ? Int(status.st_size) : 0
      if index + 1 - first >= logsOfShare || bytes >= bytesOfShare || index + 1 == logs.count {
        shares.append(logs[first...index])
        (first, bytes) = (index + 1, 0)
      }
    }
    return shares
  }

  /// Reads all logs on so many threads; `take` gets the rows, one chunk at a time.
  func run(
    threads: Int, _ take: @escaping @Sendable (TableChunk) throws -> Void
  ) throws -> Failures {
    defer { progress.clear() }
    Threads.run(min(threads, shares.count)) { [self] in work(take) }
    let state = state.withLock { $0 }
    if let error = state.error { throw error }
    if Interrupt.isRequested { throw ChildStatus.interrupted }
    var failures = Failures()
    for share in shares.indices { failures.add(state.failures[share] ?? []) }
    for chunk in state.sums.chunks(task.plan) where chunk.rowCount > 0 { try take(chunk) }

    var tables = LogTables(task.plan)
    for (name, reason) in refused {
      tables.add(error: reason, of: name)
      failures.add(["\(InertText.word(name)): \(reason)"])
    }
    try tables.handRest(to: take)
    return failures
  }

  private func work(_ take: @Sendable (TableChunk) throws -> Void) {
    var reading = TableReading(task, progress)
    while let share = takeShare() {
      do {
        try read(share, &reading, take)
      } catch is Stopped {
        // Whoever stopped the work has told why.
      } catch {
        state.withLock { $0.error = $0.error ?? error }
      }
      endTurn(of: share)
    }
    let sums = reading.sums
    state.withLock { $0.sums.merge(sums) }
  }

  private func read(
    _ share: Int, _ reading: inout TableReading, _ take: (TableChunk) throws -> Void
  ) throws {
    var waiting: [TableChunk] = []
    func pass(_ chunk: TableChunk) throws {
      if isOver { throw Stopped() }
      waiting.append(chunk)
      guard isTurn(of: share, waiting: waiting.count >= ManyTables.waitingChunks) else { return }
      for chunk in waiting { try take(chunk) }
      waiting.removeAll()
    }

    for log in shares[share] {
      if isOver { throw Stopped() }
      if let error = try reading.read(log, pass) {
        state.withLock { $0.failures[share, default: []].append(error) }
      }
    }
    try reading.handRest(to: pass)
    guard isTurn(of: share, waiting: true) else { return }
    for chunk in waiting { try take(chunk) }
  }

  // MARK: Turns

  private var isOver: Bool { state.withLock { $0.error != nil } || Interrupt.isRequested }

  private func takeShare() -> Int? {
    if isOver { return nil }
    return state.withLock { state in
      guard state.nextShare < shares.count else { return nil }
      state.nextShare += 1
      return state.nextShare - 1
    }
  }

  /// Whether the rows of a share can be taken now: all shares before it are done; with `waiting` it waits
  /// until they are, or until the work is over.
  private func isTurn(of share: Int, waiting: Bool) -> Bool {
    turns.inside {
      while state.withLock({ $0.turn }) != share {
        if !waiting || isOver { return false }
        turns.wait()
      }
      return true
    }
  }

  private func endTurn(of share: Int) {
    turns.inside {
      // A share that failed may be over before those that stand before it.
      while state.withLock({ $0.turn }) != share && !isOver { turns.wait() }
      state.withLock { if $0.turn == share { $0.turn += 1 } }
      turns.signal()
    }
  }
}
