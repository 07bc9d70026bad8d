import Foundation
import Testing

/// Commands find the newest recording, and a new recording leaves those before as they are.
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
    #expect(
      none.errors.contains("there is no binary recording in this directory"), "\(none.errors)")
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

  @Test func aSecondRecordingHasANameOfItsOwn() throws {
    #expect(try run("record", "-q", "--source", "trace", "a.trace").status == 0)
    let second = try run("record", "--source", "trace", "b.trace")
    #expect(second.status == 0)
    #expect(
      second.errors.hasPrefix(
        "tracectl: recordings are here already, so this one is log-2.bin\n"), "\(second.errors)")
    #expect(try run("dump", "log.bin").output.contains("first"))
    #expect(try run("dump", "log-2.bin").output.contains("second"))
    #expect(try run("dump").output.contains("second"))

    // The third has the next name, also when an earlier one is gone.
    try FileManager.default.removeItem(atPath: scratch.path("log.bin"))
    #expect(try run("record", "-q", "--source", "trace", "a.trace").errors.isEmpty)
    #expect(try run("dump", "log-3.bin").output.contains("first"))

    let named = try run("record", "--source", "trace", "-o", "log-3.bin", "a.trace")
    #expect(named.status == 2 && named.errors.contains("already exists"))
    // Only who says so replaces a recording.
    #expect(try run("record", "--source", "trace", "--replace", "b.trace").status == 0)
    #expect(try run("dump", "log.bin").output.contains("second"))
  }

  /// An input that cannot be read leaves everything as it was.
  @Test func aBadInputWritesNothing() throws {
    _ = try run("record", "-q", "--source", "trace", "a.trace")
    try scratch.file("bad.trace", "1s main oops(\n")
    #expect(try run("record", "--source", "trace", "bad.trace").status == 3)
    #expect(try run("dump", "log.bin").output.contains("first"))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("log-2.bin")))
  }

  /// A ring, or a part, that is left of a recording has its name all the same.
  @Test(arguments: ["log.bin.ring", "log.bin.2", "log.bin"])
  func whatIsLeftOfARecordingIsNotWrittenOver(name: String) throws {
    try scratch.file(name, "mine")
    #expect(try run("record", "-q", "--source", "trace", "a.trace").status == 0)
    #expect(try run("dump", "log-2.bin").output.contains("first"))
    #expect(try String(contentsOfFile: scratch.path(name), encoding: .utf8) == "mine")
  }
}
