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

  @Test func bashCompletesCommandsRulesAndForms() throws {
    for (words, expected) in [
      (["tracectl", "exp"], "explain"),
      (["tracectl", "explain", "scene-resign-b"], "scene-resign-before-background"),
      (["tracectl", "completions", "f"], "fish"),
    ] {
      let script = """
        source "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
        COMP_TYPE=9 COMP_KEY=9
        _tracectl "$1" "${@: -1}" "${@: -2:1}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      let scratch = try ScratchFolder()
      let file = try scratch.file("completions", try CommandRun("completions", "bash").output)
      let run = try CommandRun(program: ["bash", "-c", script, "bash", file.path] + words)
      #expect(run.output.split(separator: "\n").map { $0.trimming(" ") } == [expected], "\(run)")
    }
  }

  @Test(arguments: ["zsh", "fish"]) func otherShellsReadTheirScript(shell: String) throws {
    let script = try CommandRun("completions", shell).output
    for command in try Self.subcommands() { #expect(script.contains(command), "\(command)") }
    guard CommandRun.machineHas(shell) else {
      print("SKIPPED: there is no \(shell) to read its completions")
      return
    }
    let scratch = try ScratchFolder()
    let file = try scratch.file("completions", script)
    let run = try CommandRun(program: [shell, "-n", file.path])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func aShellThatIsNotKnownIsNamed() throws {
    let run = try CommandRun("completions", "tcsh")
    #expect(run.status == 64)
    #expect(run.errors.contains("bash") && run.errors.contains("fish"))
  }
}

extension StringProtocol {
  /// Without these characters at both ends.
  fileprivate func trimming(_ character: Character) -> String {
    let front = drop { $0 == character }
    return String(front.reversed().drop { $0 == character }.reversed())
  }
}
