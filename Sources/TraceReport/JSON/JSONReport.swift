import LifecycleModel
import TraceAnalysis
import TraceText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Results as JSON, of one log or of many; the article `JSONReportFormat` has each member.
package enum JSONReport {
  /// The version of the schema; it changes when a member changes its meaning or goes.
  static let version = 4

  /// What it is, and the results beside it.
  private struct Document: Encodable {
    enum CodingKeys: CodingKey { case schema, version }

    var results: AnalysisResults

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode("tracectl-analysis", forKey: .schema)
      try members.encode(version, forKey: .version)
      try results.encode(to: encoder)
    }
  }

  /// The whole text: the same results give the same bytes.
  package static func text(_ results: AnalysisResults) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let bytes = try encoder.encode(Document(results: results))

    // Ends of lines are layout: those of the texts are escaped already.
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + 1024)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      text += InertText.line(String(decoding: line, as: UTF8.self)).utf8
      text.append(UInt8(ascii: "\n"))
    }
    return text
  }
}
