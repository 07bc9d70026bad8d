/// What is behind a descriptor or a name.
package struct FileStatus {
  /// What a name stands for.
  package enum Kind {
    case file
    case directory
    case link
    case pipe
    case socket
    /// The device that is always empty.
    case null
    /// What has no end, or a person at its other end.
    case device
  }

  package var kind = Kind.device
  package var size = 0
  /// The time of the last change, in nanoseconds since 1970.
  package var modified: Int64 = 0
  package var mode: UInt32 = 0
  /// What distinguishes two files of the machine.
  package var device: UInt64 = 0
  package var number: UInt64 = 0
  /// The user whose file it is.
  package var owner: UInt32 = 0

  package init() {}

  /// The status of what a path names; `nil`, with `errno`, when that cannot be known.
  package init?(_ path: String, followsLinks: Bool = true) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(&status)
  }

  /// The status of an open descriptor; `nil`, with `errno`, when that cannot be known.
  package init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(&status)
  }

  private init(_ status: inout stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .link
    case S_IFIFO: kind = .pipe
    case S_IFSOCK: kind = .socket
    default:
      var null = stat()
      let isNull = stat("/dev/null", &null) == 0 && status.st_rdev == null.st_rdev
      kind = isNull ? .null : .device
    }
    size = Int(status.st_size)
    modified = platform_modified(&status)
    mode = UInt32(status.st_mode & 0o7777)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    owner = status.st_uid
  }

  /// Whether it is the same file.
  package func isSame(as other: FileStatus) -> Bool {
    number == other.number && device == other.device
  }
}
