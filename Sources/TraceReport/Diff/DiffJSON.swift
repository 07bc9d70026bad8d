import TraceText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A comparison as JSON.
enum DiffJSON {
  /// The whole text; the same comparison gives the same bytes.
  static func text(_ comparison: RunComparison) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes = try encoder.encode(comparison)
    // Ends of lines are layout: those of the texts are escaped already.
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return lines.map { InertText.line(String($0)) + "\n" }.joined()
  }
}
