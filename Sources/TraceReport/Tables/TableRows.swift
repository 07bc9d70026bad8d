import LifecycleModel

/// The rows of all tables that are being made.
struct TableRows {
  var logs, processes, events, spans, states, findings, witnesses, rules, gaps,
    durations: TableChunk

  init(_ plan: TablePlan) {
    logs = plan.chunk(of: .logs)
    processes = plan.chunk(of: .processes)
    events = plan.chunk(of: .events)
    spans = plan.chunk(of: .spans)
    states = plan.chunk(of: .states)
    findings = plan.chunk(of: .findings)
    witnesses = plan.chunk(of: .witnesses)
    rules = plan.chunk(of: .rules)
    gaps = plan.chunk(of: .gaps)
    durations = plan.chunk(of: .durations)
  }

  /// Hands over the rows of each table that has enough of them, or all that are `left`, and forgets them.
  mutating func hand(left: Bool = false, to take: (TableChunk) throws -> Void) throws {
    func hand(_ chunk: inout TableChunk) throws {
      guard left ? chunk.rowCount > 0 : chunk.isFull else { return }
      try take(chunk)
      chunk.removeAll()
    }

    try hand(&logs)
    try hand(&processes)
    try hand(&events)
    try hand(&spans)
    try hand(&states)
    try hand(&findings)
    try hand(&witnesses)
    try hand(&rules)
    try hand(&gaps)
    try hand(&durations)
  }
}

/// A value of a table.
enum TableValue {
  case null
  case integer(Int64)
  case boolean(Bool)
  case text(String)

  static func of(_ number: (some BinaryInteger)?) -> TableValue {
    number.map { .integer(Int64(clamping: $0)) } ?? .null
  }

  static func of(_ text: String?) -> TableValue { text.map { .text($0) } ?? .null }

  static func of(_ flag: Bool?) -> TableValue { flag.map { .boolean($0) } ?? .null }

  /// A text; NULL for an empty one.
  static func word(_ text: String) -> TableValue { text.isEmpty ? .null : .text(text) }
}

extension TableChunk {
  /// So many rows of a table are handed over at a time, or those whose distinct texts have so many bytes.
  package static let (fullRows, fullBytes) = (25_000, 4 << 20)

  /// Adds a row: a value for each column.
  mutating func add(_ row: [TableValue]) {
    precondition(row.count == columns.count, "a row of \(table) has \(row.count) values")
    for (place, value) in row.enumerated() {
      switch value {
      case .null: columns[place].addNull()
      case .integer(let number): columns[place].add(number)
      case .boolean(let flag): columns[place].add(flag)
      case .text(let text): columns[place].add(text)
      }
    }
    endRow()
  }
}
