import TraceText

/// Columns for people: numbers to the right, NULL blank, texts inert and no wider than there is room.
struct AlignedLines: ResultLines {
  /// So many rows are looked at before the widths of columns are known.
  private static let sample = 1_000
  /// No text is cut to less.
  private static let leastWidth = 8
  private static let gap = "  "

  private struct Column {
    var width: Int
    var hasTexts = false
    var hasNumbers = false
    var isNumeric: Bool { hasNumbers && !hasTexts }
  }

  private let width: Int?
  private var columns: [Column] = []
  /// The rows whose columns have no widths yet; `nil` when they have.
  private var waiting: [[String]]? = []
  private var isEmpty = true

  init(width: Int?) { self.width = width }

  mutating func begin(_ names: [String], _ bytes: inout [UInt8]) {
    let headings = names.map { InertText.line($0) }
    columns = headings.map { Column(width: $0.count) }
    waiting = [headings]
    isEmpty = true
  }

  mutating func add(_ row: [QueryValue], _ bytes: inout [UInt8]) {
    isEmpty = false
    let cells = row.map { value in
      if case .text(let text) = value { return InertText.line(text) }
      return value.shortLiteral ?? ""
    }
    if waiting == nil { return print(cells, &bytes) }

    for (place, value) in row.enumerated() {
      columns[place].width = max(columns[place].width, cells[place].count)
      if value.isNumber { columns[place].hasNumbers = true }
      if !value.isNumber && value != .null { columns[place].hasTexts = true }
    }
    waiting?.append(cells)
    if waiting?.count ?? 0 > Self.sample { printWaiting(&bytes) }
  }

  mutating func end(_ bytes: inout [UInt8]) {
    printWaiting(&bytes)
    if isEmpty { bytes += "no rows\n".utf8 }
  }

  private mutating func printWaiting(_ bytes: inout [UInt8]) {
    guard let rows = waiting else { return }
    waiting = nil
    shrink()
    for row in rows { print(row, &bytes) }
  }

  /// Makes the widest texts narrower until all columns have room.
  private mutating func shrink() {
    guard let width else { return }
    var excess = columns.reduce(-Self.gap.count) { $0 + $1.width + Self.gap.count } - width
    while excess > 0 {
      let texts = columns.indices.filter { !columns[$0].isNumeric }
      guard let widest = texts.max(by: { columns[$0].width < columns[$1].width }),
        columns[widest].width > Self.leastWidth
      else { return }
      let others = texts.filter { $0 != widest }.map { columns[$0].width }
      let room = columns[widest].width - max(Self.leastWidth, others.max() ?? 0)
      let step = max(1, min(excess, room))
      columns[widest].width -= step
      excess -= step
    }
  }

  private func print(_ cells: [String], _ bytes: inout [UInt8]) {
    var line = ""
    for (cell, column) in zip(cells, columns) {
      let isCut = !column.isNumeric && cell.count > column.width
      let text = isCut ? cell.prefix(column.width - 1) + "…" : cell
      let blanks = String(repeating: " ", count: max(0, column.width - text.count))
      line += (column.isNumeric ? blanks + text : text + blanks) + Self.gap
    }
    while line.last == " " { line.removeLast() }
    bytes += line.utf8
    bytes.append(UInt8(ascii: "\n"))
  }
}
