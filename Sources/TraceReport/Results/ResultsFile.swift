import LifecycleModel
import TraceAnalysis

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Results as a file that can be merged with others: JSON, see the article `Baseline`, §4.
public enum ResultsFile {
  /// The version of the file; it changes when a member changes its meaning or goes.
  public static let version = 1

  /// A file of results cannot be read: what is wrong, and what to do.
  public struct Failure: Error, CustomStringConvertible {
    /// In words, without the file's name.
    public let description: String
  }

  private static let schema = "tracectl-results"

  private struct Heading: Codable {
    var schema: String
    var version: Int
  }

  private struct Document: Codable {
    var results: AnalysisResults
    var schema: String
    var version: Int
  }

  /// The file's text: the same results give the same bytes.
  public static func text(_ results: AnalysisResults) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = Document(results: results, schema: schema, version: version)
    return try [UInt8](encoder.encode(document)) + [UInt8(ascii: "\n")]
  }

  /// Reads a file's text; throws a ``Failure``.
  public static func read(_ bytes: some Sequence<UInt8>) throws(Failure) -> AnalysisResults {
    let data = Data(bytes)
    do {
      let heading = try JSONDecoder().decode(Heading.self, from: data)
      guard heading.schema == schema else {
        throw Failure(description: "this is no file of results; \(remedy)")
      }
      guard heading.version <= version else {
        throw Failure(
          description: "version \(heading.version) is newer than \(version), the newest that this "
            + "tracectl reads; update tracectl")
      }
      let results = try JSONDecoder().decode(Document.self, from: data).results
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

  private static let remedy = "write it anew with tracectl analyze --results"

  private static func text(of error: DecodingError) -> String {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "the file is damaged at \(place(context.codingPath)): something else is expected there"
    case .keyNotFound(let key, let context):
      "the file is damaged at \(place(context.codingPath + [key])): nothing stands there"
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      "the file is damaged at \(place(context.codingPath)): \(context.debugDescription)"
    default: "the file is damaged, or this is no file of results"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.map { key in key.intValue.map(String.init) ?? InertText.word(key.stringValue) }
      .joined(separator: ".")
  }
}
