import Platform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder for temporary files that nobody else can read; it goes, with all in it, when this object does.
final class PrivateFolder {
  /// The folder.
  let path: String

  /// Makes a folder in `parent`, or in that for temporary files.
  init(in parent: String? = nil) throws {
    let parent = parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/tracectl-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw CommandError.unreadable(
        "\(parent): no folder can be made in it: \(String(cString: strerror(errno))); "
          + "set TMPDIR to a writable one")
    }
    path = String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
