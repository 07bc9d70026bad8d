import LifecycleModel

/// A row of the table of termination codes: what a code means, what a trace should show before it,
/// and who says so.
struct KillCode: Hashable, Sendable {
  /// What a trace should show before the kill.
  enum Signature: String, CaseIterable, Sendable {
    /// A call on main that is open beyond its limit, or an idle main thread and a background task
    /// that is open in the background.
    case overrunOrLeakedTask
    /// A file or SQLite lock that is held at the suspension.
    case lockAtSuspension
    /// A background task that is open, or its launch without completion.
    case openBackgroundTask
    /// The events of a background URL session without completion.
    case openURLSession
    /// A background fetch without completion.
    case openFetch
    /// A VoIP push without a reported call.
    case unreportedCall
    /// Many resumes in a short time.
    case resumeLoop
    /// Many operations open at once.
    case manyOperations
    /// Too much work of a watch app in the background.
    case watchBackground
    /// More background tasks open than are allowed.
    case tooManyTasks
    /// Nothing wrong in the trace.
    case nothingWrong
    /// The last state is in the foreground, with nothing wrong.
    case nothingWrongInForeground
    /// No death at all.
    case notAKill
  }

  let code: UInt64
  let meaning: String
  let signature: Signature
  /// The reason that MetricKit counts it under; `nil` when no source says.
  let exitReason: ExitReason?
  let sources: [Citation]

  init(
    _ code: UInt64, _ meaning: String, _ signature: Signature, _ exitReason: ExitReason? = nil,
    _ sources: Citation...
  ) {
    self.code = code
    self.meaning = meaning
    self.signature = signature
    self.exitReason = exitReason
    self.sources = sources
  }
}

/// A word that a kill gives as its reason, with a code or without.
struct KillReason: Hashable, Sendable {
  let word: String
  let meaning: String
  /// The reason that MetricKit counts it under; `nil` when no source says.
  let exitReason: ExitReason?
  let source: Citation

  init(
    _ word: String, _ meaning: String, _ exitReason: ExitReason? = nil,
    _ source: Citation
  ) {
    self.word = word
    self.meaning = meaning
    self.exitReason = exitReason
    self.source = source
  }
}

/// The termination codes that are documented or known, in one place; each with its source.
enum KillCodes {
  static let rows: [KillCode] = [
    KillCode(
      0x8bad_f00d, "the watchdog's time was over", .overrunOrLeakedTask, .appWatchdog, .watchdog,
      .backgroundTaskNotes),
    KillCode(
      0xdead_10cc, "a file or SQLite lock was held at suspension", .lockAtSuspension,
      .suspendedWithLockedFile, .killCodes, .reducingTerminations),
    KillCode(
      0x2182_bad2, "a background task was not completed in time", .openBackgroundTask,
      .backgroundTaskAssertionTimeout, .killCodes, .reducingTerminations),
    KillCode(
      0x2182_bad3, "a background URL session was not completed in time", .openURLSession,
      .backgroundURLSessionCompletionTimeout, .killCodes),
    KillCode(
      0x2182_bad4, "a background fetch was not completed in time", .openFetch,
      .backgroundFetchCompletionTimeout, .killCodes),
    KillCode(
      0xbaad_ca11, "a VoIP push came and no call was reported", .unreportedCall, nil, .killCodes),
    KillCode(0xbad2_2222, "a VoIP app was resumed too often", .resumeLoop, nil, .killCodes),
    KillCode(
      0xbadd_d15c, "the system purged caches to free disk space", .nothingWrong, nil, .killCodes),
    KillCode(0xc000_10ff, "the device was too hot", .nothingWrong, nil, .killCodes),
    KillCode(
      0xd00d_2bad, "the app used too much of a key resource of the system", .manyOperations, nil,
      .killCodes),
    KillCode(
      0xc51b_ad01, "a watch app used too much CPU in the background", .watchBackground,
      .cpuResourceLimit, .killCodes, .watchCodes),
    KillCode(
      0xc51b_ad02, "a watch app's background time was over", .watchBackground, nil, .killCodes,
      .watchCodes),
    KillCode(
      0xc51b_ad03, "a watch app's background time was over, the system being busy", .nothingWrong,
      nil, .killCodes, .watchCodes),
    KillCode(
      0xbada_5e47, "too many background tasks were open", .tooManyTasks, nil,
      .backgroundTaskNotes),
    KillCode(
      0xdead_fa11, "the user forced the app to quit", .nothingWrongInForeground, nil,
      .legacyCodes),
    KillCode(0xbaaa_aaad, "a stackshot, not a crash", .notAKill, nil, .legacyCodes),
  ]

  /// The words of jetsam reports, of assertiond, and of EXC_RESOURCE, whose limits need not be
  /// fatal.
  static let reasons: [KillReason] = [
    KillReason(
      "per-process-limit", "the app passed its own memory limit", .memoryResourceLimit,
      .jetsamReports),
    KillReason(
      "vm-pageshortage", "the device ran out of memory", .memoryPressure, .jetsamReports),
    KillReason("vnode-limit", "the system ran out of open files", nil, .jetsamReports),
    KillReason(
      "highwater", "the process passed its high-water mark", nil, .jetsamReports),
    KillReason("fc-thrashing", "the file cache was thrashing", nil, .jetsamReports),
    KillReason("jettisoned", "the process was dropped for another reason", nil, .jetsamReports),
    KillReason(
      "active assertions beyond permitted time", "background tasks held the app beyond their time",
      .backgroundTaskAssertionTimeout, .backgroundTaskNotes),
    KillReason("cpu", "a limit of processor time", .cpuResourceLimit, .resourceLimits),
    KillReason("memory", "a limit of memory", .memoryResourceLimit, .resourceLimits),
    KillReason("io", "a limit of writing to disk", nil, .resourceLimits),
    KillReason("wakeups", "a limit of wakes", nil, .resourceLimits),
  ]

  /// The watchdog's code.
  private static let watchdog: UInt64 = 0x8bad_f00d

  /// Whether an event is a kill with the watchdog's code.
  static func isByWatchdog(_ event: Event, _ vocabulary: Vocabulary) -> Bool {
    event.verb == .kill
      && vocabulary.attributes(event.attributes)[.code].flatMap(code) == watchdog
  }

  /// Reads a code as a kill's attribute has it, such as `0x8badf00d`.
  static func code(_ text: String) -> UInt64? {
    UInt64(text.lowercased().hasPrefix("0x") ? text.dropFirst(2) : text[...], radix: 16)
  }

  /// What is known of a reason in the system's words; `nil` when none of the words is in it.
  static func reason(_ text: String) -> KillReason? {
    reasons.first { text == $0.word || $0.word.count > 6 && text.contains($0.word) }
  }

  /// What is known of a code; `nil` when no source was found for it.
  static func row(_ code: UInt64) -> KillCode? { rows.first { $0.code == code } }
}
