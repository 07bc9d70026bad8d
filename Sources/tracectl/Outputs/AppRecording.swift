import LifecycleModel
import Platform
import TraceLog
import TraceRecorder
import TraceReport

/// Owns the log of an app: the ring is emptied from outside, and the app's end is noted.
struct AppRecording {
  private let log: String
  private let isQuiet: Bool
  private var options: Drain.Options

  init(log: String, options: Drain.Options, isQuiet: Bool) {
    self.log = log
    self.isQuiet = isQuiet
    self.options = options
    self.options.onFailure = { error in
      Terminal.printError(
        error.map { "\($0); the app keeps running, and its ring keeps as much as fits" }
          ?? "\(log): writing resumed")
    }
  }

  /// Runs `command` to its end; throws the status with which it ended when that is not 0.
  func run(_ command: [String]) throws {
    let drain: Drain
    do {
      drain = try Drain(log: log, options: options)
    } catch {
      throw CommandError.writing(error)
    }
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
    child.watchEnd(drain.wake)
    var pause = drain.look()
    var end = child.end()
    while end == nil {
      pause = drain.look(after: pause.wait())
      end = child.end()
    }

    guard let end else { return }
    try finish(drain) { open, instant, vocabulary in
      end.event(openCallbacks: open, at: instant, vocabulary)
    }
    if end.exitStatus != 0 { throw ExitStatus(rawValue: end.exitStatus) }
  }

  /// Goes on for an app whose recorder was killed, until the app is gone or an interrupt comes.
  func attach() throws {
    let drain: Drain
    do {
      drain = try Drain(attachingTo: log, options: options)
    } catch LogError.notFound where access(log, F_OK) != 0 {
      throw CommandError.unreadable("\(log): no such file; check the name")
    } catch LogError.notFound(let path) where path.hasSuffix(RingFormat.pathEnding) {
      throw CommandError.unreadable(
        access(path, F_OK) == 0
          ? "\(path): holds nothing; its events are lost, or no app has recorded into it"
          : "\(path): no such file; the log is complete, or no app recorded it")
    } catch LogError.notALog(let path, _) where path.hasSuffix(RingFormat.pathEnding) {
      throw CommandError.unreadable(
        "\(path): is not the ring of this log, or is damaged; tracectl verify \(log) says which")
    }

    Interrupt.catchSignals()
    drain.watchApp()
    var pause = drain.look()
    while drain.hasApp && !Interrupt.isRequested {
      // An interrupt ends the wait, unless it comes just before.
      pause = drain.look(after: pause.wait(atMost: 10_000_000_000))
    }

    if drain.hasApp {
      // The ring is left to the app, and to whoever attaches next.
      drain.drain()
      if let failure = drain.failure { throw failure }
      tell(drain, "the app keeps running", facts: drain.eventCount)
      return
    }

    let process = drain.process
    try finish(drain) { open, instant, vocabulary in
      UnseenEnd(process: process, openCallbacks: open).event(
        sequence: 1, at: instant, in: vocabulary)
    }
  }

  private func finish(
    _ drain: Drain, _ end: ([String], Instant, Vocabulary) -> Event
  ) throws {
    let open = drain.openCallbacks()
    do {
      try drain.finish { instant, vocabulary in [end(open, instant, vocabulary)] }
    } catch LogError.diskFull(let path) {
      throw CommandError.unreadable(
        "\(path): the disk is full; the ring beside the log holds the rest, and readers use both: "
          + "free some space and run tracectl record --attach \(path)")
    }

    // The end of the app is an event of its own.
    let facts = drain.eventCount - 1
    tell(drain, facts == 0 ? silence(drain) : nil, facts: facts)
  }

  /// Why an app has stated no fact here.
  private func silence(_ drain: Drain) -> String {
    if let own = drain.ownLog { return "it keeps its own log: tracectl analyze \(own)" }
    if drain.process != nil { return "it links TraceRecorder but recorded no event" }
    return "does the app link TraceRecorder, and record to Recorder.shared?"
  }

  private func tell(_ drain: Drain, _ hint: String?, facts: UInt64) {
    guard !isQuiet else { return }
    let refused = drain.refusedProcessCount
    if refused > 0 {
      Terminal.printError(
        "\(refused == 1 ? "another process" : "\(refused) other processes") of the app recorded "
          + "nothing: a log holds one process at a time; open a separate log for each")
    }

    let parts = drain.partCount > 1 ? " in \(drain.partCount) parts" : ""
    let size = KeptText.of(drain.kept, outOf: drain.eventCount)
    Terminal.printError(
      "\(CountText.of(facts, "event")) of the app → \(log), \(size)\(parts)"
        + (hint.map { "; \($0)" } ?? ""))
  }
}

extension ChildProcess.End {
  /// The event that records it.
  fileprivate func event(
    openCallbacks open: [String], at instant: Instant, _ vocabulary: Vocabulary
  ) -> Event {
    var attributes: [Attribute] = []
    var verb = Verb.exit
    switch self {
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
