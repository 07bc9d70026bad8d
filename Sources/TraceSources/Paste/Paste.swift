import Run
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
  /// What was undone to read them, in words such as `quotation marks`.
  public private(set) var undone: [String]
  /// The number of lines that are not blank and belong to no piece.
  public private(set) var leftOut = 0
  /// Whether the text explains how apps stop: then nothing has died.
  public private(set) var isDocumentation = false

  /// Cuts up `text`.
  ///
  /// Where nothing else can be read and the text is about a crash, the first line that `explains` knows as the words of
  /// one is a piece.
  public init(_ text: ArraySlice<UInt8>, explains: (String) -> Bool = { _ in false }) {
    let pasted = PastedLines(text)
    undone = pasted.undone
    var rest: [PastedLines.Line] = []
    var found: [Report] = []
    for block in Self.blocks(of: pasted.lines) { cut(block, &found, &rest) }
    found = Self.joined(found)
    Self.giveLastWords(of: &rest, to: &found)
    Self.giveCode(of: rest, to: &found)
    let reports = found.map { Piece($0.form, $0.lines) }

    let isConsole = ConsoleSource.recognizes(Self.bytes(of: rest)[...])
    let console = isConsole ? [Piece(nil, rest)] : []
    pieces = (console + reports).sorted { $0.numbers[0] < $1.numbers[0] }
    if !isConsole { leftOut = rest.count { !$0.isBlank } }
    isDocumentation = Self.isDocumentation(rest, reports, isConsole: isConsole)
    if pieces.isEmpty, let line = Self.citedWords(in: rest, explains) {
      pieces = [Piece(.citedWords, [line])]
      leftOut -= 1
    }
  }

  /// The number of lines, from the first, that are looked at for such words.
  private static let longestCitation = 512

  /// Whether a line is of the output of a compiler or a linker.
  public static func isOfBuild(_ line: ArraySlice<UInt8>) -> Bool {
    if ["BUILD FAILED", "linker command failed", "Undefined symbols for architecture"]
      .contains(where: { line.contains($0) })
    {
      return true
    }
    return line.contains("error: ")
      && line.prefix(512).text.contains(#/\.\w+:\d+:\d+: (?:fatal )?error: /#)
  }

  /// Whether some lines show a stack.
  public static func hasStack(_ lines: some Sequence<ArraySlice<UInt8>>) -> Bool {
    lines.contains { ReportFrame.isInnermost($0.prefix(512).text) }
  }

  /// The first line with words of a crash, without the marks before them, in a text that is about an end, is no manual,
  /// and is of no other system.
  private static func citedWords(
    in lines: [PastedLines.Line], _ explains: (String) -> Bool
  ) -> PastedLines.Line? {
    let lines = lines.prefix(longestCitation)
    let text = bytes(of: Array(lines))[...].text.lowercased()
    guard endings.contains(where: text.contains), !others.contains(where: text.contains),
      weightOfManual(text) < manualWeight
    else { return nil }

    for line in lines {
      let words = line.bytes.prefix(longestSentence).text.trimmingPrefix(mark)
      let bare = String(words).slice
      if !LooseSentences.isDenied(bare), explains(String(words)) {
        return PastedLines.Line(number: line.number, bytes: bare)
      }
    }
    return nil
  }

  /// The bytes of a line in which such words are looked for.
  private static let longestSentence = 240
  /// The marks of a heading, a list, a quotation and a table before words; a method and the runtime's stars have none
  /// of these.
  private nonisolated(unsafe) static let mark = #/(?:[#>|`"\s]+|[-*]\s+|\*\*(?!\*))+/#
  /// What a text says that is about the end of an app.
  private static let endings = [
    "crash", "terminat", "exception", "abort", "quit unexpectedly", "closes", "invariant violation",
    "typeerror",
  ]
  /// What texts about apps of other systems contain.
  private static let others = [
    "java.", ".java:", ".kt:", ".scala", "androidruntime", "fatal exception: main", "npm err",
    ".rs:", "e/flutter", "unityengine.debug:log",
  ]

  /// Phrases with which manuals explain, and how much each weighs: people use some of them, too.
  private static let explanations = [
    ("contains this pattern", 2), ("one of the following", 2), ("following example", 2),
    ("similar to the following", 2), ("might look like", 2), ("may look like", 2),
    ("the crash report looks like", 2), ("exception type indicates", 2),
    ("the following information", 2), ("for example", 1),
    ("indicates that", 1), ("indicate that", 1), ("to determine whether", 1),
    ("is terminated by", 1), ("typically", 1),
    // Whoever asks has an app of their own.
    (" my app", -2), (" our app", -2), ("any idea", -2), ("any help", -2), (" i get ", -2),
  ]
  /// A text in which they weigh as much is a manual.
  private static let manualWeight = 3
  /// The keys by which a report is about one process.
  private static let identities = [
    "Process:", "Identifier:", "Date/Time", "\"pid\"", "\"incident", "\"bundleID\"",
    "Hardware Model",
  ]

  /// Whether prose explains what its reports show, none of which names a process, or what its sentences mean, none of
  /// which a console has printed.
  private static func isDocumentation(
    _ prose: [PastedLines.Line], _ reports: [Piece], isConsole: Bool
  ) -> Bool {
    if isConsole != reports.isEmpty { return false }
    let isNamed = reports.contains { report in
      identities.contains { report.bytes[...].contains($0) }
    }
    return !isNamed && weightOfManual(bytes(of: prose)[...].text.lowercased()) >= manualWeight
      && !(isConsole && prose.contains { FramingDetector.isRecord($0.bytes) })
  }

  /// How much a text in lower case reads like a manual.
  private static func weightOfManual(_ text: String) -> Int {
    explanations.reduce(0) { $0 + text.ranges(of: $1.0).count * $1.1 }
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
    let first = bare(line: lines.first)
    guard first.first == "{",
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

  /// A report, and its lines.
  private typealias Report = (form: ReportForm, lines: [PastedLines.Line])

  /// Takes the reports out of a block; the other lines are left.
  private mutating func cut(
    _ block: ArraySlice<PastedLines.Line>, _ reports: inout [Report],
    _ rest: inout [PastedLines.Line]
  ) {
    var lines = block
    // Where JSON ends that is of no report: so is each line of it by itself, and none is read again.
    var jsonEnd = block.startIndex
    while !lines.isEmpty {
      let first = Self.bare(line: lines.first).first
      let isJSON = first == "\"" || first == "{"
      if isJSON, lines.startIndex < jsonEnd {
        rest.append(lines.removeFirst())
      } else if let (nested, end) = Self.nested(atStartOf: lines) {
        undone.append("a report within a text of JSON")
        for block in Self.blocks(of: nested) { cut(block, &reports, &rest) }
        lines = lines[end...]
      } else if let (form, end) = Self.report(atStartOf: lines) {
        reports.append((form, Array(lines[..<end])))
        lines = lines[end...]
      } else {
        if isJSON { jsonEnd = Self.endOfJSON(lines) }
        let frames = ReportFrame.stack(atStartOf: lines.lazy.map(\.bytes))
        let count = max(1, frames.count)
        if !frames.isEmpty, let title = Self.takeTitle(of: frames, from: &rest) {
          reports.append((.crashText, title + lines.prefix(count)))
        } else {
          rest += lines.prefix(count)
        }
        lines = lines.dropFirst(count)
      }
    }
  }

  /// Gives the only report the app's last words, which somebody has cited beside it without a time or a process: a
  /// report has such words itself.
  private static func giveLastWords(
    of rest: inout [PastedLines.Line], to reports: inout [Report]
  ) {
    guard reports.first?.form == .crashText, reports[0].lines.contains(where: isEndByRuntime),
      reports.dropFirst().allSatisfy({ isTranslated($0, in: reports[0]) }),
      let first = reports[0].lines.first?.number, let last = reports[0].lines.last?.number
    else { return }
    let words = rest.indices.filter { index in
      let line = rest[index].bytes
      return line.starts(with: "*** Terminating app due to ") || CrashTextReader.isLastWord(line)
    }

    // Among lines of a console, or several such words, nobody knows which are of this end.
    guard words.count == 1, let start = words.first,
      !rest.indices.contains(where: { $0 != start && FramingDetector.isRecord(rest[$0].bytes) })
    else { return }
    let end = rest[start...].firstIndex(where: \.isBlank) ?? rest.endIndex
    let between = [first - rest[end - 1].number, rest[start].number - last]
    guard between.contains(where: { 0...ReportTitle.distance ~= $0 }) else { return }
    let blank = PastedLines.Line(number: rest[start].number, bytes: [])
    reports = [(.crashText, rest[start..<end] + [blank] + reports[0].lines)]
    rest.removeSubrange(start..<end)
  }

  /// Whether a report in JSON is that of which a text is Apple's translation: both are about one process.
  private static func isTranslated(_ report: Report, in text: Report) -> Bool {
    let process = text.lines.first { $0.bytes.starts(with: "Process:") }?.bytes.behind("[")
    guard report.form == .ips, let pid = process?.digits, !pid.isEmpty else { return false }
    return report.lines.contains { line in
      line.bytes.behind("\"pid\"")?.drop { $0 == 0x20 || $0 == UInt8(ascii: ":") }.digits == pid
    }
  }

  /// Gives the only report the line that names a code of the system, where a single line around it does.
  private static func giveCode(of rest: [PastedLines.Line], to reports: inout [Report]) {
    guard reports.count == 1, reports[0].form == .crashText else { return }
    let naming = rest.filter { KillCode.named(in: $0.bytes.prefix(512).text) != nil }
    if let line = naming.first, naming.count == 1 { reports[0].lines.insert(line, at: 0) }
  }

  /// Whether a line of a report names the signal by which a runtime stops its process.
  private static func isEndByRuntime(_ line: PastedLines.Line) -> Bool {
    let isAbout = ["Exception Type", "Termination Reason"].contains { line.bytes.starts(with: $0) }
    let signals = ["SIGABRT", "SIGTRAP", "SIGILL", "SIGNAL 6", "SIGNAL 5", "SIGNAL 4"]
    return isAbout && signals.contains { line.bytes.contains($0) }
  }

  /// The reports, of which some go on in the next one: whoever cites a crash may cite its head, and then its frames
  /// under the same words or those of a thread.
  private static func joined(_ reports: [Report]) -> [Report] {
    var joined: [Report] = []
    for next in reports {
      if let last = joined.last, goesOn(last, in: next) {
        joined[joined.count - 1].lines += next.lines
      } else {
        joined.append(next)
      }
    }
    return joined
  }

  private static func goesOn(_ report: Report, in next: Report) -> Bool {
    func hasFrames(_ report: Report) -> Bool {
      report.lines.contains { ReportFrame.isInnermost($0.bytes.prefix(512).text) }
    }
    guard report.form == .crashText, next.form == .crashText, !hasFrames(report), hasFrames(next),
      !next.lines.contains(where: { line in identities.contains { line.bytes.starts(with: $0) } })
    else { return false }
    let title = bare(line: next.lines.first)
    let words = title.starts(with: "Crashed: ") ? title.trimmedEnd : title.before(": ").trimmedEnd
    let own = bare(line: report.lines.first).trimmedEnd
    // A sentence may name the exception, and go on.
    let thrown = own.behind("Fatal Exception: ")?.before(" ").text
    return title.starts(with: "Thread ") || title.starts(with: "Last Exception Backtrace")
      || thrown.map { name in
        next.lines.contains { $0.bytes.behind("Fatal Exception: ")?.trimmedEnd.text == name }
      } == true
      || next.lines.contains { $0.bytes.trimmedEnd == own }
      || report.lines.contains { $0.bytes.contains(words.text) }
  }

  /// The report that begins with the first of these lines, and where it ends.
  private static func report(
    atStartOf lines: ArraySlice<PastedLines.Line>
  ) -> (form: ReportForm, end: Int)? {
    let first = bare(line: lines.first)
    if ReportForm.beginsJSON(first) { return json(atStartOf: lines) }
    let isStart =
      ReportForm.isStart(of: lines.lazy.map(\.bytes))
      || JetsamTableReader.recognizes(first.prefix(256).text)
      || CrashTextReader.isKey(first) && isHead(lines)
    // assertiond's line in a console has words of a report, too.
    guard isStart, !FramingDetector.isRecord(first) else { return nil }

    let end = endOfText(lines)
    return form(of: lines[..<end]).map { ($0, end) }
  }

  /// Takes the line that says of which crash frames are from those above them; no line where they show it by
  /// themselves, and `nil` where they are of none, or the console says it.
  private static func takeTitle(
    of frames: [ReportFrame], from rest: inout [PastedLines.Line]
  ) -> [PastedLines.Line]? {
    let above = rest.suffix(ReportTitle.distance)
    // Mono draws lines between what it says and its stack.
    let isSaid =
      above.suffix(4).contains { PlainFraming.statement($0.bytes) != nil }
      || above.contains { $0.bytes.contains(" while executing native code") }
    let isBracketed = above.last { !$0.isBlank }?.bytes.trimmedEnd.last == UInt8(ascii: "(")
    if isSaid || isBracketed { return nil }

    var isNext = true
    for index in above.indices.reversed() where !above[index].isBlank {
      if let words = ReportTitle.words(in: above[index].bytes, isNext: isNext) {
        return [PastedLines.Line(number: rest.remove(at: index).number, bytes: words)]
      }
      isNext = false
    }
    return ReportFrame.isStop(frames) ? [] : nil
  }

  /// The lines of a report's head: what names its process stands above what says how it ended.
  private static let headLength = 48

  /// Whether lines that begin with a key lead to the heading of a report, and to no console line or other report
  /// before it.
  private static func isHead(_ lines: ArraySlice<PastedLines.Line>) -> Bool {
    for index in lines.indices.prefix(headLength) {
      let line = lines[index]
      if ReportForm.isStart(of: lines[index...].lazy.map(\.bytes)) { return true }
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
    let next = bare(line: body.first)
    if isHeader, !next.isEmpty {
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
      guard depth <= 0, last == "}" || last == "]" || last == "," && depth < 0 else { continue }
      // Members that were cut out of an object stand one below the other, with or without commas.
      let isMember = depth == 0 && bare(line: lines.first).first == "\""
      let next = bare(line: lines[(index + 1)...].first { !$0.isBlank })
      if !isMember || next.first != "\"" || !next.contains(":") { return index + 1 }
    }
    return lines.endIndex
  }

  private static func bare(line: PastedLines.Line?) -> ArraySlice<UInt8> {
    (line?.bytes ?? []).drop { $0 <= 0x20 }
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
