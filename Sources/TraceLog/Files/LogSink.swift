import Platform

/// Where a log's bytes go.
///
/// A sink that throws from ``write(_:)`` has taken none of the bytes, so that the log ends with its
/// last whole block.
public protocol LogSink: AnyObject {
  /// What errors call the sink; a path.
  var path: String { get }
  /// Appends all bytes, or none and throws.
  func write(_ bytes: UnsafeRawBufferPointer) throws
  /// Waits until what was written survives a power loss.
  func sync() throws
  /// Gives up what the sink holds.
  func close() throws
}

/// A log in a file, or on any descriptor.
public final class FileLogSink: LogSink {
  /// What to do with a file that is there already.
  public enum Disposition: Sendable {
    /// Refuse: a log is never written over by accident.
    case create
    /// Empty it first, and remove all of its parts and its ring; what is no log is refused all the same.
    case replace
  }

  /// The file's path, for errors.
  public let path: String
  private var descriptor: Int32
  private let canTruncate: Bool
  /// Whether the path is a name in the file system.
  private var hasName = true
  /// How long the file is up to its last whole block.
  private var size = 0
  private var isTorn = false
  /// How much of the file is on the disk for sure, and the checksum of what was written since.
  private var syncedSize = 0
  private var ownStart = 0
  private var unsyncedChecksum: UInt32 = 0
  /// Whether a sync has failed: the system may have forgotten what it did not bring to the disk, so that
  /// the next sync would succeed without it.
  var mustWriteAgain = false
  /// Whether a power loss may take the file's name.
  private var hasUnsyncedName = false

  /// Makes the file at `path`.
  ///
  /// Throws ``LogError/inUse(path:)`` when there is one that another process writes.
  public init(path: String, _ disposition: Disposition = .create) throws {
    self.path = path
    if disposition == .replace { try RotatingLog.checkReplaceable(path) }
    let beside = disposition == .replace ? RotatingLog.files(beside: path) : []
    descriptor = try SystemCalls.openForWriting(path, replacing: disposition == .replace)
    canTruncate = (try? SystemCalls.status(descriptor, path).kind) == .file
    try lock()
    // No sooner than nobody else writes the log; and as long as it says which files are its own.
    for file in beside { try? SystemCalls.remove(file) }
    if disposition == .replace { try cutBack() }
    hasUnsyncedName = canTruncate
  }

  /// Opens the file at `path` to go on with it; see ``goOn(at:)``.
  ///
  /// Throws ``LogError/inUse(path:)`` when somebody else writes it.
  init(resuming path: String) throws {
    self.path = path
    descriptor = try SystemCalls.open(path, O_RDWR)
    canTruncate = true
    // Who made the file may have died before its name was on the disk.
    hasUnsyncedName = true
    try lock()
    guard isInPlace else { throw LogError.inUse(path: path) }
  }

  /// Takes away what stands behind `end`, and goes on there.
  func goOn(at end: Int) throws {
    size = end
    try cutBack()
    // Nobody knows what the last process has synced.
    (syncedSize, ownStart) = (0, end)
  }

  /// Takes away what stands behind the file header, which is so long, and says so there, on the disk, too.
  ///
  /// Whoever dies meanwhile leaves a file of which nothing is read behind the mark.
  func cut(behindHeader length: Int) throws {
    try FileLogSink.cut(descriptor, path, length)
  }

  /// The same with a file that somebody else has locked and does not write any more.
  static func cut(_ path: String, behindHeader length: Int) throws {
    let descriptor = try SystemCalls.open(path, O_RDWR)
    defer { SystemCalls.closeDescriptor(descriptor) }
    try cut(descriptor, path, length)
  }

  private static func cut(_ descriptor: Int32, _ path: String, _ length: Int) throws {
    try SystemCalls.seek(descriptor, to: length, path)
    try withUnsafeBytes(of: LogFormat.cutMark) { try SystemCalls.write(descriptor, $0, path) }
    try SystemCalls.sync(descriptor, path)
    try SystemCalls.truncate(descriptor, to: length + 1, path)
    try SystemCalls.sync(descriptor, path)
  }

