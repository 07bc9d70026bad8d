import TraceText

/// The lines of a text that somebody pasted, without what mail, forums, tools and word processors have put
/// around them.
///
///     > 12  default 11:06:18.205841+0800 Notes Deactivation reason added: 0; deactivation reasons: 0 -&gt; 1
///
/// Each line keeps the number that it has in the text, so that evidence can be found again.
struct PastedLines {
  /// A line, and where it stands in the text.
  struct Line {
    /// Its number, from 1; of a line that was wrapped that of its first part.
    var number: Int
    /// What it says.
    var bytes: ArraySlice<UInt8>

    /// Whether nothing stands in it.
    var isBlank: Bool { bytes.allSatisfy { $0 <= 0x20 } }
  }

  /// The lines.
  private(set) var lines: [Line]
  /// What was undone, in words such as `quotation marks`.
  private(set) var undone: [String] = []

  /// What hides the lines of a text, in the order in which it is undone.
  private static let layers: [(name: String, undo: @Sendable (inout [Line]) -> Bool)] = [
    ("colours of a terminal", uncoloured), ("blanks of web pages", plainBlanks),
    ("colons of Chinese text", plainColons),
    ("HTML entities", plainEntities),
    ("quotation marks", unquoted), ("escapes of Markdown", unescaped), ("Markdown", unformatted),
    ("line numbers", unnumbered), ("a blank line behind each line", unspaced),
    ("a debugger's prompt", unprompted), ("a tool's time before each line", unstamped),
    ("a tool's mark before each line", unmarked),
    ("what a log writes before the lines of a report", unlogged),
    ("indentation", unindented),
    ("a dictionary as NSLog prints it", unprinted),
    ("typographic quotes", plainQuotes), ("lines run together", unjoined),
    ("wrapped lines", LineBreaks.undo),
  ]

  /// Undoes what hides the lines of `text`.
  init(_ text: ArraySlice<UInt8>) {
    var lines: [Line] = []
    let isOld = !text.contains(0x0a) && text.contains(0x0d)
    for part in text.split(separator: isOld ? 0x0d : 0x0a, omittingEmptySubsequences: false) {
      let line = part.last == 0x0d ? part.dropLast() : part
      lines.append(Line(number: lines.count + 1, bytes: line))
    }
    if lines.first?.bytes.starts(with: [0xef, 0xbb, 0xbf]) == true {
      lines[0].bytes = lines[0].bytes.dropFirst(3)
    }

    if isOld { undone.append("line ends without line feeds") }
    for layer in Self.layers where layer.undo(&lines) { undone.append(layer.name) }
    self.lines = lines
  }

  /// Changes each line that `change` gives another content; whether there is any.
  private static func change(
    _ lines: inout [Line], _ change: (ArraySlice<UInt8>) -> ArraySlice<UInt8>?
  ) -> Bool {
    var isChanged = false
    for index in lines.indices {
      guard let other = change(lines[index].bytes) else { continue }
      lines[index].bytes = other
      isChanged = true
    }
    return isChanged
  }

  /// Changes the text of each line that contains one of these bytes; returns whether any line changed.
  private static func changeText(
    _ lines: inout [Line], with marks: Set<UInt8>, _ other: (String) -> String
  ) -> Bool {
    change(&lines) { line in
      guard line.contains(where: marks.contains) else { return nil }
      let (text, other) = (line.text, other(line.text))
      return other == text ? nil : other.slice
    }
  }

  // MARK: Characters

  /// What colours the text of a terminal.
  private static func uncoloured(_ lines: inout [Line]) -> Bool {
    change(&lines) { line in
      line.contains(0x1b) ? TerminalText.plain(line) : nil
    }
  }

  /// Blanks that are none to a program: no-break spaces, and characters without a width.
  private static func plainBlanks(_ lines: inout [Line]) -> Bool {
    changeText(&lines, with: [0xc2, 0xe2, 0xef]) { text in
      let plain = text.unicodeScalars.filter { !withoutWidth.contains($0) }
      return String(String.UnicodeScalarView(plain.map { wideBlanks.contains($0) ? " " : $0 }))
    }
  }

