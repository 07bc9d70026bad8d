import LifecycleModel

/// Reads a JetsamEvent report, or entries that were cut out of one, an entry at a time.
struct JetsamReader: JSONReportReader {
  private var list: JetsamList
  private var entry = JetsamList.Entry()

  /// Reads for the app with this name or bundle.
  init(app: String?) { list = JetsamList(app: app, pageSize: .usual(16_384)) }

  mutating func begin(_ path: String, isObject: Bool) -> Bool {
    switch path {
    case "", "processes":
      if isObject { entry = JetsamList.Entry() }
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
      list.report.died = list.report.takeStamp(text, at: path) ?? list.report.died
      list.report.written = list.report.died
    case "incident", "incident_id": list.report.incident = text
    case "os_version", "build":
      let system = SystemName(text)
      (list.report.platform, list.report.os) = (system.platform, system.version)
    case "product": list.report.release.take(.device, text)
    case "memoryStatus/pageSize", "pageSize": list.take(pageSize: text)
    case "largestProcess": list.largest = text
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
    list.take(entry)
    entry = JetsamList.Entry()
  }

  /// What the report says of the app.
  mutating func contents() -> ReportContents {
    // What was pasted may be an entry without its braces, or without its end.
    takeEntry()
    return ReportContents(reports: [list.told()])
  }
}

extension String {
  fileprivate func drop(prefix: String) -> Substring {
    hasPrefix(prefix) ? dropFirst(prefix.count) : self[...]
  }
}
