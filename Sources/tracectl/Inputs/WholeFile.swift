import Platform

/// A small file that is read as a whole.
enum WholeFile {
  /// All bytes of a file; `nil` when there is none.
  static func readIfThere(_ path: String) throws -> [UInt8]? {
    if path != "-" && access(path, F_OK) != 0 && errno == ENOENT { return nil }
    return try read(ByteInput(path))
  }

  /// All bytes of an input, which has no more than `limit`: what is larger is another kind of file,
  /// or has no end.
  static func read(_ input: ByteInput, limit: Int = 256 << 20) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = try input.nextBytes() {
      bytes += more
      if bytes.count > limit {
        throw CommandError.unreadable(
          "\(input.name): is larger than \(limit >> 20) MiB; check the name")
      }
    }
    return bytes
  }

  /// Makes a folder for files, when there is none at `path`.
  static func makeFolder(_ path: String) throws {
    if mkdir(path, 0o777) != 0 && errno != EEXIST {
      let step = errno == ENOENT ? "; name one whose parent exists" : ""
      throw CommandError.unreadable(
        "\(path): cannot be made a directory: \(String(cString: strerror(errno)))\(step)")
    }
  }
}
