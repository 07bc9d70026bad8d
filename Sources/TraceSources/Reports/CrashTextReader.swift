import LifecycleModel

/// Reads `.crash` text, line by line, and reports about limits, whose lines have the same form; one report
/// below another is a report of its own.
///
/// Every line may be missing. What follows the head, the threads and the images, is passed over but for
/// the innermost frames of two threads.
struct CrashTextReader: LineReportReader {
  /// What was read of the report whose lines come.
  var draft = ReportDraft(.crashText)
  /// The reports above it.
  private var over = ReportPile()

  /// What the lines belong to that have no key.
  private enum Section: Equatable {
    case head
    /// The explanation of the termination, up to its `>` or an empty line.
    case termination
    /// What the app had said, up to an empty line.
    case information
    /// The frames of a thread.
    case thread(Int)
    /// Threads, registers and images that nobody wants.
    case rest
  }

  private static let framesKept = 5
  private static let longestLine = 4096
  /// Of so many keys the line is known.
  private static let mostKeys = 256
  private var section = Section.head
  private var number = 0
  private var namedMain: Int?
  /// The version and the build of the app, in the order that the system's version decides.
  private var releaseText: String?
  private var frames: [Int: [String]] = [:]

  /// Takes a line without its end, and its number.
  mutating func take(_ line: ArraySlice<UInt8>, _ number: Int) {
    self.number = number
    var bytes = line.prefix(Self.longestLine)
    while let first = bytes.first, first == UInt8(ascii: "`") || first == UInt8(ascii: ">") {
      bytes = bytes.dropFirst()
    }
    while let last = bytes.last, last <= 0x20 { bytes = bytes.dropLast() }
    take(bytes.text)
  }

  private mutating func take(_ line: String) {
    if line.isEmpty { return endParagraph() }
    if beginsAnother(line) { beginAnother() }
    if takeThreadHeading(line) { return }
    switch section {
    case .termination where takeExplanation(line): return
    case .information:
      if draft.information.count < ReportDraft.longestInformation {
        draft.information.append(line.trimmedStart)
      }
      return
    case .thread(let number): return takeFrame(line, number)
    case .rest: return
    default: break
    }

    guard let colon = line.firstIndex(of: ":") else { return }
    section = .head
    let value = String(line[line.index(after: colon)...]).trimmedStart
    let key = String(line[..<colon]).trimmedStart
    if draft.lines.count < Self.mostKeys { draft.lines[key] = number }
    take(key, value)
  }

  /// Whether a line is the head of another report: a report names its incident once, and a crash report
  /// its process.
  private func beginsAnother(_ line: String) -> Bool {
    let text = line.trimmedStart
    func isAgain(_ key: String) -> Bool { draft.lines[key] != nil && text.hasPrefix(key + ":") }
    if isAgain("Incident Identifier") { return true }
    let isNamed = text.hasSuffix("]") && draft.exceptionType != nil && draft.limit == nil
    return isNamed && isAgain("Process")
  }

  private mutating func beginAnother() {
    let number = number
    var next = CrashTextReader()
    next.over = over
    next.over.add(finished())
    self = next
    self.number = number
  }

  private mutating func endParagraph() {
    switch section {
    case .head, .termination: break
    case .information, .thread: section = .head
    case .rest: break
    }
  }

  // MARK: The head

  private mutating func take(_ key: String, _ value: String) {
    switch key {
    case "Incident Identifier": draft.report.incident = value
    case "Process": takeProcess(value)
    case "Command": draft.report.process = draft.report.process ?? value
    case "PID": draft.report.pid = draft.report.takePID(value, at: draft.place("", key))
    case "Identifier": draft.report.bundle = value
    case "Version": releaseText = value
    case "Hardware Model": draft.report.release.take(.device, value)
    case "Date/Time", "End time":
      let stamp = draft.report.takeStamp(value, at: draft.place("", key))
      // A report about a limit has both: at the first the measurement began.
      draft.report.died = (key == "End time" ? stamp : nil) ?? draft.report.died ?? stamp
    case "Launch Time":
      draft.report.launched = draft.report.takeStamp(value, at: draft.place("", key))
    case "OS Version":
      let system = SystemName(value)
      (draft.report.platform, draft.report.os) = (system.platform, system.version)
    case "Role": draft.report.role = value
    case "Parent Process": if value.hasPrefix("launchd_sim") { draft.report.isSimulator = true }
    case "Code Type": draft.report.hasKnownTicks = value.hasPrefix("ARM")
    case "Event": draft.limit = value
    case "Action taken": draft.action = value
    case "CPU", "Writes", "Wakeups": draft.usage = value
    default: takeEnd(key, value)
    }
  }

