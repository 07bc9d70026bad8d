import Foundation
import TestTime
import Testing

/// `tracectl record --device` and `--simulator`, with a stand-in for the tool that prints a device's
/// console: it replays a capture at a pace of its own, and goes away in the middle.
@Suite struct LiveCaptureTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// The healthy capture as idevicesyslog prints it.
  private static func lines() throws -> [String] {
    let file = CommandRun.root.appendingPathComponent("samples/console/healthy-cycle.log")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let cells = line.split(separator: "\t", maxSplits: 3)
      let pid = cells[2] == "Notes" ? 731 : 57
      return "Nov 22 \(cells[1].prefix(15)) \(cells[2])[\(pid)] <Notice>: \(cells[3])"
    }
  }

  /// A program of this name in a folder that stands before all others on the PATH.
  private func standIn(_ name: String, _ script: String) throws -> [String: String] {
    let program = try scratch.file(name, "#!/bin/sh\n" + script)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: program.path)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return ["PATH": scratch.url.path + ":" + path]
  }

  /// The first half, in a line that is cut; then, at the next start, the rest.
  private func comesAndGoes() throws -> [String: String] {
    let lines = try LiveCaptureTests.lines()
    let half = lines.count / 2
    try scratch.file("first.log", lines[..<half].joined(separator: "\n") + "\nNov 22 09:4")
    try scratch.file("rest.log", lines[half...].joined(separator: "\n") + "\n")
    let folder = scratch.url.path
    return try standIn(
      "idevicesyslog",
      """
      echo "$@" >> \(folder)/starts
      if [ ! -e \(folder)/gone ]; then
        touch \(folder)/gone
        head -c 700 \(folder)/first.log
        sleep 0.3
        tail -c +701 \(folder)/first.log
        exit 0
      fi
      cat \(folder)/rest.log
      touch \(folder)/all
      exec sleep 100
      """)
  }

  @Test func aDeviceThatComesBackIsOneRecordingWithAGap() throws {
    let program = StartedProgram(
      [
        CommandRun.command.path, "record", "--device", "00008110-X", "--app", "Notes", "-o",
        "live.bin",
      ], in: scratch.url, environment: try comesAndGoes())
    let process = program.process
    process.standardError = try FileHandle(forWritingTo: scratch.file("errors"))
    try program.start()
    try wait("the rest") {
      !process.isRunning || FileManager.default.fileExists(atPath: scratch.path("all"))
    }
    try scratch.file("whole.log", try LiveCaptureTests.lines().joined(separator: "\n") + "\n")
    let whole = try dump("whole.log")
    try wait("the last event") { try dump("live.bin").count > whole.count }
    process.interrupt()
    let status = program.waitForEnd()

    let errors = try String(contentsOfFile: scratch.path("errors"), encoding: .utf8)
    #expect(status == 0, "\(errors)")
    #expect(errors.contains("recording by idevicesyslog; Ctrl-C ends the recording\n"))
    #expect(errors.contains("the device is gone; waiting for it\n"))
    let starts = try String(contentsOfFile: scratch.path("starts"), encoding: .utf8)
    #expect(starts == "-u 00008110-X\n-u 00008110-X\n")

    // All that was printed is there, and one gap besides.
    let live = try dump("live.bin")
    #expect(live.filter { $0.contains(" gap ") }.count == 1, "\(live)")
    #expect(whole.count > 10 && live.filter { !$0.contains(" gap ") } == whole)
  }

  /// The events of a trace; on which line one stands depends on where the capture was cut.
  private func dump(_ name: String) throws -> [String] {
    let run = try CommandRun("dump", "--app", "Notes", name, in: scratch.url)
    return run.output.split(separator: "\n").map {
      String($0.replacing(/\ line=[0-9]+/, with: ""))
    }
  }

  @Test func aDeviceThatIsNotThereIsAnError() throws {
    let path = try standIn("idevicesyslog", "echo 'No device found!' >&2; exit 1\n")
    let run = try CommandRun(
      ["record", "--device", "--app", "Notes", "-o", "live.bin"], in: scratch.url, environment: path
    )
    #expect(run.status == 3)
    #expect(
      run.errors.hasSuffix(
        "No device found!\ntracectl: idevicesyslog ended before it printed a line of the console; is "
          + "the device connected, unlocked and paired with this machine?\n"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("live.bin")))
  }

  /// Some tools say on standard output what is wrong: that is no console, and no device that went away.
  @Test func whatAToolSaysOfItselfIsNoConsole() throws {
    let path = try standIn("idevicesyslog", "echo 'ERROR: No device found!'; exit 1\n")
    let run = try CommandRun(
      ["record", "--device", "--app", "Notes", "-o", "live.bin"], in: scratch.url, environment: path
    )
    #expect(run.status == 3)
    #expect(
      run.errors.hasSuffix(
        "tracectl: idevicesyslog ended before it printed a line of the console; it said: ERROR: No "
          + "device found!; is the device connected, unlocked and paired with this machine?\n"),
      "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("live.bin")))
  }

  @Test(arguments: [
    ("--device", "no idevicesyslog or pymobiledevice3 is on the PATH to read a device; install "),
    ("--simulator", "no xcrun is on the PATH to read a simulator; simulators need macOS"),
  ])
  func aToolThatIsMissingIsNamed(option: String, error: String) throws {
    let run = try CommandRun(
      ["record", option, "--app", "Notes"], in: scratch.url, environment: ["PATH": scratch.url.path]
    )
    #expect(run.status == 2 && run.errors.contains(error), "\(run.errors)")
  }

  @Test(arguments: [
    ["--device", "--simulator"], ["--device", "--source", "console"],
    ["--device", "--", "./MyApp"], ["--simulator", "--ring-size", "threads=2"],
    ["--device", "--attach", "log.bin"],
  ])
  func whatExcludesEachOtherIsRefused(arguments: [String]) throws {
    let run = try CommandRun(["record"] + arguments, in: scratch.url)
    #expect(run.status == 2, "\(run.errors)")
  }

  /// A simulator is asked for NDJSON, as the importer reads it.
  @Test func aSimulatorIsReadByXcrun() throws {
    let path = try standIn(
      "xcrun", "echo \"$@\" > \(scratch.path("arguments"))\nexit 0\n")
    let run = try CommandRun(
      ["record", "--simulator", "--app", "Notes"], in: scratch.url, environment: path)
    #expect(run.status == 3 && run.errors.contains("is the simulator booted?"))
    let arguments = try String(contentsOfFile: scratch.path("arguments"), encoding: .utf8)
    #expect(
      arguments == "simctl spawn booted log stream --style ndjson --level debug\n")
  }
}