  private static let wideBlanks: Set<Unicode.Scalar> = ["\u{a0}", "\u{202f}", "\u{2007}"]
  private static let withoutWidth: Set<Unicode.Scalar> = [
    "\u{200b}", "\u{200e}", "\u{2060}", "\u{feff}",
  ]

  /// Colons of the width of Chinese text behind a word of a report: `Exception：EXC_CRASH (SIGABRT)`.
  private static func plainColons(_ lines: inout [Line]) -> Bool {
    change(&lines) { line in
      guard let wide = line.prefix(96).firstRange(of: "\u{ff1a}") else { return nil }
      let value = line[wide.upperBound...].drop { $0 == 0x20 }
      let plain = line[..<wide.lowerBound] + Array(": ".utf8) + value
      return CrashTextReader.isKey(plain.drop { !$0.isLetter }) ? plain : nil
    }
  }

  private static let entities: [(name: String, text: String)] = [
    ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"),
    ("&#x27;", "'"), ("&#x2F;", "/"), ("&apos;", "'"), ("&nbsp;", " "), ("&#160;", " "),
    ("&amp;", "&"),
  ]

  /// Characters that a page of HTML writes as `&gt;` and the like.
  private static func plainEntities(_ lines: inout [Line]) -> Bool {
    changeText(&lines, with: [UInt8(ascii: "&")]) { text in
      entities.reduce(text) { $0.replacing($1.name, with: $1.text) }
    }
  }

  /// Quotes as a word processor sets them: only where no plain one is left in the text.
  private static func plainQuotes(_ lines: inout [Line]) -> Bool {
    if lines.contains(where: { $0.bytes.contains(UInt8(ascii: "\"")) }) { return false }
    return changeText(&lines, with: [0xc2, 0xe2]) { text in
      String(text.map { "“”„‟«»".contains($0) ? "\"" : "‘’".contains($0) ? "'" : $0 })
    }
  }

  // MARK: Lines

  /// The fields and the frames of a report, and the records of a console, that a page has put behind each other.
  private static func unjoined(_ lines: inout [Line]) -> Bool {
    let split = lines.flatMap { line -> [Line] in
      guard line.bytes.count > 80, line.bytes.first != UInt8(ascii: "{") else { return [line] }
      let isReport =
        line.bytes.contains("Exception Type: ") || line.bytes.contains(" Crashed: 0 ")
      if !isReport, !line.bytes.contains(" Terminating app due to ") { return [line] }
      return line.bytes.text.split(separator: isReport ? fieldStart : recordStart).map {
        Line(number: line.number, bytes: String($0).slice)
      }
    }
    defer { lines = split }
    return split.count > lines.count
  }

  /// The blanks before a record with its time and its process, and before what stands below an exception's words.
  private nonisolated(unsafe) static let recordStart =
    #/ +(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \S+\[\d+:[0-9a-f]+\] |\*\*\* First throw call stack|libc\+\+abi)/#

  /// The blanks before a field of a report, and before a frame.
  private nonisolated(unsafe) static let fieldStart =
    #/ +(?=Exception (?:Type|Codes|Note|Subtype|Message):|Termination (?:Reason|Description):|<RBSTerminateContext\||Process(?:Visibility|State):|Watchdog(?:Event|Visibility|CPUStatistics):|Triggered by Thread:|Thread \d+ (?:name|Crashed):|\d+ +\S+ +0x[0-9a-f]{8,} )/#

  // MARK: What stands before each line

  /// The marks of a quotation, `> ` for each level, and backquotes around a line.
  private static func unquoted(_ lines: inout [Line]) -> Bool {
    change(&lines) { line in
      var text = line
      if line.first == ">" {
        // One blank belongs to the mark; what stands behind it may be indented.
        text = line.drop { $0 == ">" || $0 == 0x20 }
        let blanks = line[..<text.startIndex].reversed().prefix { $0 == 0x20 }.count
        text = line[(text.startIndex - max(0, blanks - 1))...]
      }

      let isCode =
        text.count > 2 && text.first == "`" && text.last == "`" && !text.starts(with: "```")
      if isCode { text = text.dropFirst().dropLast() }
      return text.count == line.count ? nil : text
    }
  }

