import Foundation

/// Where logs go: a folder, a bucket, a service of the team.
public protocol LogStore: Sendable {
  /// Stores a file under a name. A file that is there already under it is the same log, and is replaced.
  ///
  /// Throws a ``StoreError`` when it is not stored.
  func put(_ file: URL, as name: String) async throws -> Receipt

  /// Whether the system is sending the file already: then it must stay as it is.
  func isInTransit(_ file: URL) async -> Bool
}

extension LogStore {
  /// A store that sends files itself has none in transit.
  public func isInTransit(_ file: URL) async -> Bool { false }
}

/// What a store has done with a file.
public enum Receipt: Hashable, Sendable {
  /// It has the file.
  case stored
  /// The system sends the file by itself, also when the app does not run; the store removes it then.
  case inTransit
}

/// Why a store does not have a file.
public enum StoreError: Error, Hashable, Sendable {
  /// It cannot be reached, or has too much to do: the same file may be stored later.
  case unreachable
  /// It does not want this file, and says so with a status of HTTP.
  case refused(status: Int)

  /// What an answer means; `nil` for one that says that the file is stored.
  public init?(status: Int) {
    switch status {
    case 200..<300: return nil
    case 408, 429, 500...: self = .unreachable
    default: self = .refused(status: status)
    }
  }
}

/// A folder as a store, for tests and for a network drive.
public struct FolderStore: LogStore {
  private let folder: URL

  /// A store in `folder`, which is made when the first file comes.
  public init(_ folder: URL) { self.folder = folder }

  /// Copies the file, so that nobody sees half of it under its name.
  public func put(_ file: URL, as name: String) async throws -> Receipt {
    let target = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(contentsOf: file).write(to: target, options: .atomic)
    return .stored
  }
}
