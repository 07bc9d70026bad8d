#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A small file that is read and written as a whole.
enum WholeFile {
  /// All bytes of a file; `nil` when there is none.
  static func readIfThere(_ path: String) throws -> [UInt8]? {
    if path != "-" && access(path, F_OK) != 0 && errno == ENOENT { return nil }
    let input = try ByteInput(path)
    var bytes: [UInt8] = []
    while true {
      switch try input.next() {
      case .bytes(let more): bytes += more
      case .pause: continue
      case .end: return bytes
      }
    }
  }

  /// Replaces a file at once: whoever reads it sees all of it, or what was there before.
  static func write(_ bytes: [UInt8], to path: String) throws {
    // What is no file, such as /dev/stdout, cannot be replaced.
    var status = stat()
    let isOther = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    let new = isOther ? path : "\(path).\(getpid()).new"
    guard let file = fopen(new, "w") else { throw error(path) }
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    let isClosed = fclose(file) == 0
    guard isWritten, isClosed, isOther || rename(new, path) == 0 else {
      let error = error(path)
      if !isOther { unlink(new) }
      throw error
    }
  }

  private static func error(_ path: String) -> CommandError {
    .unreadable("\(path): cannot be written: \(String(cString: strerror(errno)))")
  }
}
