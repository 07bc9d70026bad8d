/// Rows of one table, column by column; the writers of all forms take them.
///
/// Memory: 9 bytes a value of a wanted column, and each distinct text of a column once.
package struct TableChunk: Sendable {
  /// One column of some rows.
  package struct Column: Sendable {
    /// What its values are.
    package let kind: TableColumn.Kind
    /// Whether its values are asked for; else it has none, and stands for NULL in every row.
    package let isWanted: Bool
    /// A value a row: the integer, 1 or 0 of a boolean, or the place of a text in ``texts``; 0 for NULL.
    package private(set) var values: [Int64] = []
    /// Whether each row has a value.
    package private(set) var isValid: [Bool] = []
    /// The distinct texts.
    package private(set) var texts: [String] = []
    private var places: [ExactText: Int64] = [:]
    private var last: (key: ExactText, place: Int64)?
    /// The places of numbered words: of small numbers by number, -1 for none.
    private var numbered: [Int64] = []
    private var numberedFar: [UInt64: Int64] = [:]
    /// How many bytes the distinct texts have.
    fileprivate private(set) var textBytes = 0

    init(_ kind: TableColumn.Kind, isWanted: Bool) {
      (self.kind, self.isWanted) = (kind, isWanted)
    }

    /// Adds an integer, a boolean as 1 or 0, the place of a text, or NULL.
    @inline(__always)
    package mutating func add(_ value: Int64?) {
      guard isWanted else { return }
      values.append(value ?? 0)
      isValid.append(value != nil)
    }

    /// Adds a text for some rows; cost: a dictionary look-up.
    package mutating func add(_ text: String?, count: Int = 1) {
      guard isWanted, count > 0 else { return }
      let value = text.map { place(of: $0) }
      for _ in 0..<count { add(value) }
    }

    /// The place of a text among ``texts``, to which it is added when it is new.
    package mutating func place(of text: String) -> Int64 {
      let key = ExactText(text: text)
      if let last, last.key == key { return last.place }
      let place = places[key] ?? Int64(texts.count)
      last = (key, place)
      if place < texts.count { return place }
      texts.append(text)
      textBytes += text.utf8.count
      places[key] = place
      return place
    }

    /// Adds the word with a number, which `text` gives when the number is new, or NULL.
    @inline(__always)
    mutating func add(_ number: UInt64?, _ text: () -> String) {
      guard let number else { return add(Int64?.none) }
      if number < UInt64(numbered.count), numbered[Int(number)] >= 0 {
        return add(numbered[Int(number)])
      }
      add(numberedPlace(number, text))
    }

    private mutating func numberedPlace(_ number: UInt64, _ text: () -> String) -> Int64 {
      if let place = numberedFar[number] { return place }
      let place = place(of: text())
      guard number < 1 << 22 else {
        numberedFar[number] = place
        return place
      }
      while numbered.count <= number { numbered.append(-1) }
      numbered[Int(number)] = place
      return place
    }

    /// Forgets by which numbers words are known.
    fileprivate mutating func forgetNumbers() {
      numbered.removeAll()
      numberedFar.removeAll()
    }

    /// Adds all rows of another chunk's column.
    fileprivate mutating func add(_ other: Column) {
      guard isWanted else { return }
      isValid += other.isValid
      guard kind == .text else {
        values += other.values
        return
      }

      let places = other.texts.map { place(of: $0) }
      for (value, isValid) in zip(other.values, other.isValid) {
        values.append(isValid ? places[Int(value)] : 0)
      }
    }

    fileprivate mutating func removeAll() {
      values.removeAll(keepingCapacity: true)
      isValid.removeAll(keepingCapacity: true)
      texts.removeAll()
      textBytes = 0
      places.removeAll()
      last = nil
      forgetNumbers()
    }
  }

  /// At most this many rows of a table are handed over at a time, or those whose distinct texts have this
  /// many bytes.
  package static let (fullRows, fullBytes) = (25_000, 4 << 20)

  /// The table of which these are rows.
  package let table: LogTable
  /// What the columns are: those of the table, unless it is summed over cohorts.
  package let schema: [TableColumn]
  /// The columns, in the order of ``schema``.
  package var columns: [Column]
  /// How many rows there are.
  package private(set) var rowCount = 0

  /// Whether there are enough rows, or long enough texts, to be handed over.
  package var isFull: Bool {
    rowCount >= TableChunk.fullRows
      || columns.reduce(0) { $0 + $1.textBytes } >= TableChunk.fullBytes
  }

  /// Makes no rows of a table, with values of the `wanted` columns, by their places; of all by default.
  package init(_ table: LogTable, schema: [TableColumn]? = nil, wanted: Set<Int>? = nil) {
    self.table = table
    self.schema = schema ?? table.columns
    columns = self.schema.enumerated().map { place, column in
      Column(column.kind, isWanted: wanted?.contains(place) ?? true)
    }
  }

  /// Adds the values of rows to the columns that are wanted, behind those that the rows have in common.
  mutating func add<Row: SendableMetatype>(
    _ rows: UnsafeBufferPointer<Row>, _ values: [TraceReport.Column<Row>],
    behind common: [String?]
  ) {
    for place in common.indices { columns[place].add(common[place], count: rows.count) }
    for place in values.indices where columns[common.count + place].isWanted {
      values[place].add(rows, &columns[common.count + place])
    }
    endRow(rows.count)
  }

  /// Counts rows, of which each wanted column was given the values.
  @inline(__always)
  package mutating func endRow(_ count: Int = 1) { rowCount += count }

  /// Forgets by which numbers words are known: numbers change their meaning.
  mutating func forgetNumbers() {
    for place in columns.indices { columns[place].forgetNumbers() }
  }

  /// Adds all rows of another chunk of the same table.
  package mutating func add(_ other: TableChunk) {
    for place in columns.indices { columns[place].add(other.columns[place]) }
    rowCount += other.rowCount
  }

  /// Removes all rows.
  package mutating func removeAll() {
    for place in columns.indices { columns[place].removeAll() }
    rowCount = 0
  }
}

/// A text that equals another one of the same bytes only: `é` can be written in two ways.
private struct ExactText: Hashable {
  let text: String

  static func == (lhs: ExactText, rhs: ExactText) -> Bool {
    var (one, other) = (lhs.text, rhs.text)
    return one.withUTF8 { one in
      other.withUTF8 { other in
        // A long text is mostly the same one of the vocabulary, at one place.
        one.count == other.count
          && (one.baseAddress == other.baseAddress || one.elementsEqual(other))
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
