import Foundation

/// A run of another program, found on the PATH.
struct Tool {
  let status: Int32
  let output: String
  let errors: String

  /// Whether the PATH has it.
  static func exists(_ name: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  /// Runs a program with its arguments in `folder`, with `environment` added to that of the tests.
  static func run(
    _ command: [String], input: String = "", in folder: URL = CommandRun.root,
    environment: [String: String] = [:]
  ) throws -> Tool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let scratch = try ScratchFolder()
    let (output, errors) = (try scratch.file("stdout"), try scratch.file("stderr"))
    process.standardInput = try FileHandle(forReadingFrom: scratch.file("stdin", input))
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return Tool(
      status: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}
