import ArgumentParser
import Platform
import TraceText

/// A word that stands where a subcommand should: `tracectl analyse log.bin`, `tracectl config chek`.
struct UnknownSubcommand: CustomStringConvertible {
  private let command: String
  private let word: String
  private let known: [String]

  /// Finds the word in the arguments behind the command; `nil` when there is none.
  init?(_ arguments: some Collection<String>) {
    var type: any ParsableCommand.Type = Tracectl.self
    var names = ["tracectl"]
    for argument in arguments {
      let subcommands = type.configuration.subcommands
      if subcommands.isEmpty || argument.hasPrefix("-") || argument == "help" { return nil }
      guard let next = subcommands.first(where: { $0._commandName == argument }) else {
        command = names.joined(separator: " ")
        word = argument
        known = subcommands.map { $0._commandName }
        return
      }
      type = next
      names.append(argument)
    }
    return nil
  }

  /// Whether a file stands in the place of the first word, which is then analyzed: `tracectl log.bin`.
  var isFile: Bool {
    command == "tracectl" && word.contains { "./".contains($0) } && access(word, F_OK) == 0
  }

  var description: String {
    let near = NearestWord.of(word, in: known).map { "; did you mean \($0)?" } ?? ""
    return """
      Error: there is no \(command) \(InertText.word(word))\(near)
      Usage: \(command) <\(known.joined(separator: "|"))>
        See '\(command) --help' for more information.

      """
  }
}
