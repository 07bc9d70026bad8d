import Foundation
import Testing

/// Expected text in a file beside the tests or the samples.
enum Snapshot {
  /// Compares `text` with the file; with `UPDATE_SNAPSHOTS=1` in the environment writes it.
  static func expect(
    _ text: String, at file: URL, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try Data(text.utf8).write(to: file)
      return
    }
    let expected = try? String(contentsOf: file, encoding: .utf8)
    #expect(
      text == expected, "\(file.lastPathComponent): rewrite with UPDATE_SNAPSHOTS=1",
      sourceLocation: sourceLocation)
  }
}
