import LifecycleModel
import TraceLog
import TraceRecorder

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs an app and owns its log: the ring is emptied from outside, and the app's end is noted.
struct AppRecording {
  private let command: [String]
  private let log: String
  private let replaces: Bool
  private let isQuiet: Bool

  init(_ command: [String], log: String, replaces: Bool, isQuiet: Bool) {
    self.command = command
    self.log = log
    self.replaces = replaces
    self.isQuiet = isQuiet
  }

  /// Runs the app to its end; throws the status with which it ended when that is not 0.
  func run() throws {
    let drain = try makeDrain()
    let child: ChildProcess
    do {
      child = try ChildProcess(
        command, environment: (Recorder.environmentVariable, drain.ringPath))
    } catch {
      try? drain.finish()
      unlink(log)
      throw error
    }
    child.forwardSignals()
    var end = child.end()
    while end == nil {
      usleep(UInt32(Drain.lookMilliseconds) * 1000)
      drain.look()
      end = child.end()
    }
    guard let end else { return }
    try finish(drain, end)
    if end.exitStatus != 0 { throw ChildStatus(rawValue: end.exitStatus) }
  }

  private func makeDrain() throws -> Drain {
    var options = Drain.Options()
    options.replacesLog = replaces
    do {
      return try Drain(log: log, options: options)
    } catch LogError.exists(let path) {
      throw CommandError.usage("\(path): exists already; choose another -o, or pass --replace")
    } catch LogError.notFound(let path) {
      throw CommandError.unreadable("\(path): cannot be made; is its folder there?")
    } catch {
      throw CommandError.unreadable("\(error)")
    }
  }

  private func finish(_ drain: Drain, _ end: ChildProcess.End) throws {
    let open = drain.openCallbacks()
    do {
      try drain.finish { instant, vocabulary in [event(end, open, instant, vocabulary)] }
    } catch {
      throw CommandError.unreadable("\(error)")
    }
    guard !isQuiet else { return }
    // The end of the app is an event of its own.
    let facts = drain.eventCount - 1
    let hint = facts == 0 ? "; does the app link TraceRecorder?" : ""
    Terminal.printError("\(facts) events of the app → \(log), \(drain.byteCount) bytes\(hint)")
  }

  private func event(
    _ end: ChildProcess.End, _ open: [String], _ instant: Instant, _ vocabulary: Vocabulary
  ) -> Event {
    var attributes: [Attribute] = []
    var verb = Verb.exit
    switch end {
    case .exited(let status): attributes.append(Attribute(.status, String(status)))
    case .signaled(let signal) where signal == SIGKILL || signal == SIGTERM:
      verb = .kill
      attributes.append(Attribute(.code, "0x" + String(signal, radix: 16)))
      attributes.append(Attribute(.namespace, "SIGNAL"))
    case .signaled(let signal): attributes.append(Attribute(.signal, String(signal)))
    }
    if !open.isEmpty { attributes.append(Attribute("open", open.joined(separator: ","))) }
    return Event(
      sequence: 1, instant: instant, writer: .system, verb: verb, subject: .app,
      attributes: vocabulary.attributes(attributes))
  }
}