  /// Keeps other writers off the file, until it is closed or the process dies.
  private func lock() throws {
    guard SystemCalls.lock(descriptor) else { throw LogError.inUse(path: path) }
  }

  /// Whether the path names the file that is written.
  var isInPlace: Bool { !hasName || SystemCalls.isSame(descriptor, path) }

  /// Writes to an open descriptor, which the sink closes.
  public init(descriptor: Int32, path: String = "standard output") {
    self.path = path
    self.descriptor = descriptor
    canTruncate = false
    hasName = false
  }

  deinit {
    if descriptor >= 0 { SystemCalls.closeDescriptor(descriptor) }
  }

  /// Appends all bytes; when that fails, cuts the file back to where it was and throws.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard descriptor >= 0 else { throw LogError.closed(path: path) }
    if isTorn { try cutBack() }
    do {
      try SystemCalls.write(descriptor, bytes, path)
      size += bytes.count
      unsyncedChecksum = unsyncedChecksum.continued(over: bytes)
    } catch {
      isTorn = true
      try? cutBack()
      throw error
    }
  }

  /// Takes a part of a block away again.
  ///
  /// What cannot be cut, a reader sees as a damaged block.
  private func cutBack() throws {
    if canTruncate { try SystemCalls.truncate(descriptor, to: size, path) }
    isTorn = false
  }

  /// Waits until what was written survives a power loss, and the file's name does.
  public func sync() throws {
    guard descriptor >= 0 else { throw LogError.closed(path: path) }
    if mustWriteAgain { try writeAgain() }
    mustWriteAgain = canTruncate
    try SystemCalls.sync(descriptor, path)
    noteSynced()
    guard hasUnsyncedName else { return }
    try SystemCalls.syncFolder(of: path)
    hasUnsyncedName = false
  }

  /// Writes again what a failed sync may have lost, as long as the system still has it in memory; throws
  /// once when it has not.
  private func writeAgain() throws {
    let reader = try SystemCalls.open(path, O_RDONLY)
    defer { SystemCalls.closeDescriptor(reader) }
    guard SystemCalls.isSame(reader, path), SystemCalls.isSame(descriptor, path) else {
      throw LogError.removed(path: path)
    }

    isTorn = true
    try SystemCalls.seek(descriptor, to: syncedSize, path)
    var found: UInt32 = 0
    var done = syncedSize
    while done < size {
      let end = min(done < ownStart ? ownStart : size, done + (1 << 18))
      var bytes = [UInt8](repeating: 0, count: end - done)
      try bytes.withUnsafeMutableBytes {
        _ = try SystemCalls.readAll(reader, at: done, $0, path)
        try SystemCalls.write(descriptor, UnsafeRawBufferPointer($0), path)
        if done >= ownStart { found = found.continued(over: UnsafeRawBufferPointer($0)) }
      }
      done = end
    }

    isTorn = false
    guard found == unsyncedChecksum else {
      noteSynced()
      throw SystemCalls.failure("sync", path, EIO)
    }
  }

  private func noteSynced() {
    (syncedSize, ownStart, unsyncedChecksum, mustWriteAgain) = (size, size, 0, false)
  }

  /// Lets those read the file who may read the file at `path`.
  func takeMode(of path: String) { SystemCalls.takeMode(descriptor, of: path) }

  /// Closes the file.
  public func close() throws {
    guard descriptor >= 0 else { return }
    if isTorn { try? cutBack() }
    SystemCalls.closeDescriptor(descriptor)
    descriptor = -1
  }
}

/// A log in memory.
public final class MemoryLogSink: LogSink {
  /// What errors call the log.
  public let path: String
  /// The log so far.
  public private(set) var bytes: [UInt8] = []

  /// Makes an empty log in memory.
  public init(path: String = "memory") { self.path = path }

  /// Appends all bytes.
  public func write(_ bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }

  /// Does nothing: memory does not survive anyway.
  public func sync() {}

  /// Does nothing.
  public func close() {}
}
