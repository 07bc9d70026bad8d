import LifecycleModel

/// The run of the app before this one, as its log and its ring report it.
///
/// The files stay as they are while the new run records, until the limits of the log remove what they hold: an
/// app can send them somewhere.
///
/// ```swift
/// import TraceRecorder
///
/// let recorder = try Recorder.open(log: "flight.bin")
/// if let run = recorder.previousRun, run.endedWell != true {
///   print("last run: \(run.cause), since \(run.cause.evidence.joined(separator: ", "))")
///   for log in run.logs { print("send \(log) to who can read it") }
/// }
/// ```
public struct PreviousRun: Hashable, Sendable {
  /// How a run came to its end.
  public enum End: Hashable, Sendable {
    /// The process ended itself; the status is not known on every platform.
    case exited(status: Int32?)
    /// The process is gone, and how it ended was not seen: a crash, a kill, or power that failed.
    case gone
    /// Who ran the process saw a signal, or the system, end it.
    case killed
  }

  /// The paths of the files that hold the run, the oldest first; each is a log of its own.
  ///
  /// The first part of a log has the log's path: a reader of this path reads all parts that lie beside it.
  public let logs: [String]
  /// How the run ended.
  public let end: End
  /// The state of the app when it ended; `nil` when its callbacks were not recorded.
  public let appState: AppState?
  /// The callbacks that the app had entered and not left, the outermost first.
  public let openCallbacks: [String]
  /// Whether the app had been informed that it is going to terminate.
  public let wasTerminating: Bool
  /// What else the log holds about the end.
  var facts = RunFacts()
  /// What the run that asks has said about itself so far.
  var profileNow: [Attribute] = []
  /// The path of the log, whatever parts it has.
  package internal(set) var log = ""

  /// Whether the run ended well; `nil` when that is not known.
  ///
  /// An app ended well that exited with status 0, or was informed that it terminates. It did not when it
  /// exited with another status, vanished while it was in the foreground, or vanished in the middle of a
  /// callback. One that vanished in the background may have been reclaimed, or have crashed.
  public var endedWell: Bool? {
    switch end {
    case .exited(let status): return status ?? 0 == 0
    case .gone, .killed:
      if wasTerminating { return true }
      if !openCallbacks.isEmpty { return false }
      switch appState {
      case .active, .inactive: return false
      case .background, .suspended, .notRunning, nil: return nil
      }
    }
  }
}
