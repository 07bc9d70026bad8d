import AppLifecycle
import ArgumentParser
import Foundation
import LifecycleModel
import Scenarios
import TraceLog
import TraceReport

/// `tracectl simulate`: plays a scenario in virtual time, and records it.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Play a scenario of an app's life in virtual time, into a log.",
    discussion: """
      The scenario is YAML: the app, what its handlers do, and what the user and the system do with it; samples/scenarios has some. The same scenario and seed give the same log, byte for byte:

        tracectl simulate samples/scenarios/leaked-task.yml -o log.bin
        tracectl analyze log.bin
      """)

  @Argument(help: "The scenario to play; - is standard input.", completion: .file())
  var scenario: String

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The log to write; - is standard output. (default: log.bin; an existing one is kept as log.old.bin)",
      valueName: "log"),
    completion: .file())
  var named: String?

  private var output: String { named ?? NewLog.usualPath }

  @Option(help: ArgumentHelp("The seed of all chance, and of the log's id.", valueName: "number"))
  var seed: UInt64 = 0

  @Flag(help: "Let chance choose what the documents leave open: order, delays, extra calls.")
  var vary = false

  @Option(help: ArgumentHelp("Play it once a day, for this many days.", valueName: "count"))
  var days = 1

  @Flag(help: "Replace a log that exists already.")
  var replace = false

  @Flag(name: .shortAndLong, help: "Print no summary.")
  var quiet = false

  func validate() throws {
    if !(1...3650).contains(days) { throw ValidationError("--days takes a number from 1 to 3650") }
  }

  func run() throws {
    let input = try ByteInput(scenario)
    if ReportFile.isSame(scenario, output) {
      throw CommandError.usage("\(output): is the scenario; choose another -o")
    }
    let text = String(decoding: try WholeFile.read(input, limit: 4 << 20), as: UTF8.self)
    // The command runs on the main thread.
    try MainActor.assumeIsolated { try play(text, input.name) }
  }

  @MainActor
  private func play(_ text: String, _ name: String) throws {
    do {
      var scenario = try Scenario(yaml: text)
      if days > 1 && scenario.length > 86_400 {
        throw CommandError.usage("\(name): lasts more than a day, and goes without --days")
      }
      scenario.options.seed = seed
      scenario.options.varies = vary
      try NewLog.refuseTerminal(output)
      if named == nil && !replace { try NewLog.keepPrevious(isQuiet: quiet) }
      let driver = try scenario.run(to: .file(output, replaces: replace), days: days)
      guard !quiet else { return }
      let seconds = driver.now / 1_000_000_000
      Terminal.printError(
        "\(CountText.of(driver.eventCount, "event")) over \(seconds) s → \(output), \(driver.byteCount) bytes"
      )
    } catch let error as ScenarioError {
      throw CommandError.usage("\(name):\(error)")
    } catch LogError.exists(let path) {
      throw CommandError.usage("\(path): exists already; choose another -o, or pass --replace")
    } catch LogError.notFound(let path) {
      throw CommandError.unreadable("\(path): cannot be made; is its folder there?")
    } catch let error as LogError {
      throw CommandError.unreadable("\(error)")
    }
  }
}
