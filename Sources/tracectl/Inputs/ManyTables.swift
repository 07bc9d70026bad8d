import Platform
import TraceReport

/// Reads many logs into tables on several threads; the rows come in the order of the logs, in the same
/// chunks whatever the number of threads.
///
/// Memory is taken by some chunks a thread, and by what is summed over logs.
enum ManyTables {
  /// What could not be read.
  struct Failures: Sendable {
    /// How many logs.
    private(set) var count = 0
    /// The first of them, in words.
    private var first: [String] = []

    /// What cannot be read, in lines.
    var told: [String] {
      let rest = count - first.count
      let others =
        rest > 0 ? ["and \(CountText.of(rest, "other log")), as the table logs says"] : []
      return first + others
    }

    fileprivate mutating func add(_ error: String) {
      count += 1
      if count <= ManyTables.toldFailures { first.append(error) }
    }
  }

  /// What comes of a log: rows, or why it cannot be read.
  private enum Part: Sendable {
    case rows(TableChunk)
    case failure(String)
  }

  /// The most logs, and bytes of them, that one thread reads one after another.
  private static let logsOfShare = 64
  private static let bytesOfShare = 4 << 20
  /// The most chunks of a share that wait for the shares before it; then its thread waits.
  private static let waitingChunks = 8
  private static let toldFailures = 3

  /// Reads all logs on at most `threads` threads; `take` gets the rows, one chunk at a time.
  static func read(
    _ logs: TabledLogs, _ task: TableReading.Task, threads: Int,
    _ take: @escaping @Sendable (TableChunk) throws -> Void
  ) throws -> Failures {
    let shares = shares(of: logs.logs)
    let progress = Progress("reading \(logs.logs.count) logs", isQuiet: task.logs.settings.isQuiet)
    defer { progress.clear() }
    let failures = Lock(Failures())
    let sum = Lock(TableSums())

    let work = OrderedWork<Part>(
      shares.count, piecesAhead: threads, outputsAhead: waitingChunks
    ) { part in
      switch part {
      case .rows(let chunk): try take(chunk)
      case .failure(let error): failures.withLock { $0.add(error) }
      }
    }
    try work.run(threads: threads) {
      var reading = TableReading(task, progress)
      work.each { share, handOver in
        for log in shares[share] {
          let error = try reading.read(log) { try handOver(.rows($0)) }
          if let error { try handOver(.failure(error)) }
        }
        try reading.handRest { try handOver(.rows($0)) }
      }
      let sums = reading.sums
      sum.withLock { $0.merge(sums) }
    }

    let sums = sum.withLock { $0 }
    for chunk in sums.chunks(task.plan) where chunk.rowCount > 0 { try take(chunk) }
    // The file that standard input became stays until all is read.
    return withExtendedLifetime(logs) { failures.withLock { $0 } }
  }

  private static func shares(of logs: [TabledLog]) -> [ArraySlice<TabledLog>] {
    var shares: [ArraySlice<TabledLog>] = []
    var (first, bytes) = (0, 0)
    for index in logs.indices {
      bytes += ExpansionLimit.bytes(of: [logs[index].path])
      if index + 1 - first >= logsOfShare || bytes >= bytesOfShare || index + 1 == logs.count {
        shares.append(logs[first...index])
        (first, bytes) = (index + 1, 0)
      }
    }
    return shares
  }
}
