import Platform

/// The system calls of the log, with interruptions handled and failures typed.
enum SystemCalls {
  /// What is behind a descriptor.
  struct FileKind {
    var isDirectory: Bool
    /// The size of a regular file, in which one can seek; `nil` for a pipe or a terminal.
    var size: Int?
  }

  static func openForReading(_ path: String) throws(LogError) -> Int32 {
    try check(open(path, O_RDONLY | O_CLOEXEC), "open", path)
  }

  /// Opens a regular file; anything else is an error, and a pipe does not make the caller wait.
  static func openFile(_ path: String, _ flags: Int32) throws(LogError) -> Int32 {
    let descriptor = try check(open(path, flags | O_NONBLOCK | O_CLOEXEC), "open", path)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      closeDescriptor(descriptor)
      throw .notALog(path: path, looksLikeText: false)
    }
    return descriptor
  }

  /// What a name stands for, links not followed.
  enum NameKind {
    case nothing, file, link, other
  }

  /// What `path` names, without following a link.
  static func nameKind(_ path: String) -> NameKind {
    var status = stat()
    guard lstat(path, &status) == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFLNK: return .link
    default: return .other
    }
  }

  /// The names of what lies in a folder, in no order; none of a folder that cannot be read.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    while let entry = readdir(stream) {
      let name = UnsafeRawPointer(entry) + offset
      names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
    }
    return names
  }

  /// Fills `bytes` from `offset` of an open file; false when the file ends before.
  static func readAll(
    _ descriptor: Int32, at offset: Int, _ bytes: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      if count > 0 { done += count }
      if count == 0 || (count < 0 && errno != EINTR) { return false }
    }
    return true
  }

  /// Makes a file; one that is there already is an error, or is opened as it is.
  static func openForWriting(_ path: String, replacing: Bool) throws(LogError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (replacing ? 0 : O_EXCL)
    let descriptor = try check(open(path, flags, 0o644), "create", path)
    platform_keep_accessible(descriptor)
    return descriptor
  }

  /// Opens a file that is there already.
  static func openForReadingAndWriting(_ path: String) throws(LogError) -> Int32 {
    try check(open(path, O_RDWR | O_CLOEXEC), "open", path)
  }

  /// Keeps others off an open file until it is closed, or the process dies; false when another open
  /// file has it.
  ///
  /// A file system without locks keeps nobody off, nor does a system that forbids to hold them: there an
  /// app's ring says which process records, and that is what decides.
  static func lock(_ descriptor: Int32) -> Bool {
    !mayHoldLocks || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  /// Whether locks are held for as long as a file is written; set to false by a test, in a process of its
  /// own.
  nonisolated(unsafe) static var mayHoldLocks = platform_may_hold_locks() != 0

  /// Whether somebody keeps others off the file.
  static func isLocked(_ descriptor: Int32) -> Bool {
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
    _ = flock(descriptor, LOCK_UN)
    return false
  }

  /// Whether somebody keeps others off the file at `path`.
  static func isFileLocked(_ path: String) -> Bool {
    guard let descriptor = try? openForReading(path) else { return false }
    defer { closeDescriptor(descriptor) }
    return isLocked(descriptor)
  }

  /// The size and the time of the last change, since 1970; `nil` when there is no such file.
  static func file(_ path: String) -> (size: Int, modified: Int64)? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return (Int(status.st_size), platform_modified(&status))
  }

  /// Whether `path` names a regular file, and not a directory, a pipe or a device.
  static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether `path` names the open file.
  static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    guard fstat(descriptor, &opened) == 0, stat(path, &named) == 0 else { return false }
    return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }

  /// Gives a file a second name.
  static func link(_ path: String, _ name: String) throws(LogError) {
    _ = try check(platform_link(path, name), "link", name)
  }

  /// Makes a file that leads to another.
  static func symbolicLink(_ link: String, to path: String) throws(LogError) {
    _ = try check(symlink(path, link), "link", link)
  }

  /// The path from the root, without links; as it is when there is no such file.
  static func absolute(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  static func rename(_ path: String, _ name: String) throws(LogError) {
    _ = try check(platform_rename(path, name), "rename", path)
  }

  static func remove(_ path: String) throws(LogError) {
    _ = try check(unlink(path), "remove", path)
  }

  /// Waits until the names in the folder of `path` survive a power loss.
  static func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) + "/" } ?? "."
    guard let descriptor = try? openForReading(folder) else { return }
    fsync(descriptor)
    closeDescriptor(descriptor)
  }

  /// Opens a ring's file, or makes it; only its owner may read it.
  static func openRing(_ path: String, _ flags: Int32) throws(LogError) -> Int32 {
    guard flags & O_CREAT != 0 else { return try openFile(path, flags) }
    let descriptor = try check(
      open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600), "create", path)
    platform_keep_accessible(descriptor)
    return descriptor
  }

  /// Takes a file's blocks from the disk.
  static func allocate(_ descriptor: Int32, _ bytes: Int, _ path: String) throws(LogError) {
    let code = platform_allocate(descriptor, Int64(bytes))
    if code != 0 { throw failure("allocate", path, code) }
  }

  static func kind(_ descriptor: Int32, _ path: String) throws(LogError) -> FileKind {
    var status = stat()
    _ = try check(fstat(descriptor, &status), "look at", path)
    let format = status.st_mode & S_IFMT
    return FileKind(
      isDirectory: format == S_IFDIR, size: format == S_IFREG ? Int(status.st_size) : nil)
  }

  /// Reads up to `buffer.count` bytes; 0 at the end.
  static func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ path: String
  ) throws(LogError) -> Int {
    while true {
      let count = platform_read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw failure("read", path) }
    }
  }

  /// Writes all of `bytes`, in as many calls as it takes.
  static func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ path: String
  ) throws(LogError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = platform_write(descriptor, rest.baseAddress, rest.count)
      if count > 0 { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
      if count < 0, errno != EINTR { throw failure("write", path) }
    }
  }

  static func truncate(_ descriptor: Int32, to size: Int, _ path: String) throws(LogError) {
    while ftruncate(descriptor, off_t(size)) != 0 {
      if errno != EINTR { throw failure("truncate", path) }
    }
    guard lseek(descriptor, off_t(size), SEEK_SET) >= 0 else { throw failure("seek", path) }
  }

  static func skip(_ descriptor: Int32, _ count: Int, _ path: String) throws(LogError) {
    guard lseek(descriptor, off_t(count), SEEK_CUR) >= 0 else { throw failure("seek", path) }
  }

  static func sync(_ descriptor: Int32, _ path: String) throws(LogError) {
    while fsync(descriptor) != 0 {
      // A pipe or a terminal has nothing to sync.
      if errno == EINVAL || errno == EROFS || errno == ENOTSUP { return }
      if errno != EINTR { throw failure("sync", path) }
    }
  }

  static func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

  /// The awake monotonic clock.
  static func monotonicNanoseconds() -> Int64 { Int64(bitPattern: platform_nanoseconds()) }

  /// The wall clock, since 1970.
  static func wallNanoseconds() -> Int64 { Int64(bitPattern: platform_wall_nanoseconds()) }

  /// The clock that runs on while the machine sleeps.
  static func boottimeNanoseconds() -> Int64 { Int64(bitPattern: platform_boottime_nanoseconds()) }

  private static func check(
    _ result: Int32, _ operation: String, _ path: String
  ) throws(LogError) -> Int32 {
    guard result >= 0 else { throw failure(operation, path) }
    return result
  }

  /// The error for a call that failed with `code`.
  static func failure(
    _ operation: String, _ path: String, _ code: Int32 = errno
  ) -> LogError {
    switch code {
    case ENOENT: return .notFound(path: path)
    case EACCES, EPERM: return .noPermission(path: path)
    case EISDIR: return .isDirectory(path: path)
    case EEXIST: return .exists(path: path)
    case ENOSPC, EDQUOT: return .diskFull(path: path)
    default:
      return .system(
        operation: operation, path: path, errno: code, reason: String(cString: strerror(code)))
    }
  }
}

