import Foundation

/// All commands, as the command itself tells them.
struct CommandTree {
  /// A command without commands below it.
  struct Leaf {
    /// Its words, such as `baseline write`.
    let name: String
    /// The names of options that take a value, without the marks.
    let options: [String]
  }

  private(set) var leaves: [Leaf] = []

  init() throws {
    let run = try CommandRun("--experimental-dump-help")
    let help = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    add(help?["command"] as? [String: Any] ?? [:], below: [])
  }

  private mutating func add(_ command: [String: Any], below path: [String]) {
    let commands = (command["subcommands"] as? [[String: Any]] ?? []).filter {
      $0["commandName"] as? String != "help"
    }
    for command in commands {
      add(command, below: path + [command["commandName"] as? String ?? ""])
    }
    guard commands.isEmpty else { return }
    let options = (command["arguments"] as? [[String: Any]] ?? []).filter {
      $0["kind"] as? String == "option"
    }
    let names = options.compactMap { option in
      let names = option["names"] as? [[String: Any]] ?? []
      return names.first { $0["kind"] as? String == "long" }?["name"] as? String
    }
    leaves.append(Leaf(name: path.joined(separator: " "), options: names))
  }
}
