/// How much a finding matters.
public enum Severity: String, CaseIterable, Comparable, Sendable {
  /// Worth knowing; often right as it is.
  case info
  /// Against documented advice or strong practice.
  case warning
  /// Contradicts what is documented as guaranteed or required.
  case error

  /// Whether `lhs` matters less than `rhs`.
  public static func < (lhs: Severity, rhs: Severity) -> Bool {
    lhs.rank < rhs.rank
  }

  private var rank: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .error: 2
    }
  }
}

extension Severity {
  /// The severity as a noun.
  package var article: String {
    switch self {
    case .info: "a note"
    case .warning: "a warning"
    case .error: "an error"
    }
  }
}
