import Foundation
import LifecycleModel
import Testing
import Workloads

@testable import TraceLog

/// A log of several parts of which one is missing, or is none any more.
@Suite struct LostPartTests {
  /// What happens to the file of a part.
  enum Loss: String, CaseIterable {
    case removed, empty, junk, gzip, foreign, cutHeader, changedHeader, otherPart
  }

  private let folder: LogFolder
  private let count = 3_000

  init() throws { folder = try LogFolder() }

  private var path: String { folder.file("log.bin") }

  /// Writes a log of six parts or more; returns how many events stand before each.
  private func write(_ path: String) throws -> [UInt64] {
    var workload = AppWorkload(count: count, seed: 5)
    let trace = try workload.readAll()
    var options = LogWriter.Options()
    options.eventsPerBlock = 100
    let log = try RotatingLog(
      path: path, .create, vocabulary: trace.vocabulary, identity: .now(), options: options,
      limits: LogLimits(maxPartBytes: 2_000))
    try log.append(trace.events.prefix(count))
    try log.close()
    try #require(log.partCount > 5)

    let older = try (1..<log.partCount).map {
      try LogScanner(LogInput(path: LogPart.path(path, UInt32($0)))).part.eventsBefore
    }
    return older + [try LogScanner(LogInput(path: path)).part.eventsBefore]
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func lose(_ part: UInt32, _ loss: Loss) throws {
    let file = LogPart.path(path, part)
    var bytes = try bytes(file)
    switch loss {
    case .removed: return try FileManager.default.removeItem(atPath: file)
    case .empty: bytes = Data()
    case .junk: bytes = Data("this is no log\n".utf8)
    case .gzip: bytes.replaceSubrange(0..<4, with: [0x1f, 0x8b, 8, 0])
    case .foreign:
      let other = folder.file("other.bin")
      _ = try write(other)
      bytes = try self.bytes(LogPart.path(other, part))
    case .cutHeader: bytes = bytes.prefix(60)
    case .changedHeader: bytes[20] ^= 0xff
    case .otherPart: bytes = try self.bytes(LogPart.path(path, part + 1))
    }
    try bytes.write(to: URL(fileURLWithPath: file))
  }

  /// What stood before it is not known from its header: its first block knows how much it was.
  @Test func whatStoodBeforeANewestPartWhoseHeaderIsDamagedIsTold() throws {
    let before = try write(path)
    var bytes = try bytes(path)
    bytes[20] ^= 0xff
    try bytes.write(to: URL(fileURLWithPath: path))
    var reader = try LogReader(path: path)
    let trace = try reader.readAll()
    #expect(trace.events.first?.verb == .gap)
    let known = gaps(trace).filter { $0.writer != nil }
    #expect(known.allSatisfy { $0.from == 1 && $0.cause == "corrupt-block" })
    let told = known.reduce(0) { $0 + ($1.count ?? 0) }
    let last = try #require(before.last)
    #expect(told == last || told < last && gaps(trace).contains { $0.writer == nil })
  }

  @Test func aPartWithoutItsLastBlockIsNotWhole() throws {
    let before = try write(path)
    let first = LogPart.path(path, 1)
    var reader = try LogReader(onePartAt: first, filter: BlockFilter())
    var (offset, count, events): (Int, Int, [Event]) = (0, 0, [])
    while try reader.read(into: &events) { (offset, count) = (reader.offset, events.count) }
    try bytes(first).prefix(offset).write(to: URL(fileURLWithPath: first))

    var damaged = try LogReader(path: path)
    let trace = try damaged.readAll()
    #expect(gaps(trace).reduce(0) { $0 + ($1.count ?? 0) } == count)
    #expect(trace.withoutGaps.events.count == self.count - count && before[1] > count)
    #expect(try VerifyReport(path: path).problems.map(\.kind) == [.damage])
  }

  private func gaps(_ trace: Trace) -> [Gap] {
    trace.events.compactMap { Gap($0, in: trace.vocabulary) }
  }

  @Test(arguments: Loss.allCases, [2, 3] as [UInt32])
  func aLostPartIsNamedAndTheOthersAreRead(loss: Loss, part: UInt32) throws {
    let before = try write(path)
    try lose(part, loss)
    var reader = try LogReader(path: path)
    let trace = try reader.readAll()
    let lost = Int(before[Int(part)] - before[Int(part) - 1])
    #expect(trace.withoutGaps.events.count == count - lost)
    #expect(gaps(trace).allSatisfy { $0.cause == "corrupt-block" })
    #expect(gaps(trace).reduce(0) { $0 + ($1.count ?? 0) } == lost)

    let place = trace.events.firstIndex { $0.verb == .gap }
    #expect(place.map(UInt64.init) == before[Int(part) - 1])
    let problems = try VerifyReport(path: path).problems
    #expect(problems.map(\.part) == [part] && problems.map(\.kind) == [.damage])
    let name = LogPart.path(path, part)
    let reason =
      loss == .removed ? "\(name) is missing" : "\(name) is not readable as a part of this log"
    #expect(problems.map(\.found) == [reason])
    let summary = try LogSummary(path: path)
    #expect(!summary.isWhole && summary.removedEvents == 0)
  }

  @Test(arguments: Loss.allCases.filter { $0 != .removed })
  func aLostBeginningWasNotRemoved(loss: Loss) throws {
    let before = try write(path)
    try lose(1, loss)
    var reader = try LogReader(path: path)
    var gaps = gaps(try reader.readAll())
    #expect(gaps.map(\.cause) == ["corrupt-block"] && gaps.first?.count == Int64(before[1]))
    #expect(try VerifyReport(path: path).problems.map(\.part) == [1])

    let summary = try LogSummary(path: path)
    // How long the gap goes on is known where the events are told.
    gaps[0].within = nil
    #expect(!summary.isWhole && summary.removedEvents == 0 && summary.losses == gaps)
  }

  @Test func aRemovedBeginningIsNoDamage() throws {
    let before = try write(path)
    for part in [1, 2] as [UInt32] { try lose(part, .removed) }
    var reader = try LogReader(path: path)
    let gaps = gaps(try reader.readAll())
    #expect(gaps.map(\.cause) == ["rotated"] && gaps.first?.count == Int64(before[2]))
    #expect(try VerifyReport(path: path).isWhole)
  }

  @Test func aLogWhoseNewestPartIsEmptyTellsWhatIsGone() throws {
    let identity = LogBench.identity
    let part = LogPart(number: LogFormat.maxPart, eventsBefore: 500)
    let header = FileHeader(identity, part).encoded()
    try Data(header).write(to: URL(fileURLWithPath: path))
    var reader = try LogReader(path: path)
    let rotated = gaps(try reader.readAll())
    #expect(rotated.map(\.cause) == ["rotated"] && rotated.first?.count == 500)
    // Four thousand million parts are missing, and told at once.
    try Data(FileHeader(identity).encoded()).write(to: URL(fileURLWithPath: path + ".1"))
    let problems = try VerifyReport(path: path).problems
    #expect(problems.map(\.found) == ["\(path).2 to \(path).2147483646 are missing"])
  }

  /// What is left is read, and that the end is lost is told behind it.
  @Test func aLogWhoseOwnFileIsLostIsReadWithoutItsEnd() throws {
    let before = try write(path)
    let last = try #require(before.last)
    func check(_ reason: String, _ part: Int, events: UInt64) throws {
      let report = try VerifyReport(path: path)
      #expect(report.problems.map(\.found) == ["\(path), the newest part, is lost: \(reason)"])
      #expect(report.problems.map(\.part) == [UInt32(part)])
      let trace = try Trace(log: path)
      #expect(UInt64(trace.withoutGaps.events.count) == events)
      #expect(trace.events.last.flatMap { Gap($0, in: trace.vocabulary) } == Gap(.corruptBlock))
    }

    let header = try bytes(path).prefix(148)
    try header.dropLast().write(to: URL(fileURLWithPath: path))
    try check("the file header is damaged and no block follows", before.count, events: last)
    try header.prefix(50).write(to: URL(fileURLWithPath: path))
    try check("the log ends in its file header", before.count, events: last)
    try Data(count: 148).write(to: URL(fileURLWithPath: path))
    try check("it is not readable as a log", before.count, events: last)
    // What bears the name of a part that is about to begin is none when it is no log, or another part of one.
    try FileManager.default.moveItem(atPath: path, toPath: path + ".next")
    try check("it is missing", before.count, events: last)
    try bytes(LogPart.path(path, 1)).write(to: URL(fileURLWithPath: path + ".next"))
    try check("it is missing", before.count, events: last)
    try FileManager.default.removeItem(atPath: path + ".next")
    try Data().write(to: URL(fileURLWithPath: path))
    try check("it is empty", before.count, events: last)
    try bytes(LogPart.path(path, 1)).write(to: URL(fileURLWithPath: path))
    try check("it holds part 1", before.count, events: last)
  }

  /// Who swaps two files, or puts an older one back, has lost the newest part.
  @Test(arguments: [true, false])
  func anOlderPartInThePlaceOfTheNewestIsTold(isSwapped: Bool) throws {
    let before = try write(path)
    let last = before.count - 1
    let older = LogPart.path(path, UInt32(last))
    let newest = try bytes(path)
    try bytes(older).write(to: URL(fileURLWithPath: path))
    if isSwapped { try newest.write(to: URL(fileURLWithPath: older)) }
    let report = try VerifyReport(path: path)
    #expect(
      report.problems.map(\.found) == [
        "\(path), the newest part, is lost: it holds part \(last)"
      ])

    // A copy that was made while the log was rotated has the part under both names.
    guard !isSwapped else { return }
    try Data().write(to: URL(fileURLWithPath: path + ".next"))
    #expect(try VerifyReport(path: path).isWhole)
  }

