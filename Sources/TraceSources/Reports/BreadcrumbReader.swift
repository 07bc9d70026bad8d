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
  /// The app and the device, and what the SDK itself reports about the end.
  private var draft = ReportDraft(.breadcrumbs)
  /// Lifecycle crumbs of Sentry, whose meaning the version of the SDK decides.
  private var sentry: [(state: String, time: Nanoseconds)] = []
  private var version: String?
  private var sceneCount = 0

  private static let wanted: Set = [
    "user", "sentry_sdk_scope", "breadcrumbs", "values", "data", "metaData", "sdk", "events",
    "app", "device", "severityReason", "lifecycle_app", "attribute", "exception", "exceptions",
    "mechanism", "meta", "signal", "attributes", "contexts", "context", "os",
  ]
  /// What a report is wrapped in.
  private static let wrappers: Set<Substring> = ["events", "user", "sentry_sdk_scope"]
  /// Where what was noted stands.
  private static let lists = ["breadcrumbs", "breadcrumbs/values"]

  func most(at path: String) -> Int { Self.wanted.contains(path.lastKey) ? .max : 0 }

  mutating func take(_ object: JSONObject, isWhole: Bool) {
    object.forEachText { path, text in
      let bare = path.split(separator: "/").drop(while: Self.wrappers.contains)
        .joined(separator: "/")
      if bare == "sdk/version" { version = text }
      Self.keys.take(bare, text, into: &draft)
    }
    draft.report.end = draft.report.end ?? NotedEnd.termination(in: object)
    draft.report.died = draft.report.died ?? NotedEnd.time(in: object)
    let crumbs = object.objects { path in
      path == "events" || Self.lists.contains(where: path.hasSuffix)
    }
    for crumb in crumbs { take(crumb.object) }
  }

  /// What the SDK says of the end, and the app and the device: in Sentry's contexts, in Bugsnag's `app` and
  /// `device`, in Measure's attributes.
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
    "severityReason/type": .call { note("Bugsnag says of the end: \($1.prefix(64))", in: &$0) },
    "exception/values/mechanism/type|exception/values/type|exception/mechanism/type": .call {
      if $1.lowercased().contains("watchdog") { note(ReportTitle.watchdogGuess, in: &$0) }
    },
  ]

  private static func note(_ text: String, in draft: inout ReportDraft) {
    let notes = draft.report.notes
    if notes.count < 16, !notes.contains(text) { draft.report.notes.append(text) }
  }

  // MARK: Crumbs

  private mutating func take(_ crumb: JSONObject) {
    var fields: [String: String] = [:]
    crumb.forEachText { path, text in if fields.count < 32 { fields[path] = text } }
    guard crumbs.count + sentry.count < Self.most,
      let time = fields["timestamp"].flatMap({ ReportStamp.nanoseconds(of: $0) })
    else { return }

    if fields["category"] == "app.lifecycle", let state = fields["data/state"] {
      return sentry.append((String(state.prefix(64)), time))
    }
    let row = Self.rows.first { row in row.fields.allSatisfy { fields[$0.key] == $0.value } }
    guard let fact = row?.fact else { return }
    if fact == .notification(.sceneWillConnect) { sceneCount += 1 }
    crumbs.append(Crumb(fact: fact, time: time))
  }

  /// What a crumb with these fields becomes: of Measure, of Sentry, and of Bugsnag.
  private static let rows: [(fields: [String: String], fact: Crumb.Fact)] =
    [
      (["lifecycle_app/type": "foreground"], .notification(.applicationWillEnterForeground)),
      (["lifecycle_app/type": "background"], .notification(.applicationDidEnterBackground)),
      (["lifecycle_app/type": "terminated"], .notification(.applicationWillTerminate)),
      (["type": "cold_launch"], .processStart),
      (
        ["category": "device.event", "data/action": "LOW_MEMORY"],
        .notification(.applicationDidReceiveMemoryWarning)
      ),
      (["name": "Bugsnag loaded"], .note("Bugsnag loaded")),
    ]
    + [
      ("App Did Enter Background", .applicationDidEnterBackground),
      ("App Will Enter Foreground", .applicationWillEnterForeground),
      ("App Will Terminate", .applicationWillTerminate),
      ("Memory Warning", .applicationDidReceiveMemoryWarning),
      ("Scene Will Connect", .sceneWillConnect), ("Scene Activated", .sceneDidActivate),
      ("Scene Will Deactivate", .sceneWillDeactivate),
      ("Scene Will Enter Foreground", .sceneWillEnterForeground),
      ("Scene Entered Background", .sceneDidEnterBackground),
      ("Scene Disconnected", .sceneDidDisconnect),
    ].map { (name: String, notification: LifecycleNotification) in
      (["name": name], .notification(notification))
    }

  // MARK: The end

  var contents: ReportContents {
    var contents = ReportContents()
    for note in draft.report.notes { contents.add(note: note) }
    contents.noted = NotedLife(crumbs: withStarts(ordered), about: draft.report)
    return contents
  }

  /// What was noted, in order; a state without a known meaning is a note.
  private var ordered: [Crumb] {
    let states = sentry.map { state, time in
      let notification = Self.sentry(state, version)
      let fact = notification.map { Crumb.Fact.notification($0) } ?? .note("Sentry says: \(state)")
      return Crumb(fact: fact, time: time)
    }

    // Its names carry no scene: with several it is not known which one is meant.
    let isOfSeveral = sceneCount > 1
    return (crumbs + states).enumerated().map { offset, crumb in
      var crumb = crumb
      if isOfSeveral, case .notification(let name) = crumb.fact, name.hook == .sceneNotifications {
        crumb.fact = .note("\(name.rawValue), of a scene that is not named")
      }
      return (offset, crumb)
    }.sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }.map(\.1)
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
