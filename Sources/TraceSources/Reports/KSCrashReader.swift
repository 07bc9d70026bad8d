import LifecycleModel
import Run

/// Reads reports of KSCrash, and of SentryCrash, which is made after it.
///
/// An end that a handler has seen is a fact. What KSCrash concludes at the next launch, such as a lack of memory,
/// is read as the end, and said to be a conclusion.
struct KSCrashReader: JSONReportReader {
  private(set) var contents = ReportContents()

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
    guard let error = object.objects("crash/error").last, !error.members.isEmpty else { return }
    object.forEachText { path, text in Self.keys.take(path, text, into: &draft) }

    if let system = object.objects("system").last, let name = system["system_name"],
      let version = system["system_version"]
    {
      ReportKey.system.take(&draft, "\(name) \(version)", "system")
    }
    takeThreads(object.objects("crash/threads"), into: &draft)
    let (end, note) = Self.known(error)
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
  private static func known(_ error: JSONObject) -> (end: Termination?, note: String?) {
    let reason = (error["reason"] ?? error.text("nsexception", "reason")).map {
      String($0.prefix(Termination.longestText))
    }
    func exception(_ name: String?) -> Termination {
      var end = Termination.signal(6, reason: reason)
      end.exception = name.map { String($0.prefix(Termination.longestText)) } ?? "an exception"
      return end
    }
    let conclusion =
      "KSCrash concludes the end at the next launch; no report of the system says it"
    switch error["type"] {
    case "nsexception": return (exception(error.text("nsexception", "name") ?? error["name"]), nil)
    case "cpp_exception": return (exception(error.text("cpp_exception", "name")), nil)
    case "deadlock":
      return (
        .deadlock,
        "KSCrash's own watchdog ended the app, as its main thread did not answer"
      )
    case "memory_termination": return (overMemory(error), conclusion)
    case "termination": return (concluded(error["termination_reason"]), conclusion)
    case "user", "user_reported": return (nil, "the app itself made the report: it went on")
    case nil: return (nil, nil)
    default: break
    }

    let code = error.text("exit_reason", "code").flatMap { UInt64($0) } ?? 0
    if code != 0 { return (.killed(nil, code, reason: reason), conclusion) }
    let number = error.text("signal", "signal").flatMap { UInt64($0) } ?? 0
    if DarwinSignal.isKnown(number) { return (.signal(number, reason: reason), nil) }
    return (error.text("mach", "exception").map { MachException.end($0) }, nil)
  }

  private static func overMemory(_ error: JSONObject) -> Termination {
    func megabytes(_ key: String) -> String? {
      error.text("memory_termination", key).flatMap { UInt64($0) }.map { "\($0 / 1_000_000) MB" }
    }
    var end = Termination.jetsam(7)
    (end.memory, end.memoryLimit) = (megabytes("memory_footprint"), megabytes("memory_limit"))
    return end
  }

  /// The end that KSCrash concludes from the app's last state.
  private static func concluded(_ reason: String?) -> Termination? {
    switch reason {
    case "memory_limit": .jetsam(7)
    case "memory_pressure": .jetsam(4)
    case "clean", nil: nil
    case let word?: .killed(reason: String(word.prefix(Termination.longestText)))
    }
  }
}

extension Termination {
  /// The end of an app whose main thread did not answer KSCrash's own watchdog.
  static let deadlock = killed(reason: KillCode.deadlock)
}