  /// It is no damage that the limits remove a part before a slow reader has come to it.
  @Test func aPartThatIsRemovedMeanwhileIsRotated() throws {
    let before = try write(path)
    var reader = try LogReader(path: path)
    var events: [Event] = []
    _ = try reader.read(into: &events)
    for number in 2...4 {
      try FileManager.default.removeItem(atPath: LogPart.path(path, UInt32(number)))
    }
    let rest = try reader.readAll()
    let gaps = gaps(rest)
    #expect(!gaps.isEmpty && gaps.allSatisfy { $0.cause == "rotated" })
    #expect(reader.damageCount == 0 && UInt64(count) > before[3])
    #expect(try VerifyReport(path: path).removedEventCount == 0)
  }

  /// Whose parts they are, the file header says.
  @Test func partsBesideADamagedFileHeaderAreTold() throws {
    _ = try write(path)
    var damaged = try bytes(path)
    damaged[20] ^= 1
    try damaged.write(to: URL(fileURLWithPath: path))
    let problems = try VerifyReport(path: path).problems
    #expect(
      problems.contains {
        $0.found == "the parts beside \(path) are not read, since its file header is damaged"
      })
  }

  /// A process that died between the two renamings of a rotation on a file system without links lost nothing.
  @Test func aHalfRotationIsNoLoss() throws {
    let before = try write(path)
    try FileManager.default.moveItem(atPath: path, toPath: LogPart.path(path, UInt32(before.count)))
    let own = try LogReader(path: LogPart.path(path, UInt32(before.count)))
    var next = own.part
    next.number += 1
    let identity = try #require(own.identity)
    try Data(FileHeader(identity, next).encoded()).write(to: URL(fileURLWithPath: path + ".next"))
    #expect(try VerifyReport(path: path).isWhole)
    #expect(try Trace(log: path).events.count >= count)

    var reader = try LogReader(path: path)
    let all = try reader.readAll().events.count
    try reader.lookAgain()
    #expect(try reader.readAll().events.isEmpty)
    // A loss that was told is not told again, either.
    try FileManager.default.removeItem(atPath: path + ".next")
    reader = try LogReader(path: path)
    #expect(try reader.readAll().events.count == all + 1)
    try reader.lookAgain()
    #expect(try reader.readAll().events.isEmpty && reader.damageCount == 1)
  }

  /// A power loss took back that the newest part got the path.
  @Test func aPartWhoseNameWasLostIsTheNewest() throws {
    let before = try write(path)
    let whole = try Trace(log: path)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".next")
    let report = try VerifyReport(path: path)
    #expect(report.isWhole && report.eventCount == whole.events.count)
    #expect(try Trace(log: path).events.count == whole.events.count)

    // It gets the path when the recording goes on, unless somebody is about to give it.
    var tail: LogTail?
    func resume() throws {
      try RotatingLog(resuming: path, options: .init(), limits: LogLimits()) { tail = $0 }.close()
    }
    do {
      let rotating = try FileLogSink(resuming: path + ".next")
      #expect(throws: LogError.inUse(path: path)) { try resume() }
      try rotating.close()
    }
    try resume()
    #expect(tail?.part.number == UInt32(before.count))
    #expect(!FileManager.default.fileExists(atPath: path + ".next"))
    #expect(try Trace(log: path).events.count == whole.events.count)
  }

  @Test func replacingALogWithAHoleRemovesAllItsParts() throws {
    _ = try write(path)
    try lose(2, .removed)
    try RotatingLog(path: path, .replace, vocabulary: Vocabulary(), identity: .now()).close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["log.bin"])
  }
}
