import TraceText

/// Lines that a mail program or a terminal has broken in two.
enum LineBreaks {
  typealias Line = PastedLines.Line

  /// Joins the parts of lines that were broken; whether there are any.
  static func undo(_ lines: inout [Line]) -> Bool {
    let isJSON = joinJSON(&lines)
    return joinText(&lines) || isJSON
  }

  // MARK: Widths

  /// The widths of terminals and mail programs.
  private static let usualWidths: Set = [64, 72, 76, 78, 79, 80, 100, 120, 132]

  /// Whether lines of text were cut at a width, whatever stood there: none was broken before it.
  private static func isCut(_ lines: [Line], at width: Int) -> Bool {
    let pairs = zip(lines, lines.dropFirst())
    let broken = pairs.filter { line, next in
      line.bytes.count * 3 > width * 2
        && isBroken(line.bytes, line.bytes.count, before: next.bytes, width) && !begins(next.bytes)
    }
    let isKnown = broken.count > 1 || usualWidths.contains(width)
    return isKnown && !broken.isEmpty && broken.allSatisfy { $0.0.bytes.count == width }
  }

  /// The column at which lines of JSON were cut, whatever stood there; `nil` when they were not.
  private static func cutWidth(of lines: [Line]) -> Int? {
    let longest = lines.map(\.bytes.count).max() ?? 0
    guard (40...200).contains(longest) else { return nil }
    let atEnd = lines.count { $0.bytes.count == longest }
    let isJSON = lines.contains { $0.bytes.first == "{" }
    return isJSON && atEnd >= 2 ? longest : nil
  }

  // MARK: Text

  /// A console whose longest line has at most this many columns was wrapped.
  private static let shortWidth = 120

  /// What a line begins: a record or a sentence of a console, or a value of a report in text.
  private enum Beginning { case record, value }

  /// Joins the parts of a console's record, or of a value or a frame of a report in text.
  private static func joinText(_ lines: inout [Line]) -> Bool {
    // A long word stands on a line of its own, however long.
    let width = lines.filter { $0.bytes.contains(0x20) }.map(\.bytes.count).max() ?? 0
    let isCut = isCut(lines, at: width)
    var joined: [Line] = []
    // One line that is the longest of all is followed by something, too.
    var (breaks, atBlanks) = (0, 0)
    /// What the last line begins, where that was asked, and the length of its last part.
    var (open, length): (Beginning?, Int) = (nil, 0)

    for line in lines {
      if let last = joined.last, isBroken(last.bytes, length, before: line.bytes, width),
        let begun = open ?? beginning(of: last.bytes), !begins(line.bytes),
        isCut || begun == .record || !hasOwnForm(line.bytes)
      {
        open = begun
        let isBlank = last.bytes.last == 0x20
        if isBlank { atBlanks += 1 } else { breaks += 1 }
        joined[joined.count - 1].bytes = last.bytes + (isBlank || isCut ? [] : [0x20]) + line.bytes
      } else {
        joined.append(line)
        open = nil
      }
      length = line.bytes.count
    }

    guard atBlanks > 0 || breaks > 1 || breaks == 1 && width <= shortWidth else { return false }
    lines = joined
    return true
  }

  private static func beginning(of line: ArraySlice<UInt8>) -> Beginning? {
    if FramingDetector.isRecord(line) || LooseSentences.mayStand(in: line) { return .record }
    return CrashTextReader.isKey(line) || isFrame(line) ? .value : nil
  }

  /// Whether a line begins a frame of a report: its number, its image and its address.
  private static func isFrame(_ line: ArraySlice<UInt8>) -> Bool {
    line.first?.isDigit == true && line.contains("0x")
      && ReportFrame.numbered(line.prefix(512).text) != nil
  }

  /// Whether a line begins something, and is not the rest of a line in which a sentence stands.
  private static func begins(_ line: ArraySlice<UInt8>) -> Bool {
    // A frame of a debugger stands on a line of its own.
    line.drop { $0 <= 0x20 }.starts(with: "frame #")
      || FramingDetector.isRecord(line) || PlainFraming.hasKnownStart(line)
      || PlainFraming.undated(line) != nil || LooseSentences.mayBegin(line)
      || CrashTextReader.isKey(line) || isFrame(line)
  }

  /// Whether a program that breaks lines at `width` breaks behind a line, whose last part has `length` bytes, or
  /// somebody did behind a blank.
  private static func isBroken(
    _ line: ArraySlice<UInt8>, _ length: Int, before next: ArraySlice<UInt8>, _ width: Int
  ) -> Bool {
    guard let first = next.first, first > 0x20 else { return false }
    if line.last == 0x20, length >= 60 { return true }
    return (60...200).contains(width) && length + 1 + next.prefix { $0 > 0x20 }.count > width
  }

  /// Whether a line has a form of its own, and is no rest of a value.
  private static func hasOwnForm(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, !line.starts(with: "Thread ") else { return true }
    let key = line.prefix(32).prefix { $0.isLetter || $0 == 0x20 }
    if (0x41...0x5a).contains(first), line[key.endIndex...].first == ":" { return true }
    return !(first.isLetter || first.isDigit || "\"(|/".utf8.contains(first))
  }

  // MARK: JSON

  /// Joins the parts of a line of JSON, also within a text or a word.
  private static func joinJSON(_ lines: inout [Line]) -> Bool {
    let width = cutWidth(of: lines)
    var joined: [Line] = []
    var isChanged = false

    for line in lines {
      guard let last = joined.last, isOpen(last.bytes, before: line.bytes, width) else {
        joined.append(line)
        continue
      }

      // A program that breaks at blanks has dropped the blank, or left it at the end of the line.
      let isCut = width != nil || last.bytes.last == 0x20
      joined[joined.count - 1].bytes = last.bytes + (isCut ? [] : [0x20]) + line.bytes
      isChanged = true
    }
    if isChanged { lines = joined }
    return isChanged
  }

  /// Whether a line of JSON goes on in the next one: within a text, or where it was cut.
  private static func isOpen(
    _ line: ArraySlice<UInt8>, before next: ArraySlice<UInt8>, _ width: Int?
  ) -> Bool {
    let start = line.drop { $0 <= 0x20 }
    guard let first = start.first, first == "{" || first == "\"" || first == "}" || first == "]"
    else { return false }

    if let width, line.count % width == 0 { return true }
    guard endsInText(line), !next.isEmpty else { return false }

    // A line that was cut off, and goes on nowhere, is followed by a line that is whole.
    guard let end = next.firstIndex(of: "\"") else { return true }
    let behind = next[(end + 1)...].first { $0 > 0x20 }
    return behind.map { ",:}]".utf8.contains($0) } ?? true
  }

  /// Whether the quotes that no backslash precedes leave a text open.
  private static func endsInText(_ line: ArraySlice<UInt8>) -> Bool {
    var brackets = JSONBrackets()
    for byte in line { brackets.take(byte) }
    return brackets.isText
  }
}
