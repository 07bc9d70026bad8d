import Foundation
import LifecycleModel
import TraceSources

/// Where captures lie on disk.
enum Captures {
  /// The root of the package.
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  /// Our own captures.
  static let samples = package.appending(path: "samples/console")
  /// Captures of real devices, which have no licence and are never part of the package.
  static let real = package.deletingLastPathComponent().appending(path: "shared/data/console")
  /// Captures that people posted, which have no licence either.
  static let field = package.deletingLastPathComponent().appending(path: "shared/data/field")

  /// Texts in which real systems said why a process ended, with tabs between the columns.
  static let terminations = package.deletingLastPathComponent()
    .appending(path: "shared/data/termination/termination-strings.tsv")

  /// Whether the captures of real devices are there.
  static var areRealOnesThere: Bool {
    FileManager.default.fileExists(atPath: real.path)
  }

  /// The bytes of a file.
  static func bytes(_ name: String, in folder: URL) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  /// Events without the name of the process, which a profile states where no bundle is known.
  static func withoutName(_ events: String) -> String {
    events.replacing(#/ process=("[^"]*"|\S+)/#, with: "")
  }

  /// What a capture tells, event by event in notation.
  static func told(_ name: String, in folder: URL) throws -> [String] {
    try notation(of: bytes(name, in: folder), ConsoleSource()).split(separator: "\n")
      .map(String.init)
  }
}
