/// Reads frames as reports, debuggers and crash reporters write them.
extension ReportFrame {
  /// The shapes of lines, made once: a literal in a function is parsed each time, which took a third of the time that a
  /// page of frames takes.
  private enum Pattern {
    nonisolated(unsafe) static let placeInParentheses = #/\((.+:\d+)\)/#
    nonisolated(unsafe) static let lineOfFile = #/(\S+) line (\d+)(\D.*)/#
    nonisolated(unsafe) static let sentryFile =
      #/\s*(?:\?|File "([^"]*)")(?:, line (\d+))?, in (\S.*)/#
    nonisolated(unsafe) static let sentryLine = #/\s*(\S.*) in (\S+\.\w+) at line (\d+)/#
    nonisolated(unsafe) static let organizer =
      #/(?:Thread \d+)?\s*#\d+\s+(?:0x[0-9a-f]+|\(null\)) in (\S.*)/#
    nonisolated(unsafe) static let endOfOrganizer =
      #/(?: \(\))?(?:(?: at)? (\S+\.\w+:\d+)(?::\d+)?| \(\S+\+0x[0-9a-f]+\))?$/#
    nonisolated(unsafe) static let nullOfDebugger = #/[\s*]*frame #\d+: 0x0+/#
    nonisolated(unsafe) static let debugger = #/[\s*]*frame #\d+: 0x[0-9a-f]+ ([^`]+)`(.+)/#
    nonisolated(unsafe) static let placeOfDebugger = #/ at (\S+\.\w+:\d+)/#
    nonisolated(unsafe) static let redacted = #/\s*(?:(\S+) +)?0x[0-9a-f]{8,} +<redacted>/#
    nonisolated(unsafe) static let semicolons = #/\s*([\w.$-]*);([^;\s]+);([\w.+-]*);(\d*)/#
    nonisolated(unsafe) static let variant = #/;m?\d*/#
    nonisolated(unsafe) static let imageAndPlace = #/\((?:in ([^:()]+):?)?([\w.+-]+\.\w+:\d+)?\)/#
    nonisolated(unsafe) static let offset = #/\+ \d+ */#
    nonisolated(unsafe) static let addressAtStart = #/(?:at )?0x[0-9a-f]+ +/#
    nonisolated(unsafe) static let fileAtStart = #/(\S+\.\w+:\d+)(?::\d+)? +/#
    nonisolated(unsafe) static let pathAtStart = #/(\/\w\S*|\S+\.(?:framework|dylib|app)\b\S*) +/#
    nonisolated(unsafe) static let longAddress = #/0x[0-9a-f]{8,} +/#
    nonisolated(unsafe) static let method = #/[-+]\[\S/#
    nonisolated(unsafe) static let managedFrame =
      #/\s*at (?:\(wrapper [^)]*\) )?([\w.+:`<>|-]+) ?\([^)]*\)(?: \[0x\w+\])?(?: in (\S.*?):(?:line )?(\d+))? */#
    nonisolated(unsafe) static let dashedFile =
      #/\s*([\w.\/+-]+):(\d+) - (\S.*)/#
    nonisolated(unsafe) static let dashedPath = #/\s*0x[0-9a-f]+ - (\/\S.*?) : (\S.*)/#
  }

  /// Reads a line of text; `nil` of what is no frame.
  ///
  ///     0   libsystem_kernel.dylib   0x000000018a337224 mach_msg_trap + 8
  ///     3 | Notes | NoteStore.save() (Store.swift:88)
  ///     File "Notes/Store.swift", line 88, in NoteStore.save
  ///     ?, in main
  ///     NoteStore.save in Store.swift at line 88
  ///     * frame #0: 0x0000000104a1c2b4 Notes`NoteStore.save(self=0x10) at Store.swift:88:13
  ///     #15 0x0000000104a1c2b4 in NoteStore.save() at /Users/me/Notes/Store.swift:88
  init?(line: String) {
    let frame =
      Self.numbered(line) ?? Self.organized(line) ?? Self.named(line) ?? Self.debugged(line)
      ?? Self.unnumbered(line)
    guard let frame else { return nil }
    self = frame
  }

  /// Reads the frames in the lines of a text, innermost first, at most the first 64, up to those of another thread.
  static func all(in text: ArraySlice<UInt8>) -> [ReportFrame] {
    let lines = text.split(separator: 0x0a).prefix(64)
    let next = lines.dropFirst().firstIndex { $0.prefix(64).contains("thread #") }
    return lines[..<(next ?? lines.endIndex)].compactMap {
      ReportFrame(line: $0.prefix(512).text)
    }
  }

