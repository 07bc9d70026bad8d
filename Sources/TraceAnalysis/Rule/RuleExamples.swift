/// The examples of a rule: written as its page prints them, or one by one.
///
/// As text, an example is its answer (`clean`, `violating` or `cannot tell`) with its title, and below that its
/// trace, up to an empty line. A text that begins an example with something else stops the program.
public struct RuleExamples: Sendable {
  private let listed: [RuleExample]
  private let text: String

  /// Makes examples of some that were made one by one.
  public init(_ examples: [RuleExample]) { (listed, text) = (examples, "") }

  /// The examples; what is `given` stands before those that begin with no profile of their own.
  func all(given preamble: String?) -> [RuleExample] {
    let written = text.split(separator: "\n\n").map { RuleExample(written: $0) }
    return (listed + written).map { $0.given(preamble) }
  }
}

extension RuleExamples: ExpressibleByArrayLiteral, ExpressibleByStringInterpolation {
  /// Makes examples that were made one by one.
  public init(arrayLiteral examples: RuleExample...) { self.init(examples) }

  /// Makes examples of their text, which is read when they are asked for.
  public init(stringLiteral text: String) { (listed, self.text) = ([], text) }
}

extension RuleExample {
  fileprivate init(written text: Substring) {
    let heading = text.prefix { $0 != "\n" }
    let answer = heading.prefix { $0 != ":" }
    let title = String(heading.dropFirst(answer.count + 2))
    let trace = String(text.dropFirst(heading.count + 1))

    switch answer {
    case "clean": self = .clean(title, trace)
    case "violating": self = .violating(title, trace)
    case "cannot tell": self = .cannotTell(title, trace)
    default:
      preconditionFailure(
        "expected \"clean:\", \"violating:\" or \"cannot tell:\", and a title, not: \(heading)")
    }
  }
}
