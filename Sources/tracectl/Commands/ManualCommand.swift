import ArgumentParser

/// `tracectl manual`: the manual page.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Print the manual page, for man.",
    discussion: """
        tracectl manual > /usr/local/share/man/man1/tracectl.1
        tracectl manual | man -l -
      """)

  func run() throws {
    let page = try ManualPage(help: Tracectl._dumpHelp())
    try Terminal.print(page.text(version: Tracectl.configuration.version))
  }
}

/// `tracectl completions`: what a shell needs to complete the command's words.
struct CompletionsCommand: ParsableCommand {
  /// The shells that are known.
  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish
  }

  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print a shell completion script for tracectl.",
    discussion: """
      tools/install installs these scripts. To install them yourself, for bash, zsh and fish:

        dir=/usr/local/share
        tracectl completions bash > $dir/bash-completion/completions/tracectl
        tracectl completions zsh > $dir/zsh/site-functions/_tracectl
        tracectl completions fish > ~/.config/fish/completions/tracectl.fish
      """)

  @Argument(help: "bash, zsh or fish.")
  var shell: Shell

  func run() throws {
    let shells: [Shell: CompletionShell] = [.bash: .bash, .zsh: .zsh, .fish: .fish]
    guard let known = shells[shell] else { return }
    try Terminal.print(Tracectl.completionScript(for: known) + "\n")
  }
}
