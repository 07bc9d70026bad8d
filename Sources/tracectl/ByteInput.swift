import TraceSources

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Bytes from a file or from standard input, read in chunks as they come.
final class ByteInput {
  /// What a call to ``next(waiting:)`` came to.
  enum Chunk {
    case bytes(ArraySlice<UInt8>)
    /// Nothing came in time.
    case pause
    case end
  }

  /// What errors call the input.
  let name: String
  /// Whether the input is a regular file, whose end is known, and not a pipe that may go on.
  let isRegularFile: Bool
  /// Whether a path leads to it, and to the same bytes each time.
  var canBeReadAgain: Bool { isRegularFile && descriptor != STDIN_FILENO }
  let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  /// Opens `path`, or standard input for `-`.
  init(_ path: String) throws {
    if path == "-" {
      name = "standard input"
      descriptor = STDIN_FILENO
    } else {
      name = path
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { throw ByteInput.error(path, errno) }
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw ByteInput.error(name, errno) }
    isRegularFile = status.st_mode & S_IFMT == S_IFREG
    if status.st_mode & S_IFMT == S_IFDIR {
      throw CommandError.unreadable("\(name): is a directory; name a file in it")
    }
  }

  deinit {
    if descriptor > 0 { close(descriptor) }
  }

  /// The next bytes; with `waiting`, a pause when none come for so many milliseconds.
  ///
  /// An interrupt ends the input: what came before it is kept.
  func next(waiting milliseconds: Int32? = nil) throws -> Chunk {
    if let milliseconds {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = Interrupt.isRequested ? 0 : systemPoll(&poll, milliseconds)
      if Interrupt.isRequested { return .end }
      if ready == 0 || (ready < 0 && errno == EINTR) { return .pause }
    }
    while true {
      if Interrupt.isRequested { return .end }
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { return .bytes(buffer[..<count]) }
      if count == 0 { return .end }
      if errno != EINTR { throw ByteInput.error(name, errno) }
    }
  }

  /// How far the lines of a text stand from their place in time, for who reads it next.
  ///
  /// A file is looked through for that; what cannot be read again is taken as it comes.
  func order(of form: TextSource.Form) throws -> TextSource.Order {
    guard canBeReadAgain else { return .nearby }
    let input = try ByteInput(name)
    var order = TextOrder(form: form)
    while case .bytes(let bytes) = try input.next(), order.take(bytes) {}
    return order.finish()
  }

  private func systemPoll(_ poll: inout pollfd, _ milliseconds: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.poll(&poll, 1, milliseconds)
    #else
      Darwin.poll(&poll, 1, milliseconds)
    #endif
  }

  private static func error(_ name: String, _ code: Int32) -> CommandError {
    switch code {
    case ENOENT: .unreadable("\(name): no such file; check the name")
    case EACCES: .unreadable("\(name): permission denied; check the file's owner and mode")
    default: .unreadable("\(name): cannot be read: \(String(cString: strerror(code)))")
    }
  }
}

/// The interrupt key: it ends a live recording, and what was read is kept.
enum Interrupt {
  /// Written by the signal handler alone, and read between two reads of the input.
  nonisolated(unsafe) private static var wasRequested: sig_atomic_t = 0

  static var isRequested: Bool { wasRequested != 0 }

  /// From now on an interrupt only sets ``isRequested``.
  static func catchSignals() {
    var action = sigaction()
    #if canImport(Glibc)
      action.__sigaction_handler.sa_handler = { _ in Interrupt.wasRequested = 1 }
    #else
      action.__sigaction_u.__sa_handler = { _ in Interrupt.wasRequested = 1 }
    #endif
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
    // Whoever started the command may have blocked them, as Foundation does on its threads.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }
}
