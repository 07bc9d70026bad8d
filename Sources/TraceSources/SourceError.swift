import LifecycleModel
import TraceText

/// An input that cannot be turned into events: what happened, where, and what to do.
public struct SourceError: Error, Hashable, Sendable {
  /// The kinds of error, for a program that distinguishes them.
  public enum Code: String, Sendable {
    /// A line is not in the form of the source.
    case badLine = "bad-line"
    /// A line stands too far from its place in time.
    case outOfOrder = "out-of-order"
    /// No line is in a form that the importer knows.
    case unknownForm = "unknown-form"
    /// Several apps print lifecycle lines, and none was chosen.
    case severalApps = "several-apps"
    /// The app that was asked for does not appear.
    case appNotFound = "app-not-found"
  }

  /// The kind of error.
  public var code: Code
  /// The line of the input, from 1; `nil` when the error is not about one line.
  public var line: Int?
  /// The character in the line, from 1; `nil` when it is not about one place.
  public var column: Int?
  /// What would have been right.
  public var expected: String
  /// What stood there instead, quoted so that a terminal does not act on it.
  public var found: String
  /// What the person can do; empty when the rest says it.
  public var remedy: String

  /// Makes an error.
  public init(
    _ code: Code, line: Int? = nil, column: Int? = nil, expected: String, found: String,
    remedy: String = ""
  ) {
    self.code = code
    self.line = line
    self.column = column
    self.expected = expected
    self.found = found
    self.remedy = remedy
  }

  /// The error of a line that the notation or NDJSON parser refused.
  init(_ error: SyntaxError, line: Int) {
    self.init(
      .badLine, line: line, column: error.column, expected: error.expected, found: error.found,
      remedy: "correct the line, or pass --on-error=skip to record a gap instead")
  }

  /// The start of `bytes` for a message: shortened, with control characters escaped.
  static func shown(_ bytes: ArraySlice<UInt8>, limit: Int = 60) -> String {
    let text = String(decoding: bytes.prefix(limit * 4), as: UTF8.self)
    let start = text.unicodeScalars.prefix(limit)
    let isWhole = start.endIndex == text.unicodeScalars.endIndex && bytes.count <= limit * 4
    return JSONText.quoted(String(String.UnicodeScalarView(start)) + (isWhole ? "" : "…"))
  }
}

extension SourceError: CustomStringConvertible {
  /// `line 12, column 8: expected a verb, found "cal"; correct the line`.
  public var description: String {
    var place = line.map { "line \($0)" } ?? ""
    if let column { place += ", column \(column)" }
    if !place.isEmpty { place += ": " }
    return "\(place)expected \(expected), found \(found)" + (remedy.isEmpty ? "" : "; \(remedy)")
  }
}