extension LogIdentity {
  /// The identity of a log that begins now on this machine, with a random id.
  public static func now() -> LogIdentity {
    LogIdentity(
      logID: randomID(),
      originWall: SystemCalls.wallNanoseconds(),
      originMonotonic: SystemCalls.monotonicNanoseconds(),
      originBoottime: SystemCalls.boottimeNanoseconds(), bootID: machineBootID())
  }

  /// The identity of a log whose events were recorded elsewhere: no clock of this machine counts.
  public static func imported(originWall: Int64?) -> LogIdentity {
    LogIdentity(
      logID: randomID(),
      originWall: originWall ?? 0, originMonotonic: 0, originBoottime: 0)
  }

  private static func randomID() -> [UInt8] {
    (0..<16).map { _ in UInt8.random(in: .min ... .max) }
  }

  /// The id of the machine's boot; empty when the system does not tell.
  static func machineBootID() -> [UInt8] {
    var text = [CChar](repeating: 0, count: 64)
    guard platform_boot_id(&text, text.count) != 0 else { return [] }
    return bytes(ofUUID: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)))
  }

  /// The sixteen bytes of a UUID's text; empty when it is none.
  static func bytes(ofUUID text: [UInt8]) -> [UInt8] {
    let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 32 else { return [] }
    return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
