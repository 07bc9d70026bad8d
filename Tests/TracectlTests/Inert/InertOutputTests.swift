import Foundation
import TestTime
import Testing

/// What comes from a log, a file's name, a configuration or the command line stays data in each output of each
/// command.
@Suite struct InertOutputTests {
  private let input: HostileInputs

  init() throws { input = try HostileInputs() }

  @Test func everyOutputOfEveryCommandIsInert() throws {
    var shown: Set<InertForm> = []
    for (command, trials) in InertCommands.trials(input) {
      #expect(!trials.isEmpty, "\(command)")
      for trial in trials {
        let run = try input.run(trial.words)
        var outputs = [(run.output, trial.form), (run.errors, .text)]
        for (file, form) in trial.files {
          let data = try Data(contentsOf: URL(fileURLWithPath: input.scratch.path(file)))
          outputs.append((String(decoding: data, as: UTF8.self), form))
        }

        let what = trial.words.map { $0.contains(HostileWords.mark) ? "X" : $0 }.joined(
          separator: " ")
        let isShown = outputs.contains { $0.0.contains(HostileWords.mark) }
        #expect(isShown || InertCommands.silent.contains(command), "\(what) shows nothing hostile")

        for (text, form) in outputs {
          if text.contains(HostileWords.mark) { shown.insert(form) }
          let faults = form.faults(in: text)
          #expect(faults.isEmpty, "\(what), \(form): \(faults.prefix(5))")
        }
      }
    }
    #expect(shown.count == 10, "\(shown)")
  }

  /// A command that is new has no outputs here, and fails.
  @Test func everyCommandIsTried() throws {
    let tried = Set(InertCommands.trials(input).map(\.command))
    let commands = try CommandTree().leaves
    #expect(commands.count >= 20)
    #expect(Set(commands.map(\.name)) == tried)
  }

  /// Each option of each command, by day each third one, with words that it cannot take, and options that no
  /// command has.
  @Test(.tags(.nightly)) func noErrorActsOnAnArgument() throws {
    let words = [
      HostileWords.fileNames[0], HostileWords.fileNames[2], "\n::error::x", "=\u{1b}[2J",
    ]
    for command in try CommandTree().leaves {
      let path = command.name.split(separator: " ").map(String.init)
      var trials = words.map { path + [$0] } + [path + ["--" + words[0]]]
      for (index, option) in command.options.enumerated()
      where index % Nightly.count(3, all: 1) == 0 {
        trials.append(path + ["--\(option)=\(words[index % words.count])", "no.bin"])
      }
      for trial in trials {
        let run = try input.run(trial)
        let faults = InertForm.text.faults(in: run.output + run.errors)
        #expect(faults.isEmpty, "\(path) \(trial.last ?? "")): \(faults)")
      }
    }
  }
}
