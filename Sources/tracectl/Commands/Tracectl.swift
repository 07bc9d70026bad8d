import ArgumentParser
import Platform
import TraceConfiguration
import TraceText

/// The process of the command.
package enum CommandProcess {
  /// Whether this process is the command's own, which decides what signals do; in a test it is not.
  nonisolated(unsafe) private(set) static var isOwn = false

  /// Runs the command with the arguments of this process, which ends with the command's status.
  package static func main() -> Never {
    isOwn = true
    // A file that must not grow further is an error like a full disk.
    signal(SIGXFSZ, SIG_IGN)
    var words = CommandLine.arguments
    // On Linux Swift reads them in /proc, which a root that only chroot enters may lack.
    while CommandLine.argc == 0, let word = platform_argument(Int32(words.count)) {
      words.append(String(cString: word))
    }
    platform_exit(Tracectl.run(Array(words.dropFirst())))
  }
}

/// The command: parses arguments, runs a subcommand, and turns every error into its exit status.
struct Tracectl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tracectl",
    abstract:
      "A flight recorder for app lifecycles, and an analyzer for its logs after a crash.",
    discussion: """
      Turn a device's console capture into a log, then ask what went wrong:

        tracectl record --source console --app Notes -o log.bin capture.log
        tracectl analyze log.bin

      Where a command reads a log, - is standard input.

      Exit status:
        0   the work is done; analyze, tail: no findings that count
        1   analyze, tail: a finding at or above --fail-on
            verify: the log is not whole; diff --fail-on-regression: B is worse
            config check: an example fails
        2   bad usage, configuration or baseline
        3   cannot read the input, or write the output
        4   inconclusive, with --strict
      record -- APP exits as the app does: 128 + N for signal N, 126 or 127 if the app cannot run.
      """,
    version: "0.1.0",
    groupedSubcommands: [
      CommandGroup(
        name: "Record",
        subcommands: [RecordCommand.self, SimulateCommand.self]),
      CommandGroup(
        name: "Ask",
        subcommands: [
          AnalyzeCommand.self, WhyCommand.self, ExplainCommand.self, DumpCommand.self,
          TimelineCommand.self, ReportCommand.self, TailCommand.self,
        ]),
      CommandGroup(
        name: "Many",
        subcommands: [QueryCommand.self, DiffCommand.self, ExportCommand.self]),
      CommandGroup(name: "CI", subcommands: [BaselineCommand.self, ConfigCommand.self]),
      CommandGroup(name: "Care", subcommands: [VerifyCommand.self, CopyCommand.self]),
    ])

  /// Runs the command on the calling thread, with its working directory, its standard streams and the
  /// environment of the process; returns the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    let isOfFile = UnknownSubcommand(arguments)?.isFile == true
    let arguments = isOfFile ? ["analyze"] + arguments : arguments
    var command: any ParsableCommand
    do {
      command = try parseAsRoot(arguments)
      if arguments.first == "help", let status = refuse(arguments, arguments.dropFirst()) {
        return status
      }
    } catch {
      HelpWidth.limit()
      return refuse(arguments, arguments, fullMessage(for: error)) ?? end(error, arguments)
    }

    do {
      try command.run()
      return ExitStatus.clean.rawValue
    } catch let status as ExitStatus {
      return status.rawValue
    } catch let error as CommandError {
      Terminal.printError(error.lines)
      return error.status.rawValue
    } catch let error as ConfigurationFiles.Unreadable {
      Terminal.printError(error.description)
      return ExitStatus.badUsage.rawValue
    } catch {
      // Help that a subcommand asked for, and usage errors of the parser's own.
      HelpWidth.limit()
      if Self.exitCode(for: error) != .failure { return end(error, arguments) }
      Terminal.printError("\(error)")
      return ExitStatus.unreadable.rawValue
    }
  }

  /// Prints what to use instead of a name that went, or that there is no such subcommand; returns the status,
  /// or `nil` for words that are commands.
  private static func refuse(
    _ arguments: [String], _ words: some Collection<String>, _ message: String = ""
  ) -> Int32? {
    if let name = Retired(arguments, message) {
      Terminal.printError("\(name)")
    } else if let word = UnknownSubcommand(words) {
      Terminal.printStatus(word.description)
    } else {
      return nil
    }
    return ExitStatus.badUsage.rawValue
  }

  /// Prints the message of the argument parser, which is help or a usage error, and returns the status.
  private static func end(_ error: any Error, _ arguments: [String]) -> Int32 {
    let message = Self.fullMessage(for: error)
    guard Self.exitCode(for: error) == .success else {
      Terminal.printStatus(inert(message, arguments) + "\n")
      return ExitStatus.badUsage.rawValue
    }
    do {
      try Terminal.print(message + "\n")
      return ExitStatus.clean.rawValue
    } catch {
      Terminal.printError("\(error)")
      return ExitStatus.unreadable.rawValue
    }
  }
}

extension Tracectl {
  /// The message of the parser, in which the arguments, which may be names of files, are no more than text.
  private static func inert(_ message: String, _ arguments: [String]) -> String {
    var message = message
    for argument in arguments where !InertText.isInert(argument) {
      let option = argument.prefix { $0 != "=" }
      let value = argument.dropFirst(option.count + 1)
      for text in [argument, String(option), String(value)] where !InertText.isInert(text) {
        message = message.replacing(text, with: InertText.line(text))
      }
    }
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { InertText.line(String($0)) }.joined(separator: "\n")
  }
}

/// How the command ends; the status of an app that was recorded becomes its own.
struct ExitStatus: Error, Equatable {
  let rawValue: Int32

  static let clean = ExitStatus(rawValue: 0)
  static let findings = ExitStatus(rawValue: 1)
  static let badUsage = ExitStatus(rawValue: 2)
  static let unreadable = ExitStatus(rawValue: 3)
  static let inconclusive = ExitStatus(rawValue: 4)
  /// As a shell has it: the app to record cannot be run, or is not there.
  static let commandNotRunnable = ExitStatus(rawValue: 126)
  static let commandNotFound = ExitStatus(rawValue: 127)
  /// As a shell has it: somebody interrupted the command.
  static let interrupted = ExitStatus(rawValue: 130)
}

/// An error for a person: what happened, where, and what to do.
struct CommandError: Error, CustomStringConvertible {
  /// Mostly one; an end of a line in it is that of a file's name.
  let lines: [String]
  let status: ExitStatus

  var description: String { lines.map(InertText.line).joined(separator: "\n") }

  init(_ lines: [String], status: ExitStatus) { (self.lines, self.status) = (lines, status) }

  /// Something is wrong with what was asked for.
  static func usage(_ lines: String...) -> CommandError { CommandError(lines, status: .badUsage) }

  /// An input cannot be read, or an output cannot be written.
  static func unreadable(_ lines: String...) -> CommandError {
    CommandError(lines, status: .unreadable)
  }

  /// An output cannot be written, for the reason in `errno`.
  static func notWritten(_ name: String) -> CommandError {
    .unreadable("\(name): cannot be written: \(String(cString: strerror(errno)))")
  }
}
