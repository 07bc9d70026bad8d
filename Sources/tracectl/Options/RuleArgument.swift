import TraceAnalysis
import TraceText

extension NearestWord {
  /// `did you mean autosave?` where a word is near to a known one, else `other`.
  static func question(_ word: String, in known: [String], else other: String) -> String {
    of(word, in: known).map { "did you mean \($0)?" } ?? other
  }
}

/// A rule as it is named on the command line: by its id, its former id or its number.
enum RuleArgument {
  /// The rule that `text` names, such as `resign-before-background` or `R11`.
  static func find(
    _ text: some StringProtocol, in rules: [ActiveRule]
  ) throws -> ActiveRule {
    let number = Int(text.uppercased().hasPrefix("R") ? text.dropFirst() : text[...])
    let name = number.map { "R\($0)" } ?? String(text)
    if let known = rules.first(where: { $0.description.isCalled(name) }) {
      if known.description.formerNames.contains(name) {
        Terminal.printError("\(name) is called \(known.description.id) now")
      }
      return known
    }

    if let number {
      let last = rules.compactMap(\.description.number).max() ?? 0
      throw CommandError.usage(
        "there is no rule R\(number); rules are numbered R1 to R\(last)")
    }

    let ids = rules.flatMap(\.description.ids)
    let near = NearestWord.of(String(text), in: ids).map { "did you mean \($0)? " } ?? ""
    throw CommandError.usage(
      "there is no rule \(InertText.word(String(text))); \(near)tracectl explain lists all rules")
  }
}
