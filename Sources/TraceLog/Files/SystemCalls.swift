import Platform

/// The system calls of the log, with interruptions handled and failures typed.
package enum SystemCalls {
  /// The machine whose files and clocks are used; a simulation sets its own before the first call, in a
  /// process of its own.
  nonisolated(unsafe) package static var machine: any Machine = RealMachine()

  /// Whether locks are held for as long as a file is written; set to false by a test, in a process of its
  /// own.
  nonisolated(unsafe) static var mayHoldLocks = platform_may_hold_locks() != 0

  /// Only its owner may read what an app recorded; whoever may read more says so with `chmod`.
  private static let ownerOnly: UInt32 = 0o600

  // MARK: Opening

  /// Opens a regular file; anything else is an error, and a pipe does not make the caller wait.
  static func openFile(_ path: String, _ flags: Int32) throws(LogError) -> Int32 {
    let descriptor = try open(path, flags | O_NONBLOCK)
    var status = FileStatus()
    guard machine.status(of: descriptor, &status) == 0, status.kind == .file else {
      closeDescriptor(descriptor)
      if status.kind == .directory { throw .isDirectory(path: path) }
      throw .notALog(path: path, looksLikeText: false)
    }
    return descriptor
  }

  /// How long an open file is; `nil` when the system does not say.
  static func size(_ descriptor: Int32) -> Int? {
    var status = FileStatus()
    return machine.status(of: descriptor, &status) == 0 ? status.size : nil
  }

  /// Makes a file that only its owner may read; one that is there already is an error, or is opened as it
  /// is.
  static func openForWriting(_ path: String, replacing: Bool) throws(LogError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | (replacing ? 0 : O_EXCL)
    let descriptor = try open(path, flags, "create")
    platform_keep_accessible(descriptor)
    return descriptor
  }

  /// Opens a ring's file, or makes it; only its owner may read it.
  static func openRing(_ path: String, _ flags: Int32) throws(LogError) -> Int32 {
    guard flags & O_CREAT != 0 else { return try openFile(path, flags) }
    let descriptor = try open(path, flags | O_NOFOLLOW, "create")
    platform_keep_accessible(descriptor)
    return descriptor
  }

  /// Opens a file; one that is made is its owner's alone.
  static func open(
    _ path: String, _ flags: Int32, _ operation: String = "open"
  ) throws(LogError) -> Int32 {
    try again(operation, path) { machine.open(path, flags | O_CLOEXEC, mode: ownerOnly) }
  }

  static func closeDescriptor(_ descriptor: Int32) { machine.close(descriptor) }

  // MARK: Reading and writing

  /// Fills `bytes` from `offset` of an open file; false when the file ends before.
  static func readAll(
    _ descriptor: Int32, at offset: Int, _ bytes: UnsafeMutableRawBufferPointer, _ path: String
  ) throws(LogError) -> Bool {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = machine.read(descriptor, at: offset + done, rest)
      if count == 0 { return false }
      if count > 0 { done += count }
      if count < 0, count != -Int(EINTR) { throw failure("read", path, Int32(-count)) }
    }
    return true
  }

  /// Reads up to `buffer.count` bytes; 0 at the end.
  static func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ path: String
  ) throws(LogError) -> Int {
    while true {
      let count = machine.read(descriptor, buffer)
      if count >= 0 { return count }
      if count != -Int(EINTR) { throw failure("read", path, Int32(-count)) }
    }
  }

  /// Writes all of `bytes`, in as many calls as it takes.
  static func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ path: String
  ) throws(LogError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = machine.write(descriptor, rest)
      if count > 0 { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
      if count < 0, count != -Int(EINTR) { throw failure("write", path, Int32(-count)) }
    }
  }

  static func truncate(_ descriptor: Int32, to size: Int, _ path: String) throws(LogError) {
    try again("truncate", path) { machine.truncate(descriptor, to: size) }
    try seek(descriptor, to: size, path)
  }

  /// Goes to a place of an open file: from its start, or with `SEEK_CUR` from where it stands.
  static func seek(
    _ descriptor: Int32, to place: Int, _ path: String, from origin: Int32 = SEEK_SET
  ) throws(LogError) {
    let place = machine.seek(descriptor, place, origin)
    if place < 0 { throw failure("seek", path, Int32(-place)) }
  }

  static func sync(_ descriptor: Int32, _ path: String) throws(LogError) {
    try again("sync", path) {
      let result = machine.sync(descriptor)
      // A pipe or a terminal has nothing to sync.
      return [EINVAL, EROFS, ENOTSUP].contains(-result) ? 0 : result
    }
  }

  /// Waits until the names in the folder of `path` survive a power loss.
  package static func syncFolder(of path: String) throws(LogError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) + "/" } ?? "."
    let descriptor = try open(folder, O_RDONLY)
    defer { closeDescriptor(descriptor) }
    try sync(descriptor, folder)
  }

  /// Takes a file's blocks from the disk.
  static func allocate(_ descriptor: Int32, _ bytes: Int, _ path: String) throws(LogError) {
    try check(machine.allocate(descriptor, bytes), "allocate", path)
  }

  /// Maps a file, shared with all who map it.
  static func map(
    _ descriptor: Int32, _ bytes: Int, _ path: String
  ) throws(LogError) -> UnsafeMutableRawPointer {
    var error: Int32 = 0
    guard let base = machine.map(descriptor, bytes, &error) else {
      throw failure("map", path, error)
    }
    return base
  }

  // MARK: Locks

  /// Keeps others off an open file until it is closed, or the process dies; false when another open
  /// file has it.
  ///
  /// Waits at most 200 ms for it: a reader that looks whether a process is there has the lock for a moment, and
  /// a killed process has its locks until its last thread is gone, which on a busy machine took 106 ms.
  ///
  /// A file system without locks keeps nobody off, nor does a system that forbids to hold them: there an
  /// app's ring says which process records, and that is what decides.
  static func lock(_ descriptor: Int32) -> Bool {
    guard mayHoldLocks else { return true }
    for millisecond in 0...200 {
      if millisecond > 0 { usleep(1000) }
      if machine.lock(descriptor, LOCK_EX | LOCK_NB) != -EWOULDBLOCK { return true }
    }
    return false
  }

  /// Waits until nobody keeps others off the file.
  static func waitForLock(_ descriptor: Int32) {
    while machine.lock(descriptor, LOCK_SH) == -EINTR {}
    _ = machine.lock(descriptor, LOCK_UN)
  }

  /// Whether somebody keeps others off the file.
  static func isLocked(_ descriptor: Int32) -> Bool {
    let result = machine.lock(descriptor, LOCK_SH | LOCK_NB)
    if result == 0 { _ = machine.lock(descriptor, LOCK_UN) }
    return result == -EWOULDBLOCK
  }

  /// Whether somebody keeps others off the file at `path`.
  package static func isFileLocked(_ path: String) -> Bool {
    guard let descriptor = try? openFile(path, O_RDONLY) else { return false }
    defer { closeDescriptor(descriptor) }
    return isLocked(descriptor)
  }

  // MARK: What is there

  /// What is behind an open descriptor.
  static func status(_ descriptor: Int32, _ path: String) throws(LogError) -> FileStatus {
    var status = FileStatus()
    try check(machine.status(of: descriptor, &status), "look at", path)
    return status
  }

  /// What is at `path`, where a link leads; `nil` when there is nothing.
  package static func status(_ path: String) -> FileStatus? {
    var status = FileStatus()
    return machine.status(path, followsLinks: true, &status) == 0 ? status : nil
  }

  /// What `path` names, without following a link; `nil` when there is nothing.
  package static func nameKind(_ path: String) -> FileStatus.Kind? {
    var status = FileStatus()
    return machine.status(path, followsLinks: false, &status) == 0 ? status.kind : nil
  }

  /// Whether `path` names the open file.
  static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
    guard let opened = try? status(descriptor, path), let named = status(path) else { return false }
    return opened.isSame(as: named)
  }

  /// Up to so many names of what lies in a folder, in no order; none of a folder that cannot be read.
  static func names(in folder: String, atMost limit: Int = .max) -> [String] {
    machine.names(in: folder, atMost: limit)
  }

  /// The path from the root, without links; as it is when there is no such file.
  static func absolute(_ path: String) -> String { machine.absolute(path) ?? path }

  // MARK: Names

  /// Lets those read a file who may read the file at `path`.
  static func takeMode(_ descriptor: Int32, of path: String) {
    guard let mode = status(path)?.mode, mode != ownerOnly else { return }
    _ = machine.setMode(descriptor, mode & 0o666)
  }

  /// Makes a file that leads to another.
  static func symbolicLink(_ link: String, to path: String) throws(LogError) {
    try check(machine.symbolicLink(path, link), "link", link)
  }

  package static func rename(_ path: String, _ name: String) throws(LogError) {
    try check(machine.rename(path, name), "rename", path)
  }

  package static func remove(_ path: String) throws(LogError) {
    try check(machine.unlink(path), "remove", path)
  }

  // MARK: Clocks

  /// The awake monotonic clock.
  package static func monotonicNanoseconds() -> Int64 { Int64(bitPattern: machine.nanoseconds) }

  /// The wall clock, since 1970.
  static func wallNanoseconds() -> Int64 { Int64(bitPattern: machine.wallNanoseconds) }

  /// The clock that runs on while the machine sleeps.
  static func boottimeNanoseconds() -> Int64 { Int64(bitPattern: machine.boottimeNanoseconds) }

  // MARK: Failures

  @discardableResult
  private static func check(
    _ result: Int32, _ operation: String, _ path: String
  ) throws(LogError) -> Int32 {
    guard result >= 0 else { throw failure(operation, path, -result) }
    return result
  }

  /// Calls until the call is not interrupted.
  @discardableResult
  private static func again(
    _ operation: String, _ path: String, _ call: () -> Int32
  ) throws(LogError) -> Int32 {
    var result = call()
    while result == -EINTR { result = call() }
    return try check(result, operation, path)
  }

  /// The error for a call that failed with `code`.
  static func failure(
    _ operation: String, _ path: String, _ code: Int32 = errno
  ) -> LogError {
    switch code {
    case ENOENT: return .notFound(path: path)
    case EACCES, EPERM: return .noPermission(path: path)
    // What is a link where none belongs.
    case ELOOP: return .notALog(path: path, looksLikeText: false)
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
      originBoottime: SystemCalls.boottimeNanoseconds(), bootID: SystemCalls.machine.bootID)
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

  /// The sixteen bytes of a UUID's text; empty when it is none.
  static func bytes(ofUUID text: [UInt8]) -> [UInt8] {
    let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count == 32 else { return [] }
    return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
