import LifecycleModel

/// The recording before the last one: a new recording under a name that nobody chose keeps the log
/// that lies there, under another name.
public enum PreviousLog {
  /// The name under which the log at `path` is kept: `log.old.bin` for `log.bin`.
  public static func name(of path: String) -> String {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[name...].lastIndex(of: "."), dot > name else { return path + ".old" }
    return path[..<dot] + ".old" + path[dot...]
  }

  /// Renames the log at `path`, with all of its parts and its ring, and removes the one that was kept
  /// before; returns the new name, or `nil` when there is no file at `path`.
  ///
  /// Throws ``LogError/exists(path:)`` for a file that is not a log, or is in the place of a part, and
  /// ``LogError/inUse(path:)`` for a log that is still written or whose app still runs. Then everything is
  /// as it was. Whoever dies meanwhile leaves what the next call goes on with.
  public static func keep(_ path: String) throws -> String? {
    try RotatingLog.endHalfRotation(path)
    guard let file = SystemCalls.status(path) else { return nil }
    if file.kind == .file, file.size == 0, SystemCalls.status(path + RingFormat.pathEnding) == nil {
      // A recording that found no room on the disk has left it.
      try SystemCalls.remove(path)
      return nil
    }
    let log = try scanner(path).identity?.logID
    let old = name(of: path)
    if SystemCalls.nameKind(old) != nil { _ = try scanner(old) }
    try checkIsOver(path)
    for part in RotatingLog.parts(of: old) { try? SystemCalls.remove(old + part) }

    let parts = RotatingLog.parts(of: path)
    for part in parts where SystemCalls.status(old + part)?.size ?? 0 > 0 {
      _ = try scanner(old + part)
    }
    for part in parts { try SystemCalls.rename(path + part, old + part) }

    // The ring before the log: a log without its ring lacks events, and nobody would notice.
    let ring = (path + RingFormat.pathEnding, old + RingFormat.pathEnding)
    if SystemCalls.status(ring.0) != nil {
      try SystemCalls.rename(ring.0, ring.1)
    } else if log == nil || logID(ofRing: ring.1) != log {
      try? SystemCalls.remove(ring.1)
    }

    try SystemCalls.rename(path, old)
    return old
  }

  /// Opens the log at `path`, or a part; throws when there is another file.
  private static func scanner(_ path: String) throws -> LogScanner {
    guard SystemCalls.isRegularFile(path), let input = try? LogInput(path: path),
      let scanner = try? LogScanner(input)
    else { throw LogError.exists(path: path) }
    return scanner
  }

  /// The id of the log whose ring lies there; `nil` when none can be read.
  private static func logID(ofRing path: String) -> [UInt8]? {
    guard let ring = try? RingMapping.open(path: path, isWritable: false) else { return nil }
    return RingReader(ring, vocabulary: Vocabulary()).logID
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
