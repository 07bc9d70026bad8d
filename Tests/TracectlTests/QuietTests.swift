import Foundation
import Testing

/// Recording makes no system call and takes no memory, and a forked child leaves its parent's ring
/// alone; each look is seen to see what it looks for.
@Suite struct QuietTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func run(_ arguments: String...) throws -> CommandRun {
    let log = scratch.path("\(arguments.joined(separator: "-")).bin")
    return try CommandRun(program: [CommandRun.built("quiet"), log] + arguments)
  }

  @Test func aMillionFactsTakeNoMemory() throws {
    #expect(try run("allocations").output == "allocations 0\n")
    // Each round makes an array, and lets one go.
    #expect(try run("allocations", "broken").output == "allocations 100000\n")
  }

  @Test func hundredsOfThousandsOfFactsMakeNoSystemCall() throws {
    let quiet = try run("system-calls")
    if quiet.output == "cannot be forbidden here\n" {
      print("skipped: system calls cannot be forbidden on this machine")
      return
    }
    #expect(quiet.output == "none\n" && quiet.status == 0)
    let broken = try run("system-calls", "broken")
    #expect(broken.output == "" && broken.status == 128 + SIGSYS)
  }

  @Test func aForkedChildIsSilent() throws {
    #expect(try run("fork").output == "child 0\n")
    // Ten facts before the fork and ten after it, all the parent's.
    let log = scratch.path("fork.bin")
    let facts = try CommandRun("dump", log).output.split(separator: "\n")
    #expect(facts.count { $0.contains("at=quiet/Quiet.swift") } == 20)
    let verify = try CommandRun("analyze", "--fail-on", "never", "--format", "json", log)
    let json = try JSONSerialization.jsonObject(with: Data(verify.output.utf8)) as? [String: Any]
    #expect(json?["gaps"] as? Int == 0)
  }
}
