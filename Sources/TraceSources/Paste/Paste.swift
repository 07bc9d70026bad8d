import TraceText

/// A text that somebody pasted: prose, console lines and reports in any order, as issues, mail and forums have
/// them, cut into the pieces that can be read.
///
/// Memory: the text, and a copy of what is read of it.
///
/// ```swift
/// import TraceSources
///
/// /// Which kinds of evidence a text contains.
/// func evidence(in text: String) -> [String] {
///   Paste(Array(text.utf8)[...]).pieces.map(\.name)
/// }
/// ```
public struct Paste: Sendable {
  /// The longest text that is cut into pieces, in bytes: what is longer nobody pasted.
  public static let longestText = 8 << 20
  /// The longest text of a form that is known by its beginning, which costs twice the time to read.
  public static let longestKnown = 1 << 20

  /// A piece of the text in one form.
  public struct Piece: Sendable {
    /// Its form; `nil` of console lines.
    public let report: ReportForm?
    /// Its lines, each with its end, as they were meant.
    public let bytes: [UInt8]
    /// The numbers of these lines in the text, from 1.
    public let numbers: [Int]

    init(_ report: ReportForm?, _ all: [PastedLines.Line]) {
      self.report = report
      let end = all.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? all.endIndex
      let lines = Array(all[..<end].drop(while: \.isBlank))
      bytes = Paste.bytes(of: lines)
      numbers = lines.map(\.number)
    }

    /// What it is called: `console text`, or the name of the form of a report.
    public var name: String { report?.rawValue ?? "console text" }
  }

  /// The pieces, in the order of the text; console lines that stand in several places are one piece.
  public private(set) var pieces: [Piece] = []
  /// What was undone to read them, in words such as `quotation marks of mail`.
  public private(set) var undone: [String]
  /// The number of lines that are not blank and belong to no piece.
  public private(set) var leftOut = 0
  /// Whether the text explains reports and shows pieces of them: then nothing has died.
  public private(set) var isDocumentation = false

  /// Cuts up `text`.
  public init(_ text: ArraySlice<UInt8>) {
    let pasted = PastedLines(text)
    undone = pasted.undone
    var rest: [PastedLines.Line] = []
    var reports: [Piece] = []
    for block in Self.blocks(of: pasted.lines) { cut(block, &reports, &rest) }

    let isConsole = ConsoleSource.recognizes(Self.bytes(of: rest)[...])
    let console = isConsole ? [Piece(nil, rest)] : []
    pieces = (console + reports).sorted { $0.numbers[0] < $1.numbers[0] }
    if !isConsole { leftOut = rest.count { !$0.isBlank } }
    isDocumentation = !isConsole && !reports.isEmpty && Self.isDocumentation(rest, reports)
  }

  /// Phrases with which manuals explain, and how much each weighs: people use some of them, too.
  private static let explanations = [
    ("contains this pattern", 2), ("one of the following", 2), ("following example", 2),
    ("similar to the following", 2), ("might look like", 2), ("may look like", 2),
    ("the crash report looks like", 2), ("exception type indicates", 2),
    ("the following information", 2), ("for example", 1),
    ("indicates that", 1), ("indicate that", 1), ("to determine whether", 1),
    ("is terminated by", 1), ("typically", 1),
  ]
  /// A text in which they weigh as much is a manual.
  private static let manualWeight = 3
  /// The keys by which a report is about one process.
  private static let identities = [
    "Process:", "Identifier:", "Date/Time", "\"pid\"", "\"incident", "\"bundleID\"",
    "Hardware Model",
  ]

  /// Whether prose explains what its reports show, none of which names a process.
  private static func isDocumentation(_ prose: [PastedLines.Line], _ reports: [Piece]) -> Bool {
    let isNamed = reports.contains { report in
      identities.contains { report.bytes[...].contains($0) }
    }
    if isNamed { return false }
    let text = bytes(of: prose)[...].text.lowercased()
    return explanations.reduce(0) { $0 + text.ranges(of: $1.0).count * $1.1 } >= manualWeight
  }

