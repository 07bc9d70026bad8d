import Foundation
import LifecycleModel
import Testing
import Traces
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

    return try (1...log.partCount).map {
      try LogScanner(LogInput(path: file(UInt32($0), of: path))).part.eventsBefore
    }
  }

  private func file(_ part: UInt32, of path: String? = nil) -> String {
    let path = path ?? self.path
    return part == 1 ? path : LogPart.path(path, part)
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func lose(_ part: UInt32, _ loss: Loss) throws {
    let file = file(part)
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
    case .otherPart: bytes = try self.bytes(self.file(part + 1))
    }
    try bytes.write(to: URL(fileURLWithPath: file))
  }

  /// What stood before it is not known from its header: its first block knows how much it was.
  @Test func whatStoodBeforeAPartWhoseHeaderIsDamagedIsTold() throws {
    let before = try write(path)
    let newest = file(UInt32(before.count))
    try lose(UInt32(before.count), .changedHeader)
    var reader = try LogReader(path: newest)
    let trace = try reader.readAll()
    #expect(trace.events.first?.verb == .gap)
    let known = gaps(trace).filter { $0.writer != nil }
    #expect(known.allSatisfy { $0.from == 1 && $0.cause == "corrupt-block" })
    let told = known.reduce(0) { $0 + ($1.count ?? 0) }
    let last = try #require(before.last)
    #expect(told == last || told < last && gaps(trace).contains { $0.writer == nil })

    // With the others it is one whose id nobody knows, and it is the end of the log.
    let whole = try Trace(log: path)
    #expect(UInt64(whole.withoutGaps.events.count) == last)
    #expect(whole.events.last.flatMap { Gap($0, in: whole.vocabulary) } == Gap(.corruptBlock))
    let problems = try VerifyReport(path: path).problems
    #expect(problems.map(\.found) == ["\(newest) is not readable as a part of this log"])

    // Who goes on passes its number over.
    let log = try RotatingLog(resuming: path, options: .init(), limits: LogLimits()) { _ in }
    #expect(log.partCount == before.count - 1)
    try log.beginPart()
    try log.append([Event(sequence: 9_000, instant: .origin, writer: .main, verb: .note)])
    try log.close()
    #expect(log.partCount == before.count + 1)
    #expect(FileManager.default.fileExists(atPath: newest))
  }

  @Test func aPartWithoutItsLastBlockIsNotWhole() throws {
    let before = try write(path)
    let first = path
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
    let name = file(part)
    let reason =
      loss == .removed ? "\(name) is missing" : "\(name) is not readable as a part of this log"
    #expect(problems.map(\.found) == [reason])
    let summary = try LogSummary(path: path)
    #expect(!summary.isWhole && summary.removedEvents == 0)
  }

  @Test(arguments: [.removed, .empty, .junk, .cutHeader, .otherPart] as [Loss])
  func aLostHeadWasNotRemoved(loss: Loss) throws {
    let before = try write(path)
    try lose(1, loss)
    var reader = try LogReader(path: path)
    let trace = try reader.readAll()
    let gaps = gaps(trace)
    #expect(gaps.map(\.cause) == ["corrupt-block"] && gaps.first?.count == Int64(before[1]))
    let problems = try VerifyReport(path: path).problems
    let reason =
      switch loss {
      case .removed: "it is missing"
      case .empty: "it is empty"
      case .junk: "it is not readable as a log"
      case .cutHeader: "the log ends in its file header"
      default: "it holds part 2"
      }
    #expect(problems.map(\.found) == ["\(path), the head of the log, is lost: \(reason)"])
    #expect(problems.map(\.part) == [1])
  }

  /// Whose log it is say the headers of the later parts.
  @Test(arguments: [.gzip, .changedHeader] as [Loss])
  func aHeadWhoseHeaderIsDamagedIsReadWithItsParts(loss: Loss) throws {
    _ = try write(path)
    let identity = try LogReader(path: path).identity
    try lose(1, loss)
    var reader = try LogReader(path: path)
    #expect(identity != nil && reader.identity == identity)
    let trace = try reader.readAll()
    #expect(trace.events.count == count && reader.damages.map(\.kind) == [.fileHeader])

    // Who goes on goes on with the newest part.
    let log = try RotatingLog(resuming: path, options: .init(), limits: LogLimits()) { _ in }
    #expect(log.eventCount == UInt64(count))
    try log.close()
  }

  @Test func whatTheLimitsRemovedIsNoDamage() throws {
    let before = try write(path)
    try FileLogSink.cut(path, behindHeader: LogFormat.fileHeaderLength)
    try lose(2, .removed)
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

  /// Nor that they cut the head while it is read.
  @Test(arguments: [0, 1, 3])
  func aHeadThatIsCutMeanwhileIsRotated(removed: Int) throws {
    var random = SystemRandomNumberGenerator()
    var options = LogWriter.Options()
    options.eventsPerBlock = 50
    let log = try RotatingLog(
      path: path, .create, vocabulary: Vocabulary(), identity: .now(), options: options,
      limits: LogLimits(maxPartBytes: 900_000))
    for number in 1...4_000 {
      let text = (0..<40).map { _ in
        String(UInt64.random(in: .min ... .max, using: &random), radix: 36)
      }
      try log.append([
        Event(
          sequence: UInt64(number), instant: Instant(nanoseconds: Int64(number)), writer: .main,
          verb: .note, label: log.vocabulary.symbol(text.joined()))
      ])
      if number == 3_800 { for _ in 0..<3 { try log.beginPart() } }
    }
    try log.close()
    try #require(log.partCount > 1)

    var reader = try LogReader(path: path)
    var events: [Event] = []
    _ = try reader.read(into: &events)
    try FileLogSink.cut(path, behindHeader: LogFormat.fileHeaderLength)
    for number in UInt32(2)..<UInt32(2 + min(removed, log.partCount - 2)) {
      try FileManager.default.removeItem(atPath: LogPart.path(path, number))
    }
    let rest = try reader.readAll()
    let gaps = gaps(rest)
    #expect(!gaps.isEmpty && gaps.allSatisfy { $0.cause == "rotated" })
    #expect(reader.damages == [])
    let lost = gaps.reduce(0) { $0 + ($1.count ?? 0) }
    #expect(events.count + rest.withoutGaps.events.count + Int(lost) == 4_000)
    #expect(rest.events.last?.sequence == 4_000)
    #expect(try VerifyReport(path: path).isWhole)
  }

  @Test func replacingALogWithAHoleRemovesAllItsParts() throws {
    _ = try write(path)
    try lose(2, .removed)
    try RotatingLog(path: path, .replace, vocabulary: Vocabulary(), identity: .now()).close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["log.bin"])
  }
}
