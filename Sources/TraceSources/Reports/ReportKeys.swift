import LifecycleModel

/// What a value fills in a draft: a row of the table of a form.
struct ReportKey: Sendable {
  typealias Field<Value> = WritableKeyPath<ReportDraft, Value> & Sendable

  /// Takes a text; `place` is where it stands, for a note on what is not understood.
  let take: @Sendable (_ draft: inout ReportDraft, _ text: String, _ place: String) -> Void

  static func call(_ take: @escaping @Sendable (inout ReportDraft, String) -> Void) -> Self {
    Self { draft, text, _ in take(&draft, text) }
  }

  /// The last text under the key.
  static func last(_ field: Field<String?>) -> Self { .call { $0[keyPath: field] = $1 } }

  /// The first text, cut at `longest` characters.
  static func first(_ field: Field<String?>, _ longest: Int = .max) -> Self {
    .call { $0[keyPath: field] = $0[keyPath: field] ?? String($1.prefix(longest)) }
  }

  /// Every text, up to ``ReportDraft/longestInformation``.
  static func each(_ field: Field<[String]>) -> Self {
    .call { draft, text in
      let isRoom = draft[keyPath: field].count < ReportDraft.longestInformation
      if isRoom { draft[keyPath: field].append(text) }
    }
  }

  /// True where the text is one of `words`.
  static func flag(_ field: Field<Bool>, _ words: String...) -> Self {
    .call { if words.contains($1) { $0[keyPath: field] = true } }
  }

  static func number(_ field: Field<UInt64?>) -> Self { .call { $0[keyPath: field] = UInt64($1) } }

  static func stamp(_ field: Field<Nanoseconds?>) -> Self {
    Self { $0[keyPath: field] = $0.report.takeStamp($1, at: $2) }
  }

  static func release(_ key: AttributeKey) -> Self { .call { $0.report.release.take(key, $1) } }

  static let pid = Self {
    $0.report.pid = Int32($1)
    if $0.report.pid == nil { $0.report.noteMisread($1, at: $2) }
  }
  static let system = call { $0.report.take(system: $1) }
  /// The architecture of the processor, which decides how long a tick is.
  static let processor = call { $0.report.hasKnownTicks = $1.hasPrefix("ARM") }
  /// The process that has started this one.
  static let parent = call { if $1.hasPrefix("launchd_sim") { $0.report.isSimulator = true } }
  /// What stands beside the exception: a limit, or of a bad access what was wrong with the address.
  static let exceptionSubtype = call { draft, text in
    if text.hasPrefix(ReportDraft.launchHang) { draft.isLaunchHang = true }
    let isOfLimit = draft.exceptionType?.hasPrefix("EXC_RESOURCE") == true
    if isOfLimit { draft.exceptionDetail = draft.exceptionDetail ?? text }
    draft.fault = ReportDraft.fault(in: text) ?? draft.fault
  }
}

/// The table of a form: its keys, and what each of them fills.
///
/// A key is a path in JSON, whose array has `[]` behind it if its elements are texts, or what stands before
/// the colon of a line. `|` separates keys that mean the same.
struct ReportKeys: ExpressibleByDictionaryLiteral, Sendable {
  private var rows: [String: ReportKey] = [:]
  /// The paths of the objects and arrays in which keys stand.
  private(set) var places: Set = [""]

  init(dictionaryLiteral elements: (String, ReportKey)...) {
    for (keys, row) in elements {
      for key in keys.split(separator: "|") {
        let path = key.hasSuffix("[]") ? key.dropLast(2) : key
        rows[String(path)] = row
        if key.hasSuffix("[]") { places.insert(String(path)) }
        places.formUnion(path.indices.filter { path[$0] == "/" }.map { String(path[..<$0]) })
      }
    }
  }

  /// Takes a text under a key, which stands at `place` if that is not the key; false for other keys.
  @discardableResult
  func take(
    _ key: String, _ text: String, into draft: inout ReportDraft, at place: String? = nil
  ) -> Bool {
    guard let row = rows[key] else { return false }
    row.take(&draft, text, place ?? key)
    return true
  }

  /// Whether a key is in the table.
  func has(_ key: String) -> Bool { rows[key] != nil }

  /// The keys of MetricKit, and of what follows it, for the app and its process.
  static let environment: ReportKeys = [
    "pid": .pid,
    "bundleIdentifier": .last(\.report.bundle),
    "appVersion": .release(.version),
    "appBuildVersion": .release(.build),
    "deviceType": .release(.device),
    "osVersion|operatingSystemVersion": .system,
  ]

  /// The keys of both for a crash.
  static let crash: ReportKeys = [
    "terminationReason": .last(\.heading),
    "signal": .last(\.code),
    "exceptionName": .last(\.exceptionName),
    "className": .first(\.exceptionName),
    "composedMessage": .last(\.exceptionWords),
    "virtualMemoryRegionInfo": .call { draft, text in
      let isOutside = text.contains(" is not in any region")
      draft.region = isOutside ? text.slice.before(".").text : draft.region
    },
  ]
}

extension TerminationReport {
  private static let platforms = [
    "iPhone OS": "ios", "iPadOS": "ipados", "iOS": "ios", "tvOS": "tvos", "Apple TVOS": "tvos",
    "Watch OS": "watchos", "watchOS": "watchos", "visionOS": "visionos", "xrOS": "visionos",
  ]

  /// Takes a system and its version, as reports write them: `iPhone OS 18.2 (22C152)`.
  mutating func take(system text: String) {
    let words = text.prefix { $0 != "(" }.split(separator: " ")
    let name = words.prefix { $0.first?.isNumber != true }.joined(separator: " ")
    platform = Self.platforms[name]
    hostOS = words.last { $0.first?.isNumber == true }.map(String.init)
    // The version of the host says nothing of the simulator's.
    os = platform == nil ? nil : hostOS
  }
}
