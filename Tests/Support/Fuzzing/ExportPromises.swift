import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceReport

/// What must hold for the export of any trace: a viewer can read it, and draws what it says.
enum ExportPromises {
  /// Reads notation, exports what can be read, and reads that back.
  static func check(_ bytes: [UInt8]) throws {
    let (trace, _) = try TextPromises.read(bytes, .notation, chunk: 1 << 20)
    var analyzer = RuleProgram.catalogue.analyzer(trace.vocabulary)
    analyzer.observe(trace.events)
    let analysis = analyzer.finish()

    var reader = PerfettoReader()
    try reader.read(export(trace, analysis))
  }

  private static func export(_ trace: Trace, _ analysis: Analysis) -> [UInt8] {
    let head = ExportHead(analysis, of: "log.trace", trace.vocabulary, nil)
    var export = LaneExport(head, trace.vocabulary, in: .distantPast ... .distantFuture)
    for event in trace.events { export.draw(event) }
    export.finish()
    return export.takeBytes()
  }
}

/// Reads a trace of Perfetto by its wire format, and follows its tracks.
struct PerfettoReader {
  /// A field's number, and what it holds.
  private typealias Field = (number: UInt64, value: UInt64, bytes: ArraySlice<UInt8>)

  private var depths: [UInt64: Int] = [:]
  private var time: UInt64 = 0

  /// Reads a whole trace.
  mutating func read(_ bytes: [UInt8]) throws {
    for packet in try PerfettoReader.fields(bytes[...]) {
      try hold(packet.number == 1, "field \(packet.number) is no packet")
      try read(packet: PerfettoReader.fields(packet.bytes))
    }
  }

  private mutating func read(packet fields: [Field]) throws {
    try hold(
      fields.contains { $0.number == 10 && $0.value == 1 }, "a packet is of another sequence")

    for field in fields {
      switch field.number {
      case 6, 12, 126: _ = try PerfettoReader.fields(field.bytes)
      case 8: try advance(to: field.value)
      case 11: try read(event: PerfettoReader.fields(field.bytes))
      case 60: try declare(PerfettoReader.fields(field.bytes))
      case 10, 13: break
      default: try hold(false, "a packet has the field \(field.number)")
      }
    }
  }

  private mutating func advance(to time: UInt64) throws {
    try hold(time >= self.time, "\(time) comes behind \(self.time)")
    self.time = time
  }

  private mutating func declare(_ fields: [Field]) throws {
    let track = fields.first { $0.number == 1 }?.value
    let isNew = track.map { depths.updateValue(0, forKey: $0) == nil } ?? false
    try hold(isNew, "a track has no number of its own: \(fields)")
  }

  private mutating func read(event fields: [Field]) throws {
    let type = fields.first { $0.number == 9 }?.value
    let track = fields.first { $0.number == 11 }?.value
    guard let type, let track, let depth = depths[track] else {
      throw BrokenPromise(description: "an event is of no track: \(fields)")
    }

    try hold((1...5).contains(type), "an event has the type \(type)")
    if type == 1 { depths[track] = depth + 1 }
    if type == 2 {
      try hold(depth > 0, "an end on track \(track) ends nothing")
      depths[track] = depth - 1
    }
  }

  // MARK: The wire format

  private static func fields(_ bytes: ArraySlice<UInt8>) throws -> [Field] {
    var rest = bytes
    var fields: [Field] = []

    while !rest.isEmpty {
      let tag = try number(&rest)
      try hold(tag >> 3 > 0, "a field has the number 0")
      switch tag & 7 {
      case 0: fields.append((tag >> 3, try number(&rest), []))
      case 1: fields.append((tag >> 3, 0, try take(8, &rest)))
      case 2: fields.append((tag >> 3, 0, try take(number(&rest), &rest)))
      default: try hold(false, "a field has the wire type \(tag & 7)")
      }
    }
    return fields
  }

  private static func take(
    _ count: UInt64, _ rest: inout ArraySlice<UInt8>
  ) throws -> ArraySlice<UInt8> {
    try hold(count <= UInt64(rest.count), "a field of \(count) bytes has \(rest.count)")
    defer { rest = rest.dropFirst(Int(count)) }
    return rest.prefix(Int(count))
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) throws -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { break }
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return number }
    }
    throw BrokenPromise(description: "a number does not end")
  }
}
