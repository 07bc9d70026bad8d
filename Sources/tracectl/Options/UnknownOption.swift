import ArgumentParser
import LifecycleModel
import TraceText

/// An option that the command does not have: `tracectl record --sorce console`.
///
/// The argument parser names one only after it has validated the others, and then another error hides
/// it.
struct UnknownOption: CustomStringConvertible {
  private let command: String
  private let option: String
  private let known: [String]

  /// Finds the first in the arguments behind the command, before `--`; `nil` when there is none.
  init?(_ arguments: [String]) {
    var type: any ParsableCommand.Type = Tracectl.self
    var names = ["tracectl"]
    var rest = arguments.prefix { $0 != "--" }
    while let next = rest.first,
      let subcommand = type.configuration.subcommands.first(where: { $0._commandName == next })
    {
      type = subcommand
      names.append(next)
      rest = rest.dropFirst()
    }

    let types = [type] + [type.configuration.defaultSubcommand].compactMap(\.self)
    let help = types.map { Tracectl.helpMessage(for: $0, columns: 200) }.joined()
    let options = Set(help.matches(of: /--[a-z][a-z-]*/).map { String($0.output) })
    let unknown = rest.first { argument in
      argument.hasPrefix("--") && !options.contains(String(argument.prefix { $0 != "=" }))
        && argument != "--help-hidden" && !argument.hasPrefix("--generate-completion-script")
        && !argument.hasPrefix("--experimental-dump-help")
    }

    guard let unknown else { return nil }
    command = names.joined(separator: " ")
    option = String(unknown.prefix { $0 != "=" })
    known = options.sorted()
  }

  var description: String {
    let near = NearestWord.of(option, in: known).map { "; did you mean \($0)?" } ?? ""
    return """
      Error: \(command) has no option \(InertText.word(option))\(near)
        See '\(command) --help' for more information.

      """
  }
}
