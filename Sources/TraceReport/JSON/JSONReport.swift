import LifecycleModel
import TraceAnalysis
import TraceText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Results as JSON, of one log or of many; the article `JSONReportFormat` has each member.
///
/// A file of it can be merged with others, see the article `Baseline`, §4.
package enum JSONReport {
  /// The version of the schema; it changes when a member changes its meaning or goes.
  static let version = 3

  /// A file of results cannot be read: what is wrong, and what to do.
  package struct Failure: Error, CustomStringConvertible {
    /// In words, without the file's name.
    package let description: String
  }

  private static let schema = "tracectl-analysis"
  /// What a file of results of older versions called itself.
  private static let olderSchema = "tracectl-results"

  private struct Heading: Codable {
    var schema: String
    var version: Int
  }

  /// What it is, and the results beside it.
  private struct Document: Encodable {
    var results: AnalysisResults

    func encode(to encoder: any Encoder) throws {
      try Heading(schema: schema, version: version).encode(to: encoder)
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
    return ResultsSeal.sealed(text)
  }

  /// Reads a file's text; throws a ``Failure``, also when the file was cut or changed.
  package static func read(_ bytes: some Sequence<UInt8>) throws(Failure) -> AnalysisResults {
    let bytes = Array(bytes)
    let data = Data(bytes)
    do {
      if !ResultsSeal.fits(bytes) { throw try unsealed(bytes, data) }
      try check(JSONDecoder().decode(Heading.self, from: data))
      let results = try JSONDecoder().decode(AnalysisResults.self, from: data)
      if let fault = results.fault { throw Failure(description: "\(fault); \(remedy)") }
      return results
    } catch let error as Failure {
      throw error
    } catch let error as DecodingError {
      throw Failure(description: "\(text(of: error)); \(remedy)")
    } catch {
      throw Failure(description: "the file is damaged; \(remedy)")
    }
  }

  private static func check(_ heading: Heading) throws(Failure) {
    if heading.schema == olderSchema {
      throw Failure(
        description: "an older tracectl wrote the file, and it lacks data that the merge needs; "
          + remedy)
    }

    guard heading.schema == schema else {
      throw Failure(description: "this is not a results file; \(remedy)")
    }

    if heading.version > version {
      throw Failure(
        description: "version \(heading.version) is newer than \(version), the newest that this "
          + "tracectl reads; update tracectl")
    }

    if heading.version < version {
      throw Failure(
        description:
          "version \(heading.version) is older than \(version) and lacks data that the "
          + "merge needs; \(remedy)")
    }
  }

  /// What is the matter with a file whose check does not fit it.
  private static func unsealed(_ bytes: [UInt8], _ data: Data) throws -> Failure {
    guard let heading = try? JSONDecoder().decode(Heading.self, from: data) else {
      return Failure(
        description: "the file is truncated or damaged, or is not a results file; \(remedy)")
    }
    try check(heading)
    return Failure(
      description: ResultsSeal.isThere(bytes)
        ? "the file changed after it was written: its checksum does not match; \(remedy)"
        : "the file changed after it was written: the checksum at its end is missing; \(remedy)")
  }

  private static let remedy = "write it again with tracectl analyze --results"

  private static func text(of error: DecodingError) -> String {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "the file is damaged: unexpected value at \(place(context.codingPath))"
    case .keyNotFound(let key, let context):
      "the file is damaged: \(place(context.codingPath + [key])) is missing"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      "the file is damaged at \(place(context.codingPath)): \(context.debugDescription)"
    default: "the file is damaged, or is not a results file"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.map { key in key.intValue.map(String.init) ?? InertText.word(key.stringValue) }
      .joined(separator: ".")
  }
}
