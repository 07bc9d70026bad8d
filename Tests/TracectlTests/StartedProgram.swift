import Foundation

/// A program that runs beside a test, and ends with its owner: one that a failed test left running would hold
/// the tests' output open, and whoever reads that would wait for ever.
final class StartedProgram {
  /// The process, whose input and output are nowhere until they are set.
  let process = Process()

  /// Prepares a program, by its path or as the machine finds it, with its arguments.
  ///
  /// `environment` is added to that of the tests.
  init(
    _ words: [String], in folder: URL = CommandRun.root, environment: [String: String] = [:]
  ) {
    let isPath = words[0].contains("/")
    process.executableURL = URL(fileURLWithPath: isPath ? words[0] : "/usr/bin/env")
    process.arguments = isPath ? Array(words.dropFirst()) : words
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
  }

  deinit {
    // With all that it has started: a program has a process group of its own.
    guard process.isRunning else { return }
    kill(-process.processIdentifier, SIGKILL)
    kill(process.processIdentifier, SIGKILL)
  }

  func start() throws { try process.run() }

  /// Starts it with its output and its errors going to files in `folder`.
  func start(outputIn folder: ScratchFolder) throws {
    process.standardOutput = try FileHandle(forWritingTo: folder.file("stdout"))
    process.standardError = try FileHandle(forWritingTo: folder.file("stderr"))
    try start()
  }

  /// Waits until the program has ended; returns its status as a shell says it.
  func waitForEnd() -> Int32 {
    process.waitUntilExit()
    let status = process.terminationStatus
    return process.terminationReason == .exit ? status : 128 + status
  }
}
