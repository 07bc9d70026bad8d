import Foundation
import LifecycleModel
import Testing
import Traces
import Workloads

@testable import TraceLog

/// A log whose limits cut it into parts.
@Suite struct RotationTests {
  private let folder: LogFolder

  init() throws { folder = try LogFolder() }

  private var path: String { folder.file("log.bin") }

  /// Writes `count` events of an app in batches of 100, and gives what was written.
  @discardableResult
  private func write(
    _ count: Int, _ limits: LogLimits, _ disposition: FileLogSink.Disposition = .create
  ) throws -> Trace {
    var workload = AppWorkload(count: count, seed: 5)
    var trace = try workload.readAll()
    trace.events.removeSubrange(count...)
    var options = LogWriter.Options()
    options.eventsPerBlock = 100

    let log = try RotatingLog(
      path: path, disposition, vocabulary: trace.vocabulary, identity: LogBench.identity,
      options: options, limits: limits)
    for start in stride(from: 0, to: count, by: 100) {
      try log.append(trace.events[start..<min(start + 100, count)])
    }

    try log.close()
    return trace
  }

  private func read(_ path: String) throws -> Trace {
    var reader = try LogReader(path: path)
    return try reader.readAll()
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test func partsReadAsOneLog() throws {
    let written = try write(3_000, LogLimits(maxPartBytes: 4_000))
    let count = try files.count
    #expect(count > 3)
    #expect(try files == (["log.bin"] + (2...count).map { "log.bin.\($0)" }).sorted())
    #expect(try difference(read(path), written) == nil)
    #expect(try VerifyReport(LogReader(path: path)).problems == [])

    let summary = try LogSummary(path: path)
    #expect(summary.isWhole && summary.eventCount == 3_000 && summary.losses == [])
    #expect(summary.parts == 1...UInt32(count) && summary.removedEvents == 0)
    let sizes = try files.map { try Data(contentsOf: URL(fileURLWithPath: folder.file($0))).count }
    #expect(summary.byteCount == sizes.reduce(0, +))
  }

  @Test func eachPartIsALogOfItsOwn() throws {
    let written = try write(3_000, LogLimits(maxPartBytes: 4_000))
    var seen = 0
    for (part, file) in try LogPartFinder.files(of: path) {
      let alone = folder.file("alone.bin")
      try? FileManager.default.removeItem(atPath: alone)
      try FileManager.default.copyItem(atPath: file, toPath: alone)
      #expect(try VerifyReport(LogReader(path: alone)).problems == [], "part \(part)")
      var reader = try LogReader(path: alone)
      var opening: [Event] = []
      if part > 1 {
        #expect(try reader.read(into: &opening))
        let gaps = opening.filter { $0.verb == .gap }.compactMap { Gap($0, in: reader.vocabulary) }
        #expect(gaps.map(\.cause) == ["rotated"] && gaps.first?.count == Int64(seen))
        // What was true before the part: the state that the events before it leave.
        var before = LifecycleState()
        for event in written.events[..<seen] { before.fold(event) }
        let rest = opening.filter { $0.verb != .gap }
        #expect(rest.count == before.checkpoint().count)
        #expect(opening.first?.verb == .profile)
      }
      let trace = try reader.readAll()
      let own = Trace(
        vocabulary: written.vocabulary,
        events: Array(written.events[seen..<seen + trace.events.count]))
      #expect(difference(trace, own) == nil, "part \(part)")
      seen += trace.events.count
    }
  }

  @Test func aFlightRecorderKeepsTheLastBytes() throws {
    let kept = 16_000
    let written = try write(20_000, LogLimits(keptBytes: kept))
    let sizes = try files.map { try Data(contentsOf: URL(fileURLWithPath: folder.file($0))).count }
    let total = sizes.reduce(0, +)
    // Of the head its name, its header and the cut mark are left.
    #expect(sizes.min() == LogFormat.fileHeaderLength + 1)
    #expect(total <= kept + 2_000 && total > kept * 3 / 4)

    let summary = try LogSummary(path: path)
    #expect(summary.parts.lowerBound > 1 && summary.losses == [] && summary.isWhole)
    #expect(summary.removedEvents + summary.eventCount == 20_000)
    #expect(try VerifyReport(LogReader(path: path)).problems == [])

    // All that is kept is the end of what was written.
    let read = try read(path)
    let own = try #require(read.events.firstIndex { $0.verb == .gap })
    #expect(Gap(read.events[own], in: read.vocabulary)?.count == Int64(summary.removedEvents))
    let count = Int(summary.eventCount)
    let tail = Trace(vocabulary: read.vocabulary, events: read.events.suffix(count))
    let end = Trace(vocabulary: written.vocabulary, events: written.events.suffix(count))
    #expect(difference(tail, end) == nil)
  }

  /// An import hands over what it has read at once.
  @Test(arguments: [LogLimits(maxPartBytes: 4_000), LogLimits(keptBytes: 32_000)])
  func aLargeBatchIsCutIntoParts(limits: LogLimits) throws {
    var workload = AppWorkload(count: 40_000, seed: 5)
    let trace = try workload.readAll()
    let log = try RotatingLog(
      path: path, .create, vocabulary: trace.vocabulary, identity: LogBench.identity,
      limits: limits)
    try log.append(trace.events)
    try log.close()

    let sizes = try files.map { try Data(contentsOf: URL(fileURLWithPath: folder.file($0))).count }
    #expect(log.partCount > 5 && sizes.allSatisfy { $0 < 7_000 }, "\(sizes)")
    let summary = try LogSummary(path: path)
    #expect(log.kept.events == summary.eventCount && log.kept.bytes == summary.byteCount)
    #expect(summary.removedEvents + summary.eventCount == trace.events.count)

    let file = try #require(try LogPartFinder.files(of: path).last?.file)
    let newest = try LogSummary(bytes: Array(Data(contentsOf: URL(fileURLWithPath: file))))
    #expect(newest.eventCount > 0)
    if let kept = limits.keptBytes {
      #expect(summary.byteCount > kept * 3 / 4 && summary.byteCount <= kept + 3_000)
    }
  }

  @Test(arguments: [
    LogLimits(maxPartBytes: 1, keptBytes: 1), LogLimits(maxPartBytes: 1 << 20, keptBytes: 1),
    LogLimits(keptAge: 1),
  ])
  func theNewestEventsAreNeverRemoved(limits: LogLimits) throws {
    let written = try write(1_000, limits)
    let read = try read(path)
    let last = Trace(vocabulary: read.vocabulary, events: read.events.suffix(1))
    let end = Trace(vocabulary: written.vocabulary, events: written.events.suffix(1))
    #expect(difference(last, end) == nil)

    // Nor by a part that begins without events.
    let log = try RotatingLog(resuming: path, options: LogWriter.Options(), limits: limits) { _ in }
    try log.beginPart()
    try log.flush()
    try log.close()
    #expect(log.kept.events > 0)
    #expect(try LogSummary(path: path).eventCount == log.kept.events)
  }

  @Test func aFlightRecorderKeepsTheLastTime() throws {
    var time: Nanoseconds = .seconds(7)
    let log = try RotatingLog(
      path: path, .create, vocabulary: Vocabulary(), identity: LogBench.identity,
      limits: LogLimits(keptAge: .milliseconds(80))
    ) { time }

    for sequence in UInt64(1)...80 {
      time += .milliseconds(5)
      try log.append([
        Event(
          sequence: sequence, instant: Instant(nanoseconds: time), writer: .main, verb: .note)
      ])
      try log.flush()
    }

    // A part is an eighth of what is kept: two blocks, and of the first, which is as old as the log, one.
    #expect(log.partCount == 41)
    try log.close()

    // The oldest part that is kept ended no more than 80 ms before the last block.
    let read = try read(path)
    let kept = read.withoutGaps.events
    #expect(kept.map(\.sequence) == Array(62...80))
    #expect(try files.count == 11)
    #expect(LogBench.gaps(read) == ["rotated 61"])
  }

  @Test func aDamagedEndOfAPartIsToldExactly() throws {
    try write(3_000, LogLimits(maxPartBytes: 4_000))
    let second = LogPart.path(path, 2)
    let whole = try LogReader.events(in: path)
    let header = try LogScanner(LogInput(path: LogPart.path(path, 3))).part
    var bytes = try Data(contentsOf: URL(fileURLWithPath: second))
    bytes.removeLast(10)
    try bytes.write(to: URL(fileURLWithPath: second))

    let read = try read(path)
    let gaps = read.events.compactMap { Gap($0, in: read.vocabulary) }
    #expect(gaps.allSatisfy { $0.writer != nil && $0.cause == "corrupt-block" })
    let lost = gaps.reduce(0) { $0 + ($1.count ?? 0) }
    #expect(Int(lost) + read.withoutGaps.events.count == whole && lost == 100)

    for gap in gaps {
      let mark = try #require(header.writers.first { $0.name == gap.writer })
      #expect(gap.to == mark.last)
    }

    let problems = try VerifyReport(LogReader(path: path)).problems
    #expect(problems.map(\.part) == [2])
    #expect(problems.map(\.kind) == [.damage])
  }

  /// What a death leaves of a part that begins: no file header, a piece of it, or nothing behind it.
  @Test(arguments: [0, 3, 90, nil] as [Int?])
  func whatADeathInARotationLeavesBehindIsRead(length: Int?) throws {
    let written = try write(3_000, LogLimits(maxPartBytes: 4_000))
    let newest = UInt32(try files.count)
    let tail = try LogTail(path: path)
    let part = LogPart(
      number: newest + 1, eventsBefore: tail.logEnd.eventCount,
      writers: tail.logEnd.lastSequences.sorted { $0.key < $1.key }
        .map { LogPart.WriterMark(name: $0.key, last: $0.value) })
    let header = FileHeader(LogBench.identity, part).encoded()
    let left = Data(header).prefix(length ?? header.count)
    try left.write(to: URL(fileURLWithPath: LogPart.path(path, newest + 1)))
    #expect(try difference(read(path), written) == nil)
    #expect(try VerifyReport(path: path).problems == [])
    var reader = try LogReader(path: path)
    #expect(try reader.readAll().events.count == written.events.count)
    try reader.lookAgain()
    #expect(try reader.readAll().events.isEmpty)

    // Who goes on takes the place, or goes on there.
    let log = try RotatingLog(resuming: path, options: .init(), limits: LogLimits()) { _ in }
    #expect(log.partCount == Int(newest) + (length == nil ? 1 : 0))
    try log.append([next(in: log)])
    try log.beginPart()
    try log.append([next(in: log)])
    try log.close()
    #expect(try read(path).events.count == written.events.count + 2)
    #expect(try VerifyReport(path: path).problems == [])
  }

  @Test(arguments: [0, 1, 57, 3_000])
  func aLogCanBeGoneOnWith(cut: Int) throws {
    let limits = LogLimits(maxPartBytes: 20_000)
    let written = try write(6_000, limits)
    let newest = try #require(try LogPartFinder.files(of: path).last?.file)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: newest))
    bytes.removeLast(min(cut, bytes.count - 200))
    try bytes.write(to: URL(fileURLWithPath: newest))

    var found: LogTail?
    let log = try RotatingLog(resuming: path, options: LogWriter.Options(), limits: limits) {
      found = $0
    }
    #expect(log.partCount > 1)
    #expect(throws: LogError.inUse(path: path)) {
      try RotatingLog(resuming: path, options: LogWriter.Options(), limits: limits) { _ in }
    }

    let tail = try #require(found)
    // What the torn block held is written again, and more behind it.
    let kept = Int(tail.logEnd.eventCount)
    #expect(cut == 0 ? kept == 6_000 : kept < 6_000)
    try log.append(
      written.events[kept...].map {
        try $0.moved(from: written.vocabulary, to: tail.vocabulary)
      })
    try log.close()
    #expect(try difference(read(path), written) == nil)
    #expect(try VerifyReport(LogReader(path: path)).problems == [])
  }

