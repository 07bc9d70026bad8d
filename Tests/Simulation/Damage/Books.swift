import LifecycleModel
import TraceLog

/// What was written into a log, against which each reading of it is held.
struct Books {
  /// The writer of each event, and its place among all.
  private var places: [String: Int] = [:]
  /// The last sequence of each writer that was given out.
  private var ends: [String: UInt64] = [:]
  private let count: Int
  /// The gaps that were written, or that the whole log's reader tells.
  private var gaps: Set<String> = []

  /// The books on a log whose whole files were read as `reading`.
  init(_ log: SmallLog, _ reading: Reading) {
    count = reading.items.count { $0.gap == nil }
    let told = Set(log.written)
    let all = log.written + reading.items.map(\.line).filter { !told.contains($0) }
    for (place, line) in all.enumerated() { places[line] = place }

    for item in reading.facts + reading.items {
      if let gap = item.gap {
        gaps.insert(item.line)
        if let writer = gap.writer, let to = gap.to { raise(writer, to) }
      } else {
        raise(item.writer, item.sequence)
      }
    }
  }

  private mutating func raise(_ writer: String, _ sequence: UInt64) {
    ends[writer] = max(ends[writer] ?? 0, sequence)
  }

  /// Whether fewer events were read than the whole log has.
  func isShort(_ reading: Reading) -> Bool { reading.items.count { $0.gap == nil } < count }

  /// Whether a loss is told that the whole log does not tell.
  func tellsLoss(_ reading: Reading) -> Bool {
    (reading.facts + reading.items).contains { $0.gap != nil && !gaps.contains($0.line) }
  }

  /// What is wrong with the reading of a damaged log, in words: events that nobody wrote, or in another
  /// order, and losses that are not told, or not as they are.
  func complaints(_ reading: Reading) -> [String] {
    var account = Account(reading.firstPart)
    var complaints: [String] = []
    var last: [String: Int] = [:]

    for item in reading.items {
      if let gap = item.gap {
        account.tell(gap, isOld: gaps.contains(item.line))
        continue
      }
      guard let place = places[item.line] else {
        complaints.append("invented event: \(item.line)")
        continue
      }
      if place <= last[item.writer] ?? -1 { complaints.append("out of order: \(item.line)") }
      last[item.writer] = place
      account.read(item)
    }
    return complaints + account.complaints(ends)
  }
}

/// Which sequences of each writer were read, and which were told as missing.
private struct Account {
  private var read: [String: Set<UInt64>] = [:]
  private var told: [String: Set<UInt64>] = [:]
  private var explained: [String: Set<UInt64>] = [:]
  private var begins: [String: UInt64] = [:]
  /// More is told than any log of these has.
  private var excess: [String] = []

  init(_ part: LogPart) {
    for mark in part.writers { begins[mark.name] = mark.last }
  }

  mutating func read(_ item: Reading.Item) {
    if item.sequence > 0 { read[item.writer, default: []].insert(item.sequence) }
  }

  /// A loss, which the whole log tells, too, if it `isOld`.
  mutating func tell(_ gap: Gap, isOld: Bool) {
    guard let writer = gap.writer, let from = gap.from, let to = gap.to else { return }
    guard from <= to, to - from < 100_000 else {
      if !isOld { excess.append("\(gap)") }
      return
    }
    explained[writer, default: []].formUnion(from...to)
    if !isOld { told[writer, default: []].formUnion(from...to) }
  }

  func complaints(_ ends: [String: UInt64]) -> [String] {
    var complaints = excess.map { "an impossible gap: \($0)" }
    for (writer, sequences) in read {
      let known = sequences.union(explained[writer] ?? [])
      let first = (begins[writer] ?? 0) + 1
      guard let last = sequences.max(), first <= last else { continue }
      let missing = (first...last).filter { !known.contains($0) }
      if !missing.isEmpty { complaints.append("nobody tells \(missing) of \(writer)") }
    }

    for (writer, sequences) in told {
      let both = sequences.intersection(read[writer] ?? [])
      if !both.isEmpty { complaints.append("read and told as lost: \(both.sorted()) of \(writer)") }
      let never = sequences.filter { $0 > ends[writer] ?? 0 }
      if !never.isEmpty { complaints.append("never written: \(never.sorted()) of \(writer)") }
    }
    return complaints
  }
}
