/// Where the events of a text stand in it, by their lines.
///
/// Memory: 12 bytes an event. Reading one line: a binary search.
public struct EventLines: Sendable {
  /// The events of one writer, in the order of their sequences.
  private struct Column: Sendable {
    var sequences: [UInt64] = []
    var lines: [UInt32] = []
  }

  private var columns: [Column] = []
  /// Gaps stand outside the count of sequences.
  private var gaps: [Event: UInt32] = [:]

  /// Makes lines of no events.
  public init() {}

  /// Notes the line, from 1, of an event that has its sequence; those of a writer come in order.
  public mutating func append(_ event: Event, line: Int) {
    let line = UInt32(clamping: line)
    guard event.sequence > 0 else {
      if gaps[event] == nil { gaps[event] = line }
      return
    }
    let writer = Int(event.writer.rawValue)
    while columns.count <= writer { columns.append(Column()) }
    columns[writer].sequences.append(event.sequence)
    columns[writer].lines.append(line)
  }

  /// The line of an event, from 1; `nil` when it is not of this text.
  ///
  /// Of gaps that say the same at the same instant it is the first.
  public func line(of event: Event) -> Int? {
    guard event.sequence > 0 else { return gaps[event].map { Int($0) } }
    let writer = Int(event.writer.rawValue)
    guard columns.indices.contains(writer) else { return nil }
    let column = columns[writer]
    var (low, high) = (0, column.sequences.count)
    while low < high {
      let middle = (low + high) / 2
      if column.sequences[middle] < event.sequence { low = middle + 1 } else { high = middle }
    }
    guard low < column.sequences.count, column.sequences[low] == event.sequence else { return nil }
    return Int(column.lines[low])
  }
}