  /// The backslash before a mark that Markdown would read, as in `**\* Terminating app`; JSON escapes no such mark.
  private static func unescaped(_ lines: inout [Line]) -> Bool {
    change(&lines) { line in
      guard line.contains(UInt8(ascii: "\\")) else { return nil }
      var plain: [UInt8] = []
      for (byte, next) in zip(line, line.dropFirst() + [0]) {
        let isEscape = byte == UInt8(ascii: "\\") && "*_[]#".utf8.contains(next)
        if !isEscape || plain.last == byte { plain.append(byte) }
      }
      return plain.count == line.count ? nil : plain[...]
    }
  }

  /// What Markdown and HTML put around the keys of a report and their values: the cells of a table, the mark of a
  /// list, a heading's, emphasis, code.
  private static func unformatted(_ lines: inout [Line]) -> Bool {
    var isStack = false
    return change(&lines) { line in
      let bare = line.drop { $0 <= 0x20 }
      // The frames of a stack as a list.
      if let item = bare.dropping(prefix: Array("• ".utf8)) {
        return ReportFrame.numbered(item.prefix(512).text) == nil ? nil : item
      }
      if bare.starts(with: "<pre>") { isStack = true }
      if isStack {
        isStack = !bare.trimmedEnd.text.hasSuffix("</pre>")
        return ["<pre>", "</pre>", "<code>", "</code>"]
          .reduce(bare.text) { $0.replacing($1, with: "") }.slice
      }
      guard let first = bare.first, "|*-+_`#".utf8.contains(first),
        !bare.starts(with: "*** ".utf8)
      else { return nil }
      if first == "#" { return heading(bare) }
      // Code within a sentence is cited.
      if first == "`", let end = bare.dropFirst().firstIndex(of: first),
        bare[end...].contains(where: \.isLetter)
      {
        return nil
      }
      // The star of a debugger's thread is none of Markdown.
      if first == "*", PlainFraming.isKnown(bare) { return nil }

      let isListed = bare.count > 2 && "*-+".utf8.contains(first) && bare.dropFirst().first == 0x20
      var text = (isListed ? bare.dropFirst(2) : bare).text
      let isEmphasis = text.hasPrefix("__")
      for mark in isEmphasis ? ["**", "__", "`"] : ["**", "`"] {
        text = text.replacing(mark, with: "")
      }
      if first == "|" {
        let cells = text.split(separator: "|").map { String($0).trimmedStart.trimmedEnd }
        guard cells.count == 2 else { return nil }
        text = (cells[0].hasSuffix(":") ? cells[0] : cells[0] + ":") + " " + cells[1]
      }
      let isFrame = text.contains(" | ") && ReportFrame.numbered(String(text.prefix(512))) != nil
      let isMeant =
        isFrame || CrashTextReader.isKey(text.slice) || PlainFraming.isKnown(text.slice)
      return isMeant && text != line.text ? text.slice : nil
    }
  }

  /// The key of a report that is a heading of two marks or more, as HockeyApp and App Center file them:
  /// `### Version: 1.0 (12) | com.example.notes ###`, `### Stacktrace ###`.
  private static func heading(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.starts(with: "##") else { return nil }
    let words = line.drop { $0 == "#" || $0 == " " }.droppingEnd { $0 == "#" || $0 == " " }
    if words.text == "Stacktrace" || words.text == "Reason" { return words + [UInt8(ascii: ":")] }
    return CrashTextReader.isKey(words) || ReportForm.isHeading(words) ? words : nil
  }

  /// Numbers that count the lines: `12`, `12:`, `12.`, `12 |`.
  private static func unnumbered(_ lines: inout [Line]) -> Bool {
    var (last, counted, others): (Int?, Int, Int) = (nil, 0, 0)
    for line in lines where !line.isBlank {
      let number = numbered(line.bytes)?.number
      // The frames of a stack are counted from 0, and lines are not.
      if last == nil, number == 0 { return false }
      if let number, last == nil || number > last ?? 0, number - (last ?? number - 1) < 4 {
        counted += 1
        last = number
      } else {
        others += 1
      }
    }
    guard counted >= 3, others * 8 <= counted else { return false }
    return change(&lines) { numbered($0)?.rest }
  }

