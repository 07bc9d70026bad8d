/// What ReportCrash and osanalyticshelper print about the report that they write.
///
///     Formulating fatal 309 report for corpse[412] Notes
///     Saved type '309(<private>)' report (2 of max 25) at …/Notes-2026-03-01-100000.ips
///
/// The types 309, and 109 before it, are those of crashes.
enum CrashReportText {
  private static let corpse = MessagePattern("report for corpse[{pid}] {name}")

  /// The process that a message is about; `nil` when it names none.
  static func subject(of message: ArraySlice<UInt8>) -> ConsoleMention? {
    if message.contains("report for corpse[") {
      guard let said = corpse.read(message), let name = said.name?.prefix(512).line, !name.isEmpty
      else { return nil }
      return ConsoleMention(process: name.text, pid: said.pid.flatMap(\.processNumber))
    }
    return file(in: message).map { ConsoleMention(process: $0.process) }
  }

  /// The process has crashed.
  static func crash(_ words: String) -> ConsoleStatement {
    var end = Termination.signal(nil)
    end.crashReport = words
    return .endForetold(end, words)
  }

  /// Where a report lies: that of a crash says that the process has crashed.
  static func place(_ message: ArraySlice<UInt8>) -> ConsoleStatement? {
    file(in: message).map { file in
      let words = "crash report: \(file.path)"
      return ["Saved type '309(", "Saved type '109("].contains { message.starts(with: $0) }
        ? crash(words) : .remark(words)
    }
  }

  /// Reads the path of `…/NAME-YYYY-MM-DD-HHMMSS.ips`.
  private static func file(
    in message: ArraySlice<UInt8>
  ) -> (path: String, process: String)? {
    guard let end = message.firstRange(of: ".ips") else { return nil }
    let line = message[..<end.lowerBound]
    let start = line.firstIndex(of: "/") ?? line.endIndex
    let path = line[start...]
    guard let slash = path.lastIndex(of: "/") else { return nil }

    let name = path[(slash + 1)...]
    // A dash and "2026-03-01-100000".
    let stamp = name.suffix(18)
    guard name.count > stamp.count, stamp.count == 18, stamp.first == "-",
      stamp.allSatisfy({ $0 == "-" || $0.isDigit }), path.count <= 512
    else { return nil }
    return (path.text + ".ips", name.dropLast(stamp.count).text)
  }
}
