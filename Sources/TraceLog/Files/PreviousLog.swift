/// The recording before the last one: a new recording under a name that nobody chose keeps the log
/// that lies there, under another name.
public enum PreviousLog {
  /// The name under which the log at `path` is kept: `log.old.bin` for `log.bin`.
  public static func name(of path: String) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[name...].lastIndex(of: "."), dot > name else { return path + ".old" }
    return path[..<dot] + ".old" + path[dot...]
  }

  /// Renames the log at `path`, with its older parts and its ring, and removes the one that was kept
  /// before; returns the new name, or `nil` when there is no file at `path`.
  ///
  /// Throws ``LogError/exists(path:)`` for a file that is not a log, and ``LogError/inUse(path:)`` for a
  /// log that is still written or whose app still runs. Then everything is as it was.
  public static func keep(_ path: String) throws -> String? {
    guard let file = SystemCalls.status(path) else { return nil }
    if file.kind == .file, file.size == 0, SystemCalls.status(path + RingFormat.pathEnding) == nil {
      // A recording that found no room on the disk has left it.
      try SystemCalls.remove(path)
      return nil
    }
    try checkIsLog(path)
    let old = name(of: path)
    if SystemCalls.status(old) != nil { try checkIsLog(old) }
    try checkIsOver(path)
    for part in RotatingLog.parts(of: old) { try? SystemCalls.remove(old + part) }
    try? SystemCalls.remove(old + RingFormat.pathEnding)

    for part in RotatingLog.parts(of: path) { try SystemCalls.rename(path + part, old + part) }

    // The ring before the log: a log without its ring lacks events, and nobody would notice.
    if SystemCalls.status(path + RingFormat.pathEnding) != nil {
      try SystemCalls.rename(path + RingFormat.pathEnding, old + RingFormat.pathEnding)
    }

    try SystemCalls.rename(path, old)
    return old
  }

  /// Throws unless there is a log at `path`.
  private static func checkIsLog(_ path: String) throws {
    guard SystemCalls.isRegularFile(path), let input = try? LogInput(path: path),
      (try? LogScanner(input)) != nil
    else { throw LogError.exists(path: path) }
  }

  /// Throws while a recorder writes the log, or an app its ring.
  private static func checkIsOver(_ path: String) throws {
    let descriptor = try SystemCalls.openForReading(path)
    defer { SystemCalls.closeDescriptor(descriptor) }
    if SystemCalls.isLocked(descriptor) { throw LogError.inUse(path: path) }
    let ring = try? RingMapping.open(path: path + RingFormat.pathEnding, isWritable: false)
    if let ring, ring.hasApp { throw LogError.inUse(path: path) }
  }
}
