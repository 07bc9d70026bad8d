/// Finds the files of a log at a path: the newest part, and the older ones beside it.
///
/// A recorder may rotate the log, and remove its oldest part, while it is read.
struct LogFiles {
  private let path: String
  /// The parts that were not opened yet, the next one first; the last is the log's own file.
  private var later: ArraySlice<UInt32> = []
  private var newest: LogScanner?

  init(_ path: String) { self.path = path }

  /// Whether a part follows the one that was opened last.
  var hasNext: Bool { !later.isEmpty }

  /// Opens the oldest part that lies there.
  mutating func oldest() throws -> LogScanner {
    let newest = try LogScanner(LogInput(path: path))
    var first = newest.part.number
    while first > 1, isPart(first - 1, of: newest) { first -= 1 }
    later = ArraySlice(first...newest.part.number)
    self.newest = newest
    return try next() ?? newest
  }

  /// Opens the next part; `nil` behind the newest.
  mutating func next() throws -> LogScanner? {
    while let number = later.popFirst() {
      if later.isEmpty {
        defer { newest = nil }
        return newest
      }
      // One that was removed meanwhile is told by the next part's header.
      if let part = part(number) { return part }
    }
    return nil
  }

  /// Opens `part` again, and whatever follows it by now.
  mutating func reopen(_ part: LogPart) throws -> LogScanner? {
    let newest = try LogScanner(LogInput(path: path))
    guard newest.part.number >= part.number else { return nil }
    later = ArraySlice(part.number...newest.part.number)
    self.newest = newest
    return try next()
  }

  private func part(_ number: UInt32) -> LogScanner? {
    guard let input = try? LogInput(path: LogPart.path(path, number), isFile: true),
      let scanner = try? LogScanner(input), scanner.part.number == number
    else { return nil }
    return scanner
  }

  private func isPart(_ number: UInt32, of newest: LogScanner) -> Bool {
    guard let part = part(number), let identity = newest.identity else { return false }
    return part.identity?.logID == identity.logID
  }
}