  /// Reads a frame of a debugger or a reporter: a number, its image, and an address or a symbol, with blanks
  /// or bars between them.
  static func numbered(_ line: String) -> ReportFrame? {
    let words = columns(of: line)
    guard words.count > 1, Int(words[0]) != nil else { return nil }
    if words.count == 2 {
      let isSymbol = words[1].hasPrefix("_") || words[1].contains("(") || words[1].contains("$")
      return isSymbol ? ReportFrame(words[1]) : nil
    }

    let isSymbolAlone = symbolStarts.contains(String(words[1]))
    let place = words.count > 3 ? words[2].drop { $0 == "0" || $0 == "x" } : "-"
    let isNull = place.isEmpty && words[2].count >= 8
    if isNull { return .null }
    let address = words.firstIndex { $0.hasPrefix("0x") } ?? (isSymbolAlone ? 0 : 1)
    var symbol = words[(address + 1)...]
    // A comment names what the address stands for.
    if let comment = symbol.firstIndex(of: "//") { symbol = symbol[(comment + 1)...] }
    // KSCrash writes it behind the address of the image, in parentheses with where it lies in the function.
    if symbol.count > 3, symbol.first?.hasPrefix("0x") == true, symbol.last?.last == ")",
      symbol[symbol.startIndex + 3].hasPrefix("(")
    {
      let words = symbol.dropFirst(3).joined(separator: " ").dropFirst().dropLast()
      symbol = Self.columns(of: String(words))[...]
    }
    // Without a symbol the image says more.
    if symbol.isEmpty || isPlaceholder(symbol) {
      symbol = words[1...1]
    }
    // The line of the code stands last, where the frames have symbols, or first, as a page has them.
    var code = symbol.last?.wholeMatch(of: Pattern.placeInParentheses).map { String($0.1) }
    if code != nil { symbol.removeLast() }
    if symbol.count > 2, symbol.dropFirst().first == "line",
      let place = symbol.joined(separator: " ").wholeMatch(of: Pattern.lineOfFile)
    {
      code = "\(place.1):\(place.2)"
      symbol = Self.columns(of: String(place.3))[...]
    }
    // What translates addresses names the image again: `load (in Notes) (Store.swift:88)`.
    if let image = symbol.lastIndex(of: "(in") { symbol = symbol[..<image] }
    if let first = symbol.first, first.count > 1, first.hasSuffix("+"),
      symbol.dropFirst().first.flatMap({ Int($0) }) != nil
    {
      symbol = [first.dropLast()]
    }
    // Without symbols the address of the image stands there.
    if let first = symbol.first, first.hasPrefix("0x") {
      symbol = words[1..<address] + symbol.dropFirst()
    } else if let plus = symbol.lastIndex(of: "+"), plus > symbol.startIndex {
      symbol = symbol[..<plus]
    }
    let image = address == 0 ? nil : words[1..<max(2, address)].joined(separator: " ")
    return ReportFrame(symbol.joined(separator: " "), code: code, image: image)
  }

  /// A frame at address 0, where no function is.
  private static let null = ReportFrame("a null function")

  /// What stands in place of a symbol that is not known.
  private static let nameless: Set = ["<redacted>", "(missing)", "<missing>", "???"]

  /// Whether words say that a symbol is not known, or as Crashlytics does in any language that its file is missing:
  /// `(Missing UUID 79d7c0ffee)`.
  private static func isPlaceholder(_ symbol: ArraySlice<Substring>) -> Bool {
    guard let first = symbol.first else { return true }
    if nameless.contains(first.lowercased()) || first.contains("_hidden#") { return true }
    return first.hasPrefix("(") && symbol.last?.hasSuffix(")") == true && symbol.contains("UUID")
  }

  /// How the names of Swift's functions begin that have several words.
  private static let symbolStarts: Set = [
    "closure", "specialized", "static", "thunk", "partial", "protocol", "merged", "outlined",
    "@objc", "implicit", "void", "non-virtual", "invocation",
  ]

  private static func columns(of line: String) -> [Substring] {
    line.split { $0 == " " || $0 == "\t" || $0 == "|" }
  }

  /// Reads a frame in the words of Sentry.
  private static func named(_ line: String) -> ReportFrame? {
    guard line.contains(" in ") else { return nil }
    if let frame = line.wholeMatch(of: Pattern.sentryFile) {
      let file = frame.1?.split(separator: "/").last
      return ReportFrame(frame.3, code: file.flatMap { file in frame.2.map { "\(file):\($0)" } })
    }
    return line.wholeMatch(of: Pattern.sentryLine).map {
      ReportFrame($0.1, code: "\($0.2):\($0.3)")
    }
  }

  /// Reads a frame as Xcode's Organizer copies it, and GDB prints it.
  private static func organized(_ line: String) -> ReportFrame? {
    guard line.contains("#"), line.contains(" in ") else { return nil }
    guard let frame = line.wholeMatch(of: Pattern.organizer) else { return nil }
    // Behind the symbol stand empty arguments, and the line of the code, or where it lies in its image.
    let place = frame.1.firstMatch(of: Pattern.endOfOrganizer)
    let code = place?.1?.split(separator: "/").last.map(String.init)
    return ReportFrame(frame.1[..<(place?.range.lowerBound ?? frame.1.endIndex)], code: code)
  }