  /// More threads have something open than a checkpoint has room for, so that the newest part does not say what was
  /// true before it: who goes on with it must not say that nothing is open.
  @Test func whoDoesNotKnowWhatIsOpenWritesNoCheckpoint() throws {
    let options = LogWriter.Options()
    let log = try RotatingLog(
      path: path, .create, vocabulary: Vocabulary(), identity: LogBench.identity,
      options: options, limits: LogLimits())
    let threads = LogFormat.maxCheckpointWriters + 6
    try log.append((1...threads).map { try event(.call, 1, of: $0, in: log.vocabulary) })
    try log.beginPart()
    try log.append([event(.note, 2, of: threads, in: log.vocabulary)])
    try log.close()

    let next = try RotatingLog(resuming: path, options: options, limits: LogLimits()) { _ in }
    // Now there would be room for what is open.
    try next.append((1...10).map { try event(.return, 2, of: $0, in: next.vocabulary) })
    try next.flush()
    try next.append([event(.note, 3, of: threads, in: next.vocabulary)])
    try next.flush()
    // A new process has nothing open.
    try next.append([event(.processStart, 4, of: threads, in: next.vocabulary)])
    try next.flush()
    try next.append([event(.note, 5, of: threads, in: next.vocabulary)])
    try next.close()

    #expect(try checkpoints() == [0, nil, nil, nil, nil, 1])
    #expect(try VerifyReport(LogReader(path: path)).problems == [])
  }

