import ArgumentParser
import TraceAnalysis
import TraceReport

/// `tracectl explain`: one rule in full.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a rule, with its sources and examples.")

  @Argument(
    help: "The rule, by its id (scene-resign-before-background) or its number (R28).",
    completion: .list(RuleRegistry.all.map { $0.description.id }))
  var rule: String

  @OptionGroup var color: ColorOptions

  func run() throws {
    let rules = RuleRegistry.all.map { $0.description }
    let number = Int(rule.uppercased().hasPrefix("R") ? rule.dropFirst() : rule[...])
    let known = rules.first { $0.id == rule || (number != nil && $0.number == number) }
    guard let known else {
      let nearest = rules.min { $0.id.editDistance(to: rule) < $1.id.editDistance(to: rule) }
      throw CommandError.usage(
        "there is no rule \(rule); did you mean \(nearest?.id ?? "")? "
          + "tracectl rules lists them all")
    }
    try Terminal.print(RuleCatalogue().explanation(of: known, style: color.color.style))
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
