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
  /// before; returns the new name, or `nil` when no log is there, or one without a block, which is removed.
  ///
  /// Throws ``LogError/exists(path:)`` for a file that is not a log, or is in the place of a part, and
  /// ``LogError/inUse(path:)`` for a log that is still written or whose app still runs. Then everything is
  /// as it was. Whoever dies meanwhile leaves what the next call goes on with.
  public static func keep(_ path: String) throws -> String? {
    try RotatingLog.endHalfRotation(path)
    try checkIsOver(path)
    let old = name(of: path)
    removeTwins(path, old)
    guard let newest = try newest(path) else { return try keepParts(of: path, as: old) }

    let parts = RotatingLog.parts(of: path)
    let ring = SystemCalls.status(path + RingFormat.pathEnding).map { _ in RingFormat.pathEnding }
    if parts.isEmpty, ring == nil, newest.part.number == 1, newest.identity != nil,
      case .end = try newest.next()
    {
      // A recording that found no room on the disk has left its header.
      try SystemCalls.remove(path)
      return nil
    }

    for part in parts where SystemCalls.status(old + part)?.size ?? 0 > 0 {
      _ = try scanner(old + part)
    }
    try removeKept(old, before: newest.identity?.logID, hasRing: ring != nil)

    // Until the log has its new name all have both: whoever dies meanwhile leaves it whole.
    let files = parts + [ring].compactMap(\.self)
    for file in files {
      if SystemCalls.nameKind(old + file) != nil { try SystemCalls.remove(old + file) }
      do { try SystemCalls.link(path + file, old + file) } catch {
        guard error.isOfNoLinks else { throw error }
        try SystemCalls.rename(path + file, old + file)
      }
    }
    try SystemCalls.rename(path, old)
    for file in files { try? SystemCalls.remove(path + file) }
    return old
  }

  /// Opens the log at `path`; `nil` when there is none, or an empty file.
  private static func newest(_ path: String) throws -> LogScanner? {
    guard let file = SystemCalls.status(path) else { return nil }
    let isEmpty = file.kind == .file && file.size == 0
    if isEmpty, SystemCalls.status(path + RingFormat.pathEnding) == nil { return nil }
    return try scanner(path)
  }

  /// Keeps the parts of a log whose own file is missing or empty; `nil` when there is none.
  private static func keepParts(of path: String, as old: String) throws -> String? {
    // A recording that found no room on the disk has left an empty file.
    if SystemCalls.nameKind(path) != nil { try SystemCalls.remove(path) }
    guard LogPartFinder.newestPart(besideLost: path) != nil else { return nil }
    let ring = path + RingFormat.pathEnding
    let hasRing = SystemCalls.status(ring) != nil
    try removeKept(old, before: nil, hasRing: hasRing)
    if SystemCalls.nameKind(old) != nil { try SystemCalls.remove(old) }
    if hasRing { try SystemCalls.rename(ring, old + RingFormat.pathEnding) }
    RotatingLog.moveParts(of: path, to: old)
    return old
  }

  /// Removes the parts and the ring of the log that was kept before; those of the log with this id are what a
  /// death has left of keeping it.
  private static func removeKept(_ old: String, before log: [UInt8]?, hasRing: Bool) throws {
    if SystemCalls.nameKind(old) != nil {
      _ = try scanner(old)
      for part in RotatingLog.parts(of: old) { try? SystemCalls.remove(old + part) }
    }
    let ring = old + RingFormat.pathEnding
    if !hasRing, log == nil || logID(ofRing: ring) != log { try? SystemCalls.remove(ring) }
  }

  /// Removes the first names of files that have their second one already, and whose log has its new name.
  private static func removeTwins(_ path: String, _ old: String) {
    guard SystemCalls.nameKind(path) == nil, SystemCalls.nameKind(old) != nil else { return }
    for file in RotatingLog.parts(of: path) + [RingFormat.pathEnding] {
      guard let first = SystemCalls.status(path + file),
        let second = SystemCalls.status(old + file),
        (first.device, first.number) == (second.device, second.number)
      else { continue }
      try? SystemCalls.remove(path + file)
    }
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
    if SystemCalls.isFileLocked(path) || hasApp(path) { throw LogError.inUse(path: path) }
  }

  /// Whether an app records into the ring of the log at `path`.
  package static func hasApp(_ path: String) -> Bool {
    (try? RingMapping.open(path: path + RingFormat.pathEnding, isWritable: false))?.hasApp ?? false
  }
}
