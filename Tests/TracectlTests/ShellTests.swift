import Foundation
import Testing

/// The manual page and the completions, as far as the machine has who reads them.
@Suite struct ShellTests {
  /// The subcommands that the help lists.
  private static func subcommands() throws -> [String] {
    let help = try CommandRun("--help").output
    let list = try #require(help.components(separatedBy: "SUBCOMMANDS:\n").last)
    return list.split(separator: "\n").prefix { $0.hasPrefix("  ") }
      .filter { $0.dropFirst(2).first != " " && !$0.hasPrefix("  See ") }
      .map { String($0.split(separator: " ")[0]) }
  }

  @Test func theManualTellsOfEveryCommandAndOption() throws {
    let page = try CommandRun("manual").output
    let commands = try Self.subcommands()
    #expect(commands.count > 9)
    for command in commands {
      #expect(page.contains("\n.SS \(command.replacing("-", with: "\\-"))\n"), "\(command)")
      let help = try CommandRun(command, "--help").output
      for option in help.matches(of: /(?m)^  (?:-\w, )?(--[a-z][a-z-]+)/).map(\.output.1)
      where option != "--help" && option != "--version" {
        #expect(page.contains("\\fB\(option.replacing("-", with: "\\-"))\\fR"), "\(option)")
      }
    }
  }

  @Test(
    .enabled(if: CommandRun.machineHas("groff"), "SKIPPED: there is no groff to read the manual"))
  func groffReadsTheManualWithoutAWarning() throws {
    let page = try CommandRun("manual").output
    let run = try CommandRun(program: ["groff", "-man", "-ww", "-Tascii", "-z", "-"], input: page)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func theScriptNamesEveryCommand(shell: String) throws {
    let script = try CommandRun("completions", shell).output
    for command in try Self.subcommands() { #expect(script.contains(command), "\(command)") }
    guard CommandRun.machineHas(shell) else {
      print("SKIPPED: there is no \(shell) to read its completions")
      return
    }
    let scratch = try ScratchFolder()
    let file = try scratch.file("completions", script)
    let run = try CommandRun(program: [shell, "-n", file.path])
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
  }

  @Test func aShellThatIsNotKnownIsNamed() throws {
    let run = try CommandRun("completions", "tcsh")
    #expect(run.status == 2)
    #expect(run.errors.contains("bash") && run.errors.contains("fish"))
  }
}
