import ChildPrograms
import Platform

/// A folder in memory that goes when its owner does.
final class Folder {
  let path: String
  /// Whether somebody wants to look at it.
  var isKept = false

  init() throws {
    let memory = "/dev/shm"
    let parent = access(memory, W_OK) == 0 ? memory : "/tmp"
    var name = Array("\(parent)/kill-storm-XXXXXX".utf8CString)
    guard let made = mkdtemp(&name) else { throw Failure("\(parent): no folder can be made there") }
    path = String(cString: made)
  }

  deinit {
    guard !isKept else { return }
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// What lies in it.
  var names: [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
      let name = String(
        cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// The content of a file; empty when there is none.
  static func bytes(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  /// The words that a file consists of.
  static func words(_ path: String) -> [UInt64] {
    bytes(path).withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count - 7, by: 8).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
      }
    }
  }

  /// Whether there is something at a path.
  static func has(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
