import LifecycleModel
import TraceText

/// Reads payloads of MetricKit: diagnostics, and how often an app exited in a day.
///
/// What App Store Connect hands out, `productData` with `diagnosticLogs`, has the same diagnostics.
/// A payload says between which days something happened, and never when.
struct MetricKitReader: JSONReportReader {
  /// The crashes, and what the payloads say beside them.
  private var pile = ReportPile()
  /// How many of the crashes belong to earlier payloads.
  private var crashesBefore = 0
  private var draft: ReportDraft?
  /// The kind of diagnostic that is read, such as `hangDiagnostics`, and its numbers.
  private var (kind, figures): (String?, [String]) = (nil, [])
  /// Whether a stack of the diagnostic was seen.
  private var hasStack = false
  private var period = ReportPeriod()
  private var exits: [String: [(name: String, count: UInt64)]] = [:]
  private var version: String?

  private static let diagnostics: Set = [
    "crashDiagnostics", "hangDiagnostics", "cpuExceptionDiagnostics",
    "diskWriteExceptionDiagnostics", "appLaunchDiagnostics",
  ]

  /// The diagnostics of a signature in App Store Connect, each of which names its kind.
  private static let logs = "productData/diagnosticLogs"

  // MARK: Objects

  mutating func begin(_ path: String, isObject: Bool) -> Bool {
    if Self.diagnostics.contains(path) {
      if isObject { beginDiagnostic(path) }
      return true
    }
    if path == "crashDiagnostics/callStackTree" { hasStack = true }
    if path.hasSuffix("diagnosticMetaData"), draft == nil { beginDiagnostic("crashDiagnostics") }
    return path.isEmpty || path.hasSuffix("diagnosticMetaData") || path == "productData"
      || path == Self.logs
      || path.hasSuffix("diagnosticMetaData/exceptionReason")
      || path.hasPrefix("applicationExitMetrics")
  }

  private mutating func beginDiagnostic(_ kind: String) {
    (self.kind, figures) = (kind, [])
    draft = ReportDraft(.metricKit)
  }

  mutating func end(_ path: String, isObject: Bool) {
    guard isObject else { return }
    if Self.diagnostics.contains(path) || path == Self.logs { endDiagnostic() }
    if path.isEmpty { endPayload() }
  }

  private mutating func endDiagnostic() {
    defer { (draft, kind, figures, hasStack) = (nil, nil, [], false) }
    guard var draft, let kind else { return }
    guard kind == "crashDiagnostics" else {
      let words = ReportPeriod().words(of: kind.dropLast("Diagnostics".count), figures)
      return kind == "hangDiagnostics" ? pile.add(.hang, words) : pile.add(note: words)
    }

    if draft.heading == nil, draft.code == nil, draft.known == nil {
      // The stack of a crash stands above what says how it ended.
      guard hasStack else { return }
      draft.known = Termination(kind: .gone)
      draft.report.notes.append("the payload is cut off before it says how the process ended")
    }
    // A signal says more than the exception.
    if draft.code != nil { draft.known = nil }
    draft.takeSignal()
    pile.add(draft.finished())
  }

  // MARK: Values

  mutating func value(_ path: String, _ text: String) {
    switch path {
    case "timeStampBegin": period.first = String(text.prefix(64))
    case "timeStampEnd": period.last = String(text.prefix(64))
    case "appVersion": version = String(text.prefix(64))
    default: break
    }

    let key = path.lastKey
    if path.hasPrefix("applicationExitMetrics/") { return takeExits(path, key, text) }
    if draft == nil, Self.metaData.contains(key) { beginDiagnostic("crashDiagnostics") }
    takeMetaData(path, key, text)
  }

  /// What stands at the top where one diagnostic was stored by itself.
  private static let metaData: Set = ["terminationReason", "exceptionType", "signal"]
  private static let figureNames: Set = [
    "hangDuration", "totalCPUTime", "totalSampledTime", "launchDuration", "writesCaused",
    "eventDetail",
  ]

  private mutating func takeMetaData(_ path: String, _ key: String, _ text: String) {
    if Self.figureNames.contains(key), figures.count < 8 {
      figures.append("\(key) \(text.prefix(64))")
    }

    // Only within a diagnostic.
    guard var draft else { return }
    defer { self.draft = draft }
    if key == "exceptionType" { draft.known = MachException.end(text) }
    if key == "event", path.hasPrefix(Self.logs) { kind = text.prefix(64) + "Diagnostics" }
    if !ReportKeys.crash.take(key, text, into: &draft) {
      ReportKeys.environment.take(key, text, into: &draft)
    }
  }

  private mutating func takeExits(_ path: String, _ key: String, _ text: String) {
    let place = path.contains("/foregroundExitData/") ? "foreground" : "background"
    guard key.hasPrefix("cumulative"), key.hasSuffix("ExitCount"), let count = UInt64(text),
      exits[place, default: []].count < 32
    else { return }
    let name = String(key.dropFirst(10).dropLast(9).prefix(64))
    if count > 0 { exits[place, default: []].append((name, count)) }
    if exits[place] == nil { exits[place] = [] }
  }

  // MARK: The end

  private mutating func endPayload() {
    if draft != nil { endDiagnostic() }
    for index in pile.reports.indices.dropFirst(crashesBefore) {
      period.note(in: &pile.reports[index])
    }
    if !exits.isEmpty { tellExits() }
    (crashesBefore, exits, period, version) = (pile.reports.count, [:], ReportPeriod(), nil)
  }

  private mutating func tellExits() {
    let build = version.map { " of version \($0)" } ?? ""
    var (sum, bad): (UInt64, [String]) = (0, [])
    for place in ["foreground", "background"] {
      guard let counts = exits[place] else { continue }
      let list = counts.map { "\($0.name) \($0.count)" }
      pile.add(
        note: "exits in the \(place)\(build) \(period.words ?? ""): "
          + (list.isEmpty ? "none" : list.joined(separator: ", ")))

      // What the device lacks is no fault of the app.
      for count in counts where !["NormalApp", "MemoryPressure"].contains(count.name) {
        sum &+= count.count
        bad.append("\(count.count) \(count.name) in the \(place)")
      }
    }
    let words = bad.joined(separator: ", ")
    if sum > 0 { pile.add(.badExits, "\(sum) exits\(build) \(period.words ?? ""): \(words)") }
  }

  mutating func contents() -> ReportContents {
    // What was pasted may have no braces.
    if draft != nil || pile.reports.count > crashesBefore || !exits.isEmpty { endPayload() }
    return pile.contents
  }
}

/// Between which days it happened what a report is about.
struct ReportPeriod {
  var (first, last): (String?, String?)

  /// `between A and B`; `nil` when the report does not say it.
  var words: String? {
    guard let first, let last else { return nil }
    return first == last ? "delivered \(first)" : "between \(first) and \(last)"
  }

  /// What a diagnostic says that is no crash: its figures.
  func words(of kind: some StringProtocol, _ figures: [String]) -> String {
    let list = figures.isEmpty ? "no figures" : figures.joined(separator: ", ")
    return "\(kind) diagnostic\(words.map { " \($0)" } ?? ""): \(list)"
  }

  /// Notes in the report of a crash that its time is one of these days.
  func note(in report: inout TerminationReport) {
    if let words { report.notes.append("when it died is not said: \(words)") }
  }
}