  private static func numbered(_ line: ArraySlice<UInt8>) -> (number: Int, rest: ArraySlice<UInt8>)?
  {
    let digits = line.drop { $0 == 0x20 || $0 == 0x09 }.digits
    guard (1...6).contains(digits.count), let number = Int(digits.text) else { return nil }

    let rest = line[digits.endIndex...]
    guard let mark = rest.first else { return (number, rest) }
    if mark == 0x09 { return (number, rest.dropFirst()) }
    let bare = rest.drop { $0 == 0x20 }
    if let bar = bare.first, bar == "|" || bar == ":" || bar == "." || bar == ")" {
      let text = bare.dropFirst()
      return (number, text.first == 0x20 ? text.dropFirst() : text)
    }
    return bare.count < rest.count ? (number, rest.dropFirst()) : nil
  }

  /// The blank line that a page has put behind each line of a report; of more of them one is left.
  private static func unspaced(_ lines: inout [Line]) -> Bool {
    let blanks = lines.count(where: \.isBlank)
    let isSpaced = zip(lines, lines.dropFirst()).count { !$0.isBlank && !$1.isBlank } * 10 < blanks
    guard blanks >= 8, isSpaced, lines.contains(where: { ReportForm.isHeading($0.bytes) }) else {
      return false
    }

    var run = 0
    lines = lines.filter { line in
      run = line.isBlank ? run + 1 : 0
      return run == 0 || run == 3
    }
    return true
  }

  /// What stands in brackets before each line that a tool prints: a word, `[trace] `, or the time that has passed,
  /// `[  +12 ms] ` and `[        ] `.
  private static func unmarked(_ lines: inout [Line]) -> Bool {
    if lines.count(where: { timed($0.bytes) != nil }) >= 3 { return change(&lines, timed) }
    let heading = lines.lazy.map(\.bytes).first { line in
      line.first == "[" && line.behind("] ").map { ReportForm.isHeading($0) } == true
    }
    guard let heading else { return false }
    let mark = heading.before("] ") + Array("] ".utf8)
    return change(&lines) { $0.dropping(prefix: Array(mark)) }
  }

  /// What a driver of tests and the system's log write before the lines of a report that could not be saved:
  /// `info: [IOS_SYSLOG_ROW ] Dec  2 14:08:48 phone ReportCrash[412] <Error>: Process: Notes [411]`.
  private static func unlogged(_ lines: inout [Line]) -> Bool {
    let driver = "info: [IOS_SYSLOG_ROW ] "
    let isDriven = lines.count { $0.bytes.starts(with: driver) } >= 3
    if isDriven { _ = change(&lines) { $0.dropping(prefix: Array(driver.utf8)) } }

    let isLogged = change(&lines) { line in
      guard line.prefix(96).contains("ReportCrash["), let rest = line.prefix(128).behind("]"),
        let start = rest.behind(">: "), CrashTextReader.isKey(line[start.startIndex...])
      else { return nil }
      return line[start.startIndex...]
    }
    return isDriven || isLogged
  }

