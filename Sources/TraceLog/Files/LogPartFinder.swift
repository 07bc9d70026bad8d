import LifecycleModel

/// Finds the files of a log at a path: the newest part, and the older ones beside it.
///
/// A recorder may rotate the log, and remove its oldest part, while it is read.
struct LogPartFinder {
  /// Whether files in the place of parts before the first one that is read cannot be read.
  private(set) var isBeginningLost = false
  private let path: String
  /// The parts that were not opened yet, the next one first.
  private var later: ArraySlice<UInt32> = []
  /// The number behind that of the last part; `nil` before the first part that lies there.
  private var expected: UInt32?
  /// The log's own file, until it is its turn: the newest part, as a rule.
  private var own: LogScanner?
  /// What says that the log's end is lost.
  private var endLoss: LogDamage?
  private var isEndLossTaken = false
  private var ownNumber: UInt32 = 1
  private var logID: [UInt8]?
  /// The next part, when it was looked at already.
  private var opened: LogScanner?
  /// Whether the limits removed a part while the log was read, since that was asked last.
  private var hasRemovedPart = false
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
  ///
  /// Where the log's own file is missing or empty, or an older part was put in its place, the parts that are
  /// there are read, and ``takeEndLoss()`` says that the log's end is lost.
  mutating func oldest() throws -> LogScanner {
    let own = try openOwn()
    if own.headerDamage?.kind == .fileHeader, LogPartFinder.newestPart(besideLost: path) != nil {
      note(1, "the parts beside \(path) are not read, since its file header is damaged")
    }
    begin(at: 1, own)
    return next() ?? own
  }

  /// A recorder may rotate the log between two looks at it: what they say counts while the path still names
  /// what was opened.
  private mutating func openOwn() throws -> LogScanner {
    for _ in 1..<LogPartFinder.maxOpenings {
      endLoss = nil
      let (own, isSettled) = try openOwnOnce()
      if isSettled { return own }
    }
    // It is being rotated all the time, so it has its newest part.
    let own = try openOwnOnce().own
    endLoss = nil
    return own
  }

  private static let maxOpenings = 100

  /// Opens the log's own file, or what stands for it when it is lost; whether no rotation came between.
  private mutating func openOwnOnce() throws -> (own: LogScanner, isSettled: Bool) {
    do {
      let own = try LogScanner(LogInput(path: path))
      if let damage = own.headerDamage {
        // Without a block nothing of the file is left.
        let newest =
          damage.kind == .fileHeader ? nil : try openNewest(instead: damage.reason)
        return (newest ?? own, true)
      }

      let last = partsBehind(own).last ?? (isOutOfPlace(own) ? own.part.number : nil)
      guard let last else { return (own, true) }
      endLoss = loss(last, "it holds part \(own.part.number)")
      return (own, own.input.isNamed(path))
    } catch let error as LogError {
      let reason: String
      switch error {
      case .notFound: reason = "it is missing"
      case .empty: reason = "it is empty"
      case .notALog: reason = "it is not readable as a log"
      default: throw error
      }
      guard let newest = try openNewest(instead: reason) else { throw error }
      // Without links a rotation leaves the path without a file for a moment.
      guard case .notFound = error else { return (newest, true) }
      return (newest, SystemCalls.nameKind(path) == nil)
    }
  }

  /// Opens the newest part that is there in the place of the log's own file, which is lost for a reason; `nil`
  /// when there is none.
  private mutating func openNewest(instead reason: String) throws -> LogScanner? {
    guard let file = LogPartFinder.newestPart(besideLost: path) else { return nil }
    let part = try LogScanner(LogInput(path: file, followsLink: false))
    switch try? LogPartFinder.halfRotation(path, part) {
    case .begun: break
    case .ended:
      return try LogScanner(LogInput(path: path + RotatingLog.nextEnding, followsLink: false))
    case nil: endLoss = loss(part.part.number, reason)
    }
    return part
  }

  /// What a rotation has left that was cut short while the path named nothing.
  ///
  /// On a file system without links a rotation renames two files. Nothing is lost then.
  enum HalfRotation {
    /// The next part has its file header, and no block yet: the newest part has lost the path.
    case begun
    /// The next part is the newest one: that it got the path was lost with the power.
    case ended
  }

  /// What a rotation behind the part `newest` has left; `nil` when none was cut short there.
  ///
  /// Throws what keeps the system from reading it now.
  static func halfRotation(_ path: String, _ newest: LogScanner) throws -> HalfRotation? {
    guard SystemCalls.nameKind(path) == nil, let scanner = try leftNext(path, behind: newest)
    else { return nil }
    if case .end = try scanner.next() { return .begun }
    return .ended
  }

  /// Whether a rotation has left the part behind `newest`, which has not taken the path over.
  static func isNext(_ path: String, behind newest: LogScanner) -> Bool {
    (try? leftNext(path, behind: newest)) != nil
  }

  private static func leftNext(_ path: String, behind newest: LogScanner) throws -> LogScanner? {
    let next = path + RotatingLog.nextEnding
    guard SystemCalls.nameKind(next) == .file, let log = newest.identity?.logID
    else { return nil }
    return try open(next, as: newest.part.number + 1, log)
  }

