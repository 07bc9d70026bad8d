import LifecycleModel
import Run

/// Reads the diagnostic reports of iOS 27, which follow MetricKit's payloads: a `timeRange`, an
/// `environment`, and a `result` that is one diagnostic.
///
/// As in a payload, no report says when something happened. How the cases of the result are nested
/// depends on who stored the report: their names are looked for at any depth.
struct DiagnosticReportReader: JSONReportReader {
  /// The crashes, and what the reports say beside them.
  private var pile = ReportPile()
  private var draft = ReportDraft(.diagnosticReport)
  private var category: String?
  private var isCrash = false
  /// The case of the result that is no crash, and its figures.
  private var (kind, figures): (String?, [String]) = (nil, [])
  private var period = ReportPeriod()

  // MARK: Objects

  private static let parts: Set<Substring> = ["timeRange", "environment", "result"]

  /// The keys from the part of the report on: `result`, `crash`, `terminationCategory`.
  private static func keys(_ path: String) -> [Substring] {
    let all = path.split(separator: "/").filter { $0 != "_0" }
    return Array(all.drop { !parts.contains($0) })
  }

  mutating func begin(_ path: String, isObject: Bool) -> Bool {
    let keys = Self.keys(path)
    if keys.last == "callStackTree" || keys.contains("signpostData") { return false }
    if isObject, keys == ["environment", "states"] { draft.states.begin() }
    if isObject, keys.count == 2, keys[0] == "result" { beginResult(String(keys[1].prefix(64))) }
    return true
  }

  private mutating func beginResult(_ name: String) {
    isCrash = name == "crash"
    kind = isCrash ? nil : name
  }

  mutating func end(_ path: String, isObject: Bool) {
    guard isObject else { return }
    let keys = Self.keys(path)
    if keys == ["environment", "states"] { draft.states.end() }
    if keys.isEmpty { endReport() }
  }

  // MARK: Values

  mutating func value(_ path: String, _ text: String) {
    let keys = Self.keys(path)
    guard let part = keys.first, let key = keys.last else { return takeMember(path, text) }
    switch part {
    case "timeRange": takeTime(String(key), text)
    case "environment" where keys.dropFirst().first == "states":
      draft.states.take(String(key), text)
    case "environment":
      ReportKeys.environment.take(String(key), text, into: &draft, at: "environment.\(key)")
    default: takeResult(String(key), text)
    }
  }

  private mutating func takeTime(_ key: String, _ text: String) {
    guard let stamp = ReportStamp(text).map({ _ in String(text.prefix(64)) }) else {
      return draft.report.noteMisread(text, at: "timeRange.\(key)")
    }
    switch key {
    case "start", "begin", "lowerBound": period.first = stamp
    case "end", "upperBound": period.last = stamp
    default: break
    }
  }

  private mutating func takeResult(_ key: String, _ text: String) {
    if key == "terminationCategory" {
      (category, isCrash) = (String(text.prefix(64)), true)
    } else if !ReportKeys.crash.take(key, text, into: &draft), figures.count < 8 {
      figures.append("\(key.prefix(64)) \(text.prefix(64))")
    }
  }

  /// What stands at the top where the crash was stored by itself.
  private mutating func takeMember(_ path: String, _ text: String) {
    if path == "terminationCategory" || category != nil { takeResult(path, text) }
  }

  // MARK: The end

  private mutating func endReport() {
    draft.states.end()
    if isCrash {
      takeCrash()
    } else if let kind {
      pile.add(note: period.words(of: kind, figures))
    }
    let pile = pile
    self = DiagnosticReportReader()
    self.pile = pile
  }

  private mutating func takeCrash() {
    // The text of the termination says more than its category, and that more than a signal.
    if draft.heading == nil, let category {
      draft.known = ReportCategory.end(category, signal: draft.code.flatMap { UInt64($0) })
      if draft.known == nil { draft.report.noteMisread(category, at: "terminationCategory") }
    }
    draft.takeSignal()
    var report = draft.finished()

    draft.states.put(into: &report)
    period.note(in: &report)
    pile.add(report)
  }

  mutating func contents() -> ReportContents {
    // What was pasted may have no braces.
    if isCrash || kind != nil { endReport() }
    return pile.contents
  }
}

/// The categories of terminations by iOS 27, which say less than the codes that they stand for.
private enum ReportCategory {
  /// The end that a category stands for; `nil` for one that is not known.
  static func end(_ category: String, signal: UInt64?) -> Termination? {
    switch category {
    case "normal": Termination(kind: .exited(status: nil), reason: category)
    case "watchdog": killed("FRONTBOARD", KillCode.watchdog, category)
    case "fileLock": killed("RUNNINGBOARD", 0xdead_10cc, category)
    case "taskTimeout":
      killed(nil, nil, "\(category): active assertions beyond permitted time")
    case "memoryLimit": .jetsam(7)
    case "systemPressure", "memoryPressure": killed("JETSAM", nil, category)
    case "cpuLimit": .signal(9, reason: "CPU limit: \(category)")
    case "badAccess", "abnormal": .signal(signal, reason: category)
    case "illegalInstruction": .signal(signal ?? 4, reason: category)
    default: nil
    }
  }

  private static func killed(
    _ namespace: String?, _ code: UInt64?, _ reason: String
  ) -> Termination {
    Termination(kind: .killed(namespace: namespace, code: code), reason: reason)
  }
}
