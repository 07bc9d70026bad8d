import LifecycleModel
import Platform
import Testing
import Traces

@testable import TraceLog

struct RotatingLogTests {
  /// A directory of its own for one test, removed with what the test puts there.
  private final class Directory {
    let path: String

    init() throws {
      var template = Array("/tmp/tracelog-XXXXXX".utf8CString)
      path = try #require(mkdtemp(&template).map { String(cString: $0) })
    }

    deinit {
      for name in ["log", "other"] { unlink(path + "/" + name) }
      rmdir(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
      let sink = try FileLogSink(path: file(name))
      try bytes.withUnsafeBytes { try sink.write($0) }
      try sink.close()
      return file(name)
    }
  }

  @Test func aLogInAFileIsRead() throws {
    let directory = try Directory()
    let log = try LogBench(TornTailTests.notation, eventsPerBlock: 2)
    let path = try directory.write(log.bytes, to: "log")
    var reader = try LogReader(path: path)
    #expect(lines(try reader.readAll()) == lines(log.written))
    #expect(try LogSummary(path: path) == LogSummary(bytes: log.bytes))
  }

  @Test func aPipeIsReadLikeAFile() throws {
    let log = try LogBench(TornTailTests.notation, eventsPerBlock: 2)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    try log.bytes.withUnsafeBytes { try FileLogSink(descriptor: ends[1]).write($0) }
    defer { close(ends[0]) }
    var reader = try LogReader(descriptor: ends[0])
    #expect(lines(try reader.readAll()) == lines(log.written))
  }

  @Test func aFileIsNotWrittenOverUnlessTold() throws {
    let directory = try Directory()
    let path = try directory.write(LogFormat.magic, to: "log")
    let other = try directory.write([1], to: "no log")
    #expect(throws: LogError.exists(path: path)) { try FileLogSink(path: path) }
    #expect(throws: LogError.notOurs(path: other)) { try FileLogSink(path: other, .replace) }
    _ = try FileLogSink(path: path, .replace)
    #expect(throws: LogError.empty(path: path)) { try LogReader(path: path) }
  }

  #if os(Linux)
    @Test func aFullDiskIsSaid() throws {
      let sink = try FileLogSink(path: "/dev/full", .replace)
      #expect(throws: LogError.diskFull(path: "/dev/full")) {
        try LogWriter(to: sink, vocabulary: Vocabulary())
      }
    }
  #endif

  @Test func whatIsNoLogIsSaid() throws {
    let directory = try Directory()
    let path = try directory.write(Array("0s main call x\n".utf8), to: "other")
    #expect(throws: LogError.notALog(path: path, looksLikeText: true)) { try LogReader(path: path) }
    #expect(throws: LogError.isDirectory(path: directory.path)) {
      try LogReader(path: directory.path)
    }
    #expect(throws: LogError.notFound(path: directory.file("no"))) {
      try LogReader(path: directory.file("no"))
    }
  }

  @Test func aNewerVersionIsRefused() throws {
    var header = FileHeader(LogBench.identity)
    header.majorVersion = 7
    #expect(throws: LogError.newerVersion(found: 7, supported: 0, path: "memory")) {
      try LogReader(bytes: header.encoded())
    }
  }

  @Test func aLogIsKnownByItsFirstBytes() throws {
    #expect(LogReader.isLog(try LogBench("").bytes.prefix(8)))
    #expect(!LogReader.isLog(Array("0s main call".utf8)))
    #expect(!LogReader.isLog([]))
  }

  @Test func aFilterPassesOverBlocks() throws {
    let log = try LogBench(TornTailTests.notation, eventsPerBlock: 2)
    func events(_ filter: BlockFilter) throws -> Int {
      var reader = try LogReader(bytes: log.bytes, filter: filter)
      return try reader.readAll().events.count
    }
    #expect(try events(BlockFilter(from: Instant(nanoseconds: 1_350_000_000))) == 2)
    #expect(try events(BlockFilter(to: .origin)) == 2)
    #expect(try events(BlockFilter(verbs: [.workBegin])) == 2)
    #expect(try events(BlockFilter(verbs: [.note])) == 2)
    #expect(try events(BlockFilter(verbs: [.kill])) == 0)
    #expect(try events(BlockFilter()) == 6)
  }

  @Test func aSummaryTellsWhatTheHeadersKnow() throws {
    let log = try LogBench(TornTailTests.notation, eventsPerBlock: 2)
    let summary = try LogSummary(bytes: log.bytes)
    #expect(summary.identity == LogBench.identity)
    #expect(summary.blockCount == 3)
    #expect(summary.eventCount == 6)
    #expect(
      summary.writers.map { "\($0.name) \($0.first)…\($0.last)" } == [
        "- 1…1", "main 1…3", "db 1…2",
      ])
    #expect(summary.instants?.upperBound.nanoseconds == 2_000_000_000)
    #expect(summary.verbs == [.profile, .call, .return, .workBegin, .workEnd, .note])
    #expect(summary.byteCount == log.bytes.count)
    #expect(summary.isWhole)
  }
}
