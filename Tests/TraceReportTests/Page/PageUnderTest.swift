import CZlib
import Foundation
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

@testable import TraceReport
@testable import TraceResults

/// A page that was made of a trace, taken apart again.
struct PageUnderTest {
  /// A short life with everything that a page draws.
  static let run = """
    0s    -    profile       mode=app hooks=app-delegate,work,resources,system launch=user
    0s    -    process.start app pid=412 launch=user
    1s    main call          applicationDidBecomeActive app
    2s    main return        applicationDidBecomeActive app
    3s    main acquire       lock app "a.db"
    4s    db   acquire       lock app "b.db"
    5s    main release       lock app "a.db"
    6s    db   acquire       lock app "a.db"
    7s    main work          timer app "tick" -7
    8s    -    kill          app code=0x8badf00d namespace=SPRINGBOARD
    """

  /// A bar as the page has it.
  struct Bar: Hashable {
    /// The first and the last event of the page that lie in it.
    let begin, end: Int
    let word: String
    let fate: Int
    /// How much earlier than its first event it began, and how much later than its last it ended, where
    /// others did it.
    var before, after: Int64?
  }

  /// The rows of a lane, the places of its marks, and how many of each were left out.
  typealias LaneUnderTest = (
    title: String, rows: [[Bar]], marks: [Int], leftOutBars: Int, leftOutMarks: Int
  )

  let html: String
  let head: [String: Any]
  let instants: [Int64]
  /// Writer, verb, name, subject and label of each event.
  let words: [[String]]
  let values: [Int: Int64]
  let details: [Int: String]
  /// The numbers of the events that do not follow that of the event before of their writer.
  let jumps: [Int: Int]
  /// How many events were left out before an event.
  let leftOut: [Int: Int]
  let lanes: [LaneUnderTest]
  /// Whether nothing stands behind the last column.
  let isWhole: Bool

  /// Makes the page of a part of a trace in notation, with about `limit` events at the most.
  init(_ notation: String, in part: ClosedRange<Instant>? = nil, limit: Int? = nil) throws {
    try self.init(TraceNotation.parse(notation), in: part, limit: limit)
  }

  init(_ trace: Trace, in part: ClosedRange<Instant>? = nil, limit: Int? = nil) throws {
    try self.init(html: PageUnderTest.html(trace, in: part, limit: limit))
  }

  /// The events that a page of a trace draws, when it draws `limit`.
  static func selection(
    _ trace: Trace, in part: ClosedRange<Instant>? = nil, limit: Int
  ) -> [ClosedRange<UInt64>] {
    let analysis = Analyzer.analyze(trace)
    let results = AnalysisResults(analysis, of: "log.trace", trace.vocabulary)
    var selection = PageSelection(
      results, limit: limit, on: axis(trace, analysis, in: part), in: part, trace.vocabulary)
    selection.observe(trace.events)
    return selection.finish()
  }

  private static func axis(
    _ trace: Trace, _ analysis: Analysis, in part: ClosedRange<Instant>?
  ) -> TimeAxis {
    var instants = StoryInstants()
    instants.observe(trace.events)
    return instants.axis(.story, analysis, in: part) ?? TimeAxis(story: [])
  }

  /// The page of a part of a trace.
  static func html(
    _ trace: Trace, in part: ClosedRange<Instant>? = nil, limit: Int? = nil
  ) -> String {
    let analysis = Analyzer.analyze(trace)
    let results = AnalysisResults(analysis, of: "log.trace", trace.vocabulary)
    let drawn = PagePart(
      on: axis(trace, analysis, in: part), in: part,
      stretches: limit.map { selection(trace, in: part, limit: $0) })
    var drawing = PageDrawing(results, analysis, drawn, trace.vocabulary)
    drawing.draw(trace.events)
    return drawing.finish(
      (
        moment: "tracectl timeline log.trace --at",
        part: "tracectl report log.trace --from A --to B",
        findings: "tracectl export log.trace --tables findings"
      ))
  }

