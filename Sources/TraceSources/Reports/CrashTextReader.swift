import LifecycleModel
import Run

/// Reads `.crash` text, line by line, and what has such lines: reports about limits, and the text of Crashlytics.
///
/// One report below another is a report of its own.
///
/// Every line may be missing. What follows the head, the threads and the images, is passed over but for
/// the innermost frames of two threads.
struct CrashTextReader: LineReportReader {
  /// What was read of the report whose lines come.
  var draft = ReportDraft(.crashText)
  /// The reports above it.
  private var over = ReportContents()

  /// What the lines belong to that have no key.
  private enum Section: Equatable {
    case head
    /// The explanation of the termination, up to its `>` or an empty line.
    case termination
    /// What the app had said, up to an empty line.
    case information
    /// The frames of a thread.
    case thread(Int)
    /// Threads, registers and images, which are passed over.
    case rest
  }

  static let longestLine = 4096
  /// The most keys whose lines are kept.
  private static let mostKeys = 256
  private var section = Section.head
  /// The key of a termination whose value stands in the next line.
  private var unfilled: String?
  /// The thread that a title is about; `nil` without one.
  private var titled: Int?
  /// The thread of the last frames, where no other part of a report stands behind them.
  private var lastThread: Int?
  private var number = 0

  mutating func take(_ text: String, _ number: Int) {
    // Code that is cited within a sentence is none of a report.
    let isCited = text.first == "`" && text.contains(#/`[^`]+` [a-z]/#)
    let bare = isCited ? text : String(text.unicodeScalars.drop { $0 == "`" || $0 == ">" })
    let line = Self.withoutNumber(bare.slice).text
    self.number = number
    if line.isEmpty {
      switch section {
      case .information, .thread: return section = .head
      case .head, .termination, .rest: return
      }
    }
    if beginsAnother(line) {
      var next = CrashTextReader()
      (next.over, next.number) = (contents, number)
      self = next
    }
    if takeThreadHeading(line) { return }
    if takeTitle(line) { return }
    if section == .head, ReportFrame.isInnermost(line) {
      if isNothingRead {
        draft.report.crashedThread = TerminationReport.unnumbered
        section = .thread(TerminationReport.unnumbered)
      } else if let thread = unheadedThread {
        section = .thread(thread)
      }
    }
    if case .thread = section, Self.isKey(line.slice) || ReportForm.isHeading(line.slice) {
      section = .head
    }
    switch section {
    case .termination where takeExplanation(line): return
    case .information:
      if draft.information.count < ReportDraft.longestInformation {
        draft.information.append(line.trimmedStart)
      }
      return
    case .thread(let number): return takeFrame(line, number)
    case .rest: return takeImage(line)
    default: break
    }

    if draft.exceptionType == nil { draft.namedCode = draft.namedCode ?? KillCode.named(in: line) }
    let isLastWord =
      section == .head && !line.hasPrefix("Termination ") && Self.isLastWord(line.slice)
    if AssertionText.isHeading(line.slice) || line.contains(" uncaught exception '") || isLastWord {
      draft.information.append(line)
      section = .information
      return
    }
    guard var (key, value) = line.keyAndValue else { return takeException(line) }
    // A page may have a label of its own before it: `Crash Item : Fatal Exception: NSRangeException`.
    if !Self.keys.has(key), let inner = value.keyAndValue, inner.key == "Fatal Exception",
      !draft.saysEnd, draft.known == nil, draft.report.process == nil, !inner.value.contains(" ")
    {
      (key, value) = inner
    }
    if draft.lines.count < Self.mostKeys { draft.lines[key] = number }
    take(key, value)
  }

  /// A line without the number of the thread that Crashlytics writes before `Crashed: `.
  static func withoutNumber(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = (line.first == UInt8(ascii: "#") ? line.dropFirst() : line).digits
    let rest = line[digits.endIndex...]
    return !digits.isEmpty && rest.starts(with: ". Crashed: ") ? rest.dropFirst(2) : line
  }

  /// Whether a line has one of the keys that are read.
  static func isKey(_ line: ArraySlice<UInt8>) -> Bool {
    line.prefix(64).text.keyAndValue.map { keys.has($0.key) } == true
  }

  private static let keys: ReportKeys = [
    "Incident Identifier": .last(\.report.incident),
    "Coalition": .call { $0.coalition = String($1.prefix { $0 != " " && $0 != "[" }) },
    // A name, or `Notes [412]`.
    "Process": .call { takeProcess($1, into: &$0) },
    // A report about a limit lists the process that it is about first.
    "Powerstats for": .call { if $0.report.process == nil { takeProcess($1, into: &$0) } },
    "Command": .first(\.report.process),
    "Path": .last(\.path),
    "PID": .pid,
    // Whoever posts a report may have put another word in its place: `<appid>`.
    "Identifier": .call { draft, text in
      if text.contains(where: \.isLetter) {
        draft.report.bundle = text.slice.identifier ?? draft.report.bundle
      }
    },
    // HockeyApp writes the bundle behind a bar.
    "Version": .call { draft, text in
      guard let bar = text.firstRange(of: " | ") else { return draft.releaseText = text }
      draft.report.release.take(release: String(text[..<bar.lowerBound]), isBuildFirst: false)
      draft.report.bundle = String(text[bar.upperBound...])
    },
    "Hardware Model": .release(.device),
    // A report about a limit has both: at the first the measurement began.
    "Date/Time": ReportKey { draft, text, place in
      let stamp = draft.report.takeStamp(text, at: place)
      draft.report.died = draft.report.died ?? stamp
    },
    "End time": ReportKey { draft, text, place in
      draft.report.died = draft.report.takeStamp(text, at: place) ?? draft.report.died
    },
    "Launch Time": .stamp(\.report.launched),
    "OS Version": .system,
    "Role": .last(\.report.role),
    "Parent Process": .parent,
    "Code Type": .processor,
    "Event": .last(\.limit),
    "Action taken": .last(\.action),
    // Reports of crashes have no such samples; which limit was passed may have been cut off.
    "Data Source": .call {
      if $1.hasPrefix("Microstackshots") { $0.limit = $0.limit ?? "use of resources" }
    },
    "CPU|Writes|Wakeups": .last(\.usage),
    "Exception Type": .call { draft, text in
      // In its place stands now and then what a language throws.
      let isThrown = text.hasSuffix("Exception") && !text.hasPrefix("EXC_")
      takeExceptionType(text, isThrown: isThrown, into: &draft)
    },
    // Cr4shed has the exception's name there.
    "Exception type": .call { draft, text in
      let isType = text.hasPrefix("EXC_") || DarwinSignal.number(named: text) != nil
      takeExceptionType(text, isThrown: !isType, into: &draft)
    },
    // In prose more may follow on the line.
    "Exception": .call { draft, text in
      guard text.hasPrefix("EXC_") else { return }
      let type = text.split(separator: ")").first.map { $0 + ")" } ?? text
      takeExceptionType(type, isThrown: false, into: &draft)
    },
    "Stacktrace": .call { draft, _ in
      draft.report.crashedThread = draft.report.crashedThread ?? TerminationReport.unnumbered
    },
    "Reason": .call { draft, text in
      if !text.isEmpty { draft.exceptionWords = text }
      if text.contains("exceeding jetsam memory limits") { draft.known = .jetsam(7) }
    },
    // Crashlytics.
    "# Application": .first(\.report.bundle),
    "# Bundle Identifier|Bundle Identifier": .last(\.report.bundle),
    // AppMetrica.
    "# OS version": .system,
    "# Crashed at": .stamp(\.report.died),
    "# Background session": .call { $0.report.role = $1 == "true" ? "Background" : "Foreground" },
    "# Version": .call { $0.report.release.take(release: $1, isBuildFirst: false) },
    // The words may stand behind the name, on a page without a blank.
    "Fatal Exception": .call { draft, text in
      let named = text.prefixMatch(
        of: #/([\w.]+Exception(?=[: ])|(?:NS|UI|CA)\w+?Exception)(?:: *| +|(?=[A-Z*\-]\S* ))(\S.*)/#
      )
      // Without words of its own, a name is one word.
      let word = text.prefix { $0 != " " && $0 != ":" }
      let name = named?.1 ?? (word.contains("Exception") ? word : text[...])
      (draft.exceptionName, draft.known) = (String(name), .signal(6))
      if let named { draft.exceptionWords = String(named.2).slice.before(" Raw Text").text }
    },
    // An exception on Crashlytics' queue for recorded ones may have ended nothing, unless a heading calls it fatal.
    "Crashed": .call { draft, text in
      // What stopped the thread may stand behind its queue, on a page without a blank between the two.
      let parts = text.replacing("EXC_", with: " EXC_", maxReplacements: 1)
        .split(separator: " ", maxSplits: 1).map { String($0).trimmedStart }
      let isStop = parts.count == 2 && ReportTitle.begins(parts[1].slice)
      let queue = isStop ? parts[0] : text
      if isStop, draft.known == nil { draft.known = .signal(nil, reason: parts[1]) }
      draft.isRecorded =
        queue.hasSuffix(".crashlytics.ios.exception") && draft.lines["Fatal Exception"] == nil
      let isMain = queue == "com.apple.main-thread"
      draft.report.crashedThread = isMain ? 0 : TerminationReport.unnumbered
      draft.isOfSDK = true
    },
    // Instabug.
    "# Cause": .call { draft, text in
      guard let words = text.slice.dropping(prefix: "Crash due to signal: ") else {
        return _ = ReportTitle(text.slice)?.take(into: &draft)
      }
      draft.known = .signal(DarwinSignal.number(named: words.prefix { $0.isLetter }.text))
    },
    "Bundle id": .call { if $1 != "(null)" { $0.report.bundle = $1 } },
    "Duration": .last(\.duration),
    "Exception Codes": .call { draft, text in
      draft.exceptionCodes = text
      draft.fault = draft.fault ?? ReportDraft.fault(in: text)
    },
    "Exception Message": .last(\.exceptionDetail),
    "Exception Reason": .each(\.information),
    "Exception Note": .last(\.exceptionNote),
    "Exception Subtype|Exception subtype": .exceptionSubtype,
    "Terminating Process": .call { $0.terminator = String($1.prefix { $0 != " " && $0 != "[" }) },
    // Words may stand in place of a code: `TCC, This app has crashed because …`.
    "Termination Reason": .call { draft, text in
      draft.heading = text
      takeNamespace(text, into: &draft)
    },
    // Some reports name the namespace there.
    "Termination Description": .call { draft, text in
      if !takeNamespace(text, into: &draft) { draft.reasons.append(text) }
    },
    "Dyld Error Message|Dyld Message": .call { draft, text in
      draft.namespace = "DYLD"
      if !text.isEmpty { draft.reasons.append(text) }
    },
    "Application Specific Information": .call { if !$1.isEmpty { $0.information.append($1) } },
    "Last Exception Backtrace": .call { draft, _ in draft.hasExceptionBacktrace = true },
    "Triggered by Thread|Triggered by thread|Crashed Thread|Highlighted Thread|Faulting Thread":
      .call {
        draft, text in
        let isMain = text.lowercased().hasPrefix("main")
        draft.report.crashedThread = isMain ? 0 : Int(text.prefix { $0.isNumber })
      },
  ]

  /// Takes `TCC, This app has crashed because …`; returns false for other text.
  @discardableResult
  private static func takeNamespace(_ text: String, into draft: inout ReportDraft) -> Bool {
    let parts = text.split(separator: ",", maxSplits: 1).map(String.init)
    guard parts.count == 2, parts[0].allSatisfy(\.isUppercase), ExitNamespace.isName(parts[0]),
      parts[1].trimmedStart.first?.isLetter == true
    else { return false }
    draft.namespace = parts[0]
    draft.reasons.append(parts[1].trimmedStart)
    return true
  }

  private static func takeProcess(_ text: String, into draft: inout ReportDraft) {
    guard !text.isEmpty else { return }
    guard let open = text.lastIndex(of: "["), text.hasSuffix("]") else {
      return draft.report.process = text
    }
    draft.report.process = String(text[..<open]).trimmedEnd
    draft.report.pid = Int32(text[text.index(after: open)...].dropLast())
  }

  /// Takes `EXC_CRASH (SIGABRT)`, or in its place the name of a signal, as PLCrashReporter writes it, or of what a
  /// language has thrown.
  private static func takeExceptionType(
    _ text: String, isThrown: Bool, into draft: inout ReportDraft
  ) {
    // Somebody may have written it with a bar: `EXC_BREAKPOINT / SIGTRAP`.
    let text = text.replacing(" / ", with: " ")
    draft.exceptionLine = text
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    if isThrown {
      (draft.exceptionName, draft.known) = (text, .signal(6))
      return
    }

    let isSignal = parts.first.map { DarwinSignal.number(named: $0) != nil } == true
    if !isSignal { draft.exceptionType = parts.first }
    if let signal = isSignal ? parts.first : parts.dropFirst().first { draft.take(signal: signal) }
  }

  /// The keys behind which lines without a key follow.
  private static let sections: [String: Section] = [
    "Termination Reason": .termination, "Termination Description": .termination,
    "Dyld Error Message": .termination, "Dyld Message": .termination,
    "Application Specific Information": .information,
    "Last Exception Backtrace": .thread(ReportDraft.throwing),
    "Fatal Exception": .thread(ReportDraft.throwing),
  ]

  private mutating func take(_ key: String, _ value: String) {
    if value.isEmpty, Self.sections[key] == .termination {
      (unfilled, section) = (key, .termination)
      return
    }
    Self.keys.take(key, value, into: &draft, at: draft.place("", key))
    section = key.hasPrefix("Binary Images") ? .rest : Self.sections[key] ?? .head
    if section == .rest { lastThread = nil }
    let isStack = ["Crashed", "Call stack", "Stacktrace"].contains(key)
    if isStack, let thread = draft.report.crashedThread { section = .thread(thread) }
    if value.hasPrefix("Application crash: ") { takeException(key) }
    if key.hasPrefix("Elapsed ") { draft.information.append("\(key): \(value)") }
  }

  /// Whether a line is the head of another report: a report names its incident once, and a crash report
  /// its process.
  private func beginsAnother(_ line: String) -> Bool {
    let text = line.trimmedStart
    func isAgain(_ key: String) -> Bool { draft.lines[key] != nil && text.hasPrefix(key + ":") }
    if isAgain("Incident Identifier") { return true }
    // The same line again is a copy of the first, and one that is cut is a piece of it.
    if isAgain("Exception Type"), let value = text.keyAndValue?.value, value.hasSuffix(")"),
      value != draft.exceptionLine
    {
      return true
    }
    let isNamed = text.hasSuffix("]") && draft.exceptionType != nil && draft.limit == nil
    return isNamed && isAgain("Process")
  }

  /// How lines of an explanation begin that are not folded.
  private static let starts = [
    "<RBS", "| ", "ProcessVisibility:", "ProcessState:", "Watchdog", "Thermal", "\"", ")", "/",
    "Library not loaded:", "Symbol not found", "symbol not found", "Referenced from:",
    "Expected in:",
    "Reason: tried:",
  ]

  /// Takes a line of the explanation; false when the line has a key of its own.
  private mutating func takeExplanation(_ line: String) -> Bool {
    if let key = unfilled {
      unfilled = nil
      if !Self.isKey(line.slice) {
        Self.keys.take(key, line.trimmedStart, into: &draft, at: draft.place("", key))
        return true
      }
    }
    // A path may have been broken.
    let isPath = draft.reasons.last?.hasSuffix("/") == true
    let isFolded =
      line.first == " " || line.first == "\t" || line.hasPrefix("exhausted ") || isPath
    let isContext =
      Self.starts.contains(where: line.hasPrefix) || line.contains(" watchdog transgression: ")
    if draft.reasons.count >= ReportDraft.longestInformation || !isFolded && !isContext {
      section = .head
      return false
    }

    if line.trimmedStart.hasPrefix("Dyld Version:") { return true }
    if isFolded, !draft.reasons.isEmpty {
      draft.reasons[draft.reasons.count - 1] += (isPath ? "" : " ") + line.trimmedStart
    } else {
      draft.reasons.append(line.trimmedStart)
    }
    let isClosed = line.hasSuffix(">") && !line.hasSuffix("<no explanation given>")
    if isClosed, draft.reasons.contains(where: { $0.hasPrefix("<RBS") }) { section = .head }
    return true
  }

  // MARK: Threads

  /// The thread whose frames may stand in the head without a heading; `nil` where they have been read.
  private var unheadedThread: Int? {
    let thrown = draft.exceptionName.map { _ in ReportDraft.throwing }
    let crashed = draft.report.crashedThread ?? draft.exceptionType.map { _ in 0 }
    let thread = titled ?? thrown ?? crashed
    return thread.flatMap { draft.frames[$0] == nil ? $0 : nil }
  }

  /// Whether nothing was read: then a stack is of the thread that crashed, if any.
  private var isNothingRead: Bool {
    draft.lines.isEmpty && draft.frames.isEmpty && draft.known == nil && !draft.saysEnd
  }

  /// Takes the title of an end above which nothing else was read.
  private mutating func takeTitle(_ line: String) -> Bool {
    guard section == .head, titled == nil, !draft.saysEnd, draft.known == nil,
      let title = ReportTitle(line.slice)
    else { return false }
    let thread = title.take(into: &draft)
    (titled, section) = (thread, .thread(thread))
    return true
  }

  /// Takes `Thread 3 Crashed:` and `Thread 0 name:  Dispatch queue: com.apple.main-thread`.
  private mutating func takeThreadHeading(_ line: String) -> Bool {
    guard line.hasPrefix("Thread ") else { return false }
    let rest = line.dropFirst(7)
    let digits = rest.prefix { $0.isNumber }
    guard let number = Int(digits), rest.contains(":") else { return false }

    draft.take(queue: line, of: number)
    if case .thread(let last) = section, last != number { draft.dropFrames(of: last) }
    if rest.contains(" Crashed:") {
      let before = draft.report.crashedThread
      draft.report.crashedThread = number
      if let before { draft.dropFrames(of: before) }
    }
    lastThread = number
    let isState = rest.contains("State")
    section = !isState && number < ReportDraft.mostThreads ? .thread(number) : .rest
    return true
  }

  /// Takes `SIGABRT ABORT 0x00000001d2c41198`, and the words of an exception that stand above its frames.
  private mutating func takeException(_ line: String) {
    draft.take(region: line)
    takeImage(line)
    if line.contains("Attempted to dereference ") { draft.information.append(line.trimmedStart) }

    let name = String(line.prefix { $0 != " " })
    // What is longer is somebody's sentence.
    let isNew =
      draft.exceptionSignal == nil && draft.exceptionType == nil
      && line.split(separator: " ").count <= 4
    if isNew, let number = DarwinSignal.number(named: name) {
      draft.known = .signal(number)
    } else if isNew, MachException.names.contains(name) {
      (draft.exceptionType, draft.known) = (name, .signal(nil, reason: line))
    } else if line == "Application main thread deadlocked" {
      draft.known = .deadlock
    } else if section == .thread(ReportDraft.throwing), draft.exceptionName != nil,
      draft.frames[ReportDraft.throwing] == nil
    {
      if line.contains(where: \.isLetter) { draft.exceptionWords = draft.exceptionWords ?? line }
    }
  }

  /// Whether a line is what the runtime of the app's language prints as it stops the app.
  static func isLastWord(_ line: ArraySlice<UInt8>) -> Bool {
    guard case .endForetold(let end, _)? = MessageRules.ofRuntime.read(line, by: .app)?.fact else {
      return false
    }
    // Xcode's line about a thread may be of another run, and stands in no report.
    return end.isOwn && line.text.prefixMatch(of: #/\s*Thread \d+: /#) == nil
  }

  /// Takes the app's name from the path of its executable, where no head names it:
  /// `0x100 - 0x1ff Notes arm64 <7c2e…> /private/var/…/Notes.app/Notes`.
  private mutating func takeImage(_ line: String) {
    guard draft.report.process == nil, let (name, rest) = OwnBundleText.app(inPath: line.slice)
    else { return }
    if rest.trimmedEnd.text == name { draft.report.process = name }
  }

  private mutating func takeFrame(_ line: String, _ thread: Int) {
    let frames = draft.frames[thread, default: []]
    let isOpen = !frames.isEmpty || line.hasPrefix("_")
    guard let frame = ReportFrame(line: line) ?? (isOpen ? ReportFrame(word: line) : nil) else {
      return takeException(line)
    }
    if frames.count < ReportDraft.framesRead { draft.frames[thread, default: []].append(frame) }
  }

  /// The reports, with the frames named.
  var contents: ReportContents {
    var (all, draft) = (over, draft)
    draft.endsInStack = lastThread != nil && lastThread == draft.report.crashedThread
    if let text = draft.releaseText {
      draft.report.release.take(release: text, isBuildFirst: draft.isBuildFirst)
    }
    all.add(draft.finished())
    return all
  }
}
