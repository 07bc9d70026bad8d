import LifecycleModel

/// Lines of a text in the order of their instants, those of one instant as they stand.
///
/// Memory: some megabytes, however many lines there are. What it does not hold lies in a temporary file,
/// in runs that are in order each.
struct SortedLines {
  /// A line that has an instant.
  struct Line {
    var instant: Instant
    /// The line's number, from 1.
    var number: Int
    /// `nil` of a line that cannot be read.
    var bytes: ArraySlice<UInt8>?
  }

  /// What decides where a line stands.
  fileprivate struct Key: Comparable {
    var instant: Int64 = 0
    var number = 0

    static func < (left: Key, right: Key) -> Bool {
      (left.instant, left.number) < (right.instant, right.number)
    }
  }

  /// So many bytes of lines are put in order in memory.
  private let memory: Int
  private var records: [UInt8] = []
  private var entries: [(key: Key, start: Int)] = []
  private var isOrdered = true
  private var file: TemporaryFile?
  private var runs: [Range<Int>] = []
  /// The last line of the last run.
  private var last = Key()
  /// The runs that are being read, the one whose line comes next first, as a heap.
  private var cursors: [RunCursor] = []
  private var isReading = false
  private var place = 0

  /// Makes an order that holds about `memory` bytes of lines.
  init(memory: Int = 2_000_000) { self.memory = memory }

  /// Adds a line; `nil` stands for one that cannot be read.
  mutating func append(_ line: ArraySlice<UInt8>?, at instant: Instant, number: Int) throws {
    if records.count + RecordHead.size + (line?.count ?? 0) > memory { try spill() }
    let key = Key(instant: instant.nanoseconds, number: number)
    if let last = entries.last, key < last.key { isOrdered = false }
    entries.append((key, records.count))
    RecordHead(key: key, count: line?.count ?? -1).append(to: &records)
    if let line { records.append(contentsOf: line) }
  }

  /// The next line in order, `nil` after the last.
  ///
  /// No line is added from then on.
  mutating func next() throws -> Line? {
    if !isReading { try beginReading() }
    guard let file else {
      guard place < entries.count else { return nil }
      place += 1
      return RecordHead.line(in: records, at: entries[place - 1].start)
    }

    guard !cursors.isEmpty else { return nil }
    let line = try cursors[0].take(from: file)
    if cursors[0].isAtEnd { cursors.swapAt(0, cursors.count - 1) }
    if cursors[cursors.count - 1].isAtEnd { cursors.removeLast() }
    sink(0)
    return line
  }

  private mutating func beginReading() throws {
    isReading = true
    guard let file else { return sort() }
    try spill()
    (records, entries) = ([], [])
    let share = min(max(memory / runs.count, 1 << 10), 1 << 16)
    cursors = try runs.map { try RunCursor($0, file, share) }
    for index in (0..<cursors.count / 2).reversed() { sink(index) }
  }

  private mutating func sort() {
    if !isOrdered { entries.sort { $0.key < $1.key } }
    isOrdered = true
  }

  /// Writes what is held to the file, as a run or as the end of the one before.
  private mutating func spill() throws {
    guard !entries.isEmpty else { return }
    sort()
    let file = try self.file ?? TemporaryFile()
    self.file = file
    let start = file.count
    for entry in entries {
      let head = RecordHead(records, at: entry.start)
      try file.append(records[entry.start..<entry.start + RecordHead.size + max(0, head.count)])
    }
    try file.flush()

    if runs.isEmpty || entries[0].key < last {
      runs.append(start..<file.count)
    } else {
      runs[runs.count - 1] = runs[runs.count - 1].lowerBound..<file.count
    }
    last = entries[entries.count - 1].key
    records.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }

  /// Puts a cursor of the heap where it belongs, below those that come before it.
  private mutating func sink(_ index: Int) {
    var index = index
    while true {
      var first = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < cursors.count && cursors[child].key < cursors[first].key {
        first = child
      }
      if first == index { return }
      cursors.swapAt(index, first)
      index = first
    }
  }
}

/// What stands before the bytes of a line in memory and in the file.
private struct RecordHead {
  static let size = 24
  var key: SortedLines.Key
  /// The bytes of the line; -1 of a line that cannot be read.
  var count: Int

  init(key: SortedLines.Key, count: Int) { (self.key, self.count) = (key, count) }

  init(_ bytes: [UInt8], at start: Int) {
    (key, count) = bytes.withUnsafeBytes { bytes in
      func number(_ offset: Int) -> Int64 {
        bytes.loadUnaligned(fromByteOffset: start + offset, as: Int64.self)
      }
      return (SortedLines.Key(instant: number(0), number: Int(number(8))), Int(number(16)))
    }
  }

  func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: (key.instant, Int64(key.number), Int64(count))) {
      bytes.append(contentsOf: $0)
    }
  }

  static func line(in bytes: [UInt8], at start: Int) -> SortedLines.Line {
    let head = RecordHead(bytes, at: start)
    let content = start + RecordHead.size
    return SortedLines.Line(
      instant: Instant(nanoseconds: head.key.instant), number: head.key.number,
      bytes: head.count < 0 ? nil : bytes[content..<content + head.count])
  }
}

/// Reads the lines of a run, some at a time.
private struct RunCursor {
  /// What decides when the next line comes.
  private(set) var key = SortedLines.Key()
  private(set) var isAtEnd = false
  private var rest: Range<Int>
  /// As many bytes are read at once.
  private let share: Int
  private var window: [UInt8] = []
  private var place = 0

  init(_ run: Range<Int>, _ file: TemporaryFile, _ share: Int) throws {
    (rest, self.share) = (run, share)
    try look(file)
  }

  /// Takes the next line, and looks when the one after it comes.
  mutating func take(from file: TemporaryFile) throws -> SortedLines.Line {
    let count = RecordHead.size + max(0, RecordHead(window, at: place).count)
    try load(count, file)
    let line = RecordHead.line(in: window, at: place)
    place += count
    try look(file)
    return line
  }

  private mutating func look(_ file: TemporaryFile) throws {
    isAtEnd = place == window.count && rest.isEmpty
    if isAtEnd { return }
    try load(RecordHead.size, file)
    key = RecordHead(window, at: place).key
  }

  /// Makes sure that so many bytes are there.
  private mutating func load(_ count: Int, _ file: TemporaryFile) throws {
    let held = window.count - place
    if held >= count { return }
    let more = min(rest.count, max(share, count) - held)
    window = try window[place...] + file.read(rest.prefix(more))
    place = 0
    rest = rest.dropFirst(more)
  }
}