  /// Reads a frame in the words of LLDB.
  private static func debugged(_ line: String) -> ReportFrame? {
    if line.wholeMatch(of: Pattern.nullOfDebugger) != nil { return .null }
    guard let frame = line.wholeMatch(of: Pattern.debugger) else { return nil }
    let (image, words) = (String(frame.1), String(frame.2))
    let code = words.firstMatch(of: Pattern.placeOfDebugger).map { String($0.1) }
    // The arguments stand behind the name, which may have parentheses of its own.
    let isMethod = words.hasPrefix("-[") || words.hasPrefix("+[")
    let close = isMethod ? words.firstIndex(of: "]").map { words.index(after: $0) } : nil
    let end = close ?? words.firstIndex(of: "(") ?? words.firstRange(of: " + ")?.lowerBound
    return ReportFrame(words[..<(end ?? words.endIndex)], code: code, image: image)
  }

  /// Reads a frame without a number, which its form shows: where it lies in its function or its file, or a method's
  /// brackets.
  ///
  ///     __pthread_kill + 8
  ///     0x102c384bc specialized NoteStore.save() + 30 (Store.swift:88)
  ///     -[NoteStore save] (NoteStore.m:88);m2048
  ///     Notes    notes::Store::Save() (in Notes:store.cc:88)
  ///     Notes/Store/NoteStore.m:88:13 -[NoteStore save]
  ///     NoteStore;save;NoteStore.m;88
  ///        at Notes.NoteStore.Save(Note note) in /Users/me/Notes/NoteStore.cs:line 88
  private static func unnumbered(_ line: String) -> ReportFrame? {
    if line.trimmedStart.hasPrefix("at "), let frame = managed(line) { return frame }
    if line.contains(" - "), let frame = dashed(line) { return frame }
    if line.hasSuffix("<redacted>"),
      let parts = line.wholeMatch(of: Pattern.redacted)
    {
      return ReportFrame(parts.1 ?? "<redacted>", image: parts.1.map(String.init))
    }
    guard let last = line.utf8.last, !line.contains(" additional frame"),
      last == ")" || last == "]" || last.isDigit || line.contains("/")
    else { return nil }
    // A pattern is matched only where the sign stands without which it cannot: most lines have none of them.
    if line.contains(";"),
      let parts = line.wholeMatch(of: Pattern.semicolons)
    {
      let name = parts.1 == "-" ? "\(parts.2)" : "-[\(parts.1) \(parts.2)]"
      return ReportFrame(name, code: parts.4.isEmpty ? nil : "\(parts.3):\(parts.4)")
    }

    var (symbol, image, code) = (line.trimmedStart[...], Substring?.none, String?.none)
    // Behind the symbol stand the variant of the code, its line, and how far it lies in the function.
    if let mark = symbol.lastIndex(of: ";"), symbol[mark...].wholeMatch(of: Pattern.variant) != nil
    {
      symbol = symbol[..<mark]
    }
    if let open = symbol.lastIndex(of: "("),
      let place = symbol[open...].wholeMatch(of: Pattern.imageAndPlace)
    {
      (image, code, symbol) = (place.1, place.2.map(String.init), symbol[..<open])
    }
    var isPlaced = image != nil || code != nil
    if let plus = symbol.lastIndex(of: "+"), symbol[plus...].wholeMatch(of: Pattern.offset) != nil {
      (symbol, isPlaced) = (symbol[..<plus], true)
    }

    // Before it stand its address, its file, or its image.
    if symbol.hasPrefix("0x") || symbol.hasPrefix("at "),
      let address = symbol.prefixMatch(of: Pattern.addressAtStart)
    {
      (symbol, isPlaced) = (symbol[address.range.upperBound...], true)
    }
    let first = symbol.prefix { $0 != " " && $0 != "\t" }
    if first.contains(":"), let file = symbol.prefixMatch(of: Pattern.fileAtStart) {
      code = file.1.split(separator: "/").last.map(String.init)
      (symbol, isPlaced) = (symbol[file.range.upperBound...], true)
    } else if first.hasPrefix("/") || first.contains("."),
      let path = symbol.prefixMatch(of: Pattern.pathAtStart)
    {
      image = path.1.split(separator: "/").last
      (symbol, isPlaced) = (symbol[path.range.upperBound...], true)
    } else {
      let rest = symbol.dropFirst(first.count)
      let isImage = ["\t", "  ", " -[", " +[", " _", " 0x"].contains(where: rest.hasPrefix)
      if isImage { (image, symbol) = (first, rest.drop { $0 == " " || $0 == "\t" }) }
      if isImage, let address = symbol.prefixMatch(of: Pattern.longAddress) {
        (symbol, isPlaced) = (symbol[address.range.upperBound...], true)
      }
    }
    symbol = String(symbol).trimmedEnd.trimmedStart[...]
    let isMethod = symbol.hasSuffix("]") && symbol.prefixMatch(of: Pattern.method) != nil
    guard isMethod || isPlaced && isSymbol(symbol) else { return nil }
    return ReportFrame(symbol, code: code, image: image.map(String.init))
  }

