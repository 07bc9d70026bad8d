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
  public let undone: [String]
  /// The number of lines in which something stands, and of those that belong to no piece.
  public private(set) var (lineCount, leftOut) = (0, 0)

  /// Cuts up `text`.
  public init(_ text: ArraySlice<UInt8>) {
    let pasted = PastedLines(text)
    undone = pasted.undone
    var rest: [PastedLines.Line] = []
    var reports: [Piece] = []
    for block in Self.blocks(of: pasted.lines) { Self.cut(block, &reports, &rest) }

    let isConsole = ConsoleSource.recognizes(Self.bytes(of: rest)[...])
    let console = isConsole ? [Piece(nil, rest)] : []
    pieces = (console + reports).sorted { $0.numbers[0] < $1.numbers[0] }
    lineCount = pasted.lines.count { !$0.isBlank }
    if !isConsole { leftOut = rest.count { !$0.isBlank } }
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

  /// Takes the reports out of a block; the other lines are left.
  private static func cut(
    _ block: ArraySlice<PastedLines.Line>, _ reports: inout [Piece],
    _ rest: inout [PastedLines.Line]
  ) {
    var lines = block
    while let first = lines.first {
      if let (form, end) = report(atStartOf: lines) {
        reports.append(Piece(form, Array(lines[..<end])))
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
    guard ReportForm.isHeading(first) || JetsamTableReader.recognizes(first.prefix(256).text) else {
      return nil
    }
    let end = endOfText(lines)
    return form(of: lines[..<end]).map { ($0, end) }
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
    var (depth, isText, isEscaped) = (0, false, false)
    for index in lines.indices {
      let line = lines[index].bytes
      if index > lines.startIndex, ReportForm.isHeader(line) { return index }

      for byte in line {
        if isEscaped {
          isEscaped = false
        } else if isText {
          isEscaped = byte == "\\"
          isText = byte != "\""
        } else {
          switch byte {
          case "\"": isText = true
          case "{", "[": depth += 1
          case "}", "]": depth -= 1
          default: break
          }
        }
      }

      // No text goes on in the next line.
      (isText, isEscaped) = (false, false)
      if depth <= 0, line.last == "}" || line.last == "]" || line.last == "," && depth < 0 {
        return index + 1
      }
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