  fileprivate static func bytes(of lines: [PastedLines.Line]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lines.reduce(0) { $0 + $1.bytes.count + 1 })
    for line in lines {
      bytes += line.bytes
      bytes.append(0x0a)
    }
    return bytes
  }

  /// What stands between the fences of code, and around them.
  private static func blocks(of lines: [PastedLines.Line]) -> [ArraySlice<PastedLines.Line>] {
    lines.split {
      let line = $0.bytes.drop { $0 <= 0x20 }
      return line.starts(with: "```") && ReportForm.isFence(line) || line.starts(with: "~~~")
    }
  }

  // MARK: Reports

  /// The lines of reports that stand in the texts of the JSON with which these lines begin, and where that ends.
  private static func nested(
    atStartOf lines: ArraySlice<PastedLines.Line>
  ) -> (lines: [PastedLines.Line], end: Int)? {
    guard let first = lines.first?.bytes.drop(while: { $0 <= 0x20 }), first.first == "{",
      first.contains(#"\"bug_type\""#) || first.contains(#"\nTermination Reason: "#)
        || first.contains(#"\nException Type: "#) || first.contains(#""Exception Type: "#)
    else { return nil }

    let end = endOfJSON(lines)
    var (json, texts) = (LooseJSON(), LongTexts())
    json.take(bytes(of: Array(lines[..<end]))[...], &texts)
    json.finish(&texts)
    let number = lines[lines.startIndex].number
    let parts = texts.texts.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    return (parts.map { PastedLines.Line(number: number, bytes: String($0).slice) }, end)
  }

  /// Takes the reports out of a block; the other lines are left.
  private mutating func cut(
    _ block: ArraySlice<PastedLines.Line>, _ reports: inout [Piece],
    _ rest: inout [PastedLines.Line]
  ) {
    var lines = block
    while let first = lines.first {
      if let (nested, end) = Self.nested(atStartOf: lines) {
        undone.append("a report within a text of JSON")
        for block in Self.blocks(of: nested) { cut(block, &reports, &rest) }
        lines = lines[end...]
      } else if let (form, end) = Self.report(atStartOf: lines) {
        reports.append(Piece(form, Array(lines[..<end])))
        lines = lines[end...]
      } else if let end = Self.endOfStack(lines, below: rest) {
        reports.append(Piece(.crashText, Array(lines[..<end])))
        lines = lines[end...]
      } else {
        rest.append(first)
        lines.removeFirst()
      }
    }
  }

  /// The report that begins with the first of these lines, and where it ends.
  private static func report(
    atStartOf lines: ArraySlice<PastedLines.Line>
  ) -> (form: ReportForm, end: Int)? {
    guard let first = lines.first?.bytes.drop(while: { $0 <= 0x20 }) else { return nil }
    if first.first == "{" || first.first == "[" || first.first == "\"" {
      return json(atStartOf: lines)
    }
    let isStart =
      ReportForm.isHeading(first) || JetsamTableReader.recognizes(first.prefix(256).text)
      || ReportTitle.isFirst(of: lines.lazy.map(\.bytes))
      || CrashTextReader.isKey(first) && isHead(lines)
    guard isStart else { return nil }

    let end = endOfText(lines)
    return form(of: lines[..<end]).map { ($0, end) }
  }

  /// Where the stack of a crash ends that begins with these lines, and stands below no words that say so.
  private static func endOfStack(
    _ lines: ArraySlice<PastedLines.Line>, below rest: [PastedLines.Line]
  ) -> Int? {
    let count = ReportFrame.crashedStack(atStartOf: lines.lazy.map(\.bytes))
    let above = rest.suffix(4)
    let isSaid = above.contains { LooseSentences.mayStand(in: $0.bytes) }
    let isBracketed = above.last { !$0.isBlank }?.bytes.trimmedEnd.last == UInt8(ascii: "(")
    return count == 0 || isSaid || isBracketed ? nil : lines.startIndex + count
  }

  /// The lines of a report's head: what names its process stands above what says how it ended.
  private static let headLength = 48

  /// Whether lines that begin with a key lead to the heading of a report, and to no console line or other report
  /// before it.
  private static func isHead(_ lines: ArraySlice<PastedLines.Line>) -> Bool {
    for line in lines.prefix(headLength) {
      if ReportForm.isHeading(line.bytes) { return true }
      if line.bytes.first == "{" || FramingDetector.isRecord(line.bytes) { return false }
    }
    return false
  }

  private static func form(of lines: ArraySlice<PastedLines.Line>) -> ReportForm? {
    ReportForm(bytes(of: Array(lines))[...], within: longestKnown)
  }

  private static func json(
    atStartOf lines: ArraySlice<PastedLines.Line>
  ) -> (form: ReportForm, end: Int)? {
    var end = endOfJSON(lines)

    // The body of an `.ips` stands below its header, as JSON or as text.
    let body = lines[end...].drop(while: \.isBlank)
    let isHeader =
      lines.first?.bytes.contains("\"bug_type\"") == true && end == lines.startIndex + 1
    if isHeader, let next = body.first?.bytes.drop(while: { $0 <= 0x20 }) {
      let isText = next.first != "{" && next.first != "\""
      if !next.contains("\"bug_type\"") { end = isText ? endOfText(body) : endOfJSON(body) }
    }
    return form(of: lines[..<end]).map { ($0, end) }
  }

  /// Where the JSON ends with which these lines begin: with its last bracket, before another report, or with
  /// the lines.
  private static func endOfJSON(_ lines: ArraySlice<PastedLines.Line>) -> Int {
    var brackets = JSONBrackets()
    for index in lines.indices {
      let line = lines[index].bytes
      if index > lines.startIndex, ReportForm.isHeader(line) { return index }
      for byte in line { brackets.take(byte) }

      // No text goes on in the next line.
      brackets.endText()
      let (last, depth) = (line.last, brackets.depth)
      if depth <= 0, last == "}" || last == "]" || last == "," && depth < 0 { return index + 1 }
    }
    return lines.endIndex
  }

  /// Where the text of a report ends: before the header of another one in JSON, or before a paragraph of
  /// console lines.
  private static func endOfText(_ lines: ArraySlice<PastedLines.Line>) -> Int {
    var isBehindBlank = false
    for index in lines.indices {
      let line = lines[index]
      if index > lines.startIndex, ReportForm.isHeader(line.bytes) { return index }
      if isBehindBlank, isConsole(lines[index...].prefix { !$0.isBlank }) { return index }
      isBehindBlank = line.isBlank
    }
    return lines.endIndex
  }

  /// Whether most lines of a paragraph are records of a console.
  private static func isConsole(_ paragraph: ArraySlice<PastedLines.Line>) -> Bool {
    guard let first = paragraph.first, FramingDetector.isRecord(first.bytes) else { return false }
    let records = paragraph.count { FramingDetector.isRecord($0.bytes) }
    return records * 2 > paragraph.count
  }
}

/// The texts of several lines in a piece of JSON.
private struct LongTexts: JSONTaker {
  private(set) var texts: [String] = []

  func most(at path: String) -> Int { .max }
  mutating func take(_ object: JSONObject, isWhole: Bool) {
    object.forEachText { _, text in
      if text.contains("\n"), texts.count < 64 { texts.append(text) }
    }
  }
}
