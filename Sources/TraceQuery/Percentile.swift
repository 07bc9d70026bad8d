import CSQLite

/// Exact percentiles: the least value that so many of a hundred values do not exceed; NULL is left out.
///
/// The values lie in memory of SQLite's, to which its limit applies: 8 bytes each.
struct Percentile {
  private var values: UnsafeMutablePointer<Int64>?
  private var count = 0
  private var capacity = 0
  /// Whether a value is no whole number; then all stand as bits of `Double`.
  private var isReal = false
  /// Which percentile; `nil` before the first row.
  private var percent: Double?

  /// Takes the value of a row; the percentage is another value.
  static func step(
    _ context: OpaquePointer?, _ value: OpaquePointer?, of percent: OpaquePointer?
  ) {
    let isNumber = [SQLITE_INTEGER, SQLITE_FLOAT].contains(sqlite3_value_numeric_type(percent))
    let said = isNumber ? sqlite3_value_double(percent) : .nan
    guard (0...100).contains(said) else {
      return sqlite3_result_error(context, "percentile takes a number from 0 to 100 second", -1)
    }
    step(context, value, said)
  }

  /// Takes the value of a row.
  static func step(_ context: OpaquePointer?, _ value: OpaquePointer?, _ percent: Double) {
    // The memory is zero at first, which is no value of this type.
    let size = Int32(MemoryLayout<Percentile>.size)
    guard let memory = sqlite3_aggregate_context(context, size) else {
      return sqlite3_result_error_nomem(context)
    }
    let state = memory.assumingMemoryBound(to: Percentile.self)
    if state.pointee.capacity == 0 { state.initialize(to: Percentile()) }
    guard state.pointee.percent ?? percent == percent else {
      return sqlite3_result_error(context, "percentile takes one percentage for all rows", -1)
    }

    state.pointee.percent = percent
    guard sqlite3_value_type(value) != SQLITE_NULL, QueryFunctions.isNumber(value, context) else {
      return
    }
    if !state.pointee.add(value) { sqlite3_result_error_nomem(context) }
  }

  /// Adds a number; false when there is no memory.
  private mutating func add(_ value: OpaquePointer?) -> Bool {
    if count == capacity {
      capacity = max(64, capacity * 2)
      guard let larger = sqlite3_realloc64(values, UInt64(capacity) * 8) else { return false }
      values = larger.assumingMemoryBound(to: Int64.self)
    }
    if sqlite3_value_type(value) == SQLITE_FLOAT && !isReal {
      isReal = true
      for index in 0..<count { values?[index] = bits(Double(values?[index] ?? 0)) }
    }

    values?[count] =
      isReal ? bits(sqlite3_value_double(value)) : sqlite3_value_int64(value)
    count += 1
    return true
  }

  private func bits(_ number: Double) -> Int64 { Int64(bitPattern: number.bitPattern) }

  /// Answers with the percentile of the rows.
  static func finish(_ context: OpaquePointer?) {
    guard let memory = sqlite3_aggregate_context(context, 0) else {
      return sqlite3_result_null(context)
    }
    let state = memory.assumingMemoryBound(to: Percentile.self).pointee
    defer { sqlite3_free(state.values) }
    guard let values = state.values, state.count > 0, let percent = state.percent else {
      return sqlite3_result_null(context)
    }

    let rank = (percent * Double(state.count) / 100).rounded(.up)
    let place = min(max(1, Int(rank)), state.count) - 1
    var sorted = UnsafeMutableBufferPointer(start: values, count: state.count)
    if state.isReal {
      sorted.withMemoryRebound(to: Double.self) { reals in
        var reals = reals
        reals.sort()
        sqlite3_result_double(context, reals[place])
      }
    } else {
      sorted.sort()
      sqlite3_result_int64(context, sorted[place])
    }
  }
}
