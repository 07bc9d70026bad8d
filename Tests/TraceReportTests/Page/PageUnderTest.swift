import CZlib
import Foundation
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

@testable import TraceReport

/// A page that was made of a trace, taken apart again.
struct PageUnderTest {
  /// A bar as the page has it.
  struct Bar: Hashable {
    let begin, end: Int
    let word: String
    let fate: Int
  }

  let html: String
  let head: [String: Any]
  let instants: [Int64]
  /// Writer, verb, name, subject and label of each event.
  let words: [[String]]
  let values: [Int: Int64]
  let details: [Int: String]
  /// The rows of each lane, and the places of its marks.
  let lanes: [(title: String, rows: [[Bar]], marks: [Int])]
  /// Whether nothing stands behind the last column.
  let isWhole: Bool

  /// Makes the page of a trace in notation, without the first events.
  init(_ notation: String, skipping skipped: UInt64 = 0) throws {
    try self.init(TraceNotation.parse(notation), skipping: skipped)
  }

  init(_ trace: Trace, skipping skipped: UInt64 = 0) throws {
    try self.init(html: PageUnderTest.html(trace, skipping: skipped))
  }

  /// The page of a trace.
  static func html(_ trace: Trace, skipping skipped: UInt64 = 0) -> String {
    let analysis = Analyzer.analyze(trace)
    let results = AnalysisResults(analysis, of: "log.trace", trace.vocabulary)
    var instants = StoryInstants()
    instants.observe(trace.events)
    let axis = instants.axis(.story, analysis) ?? TimeAxis(story: [])
    var drawing = PageDrawing(results, analysis, on: axis, skipping: skipped, trace.vocabulary)
    drawing.draw(trace.events)
    return drawing.finish(command: "tracectl dump log.trace --around")
  }

  init(html: String) throws {
    self.html = html
    var reader = PageReader(try PageUnderTest.data(html))
    head = try reader.head()
    let strings = head["strings"] as? [String] ?? []
    let count = head["events"] as? Int ?? 0
    let start = (head["start"] as? NSNumber)?.int64Value ?? 0

    instants = reader.instants(count, start)
    let columns = (0..<5).map { _ in (0..<count).map { _ in strings[reader.number()] } }
    words = (0..<count).map { event in columns.map { $0[event] } }
    let valued = reader.rising(reader.number())
    values = Dictionary(uniqueKeysWithValues: valued.map { ($0, reader.signed()) })
    let detailed = reader.rising(reader.number())
    details = Dictionary(uniqueKeysWithValues: detailed.map { ($0, strings[reader.number()]) })

    let events = words
    lanes = (head["lanes"] as? [[String: Any]] ?? []).map { lane in
      var taught: [[String]: String] = [:]
      let rows = (lane["rows"] as? [Int] ?? []).map { size in
        reader.bars(size, strings, events, &taught)
      }
      return (lane["title"] as? String ?? "", rows, reader.rising(lane["marks"] as? Int ?? 0))
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

  mutating func instants(_ count: Int, _ start: Int64) -> [Int64] {
    var last = start
    return (0..<count).map { _ in
      let step = number()
      last = step == 0 ? last &- Int64(number()) : last &+ Int64(step) &- 1
      return last
    }
  }

  mutating func bars(
    _ count: Int, _ strings: [String], _ events: [[String]], _ taught: inout [[String]: String]
  ) -> [PageUnderTest.Bar] {
    var event = 0
    return (0..<count).map { _ in
      event += number()
      let code = number()
      let fate = code & 1 == 0 ? 0 : number()
      let begin = [events[event][1], events[event][2], events[event][4]]
      let word = code & 2 == 0 ? taught[begin] ?? "" : strings[number()]
      if code & 4 == 0 { taught[begin] = word }
      return PageUnderTest.Bar(begin: event, end: event + code >> 3, word: word, fate: fate)
    }
  }
}
