import LifecycleModel
import TraceText

/// Reads payloads of MetricKit: diagnostics, and how often an app exited in a day.
///
/// What App Store Connect hands out, `productData` with `diagnosticLogs`, has the same diagnostics.
/// A payload says between which days something happened, and never when.
struct MetricKitReader: JSONReportReader {
  /// The crashes, and what the payloads say beside them.
  private(set) var contents = ReportContents()

  private static let crash = "crashDiagnostics"
  /// The kinds of diagnostics of a payload, and those of a signature in App Store Connect, each of which names its
  /// kind.
  private static let diagnostics: Set = [
    crash, "hangDiagnostics", "cpuExceptionDiagnostics", "diskWriteExceptionDiagnostics",
    "appLaunchDiagnostics", logs,
  ]
  private static let logs = "productData/diagnosticLogs"
  /// What stands at the top where one diagnostic was stored by itself.
  private static let metaData = ["terminationReason", "exceptionType", "signal"]
  private static let figureNames: Set = [
    "hangDuration", "totalCPUTime", "totalSampledTime", "launchDuration", "writesCaused",
    "eventDetail",
  ]

  func most(at path: String) -> Int {
    // That a crash has a stack is known without what lies in it.
    let isWanted =
      Self.diagnostics.contains(path) || path == "productData"
      || path == Self.crash + "/callStackTree"
      || path.hasSuffix("diagnosticMetaData")
      || path.hasSuffix("diagnosticMetaData/exceptionReason")
      || path.hasSuffix("diagnosticMetaData/objectiveCexceptionReason")
      || path.hasPrefix("applicationExitMetrics")
    return isWanted ? .max : 0
  }

  mutating func take(_ payload: JSONObject, isWhole: Bool) {
    let period = ReportPeriod(first: payload["timeStampBegin"], last: payload["timeStampEnd"])
    for (kind, diagnostic) in payload.objects(where: Self.diagnostics.contains) {
      take(diagnostic, kind, period)
    }
    let isDiagnostic =
      !payload.objects("diagnosticMetaData").isEmpty
      || Self.metaData.contains { payload[$0] != nil }
    if isDiagnostic { take(payload, Self.crash, period) }
    takeExits(payload, period)
  }

  private mutating func take(_ diagnostic: JSONObject, _ place: String, _ period: ReportPeriod) {
    var draft = ReportDraft(.metricKit)
    var (kind, figures): (String, [String]) = (place == Self.logs ? Self.crash : place, [])
    diagnostic.forEachText { path, text in
      let key = path.lastKey
      if Self.figureNames.contains(key), figures.count < 8 {
        figures.append("\(key) \(text.prefix(64))")
      }
      if key == "exceptionType" { draft.known = MachException.end(text) }
      if key == "event", place == Self.logs { kind = text.prefix(64) + "Diagnostics" }
      if !ReportKeys.crash.take(key, text, into: &draft) {
        ReportKeys.environment.take(key, text, into: &draft)
      }
    }
    guard kind == Self.crash else {
      let words = ReportPeriod().words(of: kind.dropLast("Diagnostics".count), figures)
      return kind == "hangDiagnostics" ? contents.add(.hang, words) : contents.add(note: words)
    }

    if draft.heading == nil, draft.code == nil, draft.known == nil {
      // The stack of a crash stands above what says how it ended.
      guard !diagnostic.objects("callStackTree").isEmpty else { return }
      draft.known = .gone
      draft.report.notes.append("the payload is cut off before it says how the process ended")
    }
    // A signal says more than the exception.
    if draft.code != nil { draft.known = nil }
    draft.takeSignal()
    var report = draft.finished()
    period.note(in: &report)
    contents.add(report)
  }

  /// Takes how often the app exited, and in which way.
  private mutating func takeExits(_ payload: JSONObject, _ period: ReportPeriod) {
    let build = payload["appVersion"].map { " of version \($0.prefix(64))" } ?? ""
    var (sum, bad): (UInt64, [String]) = (0, [])
    let places = [("foreground", "foregroundExitData"), ("background", "backgroundExitData")]
    for (place, key) in places {
      var counts: [(name: Substring, count: UInt64)] = []
      for exits in payload.objects("applicationExitMetrics/\(key)") {
        exits.forEachText { path, text in
          guard path.hasPrefix("cumulative"), path.hasSuffix("ExitCount"), counts.count < 32,
            let count = UInt64(text)
          else { return }
          counts.append((path.dropFirst(10).dropLast(9).prefix(64), count))
        }
      }
      if counts.isEmpty { continue }
      counts.removeAll { $0.count == 0 }

      let list = counts.map { "\($0.name) \($0.count)" }
      contents.add(
        note: "exits in the \(place)\(build) \(period.words ?? ""): "
          + (list.isEmpty ? "none" : list.joined(separator: ", ")))
      // What the device lacks is no fault of the app.
      for count in counts where !["NormalApp", "MemoryPressure"].contains(count.name) {
        sum &+= count.count
        bad.append("\(count.count) \(count.name) in the \(place)")
      }
    }
    let words = bad.joined(separator: ", ")
    if sum > 0 { contents.add(.badExits, "\(sum) exits\(build) \(period.words ?? ""): \(words)") }
  }
}

/// Between which days it happened what a report is about.
struct ReportPeriod {
  var (first, last): (String?, String?)

  /// `between A and B`; `nil` when the report does not say it.
  var words: String? {
    guard let first = first?.prefix(64), let last = last?.prefix(64) else { return nil }
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