  /// Reads a frame of .NET and Mono.
  private static func managed(_ line: String) -> ReportFrame? {
    guard line.contains("("), let frame = line.wholeMatch(of: Pattern.managedFrame),
      frame.1.contains(".")
    else { return nil }
    let isOfRuntime = managedRuntimes.contains { frame.1.hasPrefix($0) }
    let file = frame.2.flatMap { $0.split(separator: "/").last }
    return ReportFrame(
      frame.1, code: file.flatMap { file in frame.3.map { "\(file):\($0)" } },
      path: isOfRuntime ? "/System/Library/" : nil)
  }

  /// How the namespaces of .NET's own libraries and of its bindings begin.
  private static let managedRuntimes = [
    "System.", "Microsoft.", "MonoTouch.", "UIKit.", "Foundation.", "ObjCRuntime.", "Xamarin.",
    "Avalonia.", "Mono.", "Java.", "Android.",
  ]

  /// Reads a frame whose function stands behind a dash, or whose image does.
  ///
  ///     Notes:88 - Notes.NoteStore.save() -> ()
  ///     Notes/NoteStore.swift:88 - save
  ///     0x102d99954 - /private/var/containers/Bundle/Notes.app/Notes : NoteStore_save
  private static func dashed(_ line: String) -> ReportFrame? {
    if let parts = line.wholeMatch(of: Pattern.dashedFile), parts.1.contains(where: \.isLetter),
      parts.3.contains(where: "([".contains)
        || parts.1.contains("/") && !parts.3.contains(" ") && parts.3.count > 3
    {
      let file = parts.1.split(separator: "/").last ?? parts.1
      let isFile = file.contains(".")
      return ReportFrame(
        parts.3, code: isFile ? "\(file):\(parts.2)" : nil, image: isFile ? nil : String(file))
    }
    guard let parts = line.wholeMatch(of: Pattern.dashedPath) else {
      return nil
    }

    let image = parts.1.split(separator: "/").last ?? parts.1
    let isNameless = nameless.contains(parts.2.lowercased())
    // Mono prints its stack in the handler of the signal.
    let isHandler = isNameless && image == "libsystem_platform.dylib"
    return ReportFrame(
      isHandler ? "_sigtramp" : isNameless ? image : parts.2, image: String(image),
      path: String(parts.1))
  }

  /// Whether a text can be the name of a function: one word, but for what stands in brackets.
  private static func isSymbol(_ text: Substring) -> Bool {
    guard text.contains(where: \.isLetter), text.first?.isASCII == true else { return false }
    var (depth, words) = (0, 1)
    for character in text {
      if "([<{".contains(character) { depth += 1 }
      if ")]>}".contains(character) { depth -= 1 }
      if character == " ", depth == 0 { words += 1 }
    }
    let first = text.prefix { $0 != " " }
    return words == 1 || symbolStarts.contains(String(first)) || text.hasSuffix(" const")
  }

  /// Reads a frame that is nothing but a word, as stacks have some among others: `objc_sync_enter`.
  init?(word: String) {
    let name = word.trimmedStart
    let isName = Self.isSymbol(name[...]) && !name.contains { "\"'{}=;/".contains($0) }
    guard isName, name.utf8.count > 3, name.last != ":" else { return nil }
    self.init(name)
  }

  /// Whether a line is the innermost frame of a stack, by which the stack is known without a heading.
  static func isInnermost(_ line: String) -> Bool {
    let words = columns(of: line)
    guard words.first == "0" else {
      let isWord = words.count == 1 && words[0].hasPrefix("_") && words[0].count > 3
      return isWord || line.contains("#0") && organized(line) != nil || named(line) != nil
        || unnumbered(line) != nil
    }
    let isAddressed = words.dropFirst().prefix(2).contains { word in
      ["0x", "_", "-["].contains(where: word.hasPrefix)
    }
    // A list may begin with a number, too, and one blank behind it.
    let isColumn = line.trimmedStart.dropFirst().prefix(2).allSatisfy { $0 == " " || $0 == "\t" }
    let isOfTable = line.contains(" | ") && numbered(line) != nil
    return isAddressed || isOfTable || isColumn && numbered(line)?.code != nil
  }
}
