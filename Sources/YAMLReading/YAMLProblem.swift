/// A place in a YAML file.
public struct YAMLPlace: Hashable, Sendable, CustomStringConvertible {
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

/// Something in a YAML file that is wrong, or that somebody should look at.
public struct YAMLProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Whether the file can be used nevertheless.
  public enum Kind: String, Sendable {
    /// It cannot.
    case error
    /// It can.
    case warning
  }

  /// Whether it is an error.
  public var kind: Kind
  /// Where.
  public var place: YAMLPlace
  /// What is wrong, in one sentence.
  public var message: String

  /// Makes a problem.
  package init(kind: Kind, place: YAMLPlace, message: String) {
    (self.kind, self.place, self.message) = (kind, place, message)
  }

  /// `.tracectl.yml:3:5: error: expected a rule, found "tsk-count"; did you mean "task-count"?`.
  public var description: String {
    "\(place.file):\(place.line):\(place.column): \(kind.rawValue): \(message)"
  }
}

/// The problems that were met while files were read: all of them, and not the first alone.
package final class ProblemList {
  /// Nobody reads more.
  private static let limit = 500

  /// All of them, in the order in which they were met.
  package private(set) var problems: [YAMLProblem] = []
  private var seen: Set<YAMLProblem> = []

  /// Makes an empty list.
  package init() {}

  /// How many of them are errors.
  package private(set) var errorCount = 0

  /// Whether no more are taken.
  package var isFull: Bool { problems.count > ProblemList.limit }

  /// Adds a problem, unless it is there already.
  package func add(_ kind: YAMLProblem.Kind, _ place: YAMLPlace, _ message: String) {
    if isFull { return }
    let isLast = problems.count == ProblemList.limit
    let problem = YAMLProblem(
      kind: isLast ? .error : kind, place: place,
      message: isLast ? "there are more problems; only the first ones are shown" : message)
    // An alias may lead to the same place again.
    guard seen.insert(problem).inserted else { return }
    problems.append(problem)
    if problem.kind == .error { errorCount += 1 }
  }
}
