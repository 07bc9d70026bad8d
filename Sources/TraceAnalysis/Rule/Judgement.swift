/// What a rule says about an event that one of its patterns has found.
public enum Judgement: Sendable {
  /// It is a finding; with a severity or a message of its own, or those of the pattern.
  case violation(Severity? = nil, says: String? = nil)
  /// It is as it should be.
  case kept
  /// It is nothing that the rule is about.
  case notJudged
  /// It cannot be told.
  case unclear(Doubt)
}
