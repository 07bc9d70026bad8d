import TraceText

/// The forms of reports about ends of processes, and what they are called.
public enum ReportForm: String, CaseIterable, Sendable {
  /// JSON of iOS 15 and later, or a part of it; also the reports about limits that have its header.
  case ips = ".ips report"
  /// Text of iOS 4 to iOS 14, or what Xcode makes of an `.ips`.
  case crashText = "text crash report"
  /// What the system wrote when it ended processes for their memory.
  case jetsam = "JetsamEvent report"
  /// Diagnostics or exit counts of MetricKit.
  case metricKit = "MetricKit payload"
  /// What follows MetricKit's payloads in iOS 27.
  case diagnosticReport = "diagnostic report"
  /// A report of KSCrash or SentryCrash.
  case ksCrash = "KSCrash report"
  /// The breadcrumbs of Sentry or Bugsnag, or a session of Measure.
  case breadcrumbs = "breadcrumbs of a crash reporting SDK"
  /// A sentence with which apps stop, in a text that holds nothing else.
  case citedWords = "words of a crash"

  /// As much of a text is looked at.
  static let sampleLength = 1 << 16

  /// What a text is, by its first bytes; `nil` when it is no report that can be read.
  public init?(_ text: ArraySlice<UInt8>) { self.init(text, within: Self.sampleLength) }

  /// What a text is, by its first `length` bytes: the keys of a report may stand behind long stacks.
  init?(_ text: ArraySlice<UInt8>, within length: Int) {
    guard let form = Self.recognize(text.prefix(length)) else { return nil }
    self = form
  }

  /// What a report is whose number says that nobody reads it: `a panic report (bug type 210)`; `nil` for
  /// other text.
  public static func refused(_ text: ArraySlice<UInt8>) -> String? {
    let start = jsonStart(text.prefix(sampleLength))
    guard let start, let type = bugType(text[start...].prefix(sampleLength)), !isRead(type),
      others[type] != nil || recognize(text.prefix(sampleLength)) == nil
    else { return nil }

    let what =
      others[type] ?? "a report that tracectl does not read"
    return "\(what) (bug type \(InertText.word(type)))"
  }

  /// The reports that are about no end of an app.
  private static let others = [
    "288": "a stackshot, which states no death",
    "210": panic, "151": panic,
    "115": "a report of a reset, which is about no app",
    "211": analytics, "226": analytics, "305": analytics, "313": analytics,
  ]
  private static let panic = "a panic report, which is about the whole device"
  private static let analytics = "a report of analytics, which states no death"

  /// Whether the reports with this number are read.
  static func isRead(_ bugType: String) -> Bool {
    ["309", "109", "385", "308", "298", "202", "206", "185", "142", "145", ""].contains(bugType)
  }

  // MARK: Detection

  private static let jsonForms: [(keys: [String], form: ReportForm)] = [
    (["\"crashDiagnostics\""], .metricKit), (["\"hangDiagnostics\""], .metricKit),
    (["\"cpuExceptionDiagnostics\""], .metricKit),
    (["\"diskWriteExceptionDiagnostics\""], .metricKit),
    (["\"appLaunchDiagnostics\""], .metricKit), (["\"diagnosticMetaData\""], .metricKit),
    (["\"applicationExitMetrics\""], .metricKit), (["\"timeStampBegin\""], .metricKit),
    (["\"terminationCategory\""], .diagnosticReport),
    (["\"timeRange\"", "\"environment\""], .diagnosticReport),
    (["\"environment\"", "\"result\"", "\"bundleIdentifier\""], .diagnosticReport),
    (["\"crash\"", "\"error\"", "\"system\""], .ksCrash),
    (["\"crash\"", "\"error\"", "\"report\""], .ksCrash),
    (["\"crash\"", "\"error\"", "\"mach\""], .ksCrash),
    (["\"rpages\""], .jetsam), (["\"memoryStatus\"", "\"memoryPages\""], .jetsam),
    (["\"breadcrumbs\""], .breadcrumbs),
    (["\"session_id\"", "\"timestamp\""], .breadcrumbs),
    (["\"exception\"", "\"mechanism\""], .breadcrumbs),
    (["\"exceptions\"", "\"errorClass\""], .breadcrumbs),
    (["\"termination\"", "\"namespace\""], .ips),
    (["\"namespace\"", "\"flags\"", "\"code\""], .ips), (["\"procLaunch\""], .ips),
    (["\"exception\"", "\"type\"", "\"EXC_"], .ips),
    (["\"captureTime\"", "\"procName\""], .ips), (["\"procRole\""], .ips),
    (["RBSTerminateContext", "\"reasons\""], .ips), (["\"<RBSTerminateContext"], .ips),
  ]

  private static func recognize(_ head: ArraySlice<UInt8>) -> ReportForm? {
    if head.contains("\"eventMessage\"") { return nil }
    guard let start = jsonStart(head) else {
      if isJetsamTable(head) { return .jetsam }
      return isCrashText(head) ? .crashText : nil
    }

    let json = head[start...]
    switch bugType(json) {
    case "298": return .jetsam
    case let type? where isRead(type): return .ips
    case let type? where others[type] != nil: return nil
    // One that nobody knows is known by its keys.
    default: break
    }
    let form = jsonForms.first { form in form.keys.allSatisfy { json.contains($0) } }?.form
    // The header of a report in text has a line of its own.
    return form ?? (isCrashText(json.drop { $0 != 0x0a }) ? .ips : nil)
  }

