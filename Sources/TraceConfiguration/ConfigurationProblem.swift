/// A place in a file of the configuration.
public struct ConfigurationPlace: Hashable, Sendable, CustomStringConvertible {
  /// The file, as it was named.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The character in the line, from 1.
  public var column: Int

  /// Makes a place.
  public init(file: String, line: Int, column: Int) {
    (self.file, self.line, self.column) = (file, line, column)
  }

  /// `.tracectl.yml:12`.
  public var description: String { "\(file):\(line)" }
}

/// Something in a configuration that is wrong, or that somebody should look at.
public struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Whether the configuration can be used nevertheless.
  public enum Kind: String, Sendable {
    /// It cannot.
    case error
    /// It can.
    case warning
  }

  /// Whether it is an error.
  public var kind: Kind
  /// Where.
  public var place: ConfigurationPlace
  /// What is wrong, in one sentence.
  public var message: String

  /// `.tracectl.yml:3:5: error: expected a rule, found "tsk-count"; did you mean "task-count"?`.
  public var description: String {
    "\(place.file):\(place.line):\(place.column): \(kind.rawValue): \(message)"
  }
}

/// The problems that were met while files were read: all of them, and not the first alone.
final class ProblemList {
  /// Nobody reads more.
  private static let limit = 500

  private(set) var problems: [ConfigurationProblem] = []
  private var seen: Set<ConfigurationProblem> = []

  /// Whether no more are taken.
  var isFull: Bool { problems.count > ProblemList.limit }

  func add(_ kind: ConfigurationProblem.Kind, _ place: ConfigurationPlace, _ message: String) {
    if isFull { return }
    let isLast = problems.count == ProblemList.limit
    let problem = ConfigurationProblem(
      kind: isLast ? .error : kind, place: place,
      message: isLast ? "there are more problems from here on; these come first" : message)
    // An alias may lead to the same place again.
    if seen.insert(problem).inserted { problems.append(problem) }
  }
}
