import CSQLite
import TraceReport
import TraceText

/// Compiles the statements of a query, and says what is wrong with them.
struct StatementReader {
  private static let allowed = "a query only reads: SELECT, WITH … SELECT, VALUES, EXPLAIN"

  let connection: Connection
  let readingGuard: ReadingGuard
  let text: QueryText

  /// All statements, of which there is one at least.
  func statements() throws(QueryError) -> [LogStatement] {
    if let place = text.bytes.firstIndex(of: 0) {
      throw text.error("SQL holds a NUL, which ends it", at: place)
    }

    var statements: [LogStatement] = []
    var place = text.statement(from: 0)
    while place < text.bytes.count {
      let (statement, length) = try compile(at: place)
      statements.append(statement)
      place = text.statement(from: place + length)
    }

    if statements.isEmpty {
      throw QueryError("the query has no statement; an example: select * from deaths")
    }
    return statements
  }

  /// Compiles the statement at a place; returns its length, too.
  private func compile(at place: Int) throws(QueryError) -> (statement: LogStatement, length: Int) {
    var handle: OpaquePointer?
    var length = 0
    let status = text.bytes[place...].withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: CChar.self).baseAddress
      var rest: UnsafePointer<CChar>?
      let status = sqlite3_prepare_v2(
        connection.handle, start, Int32(clamping: bytes.count), &handle, &rest)
      if let start, let rest { length = rest - start }
      return status
    }

    guard status == SQLITE_OK, let handle else { throw failure(at: place, status) }
    let statement = LogStatement(handle, of: connection)
    // What answers nothing does something.
    if sqlite3_stmt_readonly(handle) == 0 || statement.columns.isEmpty {
      throw refused("\(text.word(at: place).uppercased()) is refused", at: place)
    }
    if sqlite3_bind_parameter_count(handle) > 0 {
      let name = sqlite3_bind_parameter_name(handle, 1).map { String(cString: $0) } ?? "?"
      throw text.error("\(name) stands for a value that nobody gives; write the value", at: place)
    }
    return (statement, length)
  }

  private func refused(_ what: String, at place: Int) -> QueryError {
    text.error("\(what); \(Self.allowed)", at: place)
  }

  /// Why the statement at a place cannot be compiled.
  private func failure(at place: Int, _ status: Int32) -> QueryError {
    if let refusal = readingGuard.refusal { return error(of: refusal, at: place) }
    if status == SQLITE_OK { return text.error("there is no statement here", at: place) }

    let offset = sqlite3_error_offset(connection.handle)
    let message = InertText.line(connection.message)
    let missing = MissingName(message, in: text)
    let isCut = message == "incomplete input"
    let found = missing.flatMap { text.place(of: $0.name, from: place) }
    let at = offset >= 0 ? place + Int(offset) : isCut ? text.bytes.count : found ?? place
    return text.error(message + (missing?.advice ?? ""), at: at)
  }

  private func error(of refusal: ReadingGuard.Refusal, at place: Int) -> QueryError {
    switch refusal {
    case .statement(let word):
      let first = text.word(at: place).uppercased()
      let isHidden = ["WITH", "EXPLAIN", "SELECT"].contains(first) && !word.isEmpty
      return refused("\(isHidden ? word : first) is refused", at: place)
    case .function(let name):
      return text.error("the function \(name) is refused: it does not only compute", at: place)
    case .table:
      let first = text.word(at: place).uppercased()
      if !["WITH", "EXPLAIN", "SELECT"].contains(first) {
        return refused("\(first) is refused", at: place)
      }
      return text.error(
        "it reads a table that is none of the logs; tracectl query --schema lists those", at: place)
    }
  }
}

/// A name in SQL that means nothing, and the one that was probably meant.
private struct MissingName {
  /// The name, without that of its table.
  let name: String
  private let kind: Substring
  private let text: QueryText

  /// Reads what SQLite says of an error; `nil` when it is another one.
  init?(_ message: String, in text: QueryText) {
    guard let match = message.firstMatch(of: /^no such (column|table|function): (.*)$/) else {
      return nil
    }
    kind = match.1
    name = match.2.split(separator: ".").last.map(String.init) ?? ""
    self.text = text
  }

  /// What follows the message.
  var advice: String {
    let near = NearestWord.of(name.lowercased(), in: known).map { "; did you mean \($0)?" } ?? ""
    if kind == "function" { return near }
    let isQuoted = String(decoding: text.bytes, as: UTF8.self).contains("\"\(name)\"")
    if kind == "column", isQuoted { return "; a text stands in single quotes: '\(name)'" }
    return "\(near.isEmpty ? ";" : near) tracectl query --schema lists all"
  }

  private var known: [String] {
    switch kind {
    case "table": return LogTable.allCases.map(\.rawValue) + LogView.all.map(\.name)
    case "function": return QueryFunctions.names + ["count", "sum", "avg", "min", "max"]
    default:
      let words = text.words
      let named = LogTable.allCases.filter { words.contains($0.rawValue) }
      return (named.isEmpty ? LogTable.allCases : named).flatMap { $0.columns.map(\.name) }
    }
  }
}
