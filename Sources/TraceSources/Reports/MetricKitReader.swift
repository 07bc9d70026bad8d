import LifecycleModel
import TraceText

/// Reads payloads of MetricKit: diagnostics, and how often an app exited in a day.
///
/// A payload says between which days something happened, and never when.
struct MetricKitReader: JSONReportReader {
  /// The most crashes, and the most notes, of one file.
  private static let most = 256

  /// The crashes, each with what its payload says.
  private var reports: [TerminationReport] = []
  /// What the payloads say beside crashes.
  private var notes: [String] = []

  private var crashes: [ReportDraft] = []
  private var crashesLeftOut = 0
  private var draft: ReportDraft?
  /// The kind of diagnostic that is read, such as `hangDiagnostics`, and its numbers.
  private var (kind, figures): (String?, [String]) = (nil, [])
  private var period = ReportPeriod()
  private var exits: [String: [(name: String, count: UInt64)]] = [:]
  private var version: String?

  private static let diagnostics: Set = [
    "crashDiagnostics", "hangDiagnostics", "cpuExceptionDiagnostics",
    "diskWriteExceptionDiagnostics", "appLaunchDiagnostics",
  ]

  // MARK: Objects

  mutating func begin(_ path: String, isObject: Bool) -> Bool {
    if Self.diagnostics.contains(path) {
      if isObject { beginDiagnostic(path) }
      return true
    }
    if path == "diagnosticMetaData", draft == nil { beginDiagnostic("crashDiagnostics") }
    return path.isEmpty || path.hasSuffix("diagnosticMetaData")
      || path.hasSuffix("diagnosticMetaData/exceptionReason")
      || path.hasPrefix("applicationExitMetrics")
  }

  private mutating func beginDiagnostic(_ kind: String) {
    (self.kind, figures) = (kind, [])
    draft = ReportDraft(.metricKit)
  }

  mutating func end(_ path: String, isObject: Bool) {
    guard isObject else { return }
    if Self.diagnostics.contains(path) { endDiagnostic() }
    if path.isEmpty { endPayload() }
  }

  private mutating func endDiagnostic() {
    defer { (draft, kind, figures) = (nil, nil, []) }
    guard let draft, let kind else { return }

    if kind == "crashDiagnostics" {
      guard draft.heading != nil || draft.code != nil || draft.known != nil else { return }
      if crashes.count + reports.count < Self.most {
        crashes.append(draft)
      } else {
        crashesLeftOut += 1
      }
    } else {
      let name = kind.dropLast("Diagnostics".count)
      let told = figures.isEmpty ? "no figures" : figures.joined(separator: ", ")
      note("\(name) diagnostic: \(told)")
    }
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
    takeMetaData(key, text)
  }

  /// What stands at the top where one diagnostic was stored by itself.
  private static let metaData: Set = ["terminationReason", "exceptionType", "signal"]
  private static let figureNames: Set = [
    "hangDuration", "totalCPUTime", "totalSampledTime", "launchDuration", "writesCaused",
  ]

  private mutating func takeMetaData(_ key: String, _ text: String) {
    if Self.figureNames.contains(key), figures.count < 8 {
      figures.append("\(key) \(text.prefix(64))")
    }

    // Only within a diagnostic.
    guard var draft else { return }
    defer { self.draft = draft }
    if key == "exceptionType" { draft.known = MachException.end(text) }
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
    for var draft in crashes {
      // A signal says more than the exception.
      if draft.code != nil { draft.known = nil }
      draft.takeSignal()
      var report = draft.finished()
      period.note(in: &report)
      reports.append(report)
    }

    if !exits.isEmpty { tellExits() }
    (crashes, exits, period, version) = ([], [:], ReportPeriod(), nil)
  }

  private mutating func tellExits() {
    let build = version.map { " of version \($0)" } ?? ""
    for place in ["foreground", "background"] {
      guard let counts = exits[place] else { continue }
      let list = counts.map { "\($0.name) \($0.count)" }
      note(
        "exits in the \(place)\(build) \(period.words ?? ""): "
          + (list.isEmpty ? "none" : list.joined(separator: ", ")))
    }
  }

  private mutating func note(_ text: String) {
    if notes.count < Self.most { notes.append(text) }
  }

  mutating func contents() -> ReportContents {
    // What was pasted may have no braces.
    if draft != nil || !crashes.isEmpty || !exits.isEmpty { endPayload() }
    if crashesLeftOut > 0 {
      notes.append(
        "\(crashesLeftOut) more crashes are in the payload; the first \(Self.most) are told")
    }
    return ReportContents(reports: reports, notes: notes)
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

  /// Notes in the report of a crash that its time is one of these days.
  func note(in report: inout TerminationReport) {
    if let words { report.notes.append("when it died is not said: \(words)") }
  }
}