  private func loss(_ last: UInt32, _ reason: String) -> LogDamage {
    LogDamage(
      kind: .lostPart, part: last + 1, offset: 0,
      reason: "\(path), the newest part, is lost: \(reason)")
  }

  /// The parts of the same log that lie beside it and come behind its own file.
  private func partsBehind(_ own: LogScanner) -> [UInt32] {
    guard let id = own.identity?.logID else { return [] }
    return LogPartFinder.numbers(path, below: .max)
      .filter { $0 > own.part.number && LogPartFinder.part(path, $0, id) != nil }
  }

  /// Whether an older part was put in the place of the newest: a file of this log lies in its own place, too.
  ///
  /// During a rotation it has both names, or is the same in a copy that was made then.
  private func isOutOfPlace(_ own: LogScanner) -> Bool {
    let place = LogPart.path(path, own.part.number)
    guard let file = SystemCalls.status(place), file.kind == .file,
      SystemCalls.nameKind(path + RotatingLog.nextEnding) == nil,
      let named = SystemCalls.status(path),
      (file.device, file.number) != (named.device, named.number),
      let other = try? LogScanner(LogInput(path: place, followsLink: false))
    else { return false }
    return other.identity != nil && other.identity?.logID == own.identity?.logID
  }

  /// What says that the log's end is lost; once.
  mutating func takeEndLoss() -> LogDamage? {
    guard !isEndLossTaken, let endLoss else { return nil }
    isEndLossTaken = true
    return endLoss
  }

  /// Opens the next part that can be read; `nil` behind the newest.
  mutating func next() -> LogScanner? {
    defer { opened = nil }
    return opened ?? openNext()
  }

  private mutating func openNext() -> LogScanner? {
    while let number = later.popFirst() {
      if let expected, expected < number { noteMissing(expected...number - 1) }
      if number == ownNumber {
        expected = number + 1
        defer { own = nil }
        return own
      }
      if let part = LogPartFinder.part(path, number, logID) {
        expected = number + 1
        return part
      }
      let name = LogPart.path(path, number)
      if SystemCalls.nameKind(name) != nil {
        if expected == nil { isBeginningLost = true }
        note(number, "\(name) is not readable as a part of this log")
        expected = number + 1
      } else if expected != nil {
        // The limits removed it meanwhile: the next part's header tells what it held.
        hasRemovedPart = true
        expected = number + 1
      }
    }
    return nil
  }

  /// Opens `part` again, and whatever follows it by now.
  mutating func reopen(_ part: LogPart) throws -> LogScanner? {
    let own = try openOwn()
    guard own.part.number >= part.number else { return nil }
    begin(at: part.number, own)
    let again = next()
    if again?.part.number != part.number { hasRemovedPart = true }
    return again
  }

  private mutating func begin(at first: UInt32, _ own: LogScanner) {
    let older = LogPartFinder.numbers(path, below: own.part.number).drop { $0 < first }
    later = (older + [own.part.number] + partsBehind(own))[...]
    expected = nil
    opened = nil
    (self.own, ownNumber, logID) = (own, own.part.number, own.identity?.logID)
  }

  /// The parts that were found to be lost since this was asked last.
  mutating func takeLost() -> [LogDamage] {
    defer { lost = [] }
    return lost
  }

  /// Whether the limits removed a part while the log was read, since this was asked last.
  mutating func takeRemovedPart() -> Bool {
    defer { hasRemovedPart = false }
    return hasRemovedPart
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
      do {
        return try open(LogPart.path(path, number), as: number, identity.logID).map {
          (number, $0.part)
        }
      } catch {
        return (number, nil)
      }
    }
  }

  /// Whether the file in the place of an older part is one of this log, or of any; throws when the system
  /// does not let us read it now.
  static func isPart(
    _ path: String, _ number: UInt32, _ identity: LogIdentity?
  ) throws -> Bool {
    try open(LogPart.path(path, number), as: number, identity?.logID) != nil
  }

  /// The numbers of the files that lie in the place of parts before `newest`, the lowest first.
  static func numbers(_ path: String, below newest: UInt32) -> [UInt32] {
    guard newest > 1 else { return [] }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    let name = path[(slash.map { path.index(after: $0) } ?? path.startIndex)...]
    return Array(PartListing.numbers(of: String(name), in: folder).prefix { $0 < newest })
  }

  /// The file of the newest part beside the log at `path`, whose own file is missing or empty; `nil` when
  /// there is none.
  static func newestPart(besideLost path: String) -> String? {
    numbers(path, below: .max).last { part(path, $0, nil) != nil }.map { LogPart.path(path, $0) }
  }

  /// Opens an older part, of any log when none is named; `nil` when the file is none.
  private static func part(
    _ path: String, _ number: UInt32, _ log: [UInt8]?
  ) -> LogScanner? {
    (try? open(LogPart.path(path, number), as: number, log)) ?? nil
  }

  /// Opens a file as the part of this number; throws what keeps the system from reading it.
  private static func open(
    _ file: String, as number: UInt32, _ log: [UInt8]?
  ) throws -> LogScanner? {
    do {
      // A link in the place of a part leads to somebody else's file.
      let scanner = try LogScanner(LogInput(path: file, followsLink: false))
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
