import Foundation
import Testing

/// What `tail` prints of a log.
@Suite struct TailTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    let crash = try CommandRun(
      ["record", "-o", "log.bin", "--", CommandRun.built("crash-in-background")], in: scratch.url)
    #expect(crash.status == 128 + 9, "\(crash.errors)")
  }

  @Test func itEndsWithTheVerdictWhenTheProcessIsGone() throws {
    let run = try CommandRun(["tail", "log.bin"], in: scratch.url)
    #expect(run.status == 0, "\(run.errors)")
    let (events, verdict) = try halves(run.output)
    #expect(events.last?.contains("kill          app code=0x9") == true)
    #expect(events.last?.contains("✗ lock \"notes.db\"") == true)
    #expect(verdict.hasPrefix("killed with SIGKILL; no rule explains it"))
    #expect(verdict.contains("applicationDidEnterBackground had been running"))
  }

  private func halves(_ output: String) throws -> (events: [String], verdict: String) {
    let parts = output.components(separatedBy: "\n\n")
    try #require(parts.count == 2)
    return (parts[0].components(separatedBy: "\n"), parts[1])
  }

  @Test func asManyLinesArePrintedAsAreAskedFor() throws {
    let all = try CommandRun(["tail", "-n", "1000", "log.bin"], in: scratch.url).output
    let lines = try halves(all).events
    #expect(!lines[0].hasPrefix("…") && lines.count > 5)

    let three = try CommandRun(["tail", "-n", "3", "log.bin"], in: scratch.url).output
    let few = try halves(three).events
    #expect(few[0].hasPrefix("… ") && few.suffix(3) == lines.suffix(3))

    let none = try CommandRun(["tail", "--quiet", "log.bin"], in: scratch.url).output
    #expect(none.hasPrefix("\nkilled with SIGKILL"))
  }

  @Test func aLossBeforeTheFirstEventStandsAtTheOrigin() throws {
    let flight = try Data(contentsOf: scratch.url.appendingPathComponent("log.bin"))
    let length = Int(flight[12]) + 256 * Int(flight[13])
    try flight.prefix(length).write(to: scratch.file("empty.bin"))
    try scratch.file("empty.bin.ring", "no ring")
    let tail = try CommandRun(["tail", "empty.bin"], in: scratch.url)
    let line = "0s        -     gap           source-hole -1"
    #expect(tail.output.contains(line), "\(tail.output) \(tail.errors)")
  }

  /// No gap tells of a header that has changed: all events are there.
  @Test func aDamagedHeaderIsTold() throws {
    var log = try Data(contentsOf: scratch.url.appendingPathComponent("log.bin"))
    log[20] ^= 1
    try log.write(to: scratch.file("changed.bin"))
    let tail = try CommandRun(["tail", "changed.bin"], in: scratch.url)
    let line = "changed.bin: has a damaged file header at byte 0: the origin of time is not known"
    #expect(tail.errors.contains(line), "\(tail.errors)")
    #expect(try CommandRun(["tail", "log.bin"], in: scratch.url).errors == "")
  }

  @Test func textAndPipesAreRefusedWithWhatToDo() throws {
    try scratch.file("a.trace", "0s - process.start app pid=7\n")
    let text = try CommandRun(["tail", "a.trace"], in: scratch.url)
    #expect(text.status == 2 && text.errors.contains("tail follows binary logs"))
    let piped = try CommandRun(["tail", "-"], in: scratch.url)
    #expect(piped.status == 2 && piped.errors.contains("tracectl analyze -"))
    let missing = try CommandRun(["tail", "none.bin"], in: scratch.url)
    #expect(missing.status == 3 && missing.errors.contains("none.bin: no such file"))
  }
}
