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

  /// What a name stands for.
  package enum Kind {
    case file
    case pipe
    /// What has no end, or a person at its other end.
    case device
    /// The device that is always empty.
    case null
    case directory
    case socket
  }

  /// So many milliseconds it is waited for who is at the other end of a pipe.
  package static let patience: Int32 = 5000
  private static let pause: Int32 = 50

  /// What a status says.
  package static func kind(of status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    case S_IFIFO: return .pipe
    case S_IFSOCK: return .socket
    default:
      var null = stat()
      return stat("/dev/null", &null) == 0 && status.st_rdev == null.st_rdev ? .null : .device
    }
  }

  /// Opens a file, or a pipe that somebody writes to, such as that of `<(command)`; of a pipe the bytes
  /// come, too, that were there already.
  package static func read(_ path: String) throws(Refusal) -> (descriptor: Int32, first: [UInt8]) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(errno) }
    // Some devices do something as soon as they are opened.
    try check(kind(of: status))
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .system(errno) }

    do throws(Refusal) {
      // It may be another one by now.
      guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
      let kind = kind(of: status)
      try check(kind)
      let bytes = try kind == .pipe ? firstBytes(descriptor) : []
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
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(errno) }
    if kind(of: status) == .socket { throw .socket }
    for _ in 0..<(patience / pause) {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
      if descriptor >= 0 {
        platform_wait_from_now_on(descriptor)
        return descriptor
      }
      guard errno == ENXIO, kind(of: status) == .pipe else { throw .system(errno) }
      usleep(UInt32(pause) * 1000)
    }
    throw .noReader
  }

  private static func check(_ kind: Kind) throws(Refusal) {
    switch kind {
    case .file, .pipe, .null: return
    case .directory: throw .directory
    case .device: throw .device
    case .socket: throw .socket
    }
  }
}
