import TraceAnalysis

/// A rule as it is named on the command line: by its id or its number.
enum RuleArgument {
  /// The rule that `text` names, such as `scene-resign-before-background` or `R28`.
  static func find(_ text: some StringProtocol) throws -> ActiveRule {
    let number = Int(text.uppercased().hasPrefix("R") ? text.dropFirst() : text[...])
    let known = RuleRegistry.all.first { rule in
      let description = rule.description
      return description.id == text || (number != nil && description.number == number)
    }
    if let known { return known }
    let ids = RuleRegistry.all.map { $0.description.id }
    let wanted = String(text)
    let nearest = ids.min { $0.editDistance(to: wanted) < $1.editDistance(to: wanted) }
    throw CommandError.usage(
      "there is no rule \(text); did you mean \(nearest ?? "")? tracectl rules lists them all")
  }
}

extension String {
  /// How many characters must be changed, added or taken away to make `other` of this.
  func editDistance(to other: String) -> Int {
    let target = Array(other)
    var previous = Array(0...target.count)
    for (row, character) in enumerated() {
      var current = [row + 1]
      for (column, wanted) in target.enumerated() {
        let change = previous[column] + (character == wanted ? 0 : 1)
        current.append(Swift.min(change, previous[column + 1] + 1, current[column] + 1))
      }
      previous = current
    }
    return previous[target.count]
  }
}