  /// What another event of a log may be.
  private func next(in log: RotatingLog) -> Event {
    Event(
      sequence: log.lastSequence(of: "main") + 1, instant: Instant(nanoseconds: .max / 2),
      writer: .main, verb: .note)
  }

  private func event(
    _ verb: Verb, _ sequence: UInt64, of thread: Int, in vocabulary: Vocabulary
  ) throws -> Event {
    Event(
      sequence: sequence, instant: Instant(nanoseconds: Int64(sequence)),
      writer: try vocabulary.writer("worker-\(thread)"), verb: verb, subject: .app)
  }

  /// How long the checkpoint of each block is; `nil` where it has none.
  private func checkpoints() throws -> [Int?] {
    var reader = try LogReader(path: path)
    var events: [Event] = []
    var counts: [Int?] = []
    while try reader.read(into: &events) {
      if reader.block != nil { counts.append(reader.checkpoint?.count) }
    }
    return counts
  }

  @Test func replacingALogRemovesItsParts() throws {
    try write(3_000, LogLimits(maxPartBytes: 4_000))
    try Data("other".utf8).write(to: URL(fileURLWithPath: path + ".99"))
    let log = try RotatingLog(
      path: path, .replace, vocabulary: Vocabulary(), identity: LogBench.identity)
    try log.close()
    #expect(try files == ["log.bin", "log.bin.99"])
  }

