/// Opens files that a person named, and waits for nobody for long.
///
/// To open a named pipe is to wait for who is at its other end, and a device may have no end.
package enum FileOpening {
  /// Why a file is not opened.
  package enum Refusal: Error, CustomStringConvertible {
    case directory
    case device
    case socket
    case noWriter
    case noReader
    case system(Int32)

    /// What it is and what to do, behind a name and a colon.
    package var description: String {
      switch self {
      case .directory: "is a directory; name a file in it"
      case .device: "is a device; name a file"
      case .socket: "is a socket; name a file"
      case .noWriter:
        "is a pipe that no program writes to; start that program first, or name a file"
      case .noReader: "is a pipe that no program reads; start that program first, or name a file"
      case .system(let code): "cannot be opened: \(String(cString: strerror(code)))"
      }
    }
  }

  /// So many milliseconds it is waited for who is at the other end of a pipe.
  package static let patience: Int32 = 5000
  private static let pause: Int32 = 50

  /// Opens a file, or a pipe that somebody writes to, such as that of `<(command)`; of a pipe the bytes
  /// come, too, that were there already.
  package static func read(_ path: String) throws(Refusal) -> (descriptor: Int32, first: [UInt8]) {
    // Some devices do something as soon as they are opened.
    _ = try kind(FileStatus(path))
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(errno) }

    do throws(Refusal) {
      // It may be another one by now.
      let bytes = try kind(FileStatus(descriptor)) == .pipe ? firstBytes(descriptor) : []
      platform_wait_from_now_on(descriptor)
      return (descriptor, bytes)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func firstBytes(_ pipe: Int32) throws(Refusal) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<(patience / pause) {
      let count = platform_read(pipe, &bytes, bytes.count)
      if count > 0 { return Array(bytes[..<count]) }
      // There is a writer, which has written nothing yet.
      if count < 0 && errno == EAGAIN { return [] }
      if count < 0 && errno != EINTR { throw .system(errno) }
      usleep(UInt32(pause) * 1000)
    }
    throw .noWriter
  }

  /// Opens a pipe that somebody reads, or a device, to be written.
  package static func write(_ path: String) throws(Refusal) -> Int32 {
    guard let kind = FileStatus(path)?.kind else { throw .system(errno) }
    if kind == .socket { throw .socket }
    for _ in 0..<(patience / pause) {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      if descriptor >= 0 {
        platform_wait_from_now_on(descriptor)
        return descriptor
      }
      guard errno == ENXIO, kind == .pipe else { throw .system(errno) }
      usleep(UInt32(pause) * 1000)
    }
    throw .noReader
  }

  /// The kind of what can be read.
  private static func kind(_ status: FileStatus?) throws(Refusal) -> FileStatus.Kind {
    guard let kind = status?.kind else { throw .system(errno) }
    switch kind {
    case .file, .pipe, .null: return kind
    case .directory: throw .directory
    case .device, .link: throw .device
    case .socket: throw .socket
    }
  }
}