  init(html: String) throws {
    self.html = html
    var reader = PageReader(try PageUnderTest.data(html))
    head = try reader.head()
    let strings = head["strings"] as? [String] ?? []
    let count = head["events"] as? Int ?? 0
    let start = (head["start"] as? NSNumber)?.int64Value ?? 0

    instants = reader.instants(count, start)
    words = reader.kinds(count, strings)
    let valued = reader.rising(reader.number())
    values = Dictionary(uniqueKeysWithValues: valued.map { ($0, reader.signed()) })
    let detailed = reader.rising(reader.number())
    details = Dictionary(uniqueKeysWithValues: detailed.map { ($0, strings[reader.number()]) })
    (jumps, leftOut) = (reader.sparse(), reader.sparse())

    lanes = (head["lanes"] as? [[String: Any]] ?? []).map { lane in
      var leftOutBars = 0
      let rows = (lane["rows"] as? [Int] ?? []).map { size in
        let bars = reader.bars(size, strings)
        leftOutBars += reader.sparse().values.reduce(0, +)
        return bars
      }
      let count = lane["marks"] as? Int ?? 0
      let marks = reader.rising(count)
      let leftOutMarks = count > 0 ? reader.sparse().values.reduce(0, +) : 0
      return (lane["title"] as? String ?? "", rows, marks, leftOutBars, leftOutMarks)
    }
    isWhole = reader.isAtEnd
  }

  /// The bars of a lane, row by row.
  func rows(_ title: String) -> [[Bar]] { lanes.first { $0.title == title }?.rows ?? [] }

  private static func data(_ html: String) throws -> [UInt8] {
    let match = html.firstMatch(of: /id="data">([^<]*)<\/script>/)
    let packed = Data(base64Encoded: String(match?.output.1 ?? "")) ?? Data()
    var length = UInt(packed.count * 1100 + 1024)
    var bytes = [UInt8](repeating: 0, count: Int(length))
    let status = uncompress(&bytes, &length, Array(packed), UInt(packed.count))
    guard status == Z_OK else { throw CocoaError(.fileReadCorruptFile) }
    return Array(bytes.prefix(Int(length)))
  }
}

/// Reads the data of a page as the article `PageFormat` describes it.
private struct PageReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func head() throws -> [String: Any] {
    let length = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
    place = 4 + length
    let json = try JSONSerialization.jsonObject(with: Data(bytes[4..<place]))
    return json as? [String: Any] ?? [:]
  }

  private mutating func wide() -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = bytes[place]
      place += 1
      number |= UInt64(byte & 127) << shift
      if byte < 128 { return number }
      shift += 7
    }
  }

  mutating func number() -> Int { Int(truncatingIfNeeded: wide()) }

  mutating func signed() -> Int64 {
    let number = wide()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  mutating func rising(_ count: Int) -> [Int] {
    var last = 0
    return (0..<count).map { _ in
      last += number()
      return last
    }
  }

  mutating func sparse() -> [Int: Int] {
    let places = rising(number())
    return Dictionary(uniqueKeysWithValues: places.map { ($0, number()) })
  }

  mutating func instants(_ count: Int, _ start: Int64) -> [Int64] {
    var last = start
    return (0..<count).map { _ in
      let step = number()
      last = step == 0 ? last &- Int64(number()) : last &+ Int64(step) &- 1
      return last
    }
  }

  mutating func kinds(_ count: Int, _ strings: [String]) -> [[String]] {
    var known: [[String]] = []
    return (0..<count).map { _ in
      let kind = number()
      if kind > 0 { return known[kind - 1] }
      let texts = (0..<5).map { _ in strings[number()] }
      if known.count < 65_536 { known.append(texts) }
      return texts
    }
  }

  mutating func bars(_ count: Int, _ strings: [String]) -> [PageUnderTest.Bar] {
    var event = 0
    return (0..<count).map { _ in
      event += number()
      let code = number()
      let fate = code & 1 == 0 ? 0 : number()
      let word = strings[number()]
      let before = code & 2 == 0 ? nil : signed()
      let after = fate & 4 == 0 ? nil : signed()
      return PageUnderTest.Bar(
        begin: event, end: event + code >> 2, word: word, fate: fate, before: before, after: after)
    }
  }
}
