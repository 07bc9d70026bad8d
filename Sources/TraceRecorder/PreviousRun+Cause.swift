import LifecycleModel
import Platform

extension PreviousRun {
  /// Why a run ended, as far as its log shows it.
  public struct Cause: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The kinds of ends.
    public enum Kind: String, CaseIterable, Codable, Sendable {
      /// The process ended itself.
      case exited
      /// The app crashed: a crash report says so, or whoever saw its signal.
      case crashed
      /// The main thread did not answer, and something ended the app.
      case hung
      /// A background task was not ended when its time was over.
      case taskExpired
      /// The app used too much memory, or the system had too little.
      case memory
      /// The app was replaced by another version of it.
      case appUpdated
      /// The system was replaced by another version of it.
      case systemUpdated
      /// The device was started anew.
      case rebooted
      /// Xcode or another debugger stopped the app, which is no death.
      case stoppedByDebugger
      /// The app was asked to terminate: by the system, by the user, or with a signal such as SIGTERM.
      case terminated
      /// The system took the memory of an app in the background, or the user closed it there: both are normal.
      case reclaimed
      /// Nothing in the log says why the app is gone.
      case unknown
    }

    /// How sure a cause is.
    public enum Confidence: String, CaseIterable, Codable, Sendable {
      /// A fact states the end itself.
      case certain
      /// Facts before or after the end fit it, and none states it.
      case likely
      /// No fact fits.
      case unknown
    }