  @Test func theHeadIsSeparatedToBeSent() throws {
    let written = try write(3_000, LogLimits(maxPartBytes: 4_000))
    try RotatingLog.separateHead(of: path)
    try RotatingLog.separateHead(of: path)
    #expect(try files.prefix(2) == ["log.bin", "log.bin.1"])
    #expect(try difference(read(path), written) == nil)
    #expect(try VerifyReport(path: path).problems == [])

    // Once it is sent and removed, it is as if the limits had removed it.
    try FileManager.default.removeItem(atPath: path + ".1")
    let report = try VerifyReport(path: path)
    #expect(report.problems == [] && report.removedEventCount > 0)

    // A log of one part is still being written.
    let one = folder.file("one.bin")
    try RotatingLog(path: one, .create, vocabulary: Vocabulary(), identity: .now()).close()
    try RotatingLog.separateHead(of: one)
    #expect(try files.filter { $0.hasPrefix("one") } == ["one.bin"])
  }

  /// Copied alone, a head that the limits have cut says that more of its log is somewhere else; who goes on with it begins anew.
  @Test func aCutHeadAloneSaysThatItsPartsAreMissing() throws {
    try write(20_000, LogLimits(keptBytes: 16_000))
    let alone = folder.file("alone.bin")
    try FileManager.default.copyItem(atPath: path, toPath: alone)
    #expect(
      try VerifyReport(path: alone).problems.map(\.found) == [
        "the limits removed what \(alone) held, and its later parts are not beside it"
      ])
    let trace = try read(alone)
    #expect(LogBench.gaps(trace) == ["corrupt-block ?"])
    let log = try RotatingLog(resuming: alone, options: .init(), limits: LogLimits()) { _ in }
    try log.append([event(.note, 1, of: 1, in: log.vocabulary)])
    try log.close()
    #expect(try read(alone).events.count == 1 && VerifyReport(path: alone).isWhole)
  }

  /// Whoever dies while the limits cut the head leaves the mark, and what stood behind it.
  @Test func whatStandsBehindACutMarkIsNotRead() throws {
    let written = try write(3_000, LogLimits(maxPartBytes: 4_000))
    let first = try LogScanner(LogInput(path: path + ".2")).part
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[LogFormat.fileHeaderLength] = LogFormat.cutMark
    try bytes.write(to: URL(fileURLWithPath: path))
    let report = try VerifyReport(path: path)
    #expect(report.isWhole && report.removedEventCount == first.eventsBefore)
    #expect(report.eventCount == UInt64(written.events.count) - first.eventsBefore)

    // The limits cut it again before they remove another part.
    let log = try RotatingLog(
      resuming: path, options: .init(), limits: LogLimits(maxPartBytes: 1, keptBytes: 1)
    ) { _ in }
    try log.append([next(in: log)])
    try log.close()
    let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
    #expect(size == LogFormat.fileHeaderLength + 1)
    #expect(try files.count == 2 && VerifyReport(path: path).isWhole)
  }

  /// The number of its place is passed over.
  @Test func aForeignFileInThePlaceOfAPartIsKept() throws {
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path + ".2"))
    let written = try write(3_000, LogLimits(maxPartBytes: 4_000))
    #expect(try Array(files.prefix(3)) == ["log.bin", "log.bin.2", "log.bin.3"])
    #expect(try String(contentsOfFile: path + ".2", encoding: .utf8) == "mine")
    #expect(try difference(read(path), written) == nil)
    #expect(try VerifyReport(path: path).problems == [])
  }
}

extension LogReader {
  /// How many events the log at `path` has.
  fileprivate static func events(in path: String) throws -> Int {
    var reader = try LogReader(path: path)
    return try reader.readAll().events.count
  }
}

extension Event {
  /// The same event with the words of another vocabulary.
  fileprivate func moved(from words: Vocabulary, to others: Vocabulary) throws -> Event {
    var event = self
    event.writer = try others.writer(words.name(of: writer))
    event.name = others.symbol(words.text(name))
    event.label = others.symbol(words.text(label))
    event.attributes = others.attributes(words.attributes(attributes))
    return event
  }
}
