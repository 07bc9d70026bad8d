import LifecycleModel

/// Reads the breadcrumbs of Sentry and Bugsnag, and the sessions of Measure.
///
/// Their order and their times are good; one that is missing proves nothing.
struct BreadcrumbReader: JSONReportReader {
  /// Something that the SDK has noted.
  struct Crumb: Hashable {
    /// What it becomes.
    enum Fact: Hashable {
      case notification(LifecycleNotification)
      case processStart
      case note(String)
    }

    var fact: Fact
    /// Nanoseconds since 1970.
    var time: Nanoseconds
  }

  /// The most crumbs that are kept: SDKs keep 25 to 100, a session may be longer.
  private static let most = 1 << 16

  /// What was noted, in the order of the text.
  private var crumbs: [Crumb] = []
  /// The app and the device.
  private var draft = ReportDraft(.breadcrumbs)
  /// What the SDK itself reports about the end.
  private var notes: [String] = []
  private var end = NotedEnd()
  private var fields: [String: String] = [:]
  /// Lifecycle crumbs of Sentry, whose meaning the version of the SDK decides.
  private var sentry: [(state: String, time: Nanoseconds)] = []
  private var version: String?
  private var sceneCount = 0

  // MARK: Objects

  private static let wanted: Set = [
    "", "user", "sentry_sdk_scope", "breadcrumbs", "values", "data", "metaData", "sdk", "events",
    "app", "device", "severityReason", "lifecycle_app", "attribute", "exception", "exceptions",
    "mechanism", "meta", "signal", "attributes", "contexts", "context", "os",
  ]

  mutating func begin(_ path: String, isObject: Bool) -> Bool {
    guard Self.wanted.contains(path.lastKey) else { return false }
    if isObject, Self.isCrumb(path) { fields = [:] }
    return true
  }

  mutating func end(_ path: String, isObject: Bool) {
    if isObject, Self.isCrumb(path) { takeCrumb() }
    if isObject, path.hasSuffix("exception/values") { end.endException() }
  }

  /// Whether the objects at a path are what is looked for.
  private static func isCrumb(_ path: String) -> Bool {
    path.hasSuffix("breadcrumbs") || path.hasSuffix("breadcrumbs/values") || path == "events"
  }

  // MARK: Values

  mutating func value(_ path: String, _ text: String) {
    switch path {
    case "sdk/version", "user/sdk/version", "events/sdk/version": version = text
    case "severityReason/type", "events/severityReason/type":
      note("Bugsnag says of the end: \(text.prefix(64))")
    case "exception/values/mechanism/type", "exception/values/type", "exception/mechanism/type":
      if text.lowercased().contains("watchdog") {
        note(ReportTitle.watchdogGuess)
      }
    default: break
    }

    end.take(path, text)
    Self.keys.take(Self.bare(path), text, into: &draft)
    guard let mark = Self.crumbKey(path), fields.count < 32 else { return }
    fields[mark] = text
  }

  /// The app and the device: in Sentry's contexts, in Bugsnag's `app` and `device`, in Measure's attributes.
  private static let keys: ReportKeys = [
    "contexts/app/app_identifier|context/app/app_identifier|app/id|attribute/app_unique_id":
      .first(\.report.bundle, 128),
    "contexts/app/app_version|context/app/app_version|app/version|attribute/app_version":
      .release(.version),
    "contexts/app/app_build|context/app/app_build|app/bundleVersion|attribute/app_build":
      .release(.build),
    "contexts/device/model|context/device/model|device/model|attribute/device_model":
      .release(.device),
    "contexts/os/version|context/os/version|device/osVersion|attribute/os_version":
      .first(\.report.os, 64),
    "attribute/device_is_physical": .flag(\.report.isSimulator, "false"),
  ]

  /// A path without what the report is wrapped in.
  private static func bare(_ path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.drop { ["events", "user", "sentry_sdk_scope"].contains($0) }
      .joined(separator: "/")
  }

  private mutating func note(_ text: String) {
    if notes.count < 16, !notes.contains(text) { notes.append(text) }
  }

  /// The key within a crumb: `timestamp`, `data/state`.
  private static func crumbKey(_ path: String) -> String? {
    let anchors = ["breadcrumbs/values/", "breadcrumbs/", "events/"]
    return anchors.lazy.compactMap { path.slice.behind($0)?.text }.first
  }

  // MARK: Crumbs