  private static func timed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let mark = line.dropFirst().prefix(16).prefix {
      $0 == 0x20 || $0.isDigit || "+,ms".utf8.contains($0)
    }
    let rest = line[mark.endIndex...]
    return line.first == "[" && mark.count >= 8 && rest.starts(with: "] ") ? rest.dropFirst(2) : nil
  }

  /// LLDB's prompt before what the app or its runtime prints.
  private static func unprompted(_ lines: inout [Line]) -> Bool {
    change(&lines) { line in
      line.dropping(prefix: Array("(lldb) ".utf8)).flatMap {
        PlainFraming.hasKnownStart($0) ? $0 : nil
      }
    }
  }

  /// The time at which a tool that carried the lines printed each of them.
  private static func unstamped(_ lines: inout [Line]) -> Bool {
    let filled = lines.filter { !$0.isBlank }
    let stamped = filled.compactMap { toolStamp($0.bytes) }
    guard filled.count >= 3, stamped.count * 10 >= filled.count * 9 else { return false }

    // Lines that say nothing without their own time keep it.
    let bare = stamped.map { $0.drop { $0 == 0x20 } }
    let isReport = bare.contains { ReportForm.isHeading($0) || ReportForm.isHeader($0) }
    guard isReport || bare.count(where: FramingDetector.isRecord) * 2 > bare.count else {
      return false
    }
    return change(&lines) { toolStamp($0) }
  }

  /// What stands behind a time with its date, or a time in brackets; `nil` without one.
  private static func toolStamp(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var scanner = LineScanner(line)
    _ = scanner.take("[")
    let start = scanner.index
    let isTime =
      scanner.takeDatedStamp() != nil
      || {
        scanner.index = start
        return scanner.takeTimeOfDay() != nil
      }()
    guard isTime else { return nil }

    _ = scanner.takeWhile { $0 == UInt8(ascii: "Z") || $0 == "]" || $0 == "|" || $0 == ":" }
    guard let next = scanner.next else { return line[line.endIndex...] }
    return next == 0x20 || next == 0x09 ? line[(scanner.index + 1)...] : nil
  }

  /// In how many lines a record of a console is looked for.
  private static let mostRecords = 256

  /// Blanks that all lines of the text, or of a paragraph of code, begin with.
  private static func unindented(_ lines: inout [Line]) -> Bool {
    let filled = lines.filter { !$0.isBlank }
    let indents = filled.map { line in line.bytes.prefix { $0 == 0x20 || $0 == 0x09 } }
    let deep = indents.filter { $0.count >= 2 || $0.first == 0x09 }
    guard let least = deep.min(by: { $0.count < $1.count }), deep.count >= 2 else { return false }

    // Prose around code is not indented; code that is less deep than other code is.
    var heads = zip(filled, indents).filter { line, _ in
      ReportForm.isHeading(line.bytes.drop { $0 <= 0x20 })
    }
    if heads.isEmpty {
      heads = zip(filled, indents).prefix(mostRecords).filter { line, _ in
        let text = line.bytes.drop { $0 <= 0x20 }
        return FramingDetector.isRecord(text) || PlainFraming.hasKnownStart(text)
      }
    }
    guard !heads.isEmpty, heads.allSatisfy({ $0.1.count >= least.count }) else { return false }
    return change(&lines) { $0.starts(with: least) ? $0.dropFirst(least.count) : nil }
  }

  // MARK: Dictionaries

  /// The keys of reports under which a printed dictionary is read.
  private static let printedKeys: Set = [
    "crash", "exception", "termination", "crashDiagnostics", "diagnosticMetaData",
  ]

  /// Dictionaries as NSLog and the debugger print them, `key = value;` and `key = (`, made JSON.
  private static func unprinted(_ lines: inout [Line]) -> Bool {
    let isReport = lines.contains { line in
      guard let (key, value) = printed(line.bytes) else { return false }
      return printedKeys.contains(key) && (value == "{" || value == "(")
    }
    return isReport && change(&lines) { json(ofPrinted: $0)?.slice }
  }

  /// The key and the value of a line of such a dictionary; `nil` of other lines.
  private static func printed(_ line: ArraySlice<UInt8>) -> (key: String, value: String)? {
    guard let last = line.last, "{(;".utf8.contains(last), line.contains(" = ") else { return nil }
    let parts = line.prefix(4096).text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let key = String(parts[0]).trimmedStart.trimmedEnd.filter { $0 != "\"" }
    let isKey = !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isKey ? (key, String(parts[1]).trimmedStart) : nil
  }

  private static func json(ofPrinted line: ArraySlice<UInt8>) -> String? {
    if let (key, value) = printed(line) {
      if value == "{" || value == "(" { return "\"\(key)\": " + (value == "(" ? "[" : "{") }
      let bare = String(value.dropLast())
      return "\"\(key)\": " + (bare.hasPrefix("\"") ? bare : "\"\(bare)\"") + ","
    }
    return ["(": "[", ")": "]", "),": "],", ");": "],", "};": "},"][line.text.trimmedStart]
  }
}
