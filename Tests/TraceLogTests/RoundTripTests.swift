import LifecycleModel
import Testing
import Traces
import Workloads

@testable import TraceLog

struct RoundTripTests {
  @Test(arguments: UInt64(1)...30)
  func whatWasWrittenIsRead(seed: UInt64) throws {
    var random = RandomTrace(seed: seed)
    let trace = try random.trace(700)
    let log = try LogBench(trace, eventsPerBlock: 200)
    #expect(lines(try log.read()) == lines(trace), "seed \(seed)")
  }

  @Test func moreThanAByteOfShapesIsRead() throws {
    var random = RandomTrace(seed: 7)
    let trace = try random.trace(2_000, labels: 700)
    #expect(lines(try LogBench(trace).read()) == lines(trace))
  }

  @Test func aRealisticAppIsReadInFourBytesAnEvent() throws {
    var workload = AppWorkload(count: 40_000, seed: 1)
    let log = try LogBench(workload.readAll())
    #expect(lines(try log.read()) == lines(log.written))
    #expect(log.bytes.count < 4 * log.written.events.count)
  }

  @Test func anEmptyLogHasNoEvents() throws {
    let log = try LogBench("")
    #expect(log.bytes.count == LogFormat.fileHeaderLength)
    #expect(try log.read().events.isEmpty)
    #expect(try LogSummary(bytes: log.bytes).isWhole)
  }

  @Test func aTextOverTheLimitIsCutAndSaysSo() throws {
    let words = Vocabulary()
    let long = String(repeating: "ü", count: LogFormat.maxTextBytes)
    let event = Event(
      sequence: 1, instant: .origin, writer: .main, verb: .note, label: words.symbol(long))
    let read = try LogBench(Trace(vocabulary: words, events: [event])).read()
    let text = read.vocabulary.text(try #require(read.events.first).label)
    #expect(text.utf8.count <= LogFormat.maxTextBytes)
    #expect(text.hasSuffix("ü…"))
  }

  @Test func aBlockEndsEarlyWhenItsTextsFillIt() throws {
    let words = Vocabulary()
    let events = (0..<120).map { index in
      Event(
        sequence: UInt64(index + 1), instant: .origin, writer: .main, verb: .note,
        label: words.symbol("\(index) " + String(repeating: "x", count: 60_000)))
    }
    let trace = Trace(vocabulary: words, events: events)
    let log = try LogBench(trace)
    #expect(try LogSummary(bytes: log.bytes).blockCount == 4)
    #expect(lines(try log.read()) == lines(trace))
  }

  @Test func aBlockEndsEarlyWhenItHasTooManyWriters() throws {
    let words = Vocabulary()
    let events = try (0..<300).map { index in
      Event(
        sequence: 1, instant: .origin, writer: try words.writer("thread \(index)"), verb: .note)
    }
    let trace = Trace(vocabulary: words, events: events)
    let log = try LogBench(trace)
    #expect(try LogSummary(bytes: log.bytes).blockCount == 3)
    #expect(lines(try log.read()) == lines(trace))
  }

  @Test func linesOfAnImportTakeNextToNothing() throws {
    let words = Vocabulary()
    func trace(_ attributes: (Int) -> AttributesID) -> Trace {
      Trace(
        vocabulary: words,
        events: (0..<5_000).map {
          Event(
            sequence: UInt64($0 + 1), instant: Instant(nanoseconds: Int64($0) * 1_000),
            writer: .main, verb: .note, attributes: attributes($0))
        })
    }

    let with = try LogBench(trace { words.attributes([Attribute(.line, String($0 * 2))]) })
    let without = try LogBench(trace { _ in .none })
    #expect(lines(try with.read()) == lines(with.written))
    #expect(with.bytes.count - without.bytes.count < 100)
  }

  @Test func eventsOfAnotherTraceReadWithTheSameWords() throws {
    let log = try LogBench(
      """
      0s main profile mode=scene os=18.2
      1s main call sceneWillConnect scene:1
      1.5s db work.begin save app "notes.db" 7
      2s db work.end save app "notes.db" 7
      """)
    #expect(try log.read() == log.written)
  }

  /// What the caller forgets between two batches is none of the words of the next one.
  @Test func wordsMayBeForgottenBetweenBatches() throws {
    var traces = RandomTrace(seed: 3)
    let log = try LogBench(traces.trace(300, labels: 100), eventsPerBlock: 10)
    var reader = try LogReader(bytes: log.bytes)
    var events: [Event] = []
    var found: [String] = []
    while try reader.read(into: &events) {
      found += lines(Trace(vocabulary: reader.vocabulary, events: events))
      reader.vocabulary.forget(except: VocabularyUse())
    }
    #expect(found == lines(log.written))
  }
}