  private mutating func takeCrumb() {
    defer { fields = [:] }
    guard crumbs.count + sentry.count < Self.most, let time = fields["timestamp"].flatMap(Self.time)
    else { return }

    if let state = fields["lifecycle_app/type"] {
      take(Self.measure[state].map { .notification($0) }, at: time)
    } else if fields["type"] == "cold_launch" {
      take(.processStart, at: time)
    } else if fields["category"] == "app.lifecycle", let state = fields["data/state"] {
      sentry.append((String(state.prefix(64)), time))
    } else if fields["category"] == "device.event", fields["data/action"] == "LOW_MEMORY" {
      take(.notification(.applicationDidReceiveMemoryWarning), at: time)
    } else if let name = fields["name"], let notification = Self.bugsnag[name] {
      if notification == .sceneWillConnect { sceneCount += 1 }
      take(.notification(notification), at: time)
    } else if fields["name"] == "Bugsnag loaded" {
      take(.note("Bugsnag loaded"), at: time)
    }
  }

  private mutating func take(_ fact: Crumb.Fact?, at time: Nanoseconds) {
    if let fact { crumbs.append(Crumb(fact: fact, time: time)) }
  }

  /// Reads ISO 8601 with its zone, or seconds since 1970.
  static func time(_ text: String) -> Nanoseconds? {
    if let stamp = ReportStamp(text) { return stamp.hasZone ? stamp.nanoseconds : nil }
    guard let seconds = Double(text), seconds > 0, seconds < 7e9 else { return nil }
    return Nanoseconds(seconds * 1e6) * 1000
  }

  private static let measure: [String: LifecycleNotification] = [
    "foreground": .applicationWillEnterForeground, "background": .applicationDidEnterBackground,
    "terminated": .applicationWillTerminate,
  ]

  private static let bugsnag: [String: LifecycleNotification] = [
    "App Did Enter Background": .applicationDidEnterBackground,
    "App Will Enter Foreground": .applicationWillEnterForeground,
    "App Will Terminate": .applicationWillTerminate,
    "Memory Warning": .applicationDidReceiveMemoryWarning,
    "Scene Will Connect": .sceneWillConnect, "Scene Activated": .sceneDidActivate,
    "Scene Will Deactivate": .sceneWillDeactivate,
    "Scene Will Enter Foreground": .sceneWillEnterForeground,
    "Scene Entered Background": .sceneDidEnterBackground,
    "Scene Disconnected": .sceneDidDisconnect,
  ]

  // MARK: The end

  mutating func contents() -> ReportContents {
    let life = NotedLife(
      crumbs: finished(), about: draft.report, end: end.termination, reported: end.time)
    return ReportContents(notes: notes, noted: life)
  }

  /// What was noted, in order; a state without a known meaning is a note.
  private mutating func finished() -> [Crumb] {
    takeCrumb()
    for (state, time) in sentry {
      let notification = Self.sentry(state, version)
      take(notification.map { .notification($0) } ?? .note("Sentry says: \(state)"), at: time)
    }
    sentry = []

    // Its names carry no scene: with several it is not known which one is meant.
    let isOfSeveral = sceneCount > 1
    let ordered = crumbs.enumerated().map { offset, crumb in
      var crumb = crumb
      if isOfSeveral, case .notification(let name) = crumb.fact, name.hook == .sceneNotifications {
        crumb.fact = .note("\(name.rawValue), of a scene that is not named")
      }
      return (offset, crumb)
    }.sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }.map(\.1)
    return withStarts(ordered)
  }

  /// A session goes on after the app had to terminate: what follows belongs to the next process.
  private func withStarts(_ crumbs: [Crumb]) -> [Crumb] {
    var isOver = false
    return crumbs.flatMap { crumb -> [Crumb] in
      defer { isOver = crumb.fact == .notification(.applicationWillTerminate) }
      let isStart = crumb.fact == .processStart
      return isOver && !isStart ? [Crumb(fact: .processStart, time: crumb.time), crumb] : [crumb]
    }
  }

  /// The meaning of Sentry's states: it changed with version 9.9.0.
  private static func sentry(_ state: String, _ version: String?) -> LifecycleNotification? {
    if state == "background" { return .applicationDidEnterBackground }
    guard let version else { return nil }
    let numbers = version.split(separator: ".").prefix(2).compactMap { Int($0) }
    guard numbers.count == 2 else { return nil }

    let isNew = (numbers[0], numbers[1]) >= (9, 9)
    switch state {
    case "foreground":
      return isNew ? .applicationWillEnterForeground : .applicationDidBecomeActive
    case "active": return .applicationDidBecomeActive
    case "inactive": return .applicationWillResignActive
    default: return nil
    }
  }
}
