import LifecycleRules
import Platform
import TraceLog
import TraceSources

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
  /// How many bytes a regular file has; `nil` of a pipe.
  private var length: Int?
  /// The same of the file that is inflated; `nil` when none is.
  var packedLength: Int? { compressed?.length }
  /// Whether a path leads to it, and to the same bytes each time.
  var canBeReadAgain: Bool { isRegularFile && descriptor != STDIN_FILENO }
  let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  /// Bytes that were looked at, and not read yet.
  private var peeked: [UInt8] = []
  private var isAtEnd = false
  /// Whether no byte was read so far.
  private var isAtStart = true
  /// Decodes an input in UTF-16; `nil` of others.
  private var wide: WideText?
  /// Counts what is read; a gzip file counts by itself.
  private var progress: Progress?
  private var gzip: GzipInput?
  /// Keeps the file open that is inflated.
  private var compressed: ByteInput?

  /// Throws for a log that cannot be read twice, as `reader` does.
  static func checkFile(_ log: String, _ reader: String) throws {
    let isPipe = FileStatus(log)?.kind == .pipe
    guard log == "-" || isPipe else { return }
    throw CommandError.usage(
      "\(reader) reads the log twice, so that it must be a file, not "
        + (isPipe ? "a pipe" : "standard input") + "; save it first: cat > log.bin")
  }

  /// Opens `path`, or standard input for `-`.
  init(_ path: String, progress: Progress? = nil) throws {
    if path == "-" {
      name = "standard input"
      descriptor = STDIN_FILENO
    } else {
      name = path
      do {
        (descriptor, peeked) = try FileOpening.read(ByteInput.file(path))
      } catch {
        throw ByteInput.error(path, error)
      }
    }

    guard let status = FileStatus(descriptor) else { throw ByteInput.error(name, .system(errno)) }

    isRegularFile = status.kind == .file
    length = isRegularFile ? status.size : nil
    self.progress = progress
    if status.kind == .directory { throw ByteInput.error(name, .directory) }
    if isRegularFile { progress?.expect(status.size) }
    peeked = Array(decoded(peeked[...]))
  }

  /// The file that shows what an input is: of a log whose own file is missing or empty a later part.
  private static func file(_ path: String) -> String {
    if let status = FileStatus(path), status.kind != .file || status.size > 0 { return path }
    return LogPartFinder.newestPart(beside: path) ?? path
  }

  /// Takes a descriptor, which it closes, such as the end of a pipe.
  init(descriptor: Int32, name: String) {
    (self.descriptor, self.name) = (descriptor, name)
    isRegularFile = false
  }

  /// A pipe of which no other program inherits an end.
  static func makePipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw CommandError.unreadable(
        "cannot create a pipe: \(String(cString: strerror(errno))); close other programs")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Inflates what another input holds.
  private init(inflating input: ByteInput) throws {
    name = input.name
    isRegularFile = false
    compressed = input
    let progress = input.progress
    let gzip = try GzipInput(input.descriptor, first: input.takePeeked()) { progress?.advance($0) }
    self.gzip = gzip
    descriptor = gzip.output
  }

  deinit {
    if descriptor > 0 { close(descriptor) }
  }

  /// Opens `path` and finds out what it is by its first bytes; of a gzip file, what is in it.
  static func recognize(_ path: String, _ progress: Progress) throws -> (ByteInput, InputForm) {
    let input = try ByteInput(path, progress: progress)
    let form = try input.form()
    guard form == .gzip else { return (input, form) }
    let plain = try ByteInput(inflating: input)
    return (plain, try plain.form())
  }

  /// What the input is; throws when it is empty or blank, or in a form that is not read.
  private func form() throws -> InputForm {
    while true {
      let isWhole = isAtEnd || peeked.count >= InputForm.sampleLength
      if isWhole && peeked.allSatisfy({ " \t\r\n".utf8.contains($0) }) {
        try checkEnd()
        throw CommandError.unreadable("\(name): the file is empty; was anything recorded?")
      }
      if let form = InputForm(peeked[...], name: name, isWhole: isWhole) {
        if case .notRead(let what) = form { throw CommandError.unreadable("\(name): is \(what)") }
        return form
      }
      try peekMore()
    }
  }

  /// Looks at more bytes, which are read all the same.
  private func peekMore() throws {
    switch try readMore() {
    case .bytes(let bytes): peeked += bytes
    case .pause: break
    case .end: isAtEnd = true
    }
  }

  /// The text that a person has pasted, cut into its pieces; `nil` of what is longer than anybody pastes.
  ///
  /// All of it is read, and can be read once more.
  func paste(upTo length: Int) throws -> Paste? {
    while !isAtEnd {
      if peeked.count > length { return nil }
      try peekMore()
    }
    return Paste(peeked[...]) { DeathCauses.explaining(sentenceIn: $0) != nil }
  }

  /// Why the text that was looked at is refused, in words; `nil` where it may be a trace.
  var refusal: String? { UnreadText.refusal(of: peeked[...]) }

  /// Which text form the bytes are in that were looked at, if they are text.
  var textForm: TextSource.Form {
    peeked.first { $0 > 0x20 } == UInt8(ascii: "{") ? .ndjson : .notation
  }

  /// Takes the bytes that were looked at, for who reads the descriptor itself.
  func takePeeked() -> [UInt8] {
    defer { peeked = [] }
    return peeked
  }

  /// Reads what is left of a compressed file, and throws when it is damaged: then its text is, too.
  func checkRest() throws {
    guard gzip != nil else { return }
    while try nextBytes() != nil {}
    try checkEnd()
  }

  /// Throws when the input ended because its file is damaged.
  func checkEnd() throws {
    if let problem = gzip?.problem {
      throw CommandError.unreadable(
        "\(name): \(problem); unpack what is left with gzip -dc and name that file")
    }
  }

  /// The next bytes; with `waiting`, a pause when none come for that many milliseconds.
  ///
  /// An interrupt ends the input: what came before it is kept.
  func next(waiting milliseconds: Int32? = nil) throws -> Chunk {
    if !peeked.isEmpty {
      let bytes = takePeeked()
      progress?.advance(bytes.count)
      return .bytes(bytes[...])
    }
    let chunk = try readMore(waiting: milliseconds)
    if case .bytes(let bytes) = chunk { progress?.advance(bytes.count) }
    return chunk
  }

  /// The next bytes, however long they take; `nil` at the end.
  func nextBytes() throws -> ArraySlice<UInt8>? {
    while true {
      switch try next() {
      case .bytes(let bytes): return bytes
      case .pause: continue
      case .end: return nil
      }
    }
  }

  private func readMore(waiting milliseconds: Int32? = nil) throws -> Chunk {
    if isAtEnd { return .end }
    if let milliseconds {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = Interrupt.isRequested ? 0 : poll(&request, 1, milliseconds)
      if Interrupt.isRequested { return .end }
      if ready == 0 || (ready < 0 && errno == EINTR) { return .pause }
    }

    while true {
      if Interrupt.isRequested { return .end }
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { return .bytes(decoded(buffer[..<count])) }
      if count == 0 { return .end }
      if errno != EINTR { throw ByteInput.error(name, .system(errno)) }
    }
  }

  /// The bytes, as UTF-8 where the input is text in UTF-16.
  private func decoded(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if isAtStart { wide = WideText(startingWith: bytes) }
    if !bytes.isEmpty { isAtStart = false }
    return wide?.utf8(of: bytes)[...] ?? bytes
  }

  private static func error(_ name: String, _ refusal: FileOpening.Refusal) -> CommandError {
    switch refusal {
    case .directory:
      .unreadable("\(name): " + (InputForm.directory(name).map { "is \($0)" } ?? "\(refusal)"))
    case .system(ENOENT):
      .unreadable("\(name): no such file; check the name")
    case .system(EACCES): .unreadable("\(name): permission denied; check the file's owner and mode")
    case .system(let code):
      .unreadable("\(name): cannot be read: \(String(cString: strerror(code)))")
    default: .unreadable("\(name): \(refusal), or - for standard input")
    }
  }
}

/// The interrupt key, a request to quit, or a terminal that closes: it ends a live recording, and what was read is
/// kept.
enum Interrupt {
  /// Written by the signal handler alone, and read between two reads of the input.
  nonisolated(unsafe) private static var wasRequested: sig_atomic_t = 0

  static var isRequested: Bool { wasRequested != 0 }

  /// From now on an interrupt only sets ``isRequested``; SIGHUP stays ignored for a command that `nohup` runs.
  static func catchSignals() {
    guard CommandProcess.isOwn else { return }
    // Whoever started the command may have blocked them, as Foundation does on its threads.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in ignoresHangups ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP] {
      platform_handle_signal(signal, 0) { _, _, _ in Interrupt.wasRequested = 1 }
      sigaddset(&signals, signal)
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Asked before there is a handler: C returns what was set when something is set.
  private static var ignoresHangups: Bool {
    let before = signal(SIGHUP, SIG_IGN)
    return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
