import CSQLite
import LifecycleModel
import TraceText

/// The functions that SQL has besides SQLite's own.
enum QueryFunctions {
  private typealias Values = UnsafeMutablePointer<OpaquePointer?>
  private typealias Function = @convention(c) (OpaquePointer?, Int32, Values?) -> Void
  /// What a function does with its arguments; with `finish` it takes one row of a group after another.
  private typealias Row = (
    name: String, count: Int32, function: Function,
    finish: (@convention(c) (OpaquePointer?) -> Void)?
  )

  private static var all: [Row] {
    [
      ("ms", 1, { QueryFunctions.divide($0, $2, by: 1e6) }, nil),
      ("s", 1, { QueryFunctions.divide($0, $2, by: 1e9) }, nil),
      ("human", 1, { QueryFunctions.human($0, $2) }, nil),
      ("overlap", 4, { QueryFunctions.overlap($0, $2) }, nil),
      ("p50", 1, { Percentile.step($0, $2?[0], 50) }, { Percentile.finish($0) }),
      ("p95", 1, { Percentile.step($0, $2?[0], 95) }, { Percentile.finish($0) }),
      ("p99", 1, { Percentile.step($0, $2?[0], 99) }, { Percentile.finish($0) }),
      ("percentile", 2, { Percentile.step($0, $2?[0], of: $2?[1]) }, { Percentile.finish($0) }),
    ]
  }

  /// Their names.
  static var names: [String] { all.map(\.name) }

  /// Adds them to a connection.
  static func add(to connection: Connection) {
    for (name, count, function, finish) in all {
      sqlite3_create_function_v2(
        connection.handle, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
        finish == nil ? function : nil, finish == nil ? nil : function, finish, nil)
    }
  }

  /// Whether a value is a number: NULL makes the result NULL, and a text is an error.
  static func isNumber(_ value: OpaquePointer?, _ context: OpaquePointer?) -> Bool {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER, SQLITE_FLOAT: return true
    case SQLITE_NULL: sqlite3_result_null(context)
    default: sqlite3_result_error(context, "ms, s, human, overlap and percentiles take numbers", -1)
    }
    return false
  }

  private static func divide(_ context: OpaquePointer?, _ values: Values?, by unit: Double) {
    guard let value = values?[0], isNumber(value, context) else { return }
    sqlite3_result_double(context, sqlite3_value_double(value) / unit)
  }

  private static func human(_ context: OpaquePointer?, _ values: Values?) {
    guard let value = values?[0], isNumber(value, context) else { return }
    let isWhole = sqlite3_value_type(value) == SQLITE_INTEGER
    let number = sqlite3_value_double(value).rounded()
    let time = isWhole ? sqlite3_value_int64(value) : Int64(exactly: number)
    guard let time else {
      return sqlite3_result_error(context, "human takes nanoseconds of 64 bits", -1)
    }
    let isLong = time.magnitude >= Nanoseconds.seconds(60).magnitude
    let text = isLong ? TimeText.span(time) : InstantText.rounded(time)
    tracectl_sqlite_result_text(context, text, Int32(text.utf8.count))
  }

  /// How long two stretches of time lie upon each other.
  private static func overlap(_ context: OpaquePointer?, _ values: Values?) {
    guard let values, (0..<4).allSatisfy({ isNumber(values[$0], context) }) else { return }
    let numbers = (0..<4).map { sqlite3_value_int64(values[$0]) }
    func end(_ start: Int64, _ length: Int64) -> Int64 {
      let (end, overflows) = start.addingReportingOverflow(length)
      return overflows ? .max : end
    }

    let start = max(numbers[0], numbers[2])
    let last = min(end(numbers[0], numbers[1]), end(numbers[2], numbers[3]))
    let (length, overflows) = last.subtractingReportingOverflow(start)
    sqlite3_result_int64(context, last <= start ? 0 : overflows ? .max : length)
  }
}
