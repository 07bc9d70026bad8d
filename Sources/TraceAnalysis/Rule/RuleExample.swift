/// A trace in notation that shows a rule kept or broken: its test and its documentation.
public struct RuleExample: Sendable {
  /// What the example shows.
  public var title: String
  /// The trace; `◀` ends each line that a finding must name as its culprit.
  public var notation: String
  /// Whether the rule must find something.
  public var isViolating: Bool
  /// Whether the rule must answer *cannot tell*; such an example counts as clean.
  public var isUndecided = false

  /// What the rule must answer, in words.
  public var answer: String {
    isViolating ? "violating" : isUndecided ? "cannot tell" : "clean"
  }

  /// The same with some lines before it, where it does not begin with a profile.
  func given(_ preamble: String?) -> RuleExample {
    let first = notation.prefix { $0 != "\n" }
    guard let preamble, !first.contains(" profile ") else { return self }
    var example = self
    example.notation = preamble + "\n" + notation
    return example
  }

  /// A trace in which the rule finds nothing.
  public static func clean(_ title: String, _ notation: String) -> RuleExample {
    RuleExample(title: title, notation: notation, isViolating: false)
  }

  /// A trace in which the rule finds the lines that are marked `◀`, and nothing else.
  public static func violating(_ title: String, _ notation: String) -> RuleExample {
    RuleExample(title: title, notation: notation, isViolating: true)
  }

  /// A trace in which the rule finds nothing, because it cannot tell.
  public static func cannotTell(_ title: String, _ notation: String) -> RuleExample {
    var example = RuleExample(title: title, notation: notation, isViolating: false)
    example.isUndecided = true
    return example
  }
}
