import LifecycleModel
import Run

/// Reads the diagnostic reports of iOS 27, which follow MetricKit's payloads: a `timeRange`, an
/// `environment`, and a `result` that is one diagnostic.
///
/// As in a payload, no report says when something happened. How the cases of the result are nested
/// depends on who stored the report: their names are looked for at any depth.
struct DiagnosticReportReader: JSONReportReader {
  /// The crashes, and what the reports say beside them.
  private(set) var contents = ReportContents()
  private static let parts: Set<Substring> = ["timeRange", "environment", "result"]

  func most(at path: String) -> Int {
    path.lastKey == "callStackTree" || path.contains("signpostData") ? 0 : .max
  }

  mutating func take(_ object: JSONObject, isWhole: Bool) {
    let wrapped = object.objects { Self.parts.isDisjoint(with: $0.split(separator: "/")) }
    for report in wrapped.map(\.object) + [object] { takeReport(report) }
  }

  private mutating func takeReport(_ object: JSONObject) {
    var draft = ReportDraft(.diagnosticReport)
    let period = period(object.objects("timeRange"), &draft)
    for environment in object.objects("environment") {
      environment.forEachText { path, text in
        if path.hasPrefix("states/") { return }
        let key = path.lastKey
        ReportKeys.environment.take(key, text, into: &draft, at: "environment.\(key)")
      }
    }

    // Some that store a crash by itself drop what is around it.
    let results = object.objects("result")
    var (category, figures): (String?, [String]) = (nil, [])
    for result in results + (object["terminationCategory"] == nil ? [] : [object]) {
      result.forEachText { path, text in
        let key = path.lastKey
        if key == "terminationCategory" {
          category = String(text.prefix(64))
        } else if !ReportKeys.crash.take(key, text, into: &draft), figures.count < 8 {
          figures.append("\(key.prefix(64)) \(text.prefix(64))")
        }
      }
    }

    let kind = results.compactMap(Self.name(of:)).last
    guard kind == "crash" || category != nil else {
      if let kind { contents.add(note: period.words(of: kind.prefix(64), figures)) }
      return
    }
    // The text of the termination says more than its category, and that more than a signal.
    if draft.heading == nil, let category {
      draft.known = Self.end(category, signal: draft.code.flatMap { UInt64($0) })
      if draft.known == nil { draft.report.noteMisread(category, at: "terminationCategory") }
    }
    draft.takeSignal()
    var report = draft.finished()
    report.take(states: object.objects(TerminationReport.statesPath))
    period.note(in: &report)
    contents.add(report)
  }

  /// The name of the case that a result is; an encoder of Swift puts `_0` between it and what it holds.
  private static func name(of result: JSONObject) -> String? {
    result.objects {
      $0.lastKey != "_0" && $0.withoutPrefix("_0/").split(separator: "/").count == 1
    }
    .last?.path.lastKey
  }

  private func period(_ ranges: [JSONObject], _ draft: inout ReportDraft) -> ReportPeriod {
    var period = ReportPeriod()
    for range in ranges {
      range.forEachText { path, text in
        let key = path.lastKey
        guard ReportStamp(text) != nil else {
          return draft.report.noteMisread(text, at: "timeRange.\(key)")
        }
        switch key {
        case "start", "begin", "lowerBound": period.first = text
        case "end", "upperBound": period.last = text
        default: break
        }
      }
    }
    return period
  }

  /// The end that a category of iOS 27 stands for, which says less than a code; `nil` for one that is not known.
  private static func end(_ category: String, signal: UInt64?) -> Termination? {
    switch category {
    case "normal": .exited(nil, reason: category)
    case "watchdog": .killed("FRONTBOARD", KillCode.watchdog, reason: category)
    case "fileLock": .killed("RUNNINGBOARD", 0xdead_10cc, reason: category)
    case "taskTimeout": .killed(reason: "\(category): active assertions beyond permitted time")
    case "memoryLimit": .jetsam(7)
    case "systemPressure", "memoryPressure": .killed("JETSAM", reason: category)
    case "cpuLimit": .signal(9, reason: "CPU limit: \(category)")
    case "badAccess", "abnormal": .signal(signal, reason: category)
    case "illegalInstruction": .signal(signal ?? 4, reason: category)
    default: nil
    }
  }
}