    /// What ended the run.
    public let kind: Kind
    /// How sure that is.
    public let confidence: Confidence
    /// What the kind is about: the callback that hung, the task that expired, the crash, the status; `nil` without.
    public let detail: String?
    /// The facts of the end, also those that speak for another kind; each is a sentence's part.
    public let evidence: [String]
  }

  /// Why the run ended, as its log shows it.
  ///
  /// An update of the app is seen once ``Recorder/profile(_:)`` has stated the version of the new run. Cost: some
  /// microseconds; what it needs was read with the log.
  public var cause: Cause { cause() }

  /// Why the run ended; `crashReport` is what a crash reporter knows of a crash of that run, such as
  /// `SIGSEGV in NotesStore.save()`.
  ///
  /// The recorder handles no signals, and sees no crash itself. Where a crash reporter says that the run crashed, that is
  /// the cause, whatever the log shows.
  public func cause(crashReport: String? = nil) -> Cause {
    let order = [
      crash(crashReport), ownEnd, appUpdate, systemUpdate, reboot, debugger, expiredTask,
      lackOfMemory, hang, reclaim,
    ]
    let found = order.lazy.compactMap(\.self).first ?? Found(.unknown, .unknown)
    return Cause(
      kind: found.kind, confidence: found.confidence, detail: found.detail,
      evidence: evidence(crashReport))
  }

  /// A cause that facts show.
  private struct Found {
    let kind: Cause.Kind
    let confidence: Cause.Confidence
    let detail: String?

    init(_ kind: Cause.Kind, _ confidence: Cause.Confidence, _ detail: String? = nil) {
      (self.kind, self.confidence, self.detail) = (kind, confidence, detail)
    }
  }

  // MARK: The causes, in the order in which they count

  private func crash(_ report: String?) -> Found? {
    let said = report ?? facts.end[.exception] ?? signal.flatMap { RunSignal.crashes[$0] }
    return said.map { Found(.crashed, .certain, $0) }
  }

  private var ownEnd: Found? {
    if case .exited(let status) = end, !wasTerminating || status ?? 0 != 0 {
      return Found(.exited, .certain, status.map { "status \($0)" })
    }
    if wasTerminating { return Found(.terminated, .certain) }
    return signal.flatMap { RunSignal.requests[$0] }.map { Found(.terminated, .certain, $0) }
  }

  private var appUpdate: Found? {
    guard changed(.version) || changed(.build) else { return nil }
    return Found(.appUpdated, .likely, "from \(version(facts.profile)) to \(version(profileNow))")
  }

  private var systemUpdate: Found? {
    guard changed(.os), let old = facts.profile[.os], let new = profileNow[.os] else { return nil }
    return Found(.systemUpdated, .likely, "from \(old) to \(new)")
  }

  private var reboot: Found? { facts.hasRebooted ? Found(.rebooted, .likely) : nil }

  private var debugger: Found? {
    facts.profile[.debugger] == "true" ? Found(.stoppedByDebugger, .likely) : nil
  }

  private var expiredTask: Found? {
    guard isInBackground else { return nil }
    let task = facts.tasks.first { $0.hasExpired || $0.age >= PreviousRun.taskLimit }
    return task.map { Found(.taskExpired, .likely, $0.name) }
  }

  /// The system's own lack of memory is a reason to end apps in the background, which is normal.
  private var lackOfMemory: Found? {
    let isShort = facts.memory.isNearLimit || facts.memory.isSystemShort && isInForeground
    return isShort ? Found(.memory, .likely) : nil
  }

  private var hang: Found? {
    if let callback = openCallbacks.first, facts.callbackAge >= PreviousRun.hangLimit {
      return Found(.hung, .likely, callback)
    }
    return facts.isMainBusy && isInForeground
      ? Found(.hung, .likely, openCallbacks.first ?? "a turn of the main run loop") : nil
  }

  private var reclaim: Found? {
    guard openCallbacks.isEmpty, isInBackground || wasPrewarmed else { return nil }
    return Found(.reclaimed, .likely)
  }

  // MARK: What they ask

  /// From then on a callback is a hang: the time that others take, too.
  private static let hangLimit: Nanoseconds = 2_000_000_000
  /// A background task may take so long.
  private static let taskLimit: Nanoseconds = 30_000_000_000

  private var state: AppState? { facts.isStateDoubtful ? nil : appState }
  private var isInForeground: Bool { state?.isForeground == true }
  private var isInBackground: Bool { state == .background || state == .suspended }

  /// Whether the system had started the app ahead of time, and nobody opened it.
  private var wasPrewarmed: Bool {
    facts.launch == LaunchReason.prewarm.rawValue && !isInForeground && !facts.isStateDoubtful
  }

  private var signal: Int32? { facts.end[.signal].flatMap(RunSignal.number) }

  private func changed(_ key: AttributeKey) -> Bool {
    guard let old = facts.profile[key], let new = profileNow[key] else { return false }
    return old != new
  }

  private func version(_ profile: [Attribute]) -> String {
    let build = profile[.build].map { "(\($0))" }
    return [profile[.version], build].compactMap(\.self).joined(separator: " ")
  }

  // MARK: The evidence

  private func evidence(_ report: String?) -> [String] {
    [report.map { "a crash report says \($0)" }, endText, stateText, callbackText]
      .compactMap(\.self) + taskTexts + memoryTexts + changeTexts
  }

  private var endText: String {
    switch end {
    case .exited(let status):
      status.map { "it exited with status \($0)" } ?? "it exited, with a status that is not known"
    case .killed: signal.map { "signal \($0) ended it" } ?? "the system ended it"
    case .gone: "nobody saw its end"
    }
  }

  private var stateText: String {
    if wasPrewarmed { return "the system had started it ahead of time" }
    switch state {
    case .active: return "the app was active"
    case .inactive: return "the app was inactive"
    case .suspended: return "the app was suspended"
    case .background: return "the app was in the background"
    case .notRunning: return "the app was still launching"
    case nil: return "the state of the app is not known"
    }
  }

  private var callbackText: String? {
    let isLong = facts.callbackAge >= PreviousRun.longTime
    let age = isLong ? " for \(InstantText.rounded(facts.callbackAge)) at least" : ""
    if let callback = openCallbacks.first { return "\(callback) had not returned\(age)" }
    return facts.isMainBusy ? "a turn of the main run loop had not ended" : nil
  }

  private var taskTexts: [String] {
    facts.tasks.prefix(PreviousRun.mostTasks).map { task in
      let time =
        task.age >= PreviousRun.longTime
        ? ", in the background for \(InstantText.rounded(task.age))" : ""
      let expiry = task.hasExpired ? ", and had expired" : ""
      return "background task \"\(task.name)\" was open\(time)\(expiry)"
    }
  }

  private var memoryTexts: [String] {
    func megabytes(_ bytes: Int64) -> String { "\(bytes / 1_000_000) MB" }
    let texts = [
      facts.memory.used.map { "it used \(megabytes($0)) of memory" },
      facts.memory.available.map { "\(megabytes($0)) were left" },
      facts.memory.pressure.map { "the system's memory pressure was \($0)" },
    ]
    return texts.compactMap(\.self)
  }

  private var changeTexts: [String] {
    let texts = [
      wasTerminating ? "it was informed that it terminates" : nil,
      appUpdate?.detail.map { "the app was updated \($0)" },
      systemUpdate?.detail.map { "the system was updated \($0)" },
      facts.hasRebooted ? "the device was started anew" : nil,
      debugger == nil ? nil : "a debugger was attached",
    ]
    return texts.compactMap(\.self)
  }

  /// A shorter time is not worth a word.
  private static let longTime: Nanoseconds = 100_000_000
  /// At most this many open tasks are named.
  private static let mostTasks = 3
}

extension PreviousRun.Cause {
  /// The cause as one sentence.
  public var description: String {
    let sentence =
      switch kind {
      case .exited: "the app exited"
      case .crashed: "the app crashed"
      case .hung: "the app hung"
      case .taskExpired: "a background task was not ended in its time"
      case .memory: "memory ran out"
      case .appUpdated: "the app was updated"
      case .systemUpdated: "the system was updated"
      case .rebooted: "the device was started anew"
      case .stoppedByDebugger: "a debugger stopped the app"
      case .terminated: "the app was asked to terminate"
      case .reclaimed: "the app was closed in the background, which is normal"
      case .unknown: "it is not known why the app is gone"
      }
    let subject = detail.map { ": \($0)" } ?? ""
    return (confidence == .likely ? "likely " : "") + sentence + subject
  }
}

/// The signals that say how a process ended.
private enum RunSignal {
  /// Those of a crash, with their names.
  static let crashes = [
    SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
    SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS",
  ]
  /// Those that ask a process to end, with their names.
  static let requests = [SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGHUP: "SIGHUP"]

  /// The number of a signal that a log writes as a number or a name.
  static func number(_ text: String) -> Int32? {
    Int32(text) ?? crashes.merging(requests) { $1 }.first { $0.value == text }?.key
  }
}
