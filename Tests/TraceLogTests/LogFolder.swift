import Foundation
import LifecycleModel
import TraceText

/// A folder for one test, removed with what the test puts there.
final class LogFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The first line in which two traces differ.
func difference(_ trace: Trace, _ other: Trace) -> String? {
  let (these, those) = (lines(trace), lines(other))
  for (this, that) in zip(these, those) where this != that { return "\(this) | \(that)" }
  return these.count == those.count ? nil : "\(these.count) | \(those.count) events"
}
