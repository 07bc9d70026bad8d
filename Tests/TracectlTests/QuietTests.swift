import Foundation
import Testing

/// Recording makes no system call and takes no memory, and a forked child leaves its parent's ring
/// alone; each look is seen to see what it looks for.
@Suite struct QuietTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Runs the app and returns what it says, and the signal that ended it.
  private func run(_ arguments: String...) throws -> (output: String, signal: Int32?) {
    let process = Process()
    process.executableURL = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("quiet")
    let log = scratch.path("\(arguments.joined(separator: "-")).bin")
    process.arguments = [log] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let wasKilled = process.terminationReason == .uncaughtSignal
    return (
      String(decoding: output, as: UTF8.self), wasKilled ? process.terminationStatus : nil
    )
  }

  @Test func aMillionFactsTakeNoMemory() throws {
    #expect(try run("allocations").output == "allocations 0\n")
    // Each round makes an array, and lets one go.
    #expect(try run("allocations", "broken").output == "allocations 100000\n")
  }

  @Test func aMillionFactsMakeNoSystemCall() throws {
    let quiet = try run("system-calls")
    if quiet.output == "cannot be forbidden here\n" {
      print("skipped: system calls cannot be forbidden on this machine")
      return
    }
    #expect(quiet.output == "none\n" && quiet.signal == nil)
    #expect(try run("system-calls", "broken") == ("", SIGSYS))
  }

  @Test func aForkedChildIsSilent() throws {
    #expect(try run("fork").output == "child 0\n")
    // Ten facts before the fork and ten after it, all the parent's.
    let log = scratch.path("fork.bin")
    #expect(try CommandRun("dump", log).output.split(separator: "\n").count == 20)
    let verify = try CommandRun("analyze", "--fail-on", "never", "--format", "json", log)
    let json = try JSONSerialization.jsonObject(with: Data(verify.output.utf8)) as? [String: Any]
    #expect((json?["overview"] as? [String: Any])?["gaps"] as? Int == 0)
  }
}
