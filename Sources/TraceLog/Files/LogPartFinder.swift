import LifecycleModel

/// Finds the files of a log at a path: the newest part, and the older ones beside it.
///
/// A recorder may rotate the log, and remove its oldest part, while it is read.
struct LogPartFinder {
  /// Whether files in the place of parts before the first one that is read cannot be read.
  private(set) var isBeginningLost = false
  private let path: String
  /// The parts that were not opened yet, the next one first; the last is the log's own file.
  private var later: ArraySlice<UInt32> = []
  /// The number behind that of the last part; `nil` before the first part that lies there.
  private var expected: UInt32?
  private var newest: LogScanner?
  /// The next part, when it was looked at already.
  private var opened: LogScanner?
  /// The parts that were found missing, or not to be read, since they were taken last.
  private var lost: [LogDamage] = []

  init(_ path: String) { self.path = path }

  /// Whether a part follows the one that was opened last.
  var hasNext: Bool { opened != nil || !later.isEmpty }

  /// How many events stand before the next part that can be read; `nil` behind the newest, and when its
  /// file header is damaged.
  mutating func eventsBeforeNext() -> UInt64? {
    if opened == nil { opened = openNext() }
    return opened?.identity == nil ? nil : opened?.part.eventsBefore
  }

  /// Opens the oldest part that can be read.
  mutating func oldest() throws -> LogScanner {
    let newest: LogScanner
    do { newest = try LogScanner(LogInput(path: path)) } catch let error as LogError {
      throw LogError.newestLost(path, error) ?? error
    }
    begin(at: 1, newest)
    return next() ?? newest
  }

  /// Opens the next part that can be read; `nil` behind the newest.
  mutating func next() -> LogScanner? {
    defer { opened = nil }
    return opened ?? openNext()
  }

  private mutating func openNext() -> LogScanner? {
    while let number = later.popFirst() {
      if let expected, expected < number { noteMissing(expected...number - 1) }
      if later.isEmpty {
        defer { newest = nil }
        return newest
      }
      if let part = LogPartFinder.part(path, number, newest?.identity?.logID) {
        expected = number + 1
        return part
      }
      let name = LogPart.path(path, number)
      if SystemCalls.nameKind(name) != nil {
        if expected == nil { isBeginningLost = true }
        note(number, "\(name) is not readable as a part of this log")
        expected = number + 1
      } else if expected != nil {
        // The limits removed it meanwhile: the next part's header tells it.
        expected = number + 1
      }
    }
    return nil
  }

  /// Opens `part` again, and whatever follows it by now.
  mutating func reopen(_ part: LogPart) throws -> LogScanner? {
    let newest = try LogScanner(LogInput(path: path))
    guard newest.part.number >= part.number else { return nil }
    begin(at: part.number, newest)
    return next()
  }

  private mutating func begin(at first: UInt32, _ newest: LogScanner) {
    let older = LogPartFinder.numbers(path, below: newest.part.number).drop { $0 < first }
    later = (older + [newest.part.number])[...]
    expected = nil
    opened = nil
    self.newest = newest
  }

  /// The parts that were found to be lost since this was asked last.
  mutating func takeLost() -> [LogDamage] {
    defer { lost = [] }
    return lost
  }

  private mutating func noteMissing(_ numbers: ClosedRange<UInt32>) {
    let verb = numbers.count == 1 ? "is" : "are"
    note(numbers.lowerBound, "\(LogPart.names(path, numbers)) \(verb) missing")
  }

  private mutating func note(_ number: UInt32, _ reason: String) {
    lost.append(LogDamage(kind: .lostPart, part: number, offset: 0, reason: reason))
  }

  // MARK: Names

  /// The older parts of the log at `path`, the oldest first; of one that the system does not let us read
  /// now, only the number is known.
  static func older(
    _ path: String, _ newest: UInt32, _ identity: LogIdentity
  ) -> [(number: UInt32, part: LogPart?)] {
    numbers(path, below: newest).compactMap { number in
      do { return try open(path, number, identity.logID).map { (number, $0.part) } } catch {
        return (number, nil)
      }
    }
  }

  /// Whether the file in the place of an older part is one of this log, or of any; throws when the system
  /// does not let us read it now.
  static func isPart(
    _ path: String, _ number: UInt32, _ identity: LogIdentity?
  ) throws -> Bool {
    try open(path, number, identity?.logID) != nil
  }

  /// The numbers of the files that lie in the place of parts before `newest`, the lowest first.
  static func numbers(_ path: String, below newest: UInt32) -> [UInt32] {
    guard newest > 1 else { return [] }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    let name = path[(slash.map { path.index(after: $0) } ?? path.startIndex)...]
    return Array(PartListing.numbers(of: String(name), in: folder).prefix { $0 < newest })
  }

  /// The parts beside a log whose own file is lost, the oldest first.
  static func orphans(_ path: String) -> [UInt32] {
    numbers(path, below: .max).filter { part(path, $0, nil) != nil }
  }

  /// Opens an older part, of any log when none is named; `nil` when the file is none.
  private static func part(
    _ path: String, _ number: UInt32, _ log: [UInt8]?
  ) -> LogScanner? {
    (try? open(path, number, log)) ?? nil
  }

  /// The same; throws what keeps the system from reading the file.
  private static func open(
    _ path: String, _ number: UInt32, _ log: [UInt8]?
  ) throws -> LogScanner? {
    do {
      // A link in the place of a part leads to somebody else's file.
      let scanner = try LogScanner(
        LogInput(path: LogPart.path(path, number), followsLink: false))
      guard scanner.part.number == number, let own = scanner.identity?.logID, own == log ?? own
      else { return nil }
      return scanner
    } catch let error as LogError where error.isOfSystem {
      throw error
    } catch {
      return nil
    }
  }
}