  private mutating func takeEnd(_ key: String, _ value: String) {
    switch key {
    case "Exception Type":
      let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
      draft.exceptionType = parts.first
      if let signal = parts.dropFirst().first { draft.take(signal: signal) }
    case "Exception Codes": draft.exceptionCodes = value
    case "Exception Message": draft.exceptionDetail = value
    case "Exception Note": draft.exceptionNote = value
    case "Terminating Process": draft.terminator = String(value.prefix { $0 != " " && $0 != "[" })
    case "Exception Subtype":
      let isOfResource = draft.exceptionType == "EXC_RESOURCE"
      if isOfResource { draft.exceptionDetail = draft.exceptionDetail ?? value }
    case "Termination Reason":
      draft.heading = value
      section = .termination
    case "Termination Description":
      draft.reasons.append(value)
      section = .termination
    case "Application Specific Information":
      section = .information
      if !value.isEmpty { draft.information.append(value) }
    case "Last Exception Backtrace":
      draft.hasExceptionBacktrace = true
      section = .rest
    case "Triggered by Thread", "Crashed Thread", "Highlighted Thread":
      draft.report.crashedThread = Int(value.prefix { $0.isNumber })
    default:
      if key.hasPrefix("Binary Images") { section = .rest }
      if key.hasPrefix("Elapsed ") { draft.information.append("\(key): \(value)") }
    }
  }

  private mutating func takeProcess(_ value: String) {
    guard let open = value.lastIndex(of: "["), value.hasSuffix("]") else {
      draft.report.process = value
      return
    }
    draft.report.process = String(value[..<open]).trimmedEnd
    draft.report.pid = Int32(value[value.index(after: open)...].dropLast())
  }

  /// How lines of an explanation begin that are not folded.
  private static let starts = [
    "<RBS", "ProcessVisibility:", "ProcessState:", "Watchdog", "Thermal", "\"", ")", "/",
  ]

  /// Takes a line of the explanation; false when the line has a key of its own.
  private mutating func takeExplanation(_ line: String) -> Bool {
    let isFolded = line.first == " " || line.first == "\t"
    let isContext = Self.starts.contains(where: line.hasPrefix)
    if draft.reasons.count >= ReportDraft.longestInformation || !isFolded && !isContext {
      section = .head
      return false
    }

    if isFolded, !draft.reasons.isEmpty {
      draft.reasons[draft.reasons.count - 1] += " " + line.trimmedStart
    } else {
      draft.reasons.append(line)
    }
    let isClosed = line.hasSuffix(">") && !line.hasSuffix("<no explanation given>")
    if isClosed, draft.reasons.contains(where: { $0.hasPrefix("<RBS") }) { section = .head }
    return true
  }

  // MARK: Threads

  /// Takes `Thread 3 Crashed:` and `Thread 0 name:  Dispatch queue: com.apple.main-thread`.
  private mutating func takeThreadHeading(_ line: String) -> Bool {
    guard line.hasPrefix("Thread ") else { return false }
    let rest = line.dropFirst(7)
    let digits = rest.prefix { $0.isNumber }
    guard let number = Int(digits), rest.contains(":") else { return false }

    let isName = rest.dropFirst(digits.count).hasPrefix(" name")
    if isName { return true }
    if rest.contains(" Crashed:") {
      draft.report.crashedThread = number
      frames = frames.filter { $0.key == 0 }
    }
    let isState = rest.contains("State")
    let isWanted = number == 0 || number == draft.report.crashedThread
    section = isWanted && !isState ? .thread(number) : .rest
    return true
  }

  /// Takes `0   libsystem_kernel.dylib   0x000000018a337224 mach_msg_trap + 8`.
  private mutating func takeFrame(_ line: String, _ thread: Int) {
    guard frames[thread, default: []].count < Self.framesKept else { return }
    let words = line.split { $0 == " " || $0 == "\t" }
    guard words.count > 3, Int(words[0]) != nil,
      let address = words.firstIndex(where: { $0.hasPrefix("0x") }), address + 1 < words.count
    else { return }

    var symbol = words[(address + 1)...]
    // Without symbols the address of the image stands there.
    if let first = symbol.first, first.hasPrefix("0x") {
      symbol = words[1..<address] + symbol.dropFirst()
    } else if let plus = symbol.lastIndex(of: "+"), plus > symbol.startIndex {
      symbol = symbol[..<plus]
    }
    frames[thread, default: []].append(String(symbol.joined(separator: " ").prefix(120)))
  }

  /// What the report says, with the frames named.
  func contents() -> ReportContents {
    var all = over
    all.add(finished())
    return all.contents
  }

  private func finished() -> TerminationReport {
    var draft = draft
    if let releaseText { draft.report.release.take(release: releaseText, of: draft.report.os) }
    draft.report.mainFrames = frames[0] ?? []
    if draft.exceptionSignal == "SIGKILL" || draft.exceptionType == "00000020" {
      draft.report.crashedThread = nil
    }
    if let crashed = draft.report.crashedThread, crashed != 0 {
      draft.report.crashedFrames = frames[crashed] ?? []
    }
    return draft.finished()
  }
}

extension String {
  /// The text without the blanks at its beginning.
  var trimmedStart: String { String(drop { $0 == " " || $0 == "\t" }) }
  /// The text without the blanks at its end.
  fileprivate var trimmedEnd: String {
    var text = self[...]
    while text.last == " " || text.last == "\t" { text = text.dropLast() }
    return String(text)
  }
}
