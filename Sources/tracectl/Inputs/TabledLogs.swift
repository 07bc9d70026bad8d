import Platform

/// A log that is read into tables: where it lies, and what the column `log` calls it.
typealias TabledLog = (path: String, name: String)

/// The logs of which a command makes tables: files, directories, patterns, and those that a list names.
final class TabledLogs {
  /// The logs, in the order of their names.
  let logs: [TabledLog]
  /// What was named, and what was found: none of it is overwritten.
  let inputs: [String]
  private let spool: SpooledInput?

  /// Finds the logs that `arguments` name, and those that the file `list` names, one on each line.
  init(_ arguments: [String], listedIn list: String? = nil) throws {
    // An end that comes in between leaves no file behind.
    Interrupt.catchSignals()
    if CommandProcess.isOwn { signal(SIGPIPE, SIG_IGN) }
    if list == "-" && arguments.contains("-") {
      throw CommandError.usage(
        "- is both the list of logs and a log; write the list into a file, and name that")
    }

    let named = arguments + (try list.map(TabledLogs.names) ?? [])
    if named == ["-"] {
      let spool = try SpooledInput()
      self.spool = spool
      logs = [(spool.path, "-")]
    } else {
      spool = nil
      logs = try LogFinder.paths(named).map { ($0, $0) }
    }
    inputs = arguments + [list].compactMap(\.self) + logs.map(\.path)
  }

  private static func names(in list: String) throws -> [String] {
    let input = try ByteInput(list)
    let bytes = try WholeFile.read(input, limit: 1 << 30)
    if bytes.contains(0) {
      throw CommandError.unreadable(
        "\(input.name): contains a NUL; expected a name on each line, as find prints without -print0"
      )
    }
    let lines = bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d })
    let names = lines.map { String(decoding: $0, as: UTF8.self) }
    if names.isEmpty {
      throw CommandError.unreadable("\(input.name): names no log; expected a name a line")
    }
    return names
  }
}

/// Standard input as a private file, which is removed with this object: where findings name their events,
/// a log is read twice.
private final class SpooledInput {
  let path: String

  init() throws {
    let (input, _) = try ByteInput.recognize("-", Progress("reading", isQuiet: true))
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/tracectl-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if descriptor < 0 { throw SpooledInput.failure(folder) }

    defer { close(descriptor) }
    while let bytes = try input.nextBytes() {
      if !Terminal.write(Array(bytes), to: descriptor) { throw SpooledInput.failure(path) }
    }
    if Interrupt.isRequested { throw ExitStatus.interrupted }
    try input.checkEnd()
  }

  deinit { unlink(path) }

  private static func failure(_ path: String) -> CommandError {
    .unreadable(
      "\(path): cannot be written: \(String(cString: strerror(errno))); "
        + "set TMPDIR to a writable folder with room")
  }
}
