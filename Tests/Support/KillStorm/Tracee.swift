import CTracer
import ChildPrograms
import Platform

/// A process that this one runs, call by call.
struct Tracee {
  /// A thread of it that stands, or what has become of a process.
  struct Stop {
    enum Kind {
      case nothing, calls, returns, begins, signal, ended
    }

    var kind: Kind
    var thread: pid_t
    var call: TracedCall?
    var result: Int64
  }

  let process: pid_t
  private(set) var threads: Set<pid_t>

  /// Starts a program, which stands before its first instruction.
  init(_ words: [String], environment: [String] = [], output: String, errors: String) throws {
    func file(_ path: String) -> Int32 {
      open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    }
    let descriptors = [file(output), file(errors)]
    defer { for descriptor in descriptors { close(descriptor) } }

    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    process = tracer_start(&arguments, &variables, descriptors[0], descriptors[1])
    guard process > 0 else {
      throw Failure("\(words[0]): cannot be started and traced, error \(-process)")
    }
    threads = [process]
  }

  /// Why processes cannot be traced here; `nil` when they can.
  static var obstacle: String? {
    let error = tracer_check()
    return error == 0 ? nil : "ptrace: \(String(cString: strerror(error)))"
  }

  /// Waits until a thread stands, or some milliseconds.
  mutating func wait() -> Stop {
    var stop = tracer_stop()
    tracer_wait(&stop)
    let thread = stop.thread
    var answer = Stop(kind: .nothing, thread: thread, call: nil, result: stop.result)

    switch Int(stop.kind) {
    case TRACER_CALLS: (answer.kind, answer.call) = (.calls, TracedCall(stop))
    case TRACER_RETURNS: answer.kind = .returns
    case TRACER_SIGNAL:
      // A thread stands by a signal that is not its own when it begins.
      answer.kind = .signal
      if threads.insert(thread).inserted { answer.result = 0 }
    case TRACER_BEGINS: answer.kind = .begins
    case TRACER_ENDED:
      answer.kind = .ended
      threads.remove(thread)
    default: break
    }
    return answer
  }

  /// Has a thread go on to its next call, or on and on.
  func resume(_ thread: pid_t, toCall: Bool, signal: Int64 = 0) {
    let signal = Int32(truncatingIfNeeded: signal)
    if toCall { tracer_run_to_call(thread, signal) } else { tracer_run(thread, signal) }
  }

  /// Runs so many instructions of a thread, up to its next call.
  func step(_ thread: pid_t, _ count: Int) { _ = tracer_step(thread, Int32(count)) }

  /// Kills the process, and waits until it is gone.
  mutating func kill() {
    _ = Platform.kill(process, SIGKILL)
    while threads.contains(process) { _ = wait() }
  }
}

extension Tracee {
  /// Has the call before which a thread stands not be made.
  func skipCall(_ thread: pid_t) { tracer_skip_call(thread) }

  /// Changes what a call has returned.
  func setResult(_ thread: pid_t, _ result: Int64) { tracer_set_result(thread, result) }

  /// Changes how much a write writes.
  func setLength(_ thread: pid_t, _ length: Int) { tracer_set_length(thread, UInt64(length)) }

  /// Reads so many words of the process; none where there are none.
  func words(at address: UInt64, _ count: Int) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: count)
    let size = UInt64(8 * count)
    return tracer_read(process, address, &words, size) == Int64(size) ? words : []
  }

  /// Writes words of the process.
  func setWords(at address: UInt64, _ words: [UInt64]) {
    _ = tracer_write(process, address, words, UInt64(8 * words.count))
  }
}
