import LifecycleModel

/// Finds the parts of a log: its head, which has the log's own path, and the later ones beside it.
///
/// A recorder may begin parts, and remove the oldest ones, while the log is read.
package struct LogPartFinder {
  /// Whether files in the place of parts before the first one that is read cannot be read.
  private(set) var isBeginningLost = false
  /// Which log it is; `nil` when no file header can be read.
  private(set) var identity: LogIdentity?
  /// How many bytes the head has, when it is no part any more.
  private(set) var cutBytes = 0
  private let path: String
  /// The parts that were not opened yet, the next one first.
  private var later: ArraySlice<UInt32> = []
  /// The number of the part that was opened last, and whether that was the head.
  private var last: UInt32?
  private var lastIsHead = false
  /// The log's own file, until it is its turn; `nil` when it is no part.
  private var head: LogScanner?
  private var headNumber: UInt32 = 1
  /// Why nothing of the log's own file can be read; `nil` when something can.
  private var headLoss: String?
  /// What says that the log's end is lost.
  private var endLoss: LogDamage?
  private var isEndLossTaken = false
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
  mutating func oldest() throws -> LogScanner {
    try look()
    if let headLoss {
      note(1, "\(path), the head of the log, is lost: \(headLoss)")
      isBeginningLost = true
    }
    guard let first = next() else { throw LogError.notFound(path: path) }
    return first
  }

  // MARK: Which files there are

  /// Opens the head, and finds the parts from number `first` on.
  ///
  /// A recorder may remove all parts that were listed before one of them is opened: then it has begun others.
  /// When it is to be written, `mustKnow` throws what keeps the system from reading a part: it may pass.
  private mutating func look(from first: UInt32 = 1, mustKnow: Bool = false) throws {
    for attempt in 1...LogPartFinder.maxLooks {
      let refusal = try openHead()
      let listed = LogPartFinder.numbers(path)
      let isCut = try head?.beginsCut() ?? false
      let beside = listed.filter { $0 != 1 || headNumber > 1 || head == nil || isCut }
      let (newest, damaged) = try findNewest(beside, mustKnow)

      let isLonely = isCut && newest == nil
      let isSettled = newest != nil || beside.allSatisfy { exists($0) } && !isLonely
      guard isSettled || attempt == (isLonely ? 3 : LogPartFinder.maxLooks) else { continue }
      if newest == nil, let refusal { throw refusal }

      try noteHead(isCut: isCut, newest)
      noteEnd(damaged, isLonely: isLonely)
      let own = head == nil ? [] : [headNumber]
      later =
        (beside.prefix { $0 <= newest ?? 0 }.filter { !own.contains($0) } + own).sorted().drop {
          $0 < first
        }[...]
      (last, lastIsHead, opened) = (nil, false, nil)
      return
    }
  }

  private static let maxLooks = 100

  /// Opens the log's own file; returns why it cannot be read as a log, if its parts may stand for it.
  private mutating func openHead() throws -> LogError? {
    (head, headNumber, headLoss, identity) = (nil, 1, nil, nil)
    do {
      let own = try LogScanner(LogInput(path: path))
      (head, headNumber, identity) = (own, own.part.number, own.identity)
    } catch let error as LogError {
      switch error {
      case .notFound: headLoss = "it is missing"
      case .empty: headLoss = "it is empty"
      case .notALog: headLoss = "it is not readable as a log"
      default: throw error
      }
      return error
    }
    return nil
  }

  /// The highest number whose file is a part of the log, which gives the log its id when the head has none; and
  /// the highest one above it of a file whose header is damaged, and which has a block, or that cannot be read.
  private mutating func findNewest(
    _ numbers: [UInt32], _ mustKnow: Bool
  ) throws -> (newest: UInt32?, damaged: UInt32?) {
    var damaged: UInt32?
    for number in numbers.reversed() {
      let file = LogPart.path(path, number)
      guard SystemCalls.nameKind(file) == .file else { continue }
      var found: LogScanner?
      do { found = try LogScanner.open(file, followsLink: false) } catch {
        if mustKnow { throw error }
        damaged = damaged ?? number
      }
      guard let part = found else { continue }
      if part.headerDamage?.kind == .fileHeader { damaged = damaged ?? number }
      guard let own = part.identity, part.part.number == number,
        own.logID == identity?.logID ?? own.logID
      else { continue }
      identity = identity ?? own
      return (number, damaged)
    }
    return (nil, damaged)
  }

  /// Notes whether the head is a part: not when there is another, and the limits have cut it, nothing of it can be
  /// read, or a later part was put in its place.
  private mutating func noteHead(isCut: Bool, _ newest: UInt32?) throws {
    cutBytes = 0
    guard let newest, let own = head else { return }
    // No part begins behind one without events.
    if try isCut || newest > headNumber && own.beginsBare() {
      cutBytes = own.headerLength.map { isCut ? $0 + 1 : $0 } ?? 0
      head = nil
    } else if headNumber > 1, LogPartFinder.part(path, headNumber, identity?.logID) != nil {
      headLoss = "it holds part \(headNumber)"
      (head, headNumber) = (nil, 1)
    } else if let damage = own.headerDamage, damage.kind != .fileHeader {
      headLoss = damage.reason
      head = nil
    }
  }

  private mutating func noteEnd(_ damaged: UInt32?, isLonely: Bool) {
    endLoss = nil
    if let damaged {
      endLoss = loss(
        damaged, "\(LogPart.path(path, damaged)) is not readable as a part of this log")
    } else if isLonely {
      endLoss = loss(
        headNumber + 1,
        "the limits removed what \(path) held, and its later parts are not beside it")
    }
  }

  private func exists(_ number: UInt32) -> Bool {
    SystemCalls.nameKind(LogPart.path(path, number)) != nil
  }

  /// What says that the log's end is lost; once.
  mutating func takeEndLoss() -> LogDamage? {
    guard !isEndLossTaken, let endLoss else { return nil }
    isEndLossTaken = true
    return endLoss
  }

  // MARK: One after another

  /// Opens the next part that can be read; `nil` behind the newest.
  mutating func next() -> LogScanner? {
    defer { opened = nil }
    return opened ?? openNext()
  }

  private mutating func openNext() -> LogScanner? {
    var isRemoved = false
    var unreadable: [UInt32] = []
    while let number = later.popFirst() {
      let isHead = number == headNumber && head != nil
      if let part = isHead ? head : LogPartFinder.part(path, number, identity?.logID) {
        // The limits cut the head before they remove the parts behind it.
        isRemoved = isRemoved || lastIsHead && isHeadCut
        noteHole(before: number, unreadable, isRemoved: isRemoved)
        if isRemoved, last != nil { hasRemovedPart = true }
        (last, lastIsHead) = (number, isHead)
        return part
      }
      if exists(number) { unreadable.append(number) } else { isRemoved = true }
    }
    return nil
  }

  /// Notes the numbers between the last part and `next`.
  ///
  /// They are those of files that are no parts, and missing ones, unless the limits removed parts meanwhile. The next
  /// part says whether anything is missing.
  private mutating func noteHole(before next: UInt32, _ unreadable: [UInt32], isRemoved: Bool) {
    if last == nil, !unreadable.isEmpty { isBeginningLost = true }
    var from = last.map { $0 + 1 } ?? next
    for number in unreadable {
      if from < number, !isRemoved { noteMissing(from...number - 1) }
      note(number, "\(LogPart.path(path, number)) is not readable as a part of this log")
      from = number + 1
    }
    if from < next, !isRemoved { noteMissing(from...next - 1) }
  }

  /// Whether the limits have cut the head by now.
  private var isHeadCut: Bool { (try? LogScanner(LogInput(path: path)).beginsCut()) ?? false }

  /// Looks again, whether parts lie there by now behind the head, which has this number.
  mutating func look(behindHead number: UInt32) throws {
    try look(from: number + 1)
    (last, lastIsHead) = (number, true)
  }

  /// Opens `part` again, and whatever follows it by now.
  mutating func reopen(_ part: LogPart) throws -> LogScanner? {
    try look(from: part.number)
    let again = next()
    if let again, again.part.number != part.number { hasRemovedPart = true }
    return again
  }

  /// Whether a part lies there behind number `last` by now.
  func hasPart(behind last: UInt32) -> Bool {
    LogPartFinder.numbers(path).contains {
      $0 > last && LogPartFinder.part(path, $0, identity?.logID) != nil
    }
  }

  /// The parts that were found to be lost since this was asked last, should events be missing.
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
    lost.append(loss(number, reason))
  }

  private func loss(_ number: UInt32, _ reason: String) -> LogDamage {
    LogDamage(kind: .lostPart, part: number, offset: 0, reason: reason)
  }

  // MARK: Names

  /// The parts of the log at `path` and their files, the oldest first; throws when there is none that can be read.
  package static func files(of path: String) throws -> [(number: UInt32, file: String)] {
    var finder = LogPartFinder(path)
    try finder.look(mustKnow: true)
    let own = finder.head == nil ? nil : finder.headNumber
    return finder.later.map { ($0, $0 == own ? path : LogPart.path(path, $0)) }
  }

  /// Whether the file with a part's number is one of this log, or of any; throws when the system
  /// does not let us read it now.
  static func isPart(_ path: String, _ number: UInt32, _ log: [UInt8]?) throws -> Bool {
    try open(LogPart.path(path, number), as: number, log) != nil
  }

  /// Whether the place of a part of the log with this id is free, once a file is removed that holds no event of the log: an
  /// unfinished part, a part of another log, a link.
  static func makeRoom(_ path: String, _ number: UInt32, _ log: [UInt8]) throws -> Bool {
    let file = LogPart.path(path, number)
    switch SystemCalls.nameKind(file) {
    case nil: return true
    case .link: break
    case .file: guard try isOfNoUse(file, number, log) else { return false }
    default: return false
    }
    try SystemCalls.remove(file)
    return true
  }

  private static func isOfNoUse(
    _ file: String, _ number: UInt32, _ log: [UInt8]
  ) throws -> Bool {
    do {
      let scanner = try LogScanner(LogInput(path: file, followsLink: false))
      guard let identity = scanner.identity else {
        return scanner.headerDamage?.kind != .fileHeader
      }
      return scanner.part.number == number && identity.logID != log
    } catch LogError.empty {
      return true
    } catch let error as LogError where error.isOfSystem {
      throw error
    } catch LogError.notALog {
      return LogReader.beginsLikeLog(file)
    } catch {
      return false
    }
  }

  /// The numbers of the files that lie in the place of parts, the lowest first.
  static func numbers(_ path: String) -> [UInt32] {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    let name = path[(slash.map { path.index(after: $0) } ?? path.startIndex)...]
    return PartListing.numbers(of: String(name), in: folder)
  }

  /// The file of the newest part beside the log at `path`, of any log; `nil` when there is none.
  package static func newestPart(beside path: String) -> String? {
    numbers(path).last { part(path, $0, nil) != nil }.map { LogPart.path(path, $0) }
  }

  /// Opens a later part, of any log when none is named; `nil` when the file is none.
  private static func part(_ path: String, _ number: UInt32, _ log: [UInt8]?) -> LogScanner? {
    (try? open(LogPart.path(path, number), as: number, log)) ?? nil
  }

  /// Opens a file as the part of this number; throws what keeps the system from reading it.
  private static func open(
    _ file: String, as number: UInt32, _ log: [UInt8]?
  ) throws -> LogScanner? {
    // A link in the place of a part leads to somebody else's file.
    guard let scanner = try LogScanner.open(file, followsLink: false),
      scanner.part.number == number, let own = scanner.identity?.logID, own == log ?? own
    else { return nil }
    return scanner
  }
}
