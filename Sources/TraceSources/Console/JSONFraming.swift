import LifecycleModel

/// What `log show --style ndjson` and `log stream --style ndjson` print: a JSON object a line.
struct JSONFraming: ConsoleFraming {
  static let name = "log --style ndjson"

  private static let header = Array("Filtering the log data using ".utf8)

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    guard line.first == UInt8(ascii: "{") else {
      let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") }
      return isBlank || line.starts(with: Self.header) ? .nothing : .continuation
    }
    guard let members = JSONMembers(line) else { return .broken }
    // The closing {"count":1,"finished":1} and activities are no messages.
    guard let message = members.string("eventMessage") else { return .nothing }
    if let type = members.string("eventType"), type != Array("logEvent".utf8)[...] {
      return .nothing
    }
    guard let time = members.string("timestamp"), let stamp = Self.stamp(time),
      let path = members.string("processImagePath")
    else { return .broken }
    return .record(
      ConsoleRecord(
        line: number, stamp: stamp, process: Self.lastComponent(path).text,
        pid: members.number("processID").flatMap { Int32(exactly: $0) },
        thread: members.number("threadID").flatMap { UInt64(exactly: $0) },
        subsystem: members.string("subsystem")?.text
          ?? members.string("senderImagePath").map { Self.lastComponent($0).text },
        level: members.string("messageType")?.text, message: message))
  }

  private static func stamp(_ text: ArraySlice<UInt8>) -> ConsoleStamp? {
    var scanner = LineScanner(text)
    guard let day = scanner.takeDate(),
      scanner.take(UInt8(ascii: " ")) || scanner.take(UInt8(ascii: "T")),
      let time = scanner.takeTimeOfDay()
    else { return nil }
    return ConsoleStamp(
      day: .known(day), timeOfDay: time.nanoseconds, zoneSeconds: scanner.takeZone(),
      resolution: time.resolution)
  }

  private static func lastComponent(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
  }
}
