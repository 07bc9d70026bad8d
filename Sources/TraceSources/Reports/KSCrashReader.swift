import LifecycleModel
import Run

/// Reads reports of KSCrash, and of SentryCrash, which is made after it.
///
/// An end that a handler has seen is a fact. What KSCrash concludes at the next launch, such as a lack of memory,
/// is read as the end, and said to be a conclusion.
struct KSCrashReader: JSONReportReader {
  private(set) var contents = ReportContents()
  /// What `crash.error` says, by its paths.
  private var error: [String: String] = [:]

  private static let keys: ReportKeys = [
    "report/id": .last(\.report.incident),
    "report/process_name|system/process_name": .call { if !$1.isEmpty { $0.report.process = $1 } },
    "report/timestamp": .call {
      $0.report.died = ReportStamp.nanoseconds(of: $1, orMicroseconds: true)
    },
    "crash/diagnosis": .call { $0.report.notes.append("KSCrash says: " + $1.prefix(256)) },
    "system/CFBundleIdentifier": .last(\.report.bundle),
    "system/CFBundleShortVersionString": .release(.version),
    "system/CFBundleVersion": .release(.build),
    "system/machine": .release(.device),
    "system/process_id": .pid,
    "system/app_start_time": .call {
      $0.report.launched = ReportStamp.nanoseconds(of: $1, orMicroseconds: true)
    },
    "system/application_stats/application_in_foreground": .call {
      $0.report.role = $1 == "true" ? "Foreground" : "Background"
    },
  ]

  func most(at path: String) -> Int {
    switch path {
    case "crash/threads": 4096
    case "crash", "crash/threads/backtrace", "system", "system/application_stats": 1
    case "crash/threads/backtrace/contents": 64
    default: path.hasPrefix("report") || path.hasPrefix("crash/error") ? 64 : 0
    }
  }

  mutating func take(_ object: JSONObject, isWhole: Bool) {
    var draft = ReportDraft(.ksCrash)
    error = [:]
    object.forEachText { path, text in
      if path.hasPrefix("crash/error/") {
        if error.count < 64 {
          error[path.withoutPrefix("crash/error/")] = String(text.prefix(Termination.longestText))
        }
      } else {
        Self.keys.take(path, text, into: &draft)
      }
    }
    guard !error.isEmpty else { return }

    if let system = object.objects("system").last, let name = system["system_name"],
      let version = system["system_version"]
    {
      ReportKey.system.take(&draft, "\(name) \(version)", "system")
    }
    takeThreads(object.objects("crash/threads"), into: &draft)
    let (end, note) = known
    draft.known = end
    if let note { draft.report.notes.append(note) }
    contents.add(draft.finished())
  }

  private func takeThreads(_ threads: [JSONObject], into draft: inout ReportDraft) {
    for (index, thread) in threads.enumerated() {
      let isCrashed = thread["crashed"] == "true"
      if isCrashed { draft.report.crashedThread = index }
      guard isCrashed || index == 0 else { continue }
      draft.frames[index] = thread.objects("backtrace/contents").compactMap { frame in
        frame["symbol_name"].map { ReportFrame($0, image: frame["object_name"]) }
      }
    }
  }

  // MARK: The end

  /// The end that the error is, `nil` for what an app only reports about itself; and what is to be known beside it.
  private var known: (end: Termination?, note: String?) {
    let conclusion =
      "KSCrash concludes the end at the next launch; no report of the system says it"
    switch error["type"] {
    case "nsexception": return (exception(error["nsexception/name"] ?? error["name"]), nil)
    case "cpp_exception": return (exception(error["cpp_exception/name"]), nil)
    case "deadlock":
      return (
        .deadlock,
        "KSCrash's own watchdog ended the app, as its main thread did not answer"
      )
    case "memory_termination": return (overMemory, conclusion)
    case "termination": return (concluded, conclusion)
    case "user", "user_reported": return (nil, "the app itself made the report: it went on")
    case nil: return (nil, nil)
    default: break
    }

    let number = error["signal/signal"].flatMap { UInt64($0) } ?? 0
    if DarwinSignal.isKnown(number) { return (.signal(number, reason: error["reason"]), nil) }
    return (error["mach/exception"].map { MachException.end($0) }, nil)
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
    case let word?: .killed(reason: word)
    }
  }
}

extension Termination {
  /// The end of an app whose main thread did not answer KSCrash's own watchdog.
  static let deadlock = killed(reason: "deadlock")
}
