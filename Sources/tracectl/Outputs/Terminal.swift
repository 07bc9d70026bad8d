import Platform
import TraceText

/// Standard output and standard error.
enum Terminal {
  static func print(_ text: String) throws {
    try write(Array(text.utf8))
  }

  /// Writes all of `bytes` to standard output.
  static func write(_ bytes: [UInt8]) throws {
    if !write(bytes, to: STDOUT_FILENO) { throw CommandError.notWritten("standard output") }
  }

  /// Prints one line to standard error; an end of a line in it is that of a file's name.
  static func printError(_ text: String) { printError([text]) }

  /// Prints lines to standard error.
  static func printError(_ lines: [String]) {
    printStatus("tracectl: \(lines.map(InertText.line).joined(separator: "\n"))\n")
  }

  /// Prints a line to standard error that names its place itself, as those of compilers do.
  static func printProblem(_ text: String) { printStatus(InertText.line(text) + "\n") }

  /// Writes to standard error; when that fails there is nobody left to tell.
  static func printStatus(_ text: String) {
    _ = write(Array(text.utf8), to: STDERR_FILENO)
  }

  /// Writes all of `bytes`; when that fails `errno` says why.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer
      while !rest.isEmpty {
        let count = platform_write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return false }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return true
    }
  }

  static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
