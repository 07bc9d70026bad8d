import TraceAnalysis

/// Results as JSON, of one log or of many; the article `JSONReportFormat` has each member.
enum JSONReport {
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
  static func text(_ results: AnalysisResults) throws -> String {
    try EncodedJSON.text(Document(results: results))
  }
}
