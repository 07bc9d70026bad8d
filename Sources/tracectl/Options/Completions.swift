import ArgumentParser

/// What a shell offers where a word is known only here.
extension CompletionKind {
  /// The ids of all rules, those of the nearest configuration among them unless it has errors.
  static var ruleIDs: CompletionKind {
    .shellCommand(
      "tracectl explain --format ids 2>/dev/null || tracectl explain --config none --format ids")
  }
}
