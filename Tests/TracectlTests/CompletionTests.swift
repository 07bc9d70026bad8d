import Foundation
import Testing

/// What bash, zsh and fish complete with the scripts that `tracectl --generate-completion-script` prints.
@Suite struct CompletionTests {
  /// What stands on the command line, and the one word that the last one becomes.
  static let cases: [(line: [String], completed: String)] = [
    (["an"], "analyze"),
    (["config", "sch"], "schema"),
    (["analyze", "--strict-b"], "--strict-baseline"),
    (["analyze", "--format", "sar"], "sarif"),
    (["analyze", "--fail-on", "ne"], "never"),
    (["analyze", "--baseline", "kno"], "known.jsonl"),
    (["analyze", "a-lo"], "a-log.bin"),
    (["analyze", "--strict", "a-log.bin", "an"], "another.trace"),
    (["analyze", "--reduce", "fol"], "folder/"),
    (["dump", "--only", "bgtask.reg"], "bgtask.register"),
    (["explain", "resign-b"], "resign-before-background"),
    (["explain", "my-own-r"], "my-own-rule"),
    (["explain", "task-one"], "task-one-end"),
  ]

  private let scratch: ScratchFolder
  /// Where `tracectl` is found, and nobody's own settings are.
  private let environment: [String: String]

  init() throws {
    scratch = try ScratchFolder()
    for name in ["known.jsonl", "a-log.bin", "another.trace"] { try scratch.file(name) }
    for name in ["folder", "home"] {
      try FileManager.default.createDirectory(
        at: scratch.url.appendingPathComponent(name), withIntermediateDirectories: false)
    }

    try scratch.file(
      ".tracectl.yml",
      """
      patterns:
        - id: my-own-rule
          summary: no timer fires in the background
          why: it costs battery
          remedy: stop it
          never: work timer
          while: in-background
          clean: |
            0s - profile mode=scene hooks=scene-delegate,work
            1s main work timer scene:1
          violating: |
            0s - profile mode=scene hooks=scene-delegate,work
            1s main call sceneDidEnterBackground scene:1
            2s main return sceneDidEnterBackground scene:1
            3s main work timer scene:1 ◀
      """)

    let command = CommandRun.command.deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let home = scratch.path("home")
    environment = [
      "PATH": "\(command):\(path)", "HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home,
      "TERM": "dumb", "LC_ALL": "C.UTF-8",
    ]
  }

  /// Whether this shell is there; one that is not is told.
  private func has(_ shell: String) -> Bool {
    if CommandRun.machineHas(shell) { return true }
    print(
      "SKIPPED: there is no \(shell) to complete words; tools/test --with-tools installs it")
    return false
  }

  private func script(_ shell: String, _ name: String) throws -> String {
    let run = try CommandRun("--generate-completion-script", shell)
    #expect(run.status == 0)
    return try scratch.file(name, run.output).path
  }

  private func run(_ command: [String]) throws -> CommandRun {
    try CommandRun(
      program: ["timeout", "900"] + command, in: scratch.url, environment: environment)
  }

  @Test func bashCompletes() throws {
    guard has("bash") else { return }
    let completions = try script("bash", "tracectl.bash")
    let driver = """
      source "$1"; shift
      complete -p tracectl > /dev/null || exit 1
      COMP_WORDS=(tracectl "$@"); COMP_CWORD=$#; COMP_LINE="tracectl $*"; COMP_POINT=${#COMP_LINE}
      COMP_TYPE=9 COMP_KEY=9
      _tracectl tracectl "${@: -1}" "${@: -2:1}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """

    for (line, completed) in Self.cases {
      let run = try run(["bash", "--norc", "-c", driver, "bash", completions] + line)
      let words = run.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      // It is readline that puts a slash behind a directory.
      #expect(
        words == [completed.hasSuffix("/") ? String(completed.dropLast()) : completed],
        "\(line) \(run)")
    }
  }

  @Test func fishCompletes() throws {
    guard has("fish") else { return }
    let completions = try script("fish", "tracectl.fish")
    for (line, completed) in Self.cases {
      let run = try run([
        "fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", completions,
        (["tracectl"] + line).joined(separator: " "),
      ])
      // A word, and behind a tab what it means.
      let words = run.output.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }
      #expect(words == [completed] && run.errors == "", "\(line) \(run)")
    }
  }

  /// zsh completes only where a person types, so it is given a terminal of its own, and its line
  /// editor completes each line as soon as it is there.
  @Test func zshCompletes() throws {
    guard has("zsh") else { return }
    _ = try script("zsh", "_tracectl")
    let lines = Self.cases.map { (["tracectl"] + $0.line).joined(separator: " ") }
    try scratch.file("lines", lines.joined(separator: "\n") + "\n")
    try scratch.file(
      "setup.zsh",
      """
      fpath=($PWD $fpath)
      autoload -Uz compinit && compinit -u -D
      PS1= RPS1= LISTMAX=0
      unsetopt beep auto_menu auto_list
      probe() {
        local line
        for line in "${(@f)$(<lines)}"; do
          BUFFER=$line CURSOR=$#line
          zle complete-word
          print -r -- "$BUFFER" >> completed
        done
        print "it is ""done"
      }
      zle -N zle-line-init probe

      """)
    let driver = """
      zmodload zsh/zpty || exit 42
      zpty shell zsh -f -i
      zpty -w shell 'source ./setup.zsh'
      zpty -r shell text '*it is done*'
      zpty -d shell
      """
    let run = try run(["zsh", "-f", "-c", driver])
    if run.status == 42 {
      print("SKIPPED: this zsh has no terminals of its own")
      return
    }
    let completed = try? String(contentsOfFile: scratch.path("completed"), encoding: .utf8)
    let found = (completed ?? "").split(separator: "\n").map {
      $0.split(separator: " ").last.map(String.init) ?? ""
    }
    #expect(found == Self.cases.map(\.completed), "\(run)")
  }
}
