import LifecycleModel

/// Reads the JetsamEvents of iOS 8 and before, which are tables, or rows that were cut out of one.
///
///     Largest process:   Notes
///          Name                    <UUID>    CPU Time   rpages   recent_max   fds   [reason]   (state)
///         Notes <00a2…>   12.345    26000    26100    100    [per-process-limit]   (frontmost) (resume)
///
/// Which columns there are depends on the system. Pages had 4 KB or 16 KB, and the table does not say it.
struct JetsamTableReader: LineReportReader {
  private var list: JetsamList
  /// The columns of numbers, as the heading names them; none without a heading.
  private var columns: [String] = []
  static let longestLine = 512

  /// Reads for the app with this name or bundle.
  init(app: String?) { list = JetsamList(app: app, usualPage: nil) }

  /// Whether a line belongs to such a table and to nothing else.
  static func recognizes(_ line: String) -> Bool {
    line.hasPrefix("Largest process:") || columns(ofHeading: line) != nil
      || Row(line).map { $0.isWhole && $0.isMarked } ?? false
  }

  mutating func take(_ line: String, _ number: Int) {
    if let columns = Self.columns(ofHeading: line) {
      self.columns = columns
    } else if let row = Row(line) {
      guard row.isWhole else {
        return list.draft.report.noteMisread(line.trimmedStart, at: "line \(number)")
      }
      take(row)
    } else if let (key, value) = line.keyAndValue {
      JetsamList.keys.take(key, value, into: &list.draft, at: "\(key) in line \(number)")
    }
  }

  private mutating func take(_ row: Row) {
    let isAsHeaded = columns.count == row.numbers.count
    func number(_ column: String) -> UInt64? {
      let index = isAsHeaded ? columns.firstIndex(of: column) : nil
      return index.flatMap { UInt64(row.numbers[$0]) }
    }

    // Processor time has a point, and pages come first behind it.
    let first = row.numbers.first { UInt64($0) != nil }
    var entry = row.entry
    entry.pages = number("rpages") ?? number("resident") ?? first.flatMap { UInt64($0) }
    entry.mostPages = number("lifetime_max")
    list.take(entry)
  }

  /// The columns of numbers that a heading names; `nil` for other lines.
  private static func columns(ofHeading line: String) -> [String]? {
    guard line.contains("<UUID>"), line.contains("rpages"), let end = line.lastIndex(of: ">") else {
      return nil
    }
    let words = line[line.index(after: end)...].replacing("CPU Time", with: "cpuTime")
    return words.split(separator: " ").map(String.init).filter {
      $0 != "[reason]" && $0 != "(state)"
    }
    .map { $0.filter { $0 != "[" && $0 != "]" } }
  }

  var contents: ReportContents { list.contents }
}

extension JetsamTableReader {
  /// A row: a name, an id, numbers, and words in brackets.
  private struct Row {
    /// The process, without what its numbers mean.
    var entry = JetsamList.Entry()
    var numbers: [String] = []
    /// Whether a word in brackets was read.
    var isMarked: Bool { entry.reason != nil || !entry.states.isEmpty }
    /// Whether all of its words are understood.
    var isWhole = true

    init?(_ line: String) {
      guard let open = line.firstIndex(of: "<"), let close = line[open...].firstIndex(of: ">")
      else {
        return nil
      }
      let name = String(line[..<open]).trimmedStart.trimmedEnd
      let id = line[line.index(after: open)..<close]
      let isID = id.allSatisfy { $0.isHexDigit || $0 == "-" } && (8...40).contains(id.count)
      guard isID, !name.isEmpty, name.utf8.count <= 64 else { return nil }
      entry.name = name

      for word in line[line.index(after: close)...].split(separator: " ").prefix(32) {
        if word.hasPrefix("["), word.hasSuffix("]") {
          entry.reason = String(word.dropFirst().dropLast())
        } else if word.hasPrefix("("), word.hasSuffix(")") {
          entry.states.append(String(word.dropFirst().dropLast()))
        } else if Double(word) != nil || word == "-", !isMarked {
          numbers.append(String(word))
        } else {
          isWhole = false
        }
      }

      if !numbers.contains(where: { UInt64($0) != nil }) { isWhole = false }
      // Up to iOS 5 it stands among the states.
      if entry.reason == nil, let index = entry.states.firstIndex(of: "jettisoned") {
        entry.reason = entry.states.remove(at: index)
      }
    }
  }
}
