import Platform
import TraceLog

extension CommandError {
  /// Why a log cannot be written, and what to do.
  static func writing(_ error: any Error) -> CommandError {
    switch error {
    case let error as CommandError: error
    case LogError.exists(let path):
      .usage("\(path): already exists; choose another -o, or pass --replace")
    case LogError.notOurs(let path):
      .usage("\(path): is not a log, so it is not replaced; choose another -o")
    case LogError.notFound(let path):
      .unreadable("\(path): cannot be created; does its folder exist?")
    case LogError.impossibleRing(let reason): .usage("cannot create a ring: \(reason)")
    default: .unreadable("\(error)")
    }
  }
}

/// The log that a command is about to write.
enum NewLog {
  /// Where a log lies by default.
  static let usualPath = "log.bin"

  /// The usual place, or, when recordings lie in this directory, the name after theirs: `log-2.bin`, `log-3.bin` and so on.
  static func freePath() -> String {
    let last = (Folder.names(in: ".") ?? []).compactMap(number).max() ?? 0
    return last == 0 ? usualPath : "log-\(last + 1).bin"
  }

  /// Which recording without a chosen name a file is, or belongs to: a part or a ring.
  private static func number(of name: String) -> UInt32? {
    guard let match = name.wholeMatch(of: /log(?:-(\d+))?\.bin(?:\..*)?/) else { return nil }
    guard let digits = match.1 else { return 1 }
    return UInt32(digits).flatMap { $0 < .max ? $0 : nil }
  }

  /// Throws when a log would go where it cannot: to no name, a terminal, a pipe with a name, a socket, where
  /// another user's link leads, into the place of a log that an app records, or, when it `mustBeNew`, between
  /// the parts of another one.
  static func check(_ path: String, mustBeNew: Bool) throws {
    if path.isEmpty { throw CommandError.usage("-o takes the name of a file") }
    try refuseTerminal(path)
    guard path != "-" else { return }
    _ = try ReportFile.place(of: path)
    if RingMapping.isRecorded(log: path) {
      throw CommandError.usage("\(path): is still being recorded; choose another log with -o")
    }
    if mustBeNew, access(path, F_OK) != 0, let part = LogPartFinder.newestPart(beside: path) {
      throw CommandError.usage("\(part): already exists; choose another -o, or pass --replace")
    }
    switch FileStatus(path)?.kind {
    case .pipe:
      throw CommandError.usage("\(path): is a pipe; write the log with -o - and pipe it")
    case .socket: throw CommandError.usage("\(path): is a socket; choose another -o")
    default: return
    }
  }

  /// How the log at `path` is called in messages.
  static func name(of path: String) -> String { path == "-" ? "standard output" : path }

  /// Throws when a binary log, or `what` else is binary, would go to a terminal.
  static func refuseTerminal(_ path: String, _ what: String = "a log") throws {
    guard path == "-", isatty(STDOUT_FILENO) == 1 else { return }
    throw CommandError.usage(
      "\(what) is binary and would garble the terminal; redirect the output, or name a file with -o"
    )
  }

  /// Reports that the input is typed, which is rarely meant.
  static func tellWaiting(_ input: ByteInput, isQuiet: Bool) {
    guard !isQuiet, isatty(input.descriptor) == 1 else { return }
    Terminal.printError("reading from the terminal; end the input with Ctrl-D, or name a file")
  }
}
