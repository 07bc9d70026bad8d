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

  /// Gives a log that lies at the usual place another name, so that it is not lost.
  static func keepPrevious(isQuiet: Bool) throws {
    do {
      guard let old = try PreviousLog.keep(usualPath), !isQuiet else { return }
      Terminal.printError("the previous recording is now \(old)")
    } catch LogError.exists(let path) {
      throw CommandError.usage("\(path): exists and is not a log; choose a log with -o")
    } catch LogError.inUse(let path) {
      throw CommandError.usage("\(path): is still being recorded; choose another log with -o")
    } catch {
      throw CommandError.unreadable("\(error)")
    }
  }

  /// Throws when a log would go where it cannot: to no name, a terminal, a pipe with a name, a socket, where
  /// another user's link leads, into the place of a log that an app records, or, when it `mustBeNew`, between
  /// the parts of another one.
  static func check(_ path: String, mustBeNew: Bool) throws {
    if path.isEmpty { throw CommandError.usage("-o takes the name of a file") }
    try refuseTerminal(path)
    var status = stat()
    guard path != "-" else { return }
    _ = try ReportFile.place(of: path)
    if PreviousLog.hasApp(path) {
      throw CommandError.usage("\(path): is still being recorded; choose another log with -o")
    }
    if mustBeNew, access(path, F_OK) != 0, let part = LogPart.newestFile(besideLost: path) {
      throw CommandError.usage("\(part): already exists; choose another -o, or pass --replace")
    }
    guard stat(path, &status) == 0 else { return }
    switch FileOpening.kind(of: status) {
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
