import YAMLReading

/// Something in a scenario that cannot be understood: where, what was expected, what stood there.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The character in the line, from 1.
  public var column: Int
  /// What is wrong, in one sentence.
  public var message: String

  init(_ problem: YAMLProblem) {
    (line, column, message) = (problem.place.line, problem.place.column, problem.message)
  }

  /// `12:5: expected an action, found "hoem"; did you mean "home"?`.
  public var description: String { "\(line):\(column): \(message)" }
}
