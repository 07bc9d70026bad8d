import AppLifecycle
import ArgumentParser
import Scenarios
import TraceLog
import TraceReport

/// `tracectl simulate`: plays a scenario in virtual time, and records it.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Play a scenario of an app's life in virtual time, and write a log.",
    discussion: """
      A scenario is YAML. It describes the app, what its handlers do, and what the user and the system do; samples/scenarios has examples. The same scenario and seed give the same log, byte for byte:

        tracectl simulate samples/scenarios/leaked-task.yml -o log.bin
        tracectl analyze log.bin
      """)

  @Argument(help: "The scenario to play; - is standard input.", completion: .file())
  var scenario: String

  @OptionGroup var newLog: NewLogOptions

  private var output: String { newLog.path }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The seed for random choices and the log id.", valueName: "number"))
  var seed: UInt64 = 0

  @Flag(help: "Vary what the documentation leaves open: order, delays, extra calls.")
  var vary = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Play it once per day, for this many days.", valueName: "count"))
  var days = 1

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
        throw CommandError.usage("\(name): lasts more than a day, so --days does not apply")
      }
      scenario.options.seed = seed
      scenario.options.varies = vary

      try newLog.check()
      newLog.reportName()
      let driver = try scenario.run(to: .file(output, replaces: newLog.replace), days: days)
      if driver.eventCount == 0 {
        Terminal.printError("\(name): the app never ran; begin the scenario with launch")
      }

      guard !newLog.quiet else { return }
      let seconds = driver.now / 1_000_000_000
      Terminal.printError(
        "\(CountText.of(driver.eventCount, "event")) over \(seconds) s → \(NewLog.name(of: output)), \(driver.byteCount) bytes"
      )
    } catch let error as LifecycleDriver.RangeError {
      throw CommandError.usage("\(name): \(error)")
    } catch let error as ScenarioError {
      throw CommandError.usage("\(name):\(error)")
    } catch let error as LogError {
      throw CommandError.writing(error)
    }
  }
}
