import Platform

/// A file without a name, which goes when this object does.
final class TemporaryFile {
  /// How many bytes were appended.
  private(set) var count = 0
  private let descriptor: Int32
  private let folder: String
  private var pending: [UInt8] = []

  /// Makes a file in the folder for temporary files.
  init() throws {
    folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/tracectl-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    if descriptor < 0 { throw TemporaryFile.error(folder, errno) }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// Appends bytes, which can be read after ``flush()``.
  func append(_ bytes: ArraySlice<UInt8>) throws {
    pending.append(contentsOf: bytes)
    count += bytes.count
    if pending.count >= 1 << 18 { try flush() }
  }

  /// Writes what was appended.
  func flush() throws {
    let start = count - pending.count
    try pending.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(start + done))
        if written < 0 && errno != EINTR { throw TemporaryFile.error(folder, errno) }
        done += max(0, written)
      }
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// The bytes of a range, all of which were written.
  func read(_ range: Range<Int>) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, done in
      while done < range.count {
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[done..<range.count])
        let count = pread(
          descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + done))
        if count == 0 { throw TemporaryFile.error(folder, EIO) }
        if count < 0 && errno != EINTR { throw TemporaryFile.error(folder, errno) }
        done += max(0, count)
      }
    }
  }

  private static func error(_ folder: String, _ code: Int32) -> SourceError {
    SourceError(
      .noTemporaryFile, expected: "room for a temporary file in \(folder)",
      found: String(cString: strerror(code)), remedy: "set TMPDIR to a folder with room")
  }
}
