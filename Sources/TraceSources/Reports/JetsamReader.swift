import LifecycleModel
import TraceText

/// Reads a JetsamEvent report, or entries that were cut out of one, an entry at a time.
struct JetsamReader: LooseJSONHandler {
  /// A process of the list.
  struct Entry: Hashable {
    var name = ""
    var pid: Int32?
    var states: [String] = []
    /// Only those that were killed have one.
    var reason: String?
    var pages: UInt64?
    var mostPages: UInt64?
    /// Whether it has what every entry has.
    var isWhole: Bool { !name.isEmpty && pages != nil }
  }

  /// So many that were killed are named.
  private static let killedKept = 64

  private let app: String?
  private var entry = Entry()
  /// The entry that is asked for.
  private var found: Entry?
  private var killed: [Entry] = []
  private var killedCount = 0
  private var count = 0
  private var pageSize: UInt64 = 16_384
  private var hasPageSize = false
  private var largest: String?
  private var report = TerminationReport(.jetsam)

  /// Reads for the app with this name or bundle.
  init(app: String?) { self.app = app }

  mutating func begin(_ path: String, isObject: Bool) -> Bool {
    switch path {
    case "", "processes":
      if isObject { entry = Entry() }
      return true
    case "states", "processes/states", "memoryStatus": return true
    default: return false
    }
  }

  mutating func end(_ path: String, isObject: Bool) {
    if isObject, path == "processes" || path.isEmpty { takeEntry() }
  }

  mutating func value(_ path: String, _ text: String) {
    switch path {
    case "timestamp", "date":
      report.died = ReportStamp(text)?.nanoseconds ?? report.died
      report.written = report.died
    case "incident", "incident_id": report.incident = text
    case "os_version", "build":
      let system = SystemName(text)
      (report.platform, report.os) = (system.platform, system.version)
    case "memoryStatus/pageSize", "pageSize":
      if let size = UInt64(text), size > 0, size <= 1 << 20 {
        (pageSize, hasPageSize) = (size, true)
      }
    case "largestProcess": largest = text
    default: takeMember(String(path.drop(prefix: "processes/")), text)
    }
  }

  private mutating func takeMember(_ key: String, _ text: String) {
    switch key {
    case "name": entry.name = text
    case "pid": entry.pid = Int32(text)
    case "reason": entry.reason = text
    case "rpages": entry.pages = UInt64(text)
    case "lifetimeMax": entry.mostPages = UInt64(text)
    case "states": if entry.states.count < 8 { entry.states.append(text) }
    default: break
    }
  }

  private mutating func takeEntry() {
    defer { entry = Entry() }
    guard entry.isWhole else { return }
    count += 1
    if let app, isApp(app, entry.name) { found = found?.reason == nil ? entry : found }
    guard entry.reason != nil else { return }
    killedCount += 1
    if killed.count < Self.killedKept { killed.append(entry) }
  }

  /// Whether an entry is the app's: names are cut at 32 bytes, and a bundle ends with the name.
  private func isApp(_ app: String, _ name: String) -> Bool {
    if name == app { return true }
    if name.utf8.count >= 32, app.hasPrefix(name) { return true }
    return app.split(separator: ".").last.map { $0.lowercased() == name.lowercased() } ?? false
  }

  // MARK: The verdict

  /// What the report says of the app; without one, of the only app that was killed.
  func finished() -> TerminationReport {
    var reader = self
    // What was pasted may be an entry without its braces, or without its end.
    reader.takeEntry()
    return reader.told()
  }

  private func told() -> TerminationReport {
    var report = report
    let apps = killed.filter { !$0.states.contains("daemon") }
    let chosen = app == nil && apps.count == 1 ? apps.first : found
    report.process = chosen?.name ?? app
    report.pid = chosen?.pid

    if let chosen, let reason = chosen.reason {
      tellKill(of: chosen, reason, in: &report)
    } else if let app {
      let states = found?.states.joined(separator: ", ") ?? ""
      report.notes.append(
        found.map { "\($0.name) is listed (\(states)) and was not killed by this event" }
          ?? "\(app) is not listed: it did not run, or was gone already")
    }
    report.notes.append(listOfKilled)
    if app == nil, chosen == nil {
      report.notes.append("pass --app with the app's name to be told what happened to it")
    }
    if let largest, largest != report.process {
      report.notes.append(
        "the largest process was \(largest), which says nothing of who was killed")
    }
    return report
  }

  private func tellKill(
    of entry: Entry, _ reason: String, in report: inout TerminationReport
  ) {
    // Since iOS 15 a number may stand with the word.
    let word = reason.split { $0 == " " || $0 == "(" || $0 == ":" }.first.map(String.init) ?? reason
    var end = Termination(
      kind: .killed(namespace: "JETSAM", code: ExitNamespace.jetsamCode(word)), reason: word)
    if entry.states.contains("frontmost") { end.visibility = "foreground" }
    if entry.states.contains("suspended") || entry.states.contains("idle") {
      end.visibility = "background"
    }
    end.memory = entry.pages.flatMap(megabytes)
    report.end = end

    guard let now = end.memory else { return }
    let most = entry.mostPages.flatMap(megabytes).map { ", \($0) at the most in its life" } ?? ""
    let size = hasPageSize ? "" : ", if a page has 16 KB"
    let words = word == "per-process-limit" || word == "highwater" ? "passed its limit at" : "had"
    report.notes.append(
      "\(entry.name) \(words) \(now)\(most)\(size); the limit is not in the report")
  }

  /// `15.7 MB` of so many pages.
  private func megabytes(_ pages: UInt64) -> String? {
    let (bytes, overflow) = pages.multipliedReportingOverflow(by: pageSize)
    if overflow { return nil }
    let (tenths, more) = bytes.multipliedReportingOverflow(by: 10)
    return more ? nil : "\(tenths / (1 << 20) / 10).\(tenths / (1 << 20) % 10) MB"
  }

  private var listOfKilled: String {
    if killedCount == 0 { return "no process of the \(count) that are listed was killed" }
    let names = killed.prefix(8).map { "\($0.name) (\($0.reason ?? ""))" }
    let rest = killedCount - names.count
    return "killed: " + names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension String {
  fileprivate func drop(prefix: String) -> Substring {
    hasPrefix(prefix) ? dropFirst(prefix.count) : self[...]
  }
}
