import Foundation
import Testing

/// The completions, as far as the machine has the shells that read them.
@Suite struct ShellTests {
  @Test(arguments: ["bash", "zsh", "fish"]) func theScriptNamesEveryCommand(shell: String) throws {
    let script = try CommandRun("--generate-completion-script", shell).output
    let commands = try CommandTree().leaves.map(\.name)
    #expect(commands.count >= 20)
    for command in commands.flatMap({ $0.split(separator: " ") }) {
      #expect(script.contains(command), "\(command)")
    }
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
    let run = try CommandRun("--generate-completion-script", "tcsh")
    #expect(run.status == 2)
    #expect(run.errors.contains("bash") && run.errors.contains("fish"))
  }
}
