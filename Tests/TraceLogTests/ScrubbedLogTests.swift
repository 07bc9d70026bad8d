import LifecycleModel
import Testing
import TraceText

@testable import TraceLog

/// No word that was scrubbed is left in the bytes of a log.
@Suite struct ScrubbedLogTests {
  private let trace = """
    0s - profile mode=scene bundle=com.example.Notes secretkey=secretvalue
    0s - process.start app pid=412 bundle=com.example.Notes
    1s main call sceneWillConnect scene:1 at=Notes/SceneDelegate.swift:42
    2s main return sceneWillConnect scene:1
    3s com.example.sync work.begin network app "https://notes.example/v1/items"
    4s main custom.verb "private name" app "private label"
    5s main task.begin task:1 "upload everything" holder=uploadTask
    6s main note "Dear diary"
    7s other acquire lock app "diary.sqlite"
    8s main exit app exception=DiaryException reason="diary was not locked"
    """

  private let secrets = [
    "com.example", "Notes", "secretkey", "secretvalue", "SceneDelegate", "example.sync", "https",
    "items", "custom.verb", "private", "upload", "Dear", "iary", "other",
  ]

  /// All bytes that a log has, and those that come out of its compressed blocks.
  private func allBytes(_ log: [UInt8]) throws -> [UInt8] {
    var all = log
    let scanner = try LogScanner(LogInput(bytes: log, path: "memory"))
    let inflater = try Inflater()
    var blocks = 0
    while case .block(let header) = try scanner.next() {
      let payload = try scanner.payload(of: header)
      var plain = [UInt8](repeating: 0, count: Int(header.plainLength))
      try plain.withUnsafeMutableBytes { plain in
        try inflater.inflate(
          UnsafeRawBufferPointer(rebasing: payload[..<Int(header.deflatedLength)]), to: plain)
      }
      all += plain
      try scanner.skipPayload(of: header)
      blocks += 1
    }
    #expect(blocks > 0)
    return all
  }

  private func found(_ bytes: [UInt8]) -> [String] {
    secrets.filter { bytes.firstRange(of: $0.utf8) != nil }
  }

  /// The log, or a slice of it with much that is true before it, scrubbed.
  private func scrubbed(from instant: Instant) throws -> (before: [UInt8], after: [UInt8]) {
    let source = try TraceNotation.parse(trace)
    var slicer = LogSlicer(source.vocabulary, after: LogBeginning(), in: instant ... .distantFuture)
    let events = slicer.take(source.events)
    let beginning = try #require(slicer.beginning)
    let before = try DerivedBench.write(events, source.vocabulary, after: beginning)

    let vocabulary = Vocabulary()
    let scrubber = Scrubber(Scrubber.Policy(), KeyedHash())
    var translation = EventTranslation(from: source.vocabulary, to: vocabulary, scrubber)
    let after = try DerivedBench.write(
      events.map { try translation.event($0) }, vocabulary,
      after: beginning.told(by: &translation, writer: scrubber.writer),
      identity: .imported(originWall: nil))
    return (before, after)
  }

  @Test(arguments: [0, 4, 8]) func noWordIsLeftInItsBytes(second: Int64) throws {
    let (before, after) = try scrubbed(from: Instant(nanoseconds: .seconds(second)))
    #expect(try found(allBytes(before)).count > secrets.count / 2, "the bytes are not looked at")
    #expect(try found(allBytes(after)) == [])
    #expect(try VerifyReport(LogReader(bytes: after)).problems == [])
    #expect(try Trace(log: after).events.count == Trace(log: before).events.count)
  }
}
