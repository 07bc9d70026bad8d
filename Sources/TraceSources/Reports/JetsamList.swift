import LifecycleModel
import Run

/// The processes that a JetsamEvent lists, whatever its form, and what that means for one app.
struct JetsamList {
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

  /// The keys beside the list, in JSON and above a table.
  static let keys: ReportKeys = [
    "incident|incident_id|Incident Identifier": .last(\.report.incident),
    "timestamp|date|Date|Date/Time": ReportKey { draft, text, place in
      draft.report.died = draft.report.takeStamp(text, at: place) ?? draft.report.died
    },
    "os_version|build|OS Version": .system,
    "product|Hardware Model": .release(.device),
    "largestProcess|Largest process": .last(\.largest),
    "memoryStatus/pageSize|pageSize|Page size": .call { draft, text in
      if let size = UInt64(text), size > 0, size <= 1 << 20 { return draft.pageSize = size }
      draft.report.noteMisread(text, at: "pageSize")
    },
  ]

  /// The most killed processes that are kept.
  private static let killedKept = 64

  /// What the report says beside its list.
  var draft = ReportDraft(.jetsam)
  /// How many bytes a page has where the report does not say it; `nil` where its systems differ.
  private let usualPage: UInt64?
  private let app: String?
  /// The entry that is asked for.
  private var found: Entry?
  private var killed: [Entry] = []
  private var killedCount = 0
  private(set) var count = 0

  /// A list without entries, for the app with this name or bundle.
  init(app: String?, usualPage: UInt64?) { (self.app, self.usualPage) = (app, usualPage) }

  /// Takes an entry; one that is not whole is passed over.
  mutating func take(_ entry: Entry) {
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

  /// The report about the app; without one, about the only app that was killed.
  var contents: ReportContents {
    var report = draft.report
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
          ?? (count == 0 ? listOfKilled : notListed(app)))
    }
    if !report.notes.contains(listOfKilled) { report.notes.append(listOfKilled) }
    if app == nil, chosen == nil, count > 0 {
      report.notes.append("pass --app with the app's name to be told what happened to it")
    }
    if let largest = draft.largest, largest != report.process {
      report.notes.append(
        "the largest process was \(largest), which says nothing of who was killed")
    }
    var contents = ReportContents()
    contents.add(report)
    return contents
  }

  private func notListed(_ app: String) -> String {
    app.contains(".")
      ? "no process is listed that \(app) ends with: the list names processes, and no bundles; "
        + "pass --app with the name of the process"
      : "\(app) is not listed: it did not run, or was gone already"
  }

  private func tellKill(
    of entry: Entry, _ reason: String, in report: inout TerminationReport
  ) {
    // Since iOS 15 a number may stand with the word.
    let word = reason.split { $0 == " " || $0 == "(" || $0 == ":" }.first.map(String.init) ?? reason
    let code = ExitNamespace.jetsamCode(word)
    if code == nil { report.noteMisread(reason, at: "the reason of \(entry.name)") }
    var end = Termination.killed("JETSAM", code, reason: word)
    if entry.states.contains("frontmost") { end.visibility = "foreground" }
    if entry.states.contains("suspended") || entry.states.contains("idle") {
      end.visibility = "background"
    }
    end.memory = entry.pages.flatMap(megabytes)
    report.end = end

    guard let now = entry.pages.flatMap(size) else { return }
    // The kernel counts the peak now and then, and may have missed this one.
    let peak = entry.mostPages.flatMap { $0 > entry.pages ?? 0 ? size($0) : nil }
    let most = peak.map { ", and \($0) at its peak" } ?? ""
    let isOfLimit = word == "per-process-limit" || word == "highwater"
    let passed = isOfLimit ? " when it passed its limit" : ""
    let missing =
      if draft.pageSize != nil {
        "; the report does not state the limit"
      } else if usualPage != nil {
        ", if a page has 16 KB; the report does not state the limit"
      } else {
        "; the report states neither the limit nor the size of a page"
      }
    report.notes.append("\(entry.name) used \(now)\(passed)\(most)\(missing)")
  }

  private func size(_ pages: UInt64) -> String? {
    draft.pageSize ?? usualPage == nil ? "\(pages) pages" : megabytes(pages)
  }

  /// The size of pages, such as `15.7 MB`.
  private func megabytes(_ pages: UInt64) -> String? {
    guard let pageSize = draft.pageSize ?? usualPage else { return nil }
    let (tenths, overflow) = pages.multipliedReportingOverflow(by: pageSize * 10)
    return overflow ? nil : "\(tenths / (1 << 20) / 10).\(tenths / (1 << 20) % 10) MB"
  }

  private var listOfKilled: String {
    if count == 0 { return "no entry of the list can be read: who was killed is not known" }
    if killedCount == 0 {
      return count == 1
        ? "the only entry is of a process that was not killed; the list may be cut"
        : "no process of the \(count) that are listed was killed"
    }
    let names = killed.prefix(8).map { "\($0.name) (\($0.reason ?? ""))" }
    let rest = killedCount - names.count
    return "killed: " + names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

/// Reads a JetsamEvent report, or entries that were cut out of one.
extension JetsamList: JSONReportReader {
  func most(at path: String) -> Int {
    switch path {
    case "processes", "memoryStatus": .max
    case "states", "processes/states": 8
    default: 0
    }
  }

  mutating func take(_ object: JSONObject, isWhole: Bool) {
    object.forEachText { path, text in Self.keys.take(path, text, into: &draft) }
    // What was pasted may be an entry without its braces, or without its list.
    for process in object.objects("processes") + [object] {
      var entry = Entry()
      entry.name = process["name"] ?? ""
      entry.pid = process["pid"].flatMap { Int32($0) }
      entry.reason = process["reason"]
      entry.pages = process["rpages"].flatMap { UInt64($0) }
      entry.mostPages = process["lifetimeMax"].flatMap { UInt64($0) }
      entry.states = Array(process.texts("states").prefix(8))
      take(entry)
    }
  }
}
