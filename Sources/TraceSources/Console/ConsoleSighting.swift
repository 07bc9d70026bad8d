import LifecycleModel

/// A fact, with when, where and by whom it was printed.
struct ConsoleSighting {
  /// When, since the first record; the reorder window may move it to its place.
  var instant: Instant
  /// The line of the input.
  var line: Int
  /// Whether a process of the system printed it.
  var isSystem: Bool
  /// The name of the process that printed it.
  var process: String
  /// The number of the process that printed it, where the framing says it.
  var pid: Int32?
  /// Which app a line of the system is about.
  var mention: ConsoleMention?
  /// What it says.
  var fact: ConsoleStatement
  /// The hash of the message, which distinguishes repetitions from similar messages.
  var fingerprint: Int

  /// The number of the app's process, by whoever said it.
  var appPID: Int32? { isSystem ? mention?.pid : pid }

  /// Whether it is about a helper, and not about the app of this bundle.
  func isOfHelper(ofAppWith bundle: String?) -> Bool {
    mention.map { $0.isHelper && $0.bundle != bundle } ?? false
  }

  /// Whether both are the same message of the same process.
  func repeats(_ other: ConsoleSighting) -> Bool {
    fingerprint == other.fingerprint && pid == other.pid && process == other.process
      && fact == other.fact
  }
}
