import Foundation
import Testing

/// Commands find the newest recording, and a new recording keeps the one before.
@Suite struct NewestLogTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try scratch.file("a.trace", "0s - profile hooks=work\n1s main note \"first\"\n")
    try scratch.file("b.trace", "0s - profile hooks=work\n1s main note \"second\"\n")
  }

  private func run(_ arguments: String...) throws -> CommandRun {
    try CommandRun(arguments, in: scratch.url)
  }

  @Test(arguments: [["analyze"], ["dump"], ["verify"], ["why", "lost-events"]])
  func theNewestIsRead(arguments: [String]) throws {
    let none = try CommandRun(arguments, in: scratch.url)
    #expect(none.status == 2)
    #expect(none.errors.contains("there is no recording in this directory"), "\(none.errors)")
    _ = try run("record", "-q", "--source", "trace", "-o", "new.bin", "b.trace")
    _ = try run("record", "-q", "--source", "trace", "-o", "old.bin", "a.trace")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
      ofItemAtPath: scratch.path("old.bin"))
    try scratch.file("newest.bin", "no log")

    let found = try CommandRun(arguments, in: scratch.url)
    #expect(found.status == 0)
    #expect(
      found.errors == "tracectl: reading new.bin, the newest recording here\n", "\(found.errors)")
    #expect(try run("dump").output.contains("second"))
  }

  @Test func aSecondRecordingKeepsTheFirst() throws {
    #expect(try run("record", "-q", "--source", "trace", "a.trace").status == 0)
    let second = try run("record", "--source", "trace", "b.trace")
    #expect(second.status == 0)
    #expect(
      second.errors.contains("tracectl: the previous recording is now log.old.bin\n"),
      "\(second.errors)")
    #expect(try run("dump", "log.old.bin").output.contains("first"))
    #expect(try run("dump", "log.bin").output.contains("second"))

    // The third takes the place of the first.
    #expect(try run("record", "-q", "--source", "trace", "a.trace").errors.isEmpty)
    #expect(try run("dump", "log.old.bin").output.contains("second"))

    // What was named is not given another name.
    let named = try run("record", "--source", "trace", "-o", "log.bin", "a.trace")
    #expect(named.status == 2 && named.errors.contains("already exists"))
  }

  /// An input that cannot be read leaves everything as it was.
  @Test func aBadInputMovesNothing() throws {
    _ = try run("record", "-q", "--source", "trace", "a.trace")
    try scratch.file("bad.trace", "1s main oops(\n")
    #expect(try run("record", "--source", "trace", "bad.trace").status == 3)
    #expect(try run("dump", "log.bin").output.contains("first"))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("log.old.bin")))
  }

  @Test func theRingAndThePartsGoWithTheirLog() throws {
    let deaths = CommandRun.built("crash-in-background")
    _ = try run("record", "-q", "--", deaths)
    try scratch.file("log.bin.ring", "stray")
    #expect(try run("record", "-q", "--source", "trace", "b.trace").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
    #expect(names.contains("log.old.bin") && names.contains("log.old.bin.ring"), "\(names)")
    #expect(!names.contains("log.bin.ring"))
  }

  @Test func whatIsNoLogStaysWhereItIs() throws {
    try scratch.file("log.bin", "mine")
    let run = try run("record", "--source", "trace", "a.trace")
    #expect(run.status == 2 && run.errors.contains("log.bin: exists and is not a log"))
    #expect(try String(contentsOfFile: scratch.path("log.bin"), encoding: .utf8) == "mine")
  }
}
