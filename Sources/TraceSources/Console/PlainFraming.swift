import LifecycleModel
import TraceText

/// Text without a frame, as an app's own log or Xcode's console without metadata has it.
///
///     00:18:48.912  kernel: message
///     *** Terminating app due to uncaught exception 'NSGenericException', reason: 'no note'
///
/// It is the last resort: a time is taken where a line begins with one, and the process where it is
/// one of the system's. A line with neither is a record when it contains a sentence that UIKit, the system,
/// the debugger or the runtime print. All else is somebody's own text.
struct PlainFraming: ConsoleFraming {
  let name = "plain text"

  private static let starts = [
    "*** Terminating app due to ", "Message from debugger: ", "Background Task ",
    "Background task still not ended ", "Can't endBackgroundTask: ", "Can't end BackgroundTask: ",
    "Deactivation reason ", "Ending background task with ",
    "libc++abi",
  ].map { Array($0.utf8) }

  /// The bytes of a line in which a sentence is looked for.
  private static let longestSearched = 4096

  /// Whether a line begins with words that UIKit, the debugger or the runtime print.
  static func hasKnownStart(_ line: ArraySlice<UInt8>) -> Bool {
    if starts.contains(where: { line.starts(with: $0) }) { return true }
    let said = MessageRules.ofRuntime.read(line, by: .app)?.said
    return said.map { !LooseSentences.isDenied($0.before) } ?? false
  }

  /// What a line without a frame says, and the process that prints it, empty for the app; `nil` for other text.
  static func statement(
    _ line: ArraySlice<UInt8>
  ) -> (message: ArraySlice<UInt8>, process: String)? {
    // In what is longer nobody looks for one.
    let start = line.prefix(longestSearched)
    return hasKnownStart(start) ? (line, "") : LooseSentences.sentence(in: start)
  }

  /// Whether a line says by itself that it comes from an app's console.
  static func isKnown(_ line: ArraySlice<UInt8>) -> Bool {
    var scanner = LineScanner(line)
    let isStamped = takeStamp(&scanner) != nil
    return takeSystemProcess(&scanner, isStamped) != nil
      || statement(line[scanner.index...]) != nil
  }

  /// The record of a line that is in another form than those around it, as who cites two consoles has it: words with
  /// which an app or its runtime ends, perhaps behind `Notes[412]: `; `nil` of other lines.
  static func cited(_ line: ArraySlice<UInt8>, _ number: Int) -> ConsoleRecord? {
    // Nearly all lines are frames or an app's own, and have no colon.
    let head = line.prefix(256)
    guard head.contains(UInt8(ascii: ":")) else { return nil }

    guard let close = head.firstRange(of: "]: "),
      let (name, pid, _) = process(atStartOf: line[..<(close.lowerBound + 1)])
    else {
      guard hasKnownStart(line), saysEnd(line) else { return nil }
      return ConsoleRecord(line: number, stamp: .midnight, process: "", message: line)
    }
    let message = line[close.upperBound...]
    guard saysEnd(message) else { return nil }
    return ConsoleRecord(
      line: number, stamp: .midnight, process: name.text, pid: pid, message: message)
  }

  private static func saysEnd(_ message: ArraySlice<UInt8>) -> Bool {
    switch MessageRules.all.read(message, by: .app)?.fact {
    case .endForetold, .endedUnderDebugger: true
    default: false
    }
  }

  func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    var scanner = LineScanner(line)
    let stamp = Self.takeStamp(&scanner)
    let process = Self.takeSystemProcess(&scanner, stamp != nil)
    let rest = line[scanner.index...]
    let said = process == nil ? Self.statement(rest) : nil
    var record = ConsoleRecord(
      line: number, stamp: stamp ?? .midnight, process: process ?? said?.process ?? "",
      message: said?.message ?? rest)

    if record.process.isEmpty {
      let own =
        said == nil
        ? Self.undated(rest)
        : Self.process(atStartOf: rest).flatMap { $0.thread == nil ? nil : ($0.name, $0.pid) }
      if let own { (record.process, record.pid) = (own.name.text, own.pid) }
    }
    if stamp != nil { return .record(record) }
    return record.process.isEmpty && said == nil ? .continuation : .unstamped(record)
  }

  /// The process at the start of a line of Xcode's console whose time was cut off: `Notes[412:1203] saving`.
  static func undated(_ line: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, pid: Int32)? {
    var head = LineScanner(withoutCutStamp(line))
    // An app prints parts of arrays in such brackets, too.
    guard head.next?.isLetter == true, let own = head.takeProcess(),
      !own.name.contains(0x20), own.pid > 99, own.thread.map({ $0.count > 2 }) == true,
      head.take(" ")
    else { return nil }
    return (own.name, own.pid)
  }

  /// The process at the start of a line that has lost its form or its time: `Notes[412:33] *** Terminating app …`,
  /// `Notes(412,0x16b6ef000) malloc: …`.
  private static func process(
    atStartOf line: ArraySlice<UInt8>
  ) -> (name: ArraySlice<UInt8>, pid: Int32, thread: ArraySlice<UInt8>?)? {
    let line = line.drop { $0 <= 0x20 || $0 == UInt8(ascii: "\"") }
    if let said = ofMalloc.read(line), let pid = said.number("pid").flatMap(Int32.init(exactly:)),
      said.name?.contains(where: { ":`\"".utf8.contains($0) }) == false
    {
      return (said.name ?? [], pid, said.thread)
    }
    var head = LineScanner(line)
    if head.takeAnyStamp() != nil { _ = head.takeBlanks() }
    head.index = withoutCutStamp(head.bytes[head.index...]).startIndex
    return head.takeProcess()
  }

  private static let ofMalloc = MessagePattern("^{name}({pid:int},{thread}) malloc: ")

  /// A line without a time whose first digits were not copied: it is no part of a name.
  private static func withoutCutStamp(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard line.first?.isDigit == true,
      let cut = line.prefix(64).text.prefixMatch(of: cutStamp)
    else { return line }
    return line.dropFirst(cut.output.utf8.count)
  }

  private nonisolated(unsafe) static let cutStamp = #/[\d-]+ \d\d:\d\d:\d\d[.,]\d+(?:[+-]\d+)? /#

  /// Takes a time, with its date or without, and the blanks after it.
  private static func takeStamp(_ scanner: inout LineScanner) -> ConsoleStamp? {
    let start = scanner.index
    if let stamp = scanner.takeAnyStamp(), scanner.takeBlanks() { return stamp }
    scanner.index = start
    return nil
  }

  /// Takes `kernel: `, or after a time `assertiond `.
  private static func takeSystemProcess(
    _ scanner: inout LineScanner, _ isStamped: Bool
  ) -> String? {
    let rest = scanner.bytes[scanner.index...]
    let name = rest.prefix(64).prefix { $0 > 0x20 && $0 != ":" }
    let after = rest[name.endIndex...]
    // An app may speak of the kernel, too.
    let isNamed =
      after.starts(with: ": ") || isStamped && after.first == 0x20 && name.text != "kernel"
    guard isNamed, AppIdentity.isSystemProcess(name.text) else { return nil }
    scanner.index = name.endIndex + (after.first == 0x20 ? 1 : 2)
    return name.text
  }
}
