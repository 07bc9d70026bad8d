import Platform

/// A program that was started by the command and shares its standard streams.
struct ChildProcess {
  /// How a process ended.
  enum End {
    case exited(status: Int32)
    case signaled(Int32)

    /// The status with which the command itself ends, as a shell has it.
    var exitStatus: Int32 {
      switch self {
      case .exited(let status): status
      case .signaled(let signal): 128 + signal
      }
    }
  }

  private let id: pid_t

  /// Starts `command`, with one more variable in its environment, or with its standard output going to
  /// a descriptor and nothing to read.
  ///
  /// Throws a ``CommandError`` whose exit status is a shell's: 127 when there is no such command, 126
  /// when it cannot be run.
  init(
    _ command: [String], environment variable: (name: String, value: String)? = nil,
    output: Int32? = nil
  ) throws {
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var environment = ChildProcess.environment(with: variable)
    defer { for word in arguments + environment { free(word) } }

    var actions = emptySpawnActions()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    }

    // What this command ignores, the app does not.
    signal(SIGXFSZ, SIG_DFL)
    defer { signal(SIGXFSZ, SIG_IGN) }
    var id: pid_t = 0
    let code = posix_spawnp(&id, command[0], &actions, nil, &arguments, &environment)
    guard code == 0 else { throw ChildProcess.cannotRun(command[0], code) }
    self.id = id
  }

  /// Throws what starting `program` would throw, as far as its file shows.
  static func check(_ program: String) throws {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let folders = path.split(separator: ":", omittingEmptySubsequences: false)
    let paths =
      program.contains("/")
      ? [program] : folders.map { ($0.isEmpty ? "." : $0) + "/" + program }
    if paths.contains(where: { access($0, X_OK) == 0 && LogFinder.isRegularFile($0) }) { return }
    let isThere = paths.contains { access($0, F_OK) == 0 }
    throw cannotRun(program, isThere ? EACCES : ENOENT)
  }

  private static func cannotRun(_ program: String, _ code: Int32) -> CommandError {
    CommandError(
      ["\(program): cannot run: \(String(cString: strerror(code)))"],
      status: code == ENOENT ? .commandNotFound : .commandNotRunnable)
  }

  /// How the process ended; `nil` while it runs.
  func end() -> End? {
    var status: Int32 = 0
    guard waitpid(id, &status, WNOHANG) == id else { return nil }
    let signal = status & 0x7f
    return signal == 0 ? .exited(status: status >> 8 & 0xff) : .signaled(signal)
  }

  /// Calls `body` when the process has ended, on another thread; without one to be had, never.
  func watchEnd(_ body: @escaping @Sendable () -> Void) {
    let id = id
    _ = SideThread {
      var info = siginfo_t()
      // Who asks for the end gets it all the same.
      waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT)
      body()
    }
  }

  /// Ends the process and waits until it is gone: politely, and after a second by force.
  func terminate() {
    kill(id, SIGTERM)
    for _ in 0..<100 {
      // Once it is waited for, its number may be another process's.
      if end() != nil { return }
      usleep(10_000)
    }
    kill(id, SIGKILL)
    var status: Int32 = 0
    waitpid(id, &status, 0)
  }

  /// Hands signals on to the process.
  ///
  /// One that the terminal sent to both is the process's alone.
  func forwardSignals() {
    ChildProcess.receiver = id
    for signal in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2] {
      platform_handle_signal(signal, 1) { signal, info, _ in
        let isForUsAlone = info.map { $0.pointee.si_code <= 0 } ?? true
        if isForUsAlone { kill(ChildProcess.receiver, signal) }
      }
    }
  }

  /// Who gets the signals; written once, before the handlers are set.
  nonisolated(unsafe) private static var receiver: pid_t = 0

  private static func environment(
    with variable: (name: String, value: String)?
  ) -> [UnsafeMutablePointer<CChar>?] {
    var words: [UnsafeMutablePointer<CChar>?] = []
    var entry = environ
    while let word = entry.pointee {
      let isReplaced =
        variable.map { strncmp(word, $0.name + "=", $0.name.utf8.count + 1) == 0 } ?? false
      if !isReplaced { words.append(strdup(word)) }
      entry += 1
    }
    if let variable { words.append(strdup("\(variable.name)=\(variable.value)")) }
    return words + [nil]
  }
}
