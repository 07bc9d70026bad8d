import Foundation
import Testing

/// A log of which a part alone is read says so, and nothing is concluded from the rest.
@Suite struct MaxWorkTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    var trace = "0s - profile mode=app hooks=work,resources\n1s main acquire lock app \"a\"\n"
    for index in 2..<1000 { trace += "\(index)s main work timer app \"w\(index % 7)\"\n" }
    trace += "1000s main release lock app \"a\"\n1001s - suspend app\n"
    try scratch.file("run.trace", trace)
    #expect(try run("record --source trace -q -o log.bin run.trace").status == 0)
  }

  private func run(_ words: String) throws -> CommandRun {
    try CommandRun(words.split(separator: " ").map(String.init), in: scratch.url)
  }

  @Test(arguments: ["log.bin", "run.trace"])
  func soManyEventsAreReadAndAGapSaysSo(log: String) throws {
    let dump = try run("dump --max-work 100 \(log)")
    let lines = dump.output.split(separator: "\n")
    #expect(lines.count == 101 && lines[99].contains("99s"), "\(lines.suffix(2))")
    #expect(lines.last?.contains("99s       -     gap           not-read -1") == true)
    #expect(dump.errors.contains("\(log): 100 events were read, and the rest was not"))
    #expect(dump.errors.contains("--max-work"))
  }

  @Test func aLimitThatIsNotReachedChangesNothing() throws {
    let whole = try run("dump log.bin")
    for limit in ["1002", "2K", "1M", "0"] {
      let dump = try run("dump --max-work \(limit) log.bin")
      #expect(dump.output == whole.output && dump.errors == "", "\(limit): \(dump.errors)")
    }
    #expect(whole.output.split(separator: "\n").count == 1002)
  }

  /// The lock that is never released in what was read is no finding.
  @Test func nothingIsConcludedFromWhatWasNotRead() throws {
    let cut = try run("analyze --max-work 100 log.bin")
    #expect(cut.status == 0, "\(cut.output)")
    #expect(cut.output.contains("the rest of the log was not read"))
    #expect(!cut.output.contains("no findings\n"))
    let scenario = CommandRun.root.appendingPathComponent("samples/scenarios/two-scenes.yml").path
    #expect(try run("simulate \(scenario) -q -o life.bin").status == 0)
    #expect(try run("analyze --strict life.bin").status == 0)
    #expect(try run("analyze --max-work 40 life.bin").status == 0)
    #expect(try run("analyze --strict --max-work 40 life.bin").status == 4)

    let json = try run("analyze --max-work 100 --format json log.bin").output
    #expect(json.contains("the rest of the log was not read"))
    let verify = try run("verify --max-work 100 log.bin")
    #expect(verify.status == 0, "a block is verified as a whole: \(verify.output)")
    let repair = try run("copy --max-work 100 log.bin -o repaired.bin")
    #expect(repair.errors.contains("log.bin: is whole as far as it was read"), "\(repair.errors)")
    let summary = try run("query --max-work 100 log.bin --view summary").output
    #expect(summary.contains(",missing,not-read,"), "\(summary)")
  }

  @Test func whatIsMadeOfAPartSaysSo() throws {
    for words in ["copy log.bin --from 0s", "copy --scrub log.bin", "copy log.bin"] {
      #expect(try run("\(words) --max-work 100 -q -o new.bin --replace").status == 0, "\(words)")
      let dump = try run("dump new.bin").output
      #expect(dump.contains("not-read"), "\(words)")
    }
  }

  @Test func itTakesAWholeNumber() throws {
    for wrong in ["-1", "1.5M", "10s", "x"] {
      let run = try run("dump --max-work \(wrong) log.bin")
      #expect(run.status == 2 && run.errors.contains("whole number of events"), "\(run.errors)")
    }
  }
}