  /// Where JSON begins: at once but for blanks and the fence of a quotation, or in a later line with the
  /// header of a report; `nil` when none does.
  static func jsonStart(_ head: ArraySlice<UInt8>) -> Int? {
    var isFirst = true
    for line in head.split(separator: 0x0a, omittingEmptySubsequences: true).prefix(400) {
      let text = line.drop { $0 <= 0x20 || $0 == "`" || $0 >= 0x80 }
      guard let first = text.first, !isFence(line) else { continue }

      if isFirst, beginsJSON(text) { return text.startIndex }
      let isOpening = first == "{" || first == "["
      if isOpening, text.contains("\"bug_type\"") { return text.startIndex }
      isFirst = false
    }
    return nil
  }

  /// Whether a line begins JSON, or members that were cut out of it: a title begins with brackets or quotation marks,
  /// too, as in `[iOS] The app crashes`.
  static func beginsJSON(_ line: ArraySlice<UInt8>) -> Bool {
    if line.first == "[" {
      return line.dropFirst().first { $0 > 0x20 }.map { "[{\"]".utf8.contains($0) } ?? true
    }
    let isKey = line.contains("\":") || line.contains("\" :")
    return line.first == "{" || line.first == "\"" && isKey
  }

  /// Whether a line is "```json" or the like.
  static func isFence(_ line: ArraySlice<UInt8>) -> Bool {
    line.drop { $0 <= 0x20 }.starts(with: "```") && line.count < 32 && !line.contains("{")
  }

  /// The number of a report; `nil` where none stands.
  private static func bugType(_ head: ArraySlice<UInt8>) -> String? {
    guard let key = head.firstRange(of: "\"bug_type\"") else { return nil }
    return head[key.upperBound...].prefix(16).drop { !$0.isDigit }.prefix { $0.isDigit }.text
  }

  private static let textKeys = [
    "Incident Identifier:", "Exception Type:", "Termination Reason:", "Termination Description:",
    "Report Version:", "CrashReporter Key:", "Exception Codes:",
    "Application Specific Information:", "Action taken:", "Exception type:", "# Crashlytics",
    "Dyld Error Message:", "Dyld Message: ", "Fatal Exception: ", "Last Exception Backtrace:",
    "Exception: EXC_", "Wakeups: ", "Link to HockeyApp", "Link to App Center",
    "Reason: The process was terminated",
  ].map { Array($0.utf8) }

  /// Whether a line is the header of a report in JSON.
  static func isHeader(_ line: ArraySlice<UInt8>) -> Bool {
    line.first == "{" && line.contains("\"bug_type\"")
  }

  /// Whether a line begins with a key of a report in text, or is what such a report says of its app's
  /// assertions.
  static func isHeading(_ line: ArraySlice<UInt8>) -> Bool {
    textKeys.contains { line.starts(with: $0) } || AssertionText.isHeading(line)
      || isHeadingOfStack(line)
  }

  /// Whether lines begin with a heading of a report or the title of an end: that of a stack is cited in documents,
  /// too, and counts above frames or a title.
  static func isStart(of lines: some Collection<ArraySlice<UInt8>>) -> Bool {
    guard let first = lines.first?.drop(while: { $0 == 0x20 || $0 == "`" || $0 == ">" }) else {
      return false
    }
    // Instabug's; a document has such a heading, too.
    if first.starts(with: "# Cause: ") {
      return first.contains("Crash due to signal: ")
        || lines.dropFirst().prefix(2).contains { $0.starts(with: "# Reported at: ") }
    }
    if isHeadingOfStack(first) {
      let below = lines.dropFirst().prefix(3)
      return below.contains { ReportFrame.isInnermost($0.prefix(512).text) }
        || below.first.map { ReportTitle.begins($0) } == true
    }
    return isHeading(first) || ReportTitle.isFirst(of: lines)
  }

  /// Whether a line stands above the frames of what crashed: `Crashed: io.flutter.1.io`, `Thread 3 Crashed:`.
  private static func isHeadingOfStack(_ line: ArraySlice<UInt8>) -> Bool {
    if let queue = CrashTextReader.withoutNumber(line).dropping(prefix: "Crashed: ") {
      return queue.count < 64 && (queue.contains(".") || !queue.contains(" "))
        || queue.contains("Queue") || queue.contains("Thread") || queue.contains("EXC_")
    }
    let start = line.prefix(64).trimmedEnd.text
    return start.hasPrefix("Thread ")
      && (start.hasSuffix(" Crashed:") || [" Crashed::", " name:"].contains(where: start.contains))
  }

  private static func isCrashText(_ head: ArraySlice<UInt8>) -> Bool {
    let lines = head.prefix(8192).split(separator: 0x0a)
    return lines.indices.contains { isStart(of: lines[$0...]) }
  }

  private static func isJetsamTable(_ head: ArraySlice<UInt8>) -> Bool {
    head.split(separator: 0x0a, maxSplits: 400).prefix(400).contains {
      JetsamTableReader.recognizes($0.prefix(256).text)
    }
  }
}
