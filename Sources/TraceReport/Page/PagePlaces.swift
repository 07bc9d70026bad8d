import LifecycleModel

/// Which events of a log a page has, and where they stand among each other: the first has place 0.
///
/// Memory: some bytes for each stretch of events that follow one another in the log.
struct PagePlaces {
  /// Events of the page that follow one another in the log.
  private struct Run {
    /// Where the first one stands in the log, and on the page.
    let ordinal: UInt64
    let place: Int
    /// When it is; how many there are; when the last one is.
    let begin: Instant
    var count = 1
    var end: Instant
  }

  /// An event of the page.
  struct Found {
    let place: Int
    /// When it is, if it is not the one that was looked for.
    var instant: Instant?
  }

  private var runs: [Run] = []
  /// How many events the page has.
  private(set) var count = 0

  /// Adds an event, which stands in the log behind all others of the page.
  mutating func add(_ ordinal: UInt64, at instant: Instant) {
    defer { count += 1 }
    if let last = runs.indices.last, runs[last].ordinal + UInt64(runs[last].count) == ordinal {
      runs[last].count += 1
      runs[last].end = instant
    } else {
      runs.append(Run(ordinal: ordinal, place: count, begin: instant, end: instant))
    }
  }

  /// The place of an event; `nil` when the page has it not.
  func place(of ordinal: UInt64) -> Int? {
    guard let run = lastRun(upTo: ordinal), contains(run, ordinal) else { return nil }
    return place(ordinal, in: run)
  }

  /// The event, or else the first one of the page behind it.
  func first(from ordinal: UInt64) -> Found? {
    let run = lastRun(upTo: ordinal)
    if let run, contains(run, ordinal) { return Found(place: place(ordinal, in: run)) }
    let next = (run ?? -1) + 1
    guard runs.indices.contains(next) else { return nil }
    return Found(place: runs[next].place, instant: runs[next].begin)
  }

  /// The event, or else the last one of the page before it.
  func last(upTo ordinal: UInt64) -> Found? {
    guard let run = lastRun(upTo: ordinal) else { return nil }
    if contains(run, ordinal) { return Found(place: place(ordinal, in: run)) }
    return Found(place: runs[run].place + runs[run].count - 1, instant: runs[run].end)
  }

  private func lastRun(upTo ordinal: UInt64) -> Int? {
    // Most of what is asked for stands in the last one.
    if let last = runs.last, last.ordinal <= ordinal { return runs.count - 1 }
    let next = runs.partition { $0.ordinal > ordinal }
    return next > 0 ? next - 1 : nil
  }

  private func contains(_ run: Int, _ ordinal: UInt64) -> Bool {
    ordinal - runs[run].ordinal < UInt64(runs[run].count)
  }

  private func place(_ ordinal: UInt64, in run: Int) -> Int {
    runs[run].place + Int(ordinal - runs[run].ordinal)
  }
}
