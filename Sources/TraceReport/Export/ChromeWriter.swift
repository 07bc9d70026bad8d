import LifecycleModel
import TraceText

/// Writes Chrome's Trace Event format: JSON that Firefox Profiler and older viewers read.
///
/// Each track is a thread there. Bars that may overlap are asynchronous: they are told apart by an id.
/// Every event has a name, also one that ends a bar, since Firefox Profiler finds the beginning by it.
struct ChromeWriter: TrackWriter {
  /// Names that Firefox Profiler takes for its own.
  private static let reserved: Set = [
    "Profile", "ProfileChunk", "CpuProfile", "Screenshot", "TracingStartedInBrowser",
  ]

  var bytes: [UInt8] = []
  private let pid: Int32
  private var isFirst = true
  /// The names of the open bars of each track, the newest last.
  private var open: [Int: [(name: String, category: String)]] = [:]

  init(_ head: ExportHead) {
    pid = head.pid
    bytes += "{\"displayTimeUnit\":\"ns\",\"otherData\":{".utf8
    for (index, fact) in head.facts.enumerated() {
      bytes += index == 0 ? "\n".utf8 : ",\n".utf8
      append(fact)
    }
    bytes += "\n},\"traceEvents\":[".utf8
  }

  mutating func finish() { bytes += "\n]}\n".utf8 }

  // MARK: Tracks

  mutating func declare(_ track: ExportTrack) {
    switch track.kind {
    case .process: write("M", "process_name", on: track, arguments: [("name", .text(track.name))])
    case .group where track.name != LaneTracks.Group.findings.name, .values: break
    case .group, .slices, .states, .thread:
      guard track.firstRow == track.id else { return }
      write("M", "thread_name", on: track, arguments: [("name", .text(track.name))])
      let order = track.kind == .group ? -1 : Int64(track.rank)
      write("M", "thread_sort_index", on: track, arguments: [("sort_index", .number(order))])
    }
  }

  private func thread(_ track: ExportTrack) -> Int {
    switch track.kind {
    case .process, .thread(isMain: true): Int(pid)
    default: Int(pid) + track.firstRow
    }
  }

  // MARK: Events

  mutating func begin(
    _ mark: ExportMark, on track: ExportTrack, at time: Nanoseconds
  ) {
    open[track.id, default: []].append((mark.name, mark.category))
    write(isNested(track) ? "B" : "b", mark, on: track, at: time)
  }

  mutating func end(
    on track: ExportTrack, at time: Nanoseconds, _ details: [ExportDetail]
  ) {
    guard let (name, category) = open[track.id]?.popLast() else { return }
    let mark = ExportMark(name: name, category: category, details: details)
    write(isNested(track) ? "E" : "e", mark, on: track, at: time)
  }

  /// Not every viewer draws a bar without an end: it gets one, that says why.
  mutating func leaveOpen(
    _ name: String, on track: ExportTrack, at time: Nanoseconds, _ why: String
  ) {
    end(on: track, at: time, [ExportDetail("closed", "no: " + why)])
  }

  mutating func instant(
    _ mark: ExportMark, on track: ExportTrack, at time: Nanoseconds
  ) {
    write("i", mark, on: track, at: time)
  }

  mutating func enter(_ state: String?, on track: ExportTrack, at time: Nanoseconds) {
    end(on: track, at: time, [])
    if let state { begin(ExportMark(name: state, category: "state"), on: track, at: time) }
  }

  mutating func put(_ value: Int64, on track: ExportTrack, at time: Nanoseconds) {
    guard case .values(let unit) = track.kind else { return }
    let key = unit.isEmpty ? "value" : unit
    write("C", track.name, on: track, at: time, arguments: [(key, .number(value))])
  }

  /// Whether bars of the track hold each other; else they may overlap those of other rows.
  private func isNested(_ track: ExportTrack) -> Bool {
    track.isThread || track.kind == .states
  }

  private mutating func write(
    _ phase: String, _ mark: ExportMark, on track: ExportTrack, at time: Nanoseconds
  ) {
    var arguments = mark.details.map { ($0.key, $0.value) }
    if !mark.details.isEmpty {
      // What Firefox Profiler shows: it knows no other arguments.
      let all = mark.details.map { "\($0.key)=\($0.text)" }.joined(separator: " ")
      arguments.insert(("detail", .text(all)), at: 0)
    }
    write(phase, mark.name, mark.category, on: track, at: time, arguments: arguments)
  }

  private mutating func write(
    _ phase: String, _ name: String, _ category: String = "", on track: ExportTrack,
    at time: Nanoseconds? = nil, arguments: [(String, ExportDetail.Value)]
  ) {
    let isReserved = ChromeWriter.reserved.contains(name)
    bytes += isFirst ? "\n{\"name\":".utf8 : ",\n{\"name\":".utf8
    isFirst = false
    JSONText.appendQuoted(isReserved ? "\"\(name)\"" : name, to: &bytes)
    if !category.isEmpty { bytes += ",\"cat\":\"\(category)\"".utf8 }
    bytes += ",\"ph\":\"\(phase)\",\"pid\":\(pid),\"tid\":\(thread(track))".utf8
    if let time {
      let thousandths = String(time % 1000 + 1000).dropFirst()
      bytes += ",\"ts\":\(time / 1000).\(thousandths)".utf8
    }

    if phase == "b" || phase == "e" { bytes += ",\"id\":\(track.id)".utf8 }
    if phase == "i" { bytes += ",\"s\":\"t\"".utf8 }
    if !arguments.isEmpty { append(arguments) }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func append(_ arguments: [(key: String, value: ExportDetail.Value)]) {
    bytes += ",\"args\":{".utf8
    for (index, argument) in arguments.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(argument.key, argument.value)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func append(_ fact: ExportDetail) { append(fact.key, fact.value) }

  private mutating func append(_ key: String, _ value: ExportDetail.Value) {
    JSONText.appendQuoted(key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    switch value {
    case .number(let number): bytes += String(number).utf8
    case .text(let text): JSONText.appendQuoted(text, to: &bytes)
    }
  }
}
