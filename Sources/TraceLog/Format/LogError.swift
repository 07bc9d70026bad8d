/// Why a log cannot be opened, read or written, and what to do about it.
public enum LogError: Error, Hashable {
  /// There is no file of this name.
  case notFound(path: String)
  /// The file must not be read or written by this user.
  case noPermission(path: String)
  /// The path names a directory.
  case isDirectory(path: String)
  /// The file has no bytes.
  case empty(path: String)
  /// The file is text, or another kind of file.
  case notALog(path: String, looksLikeText: Bool)
  /// The log was written by a later, incompatible version.
  case newerVersion(found: UInt16, supported: UInt16, path: String)
  /// There is a file already, and nobody said that it may be replaced.
  case exists(path: String)
  /// There is a file to be replaced that is no log.
  case notOurs(path: String)
  /// Another process writes the log.
  case inUse(path: String)
  /// This process records into the log already: by another copy of the library, or by a recorder that was opened
  /// before.
  case inUseHere(path: String)
  /// The log's file was removed or replaced while it was written.
  case removed(path: String)
  /// A ring of these sizes cannot be made.
  case impossibleRing(reason: String)
  /// The disk is full; the log is whole up to its last block.
  case diskFull(path: String)
  /// The system refused to open, read, write or sync.
  case system(operation: String, path: String, errno: Int32, reason: String)
  /// There is not enough memory.
  case outOfMemory(doing: String)
  /// The writer was closed.
  case closed(path: String)
}

extension LogError {
  /// Whether somebody else has what was asked for.
  package var isInUse: Bool {
    switch self {
    case .inUse, .inUseHere: true
    default: false
    }
  }

  /// Whether the system refused something that it may allow later.
  package var isOfSystem: Bool {
    switch self {
    case .system, .noPermission, .diskFull: true
    default: false
    }
  }
}

extension LogError: CustomStringConvertible {
  /// One sentence on what happened and one on what to do.
  public var description: String {
    switch self {
    case .notFound(let path): "\(path): no such file; check the name"
    case .noPermission(let path): "\(path): permission denied; check the file's owner and mode"
    case .isDirectory(let path): "\(path): is a directory; name the log file in it"
    case .empty(let path): "\(path): the file is empty; was anything recorded?"
    case .notALog(let path, false) where path.hasSuffix(RingFormat.pathEnding):
      "\(path): is not a log; a ring is read with its log: name "
        + "\(path.dropLast(RingFormat.pathEnding.count))"
    case .notALog(let path, let looksLikeText):
      looksLikeText
        ? "\(path): is text, not a binary log; record it with the matching source"
        : "\(path): is not a log: neither a file header nor a block was found"
    case .newerVersion(let found, let supported, let path):
      "\(path): has format version \(found), this version reads up to \(supported); update tracectl"
    case .notOurs(let path): "\(path): is not a log, so it is not replaced; choose another name"
    case .exists(let path): "\(path): already exists; choose another name or allow replacement"
    case .inUse(let path): "\(path): another process is writing it; wait for it, or stop it"
    case .inUseHere(let path):
      "\(path): this process records into it already; link the library once, and open the log once"
    case .removed(let path):
      "\(path): was removed or replaced during recording; new events go to the removed "
        + "file"
    case .impossibleRing(let reason): "cannot create a ring: \(reason)"
    case .diskFull(let path):
      "\(path): the disk is full; the log is whole up to its last block; free some space"
    case .system(let operation, let path, _, let reason): "\(path): cannot \(operation): \(reason)"
    case .outOfMemory(let doing): "out of memory while \(doing)"
    case .closed(let path): "\(path): the log is closed; nothing more can be written to it"
    }
  }
}
