import LifecycleModel
import Run

/// Reads reports of KSCrash, and of SentryCrash, which is made after it.
///
/// An end that a handler has seen is a fact. What KSCrash concludes at the next launch, such as a lack of memory,
/// is read as the end, and said to be a conclusion.
struct KSCrashReader: JSONReportReader {
  private var pile = ReportPile()
  private var draft = ReportDraft(.ksCrash)
  /// What `crash.error` says, by its paths.
  private var error: [String: String] = [:]
  /// What the report says of the app's state, by its keys.
  private var state: [String: String] = [:]
  private var system: (name: String?, version: String?)
  private var thread = -1
  private var frames: [ReportFrame] = []
  private var frame: (symbol: String?, image: String?)
  private var isCrashed = false

  private static let keys: ReportKeys = [
    "report/id": .last(\.report.incident),
    "report/process_name|system/process_name": .call { if !$1.isEmpty { $0.report.process = $1 } },
    "report/timestamp": .call { $0.report.died = KSCrashReader.time($1) },
    "crash/diagnosis": .call { $0.report.notes.append("KSCrash says: " + $1.prefix(256)) },
    "system/CFBundleIdentifier": .last(\.report.bundle),
    "system/CFBundleShortVersionString": .release(.version),
    "system/CFBundleVersion": .release(.build),
    "system/machine": .release(.device),
    "system/process_id": .pid,
    "system/app_start_time": .call { $0.report.launched = KSCrashReader.time($1) },
  ]

  // MARK: Objects

  mutating func begin(_ path: String, isObject: Bool) -> Bool {
    if isObject, path == "crash/threads" {
      thread += 1
      (frames, isCrashed) = ([], false)
      return thread < 4096
    }
    return ["", "crash", "crash/threads", "crash/threads/backtrace"].contains(path)
      || path.hasPrefix("report") || path == "system" || path == "system/application_stats"
      || path == "crash/threads/backtrace/contents" || path.hasPrefix("crash/error")
  }

  mutating func end(_ path: String, isObject: Bool) {
    if isObject, path == "crash/threads" { endThread() }
    if isObject, path == "crash/threads/backtrace/contents" { endFrame() }
    if isObject, path.isEmpty { endReport() }
  }

  private mutating func endFrame() {
    if let symbol = frame.symbol, frames.count < ReportDraft.framesKept {
      frames.append(ReportFrame(symbol, image: frame.image))
    }
    frame = (nil, nil)
  }

  private mutating func endThread() {
    if isCrashed { draft.report.crashedThread = thread }
    if isCrashed || thread == 0 { draft.frames[thread] = frames }
  }

  // MARK: Values

  mutating func value(_ path: String, _ text: String) {
    if let key = path.dropping("crash/error/") {
      if error.count < 64 { error[key] = String(text.prefix(Termination.longestText)) }
    } else if let key = path.dropping("system/application_stats/") {
      if state.count < 64 { state[key] = text }
    } else {
      switch path {
      case "system/system_name": system.name = text
      case "system/system_version": system.version = text
      case "crash/threads/crashed": isCrashed = text == "true"
      case "crash/threads/backtrace/contents/object_name": frame.image = text
      case "crash/threads/backtrace/contents/symbol_name": frame.symbol = text
      default: Self.keys.take(path, text, into: &draft)
      }
    }
  }

  /// Reads ISO 8601, or seconds or microseconds since 1970.
  private static func time(_ text: String) -> Nanoseconds? {
    if let stamp = ReportStamp(text) { return stamp.hasZone ? stamp.nanoseconds : nil }
    guard let number = Double(text), number > 0, number < 7e15 else { return nil }
    return Nanoseconds(number < 7e9 ? number * 1e6 : number) * 1000
  }

  // MARK: The end

  private mutating func endReport() {
    defer {
      let next = KSCrashReader()
      let done = pile
      self = next
      pile = done
    }
    guard !error.isEmpty else { return }

    if let name = system.name, let version = system.version {
      ReportKey.system.take(&draft, "\(name) \(version)", "system")
    }
    draft.report.role = state["application_in_foreground"].map {
      $0 == "true" ? "Foreground" : "Background"
    }
    draft.known = known
    draft.report.notes += notes
    pile.add(draft.finished())
  }

  /// The end that the error is; `nil` for what an app only reports about itself.
  private var known: Termination? {
    switch error["type"] {
    case "nsexception":
      return exception(error["nsexception/name"] ?? error["name"])
    case "cpp_exception": return exception(error["cpp_exception/name"])
    case "deadlock":
      return Termination(kind: .killed(namespace: nil, code: nil), reason: "deadlock")
    case "memory_termination": return overMemory
    case "termination": return concluded
    case "user", "user_reported", nil: return nil
    default: break
    }

    let number = error["signal/signal"].flatMap { UInt64($0) } ?? 0
    if DarwinSignal.isKnown(number) { return .signal(number, reason: error["reason"]) }
    return error["mach/exception"].map { MachException.end($0) }
  }

  private func exception(_ name: String?) -> Termination {
    var end = Termination.signal(6)
    (end.exception, end.reason) = (name ?? "an exception", error["reason"])
    return end
  }

  private var overMemory: Termination {
    var end = Termination.jetsam(7)
    end.memory = error["memory_termination/memory_footprint"].flatMap(Self.megabytes)
    end.memoryLimit = error["memory_termination/memory_limit"].flatMap(Self.megabytes)
    return end
  }

  private static func megabytes(_ bytes: String) -> String? {
    UInt64(bytes).map { "\($0 / 1_000_000) MB" }
  }

  /// The end that KSCrash concludes from the app's last state.
  private var concluded: Termination? {
    switch error["termination_reason"] {
    case "memory_limit": .jetsam(7)
    case "memory_pressure": .jetsam(4)
    case "clean", nil: nil
    case let word?: Termination(kind: .killed(namespace: nil, code: nil), reason: word)
    }
  }

  /// What is to be known beside the end.
  private var notes: [String] {
    switch error["type"] {
    case "memory_termination", "termination":
      ["KSCrash concludes the end at the next launch; no report of the system says it"]
    case "deadlock":
      ["KSCrash's own watchdog ended the app, as its main thread did not answer"]
    case "user", "user_reported": ["the app itself made the report: it went on"]
    default: []
    }
  }

  /// What was read.
  mutating func contents() -> ReportContents {
    if !error.isEmpty { endReport() }
    return pile.contents
  }
}

extension String {
  /// The text behind a prefix; `nil` without it.
  fileprivate func dropping(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
