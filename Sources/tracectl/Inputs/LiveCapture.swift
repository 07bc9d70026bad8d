import Platform
import TraceText

/// The console of a device or a simulator, printed by a tool of the machine that ``LiveCapture`` runs.
struct LiveConsole {
  /// What it is called in messages.
  let noun: String
  /// The commands that print it, the best first.
  ///
  /// None filters: what the system says about an app is printed by a dozen processes, and the importer
  /// drops the rest faster than a device prints it.
  let commands: [[String]]
  /// What to do where no command is there.
  let remedy: String
  /// What may be wrong where the command ends at once.
  let advice: String

  /// A device on a cable or in the network, by its UDID; empty means the only one.
  static func device(_ udid: String) -> LiveConsole {
    let (idevice, pymobile) = udid.isEmpty ? ([], []) : (["-u", udid], ["--udid", udid])
    return LiveConsole(
      noun: "device",
      commands: [
        ["idevicesyslog"] + idevice,
        ["pymobiledevice3", "--no-color", "syslog", "live"] + pymobile,
      ],
      remedy:
        "install idevicesyslog (Debian: libimobiledevice-utils, Homebrew: libimobiledevice) or "
        + "pymobiledevice3 (PyPI)",
      advice: "is the device connected, unlocked and paired with this machine?")
  }

  /// A simulator, by its UDID; empty means the one that is booted.
  static func simulator(_ udid: String) -> LiveConsole {
    LiveConsole(
      noun: "simulator",
      commands: [
        [
          "xcrun", "simctl", "spawn", udid.isEmpty ? "booted" : udid, "log", "stream",
          "--style", "ndjson", "--level", "debug",
        ]
      ],
      remedy: "simulators need macOS with Xcode; install Xcode and run xcode-select",
      advice: "is the simulator booted? xcrun simctl list devices booted")
  }
}

/// Runs the tool that prints a live console, again and again while the device comes and goes.
struct LiveCapture {
  /// So long it waits before it asks for a device again that has gone.
  private static let retryMilliseconds: Int32 = 2000
  /// As much is kept of what a tool says of itself.
  static let longestWords = 4096

  let console: LiveConsole
  private let command: [String]
  private var process: ChildProcess?

  /// Finds the tool; throws what to install when there is none.
  init(_ console: LiveConsole) throws {
    self.console = console
    let command = console.commands.first { (try? ChildProcess.check($0[0])) != nil }
    guard let command else {
      let names = console.commands.map { $0[0] }.joined(separator: " or ")
      throw CommandError.usage(
        "no \(names) is on the PATH to read a \(console.noun); \(console.remedy)")
    }
    self.command = command
  }

  /// The tool's name.
  var tool: String { command[0] }

  /// Starts the tool; what it prints is the input.
  mutating func start() throws -> ByteInput {
    let (reading, writing) = try ByteInput.makePipe()
    defer { close(writing) }
    process = try ChildProcess(command, output: writing)
    return ByteInput(descriptor: reading, name: tool)
  }

  /// Ends the tool, if it still runs.
  mutating func stop() {
    process?.terminate()
    process = nil
  }

  /// The error of a tool that ended before it printed a line of a console, but perhaps `words` of its own.
  func nothingPrinted(but words: [UInt8]) -> CommandError {
    let line = words.split(separator: 0x0a).last { $0.contains { $0 > 0x20 } } ?? []
    let said = InertText.line(String(decoding: line, as: UTF8.self))
    return .unreadable(
      "\(tool) ended before it printed a line of the console"
        + (said.isEmpty ? "" : "; it said: \(said)") + "; \(console.advice)")
  }

  /// Waits until the device may be there again; ends at an interrupt.
  func waitForReturn() {
    var waited: Int32 = 0
    while waited < LiveCapture.retryMilliseconds, !Interrupt.isRequested {
      usleep(100_000)
      waited += 100
    }
  }
}
