import ArgumentParser
import TraceLog
import TraceReport

/// `tracectl verify`: whether a log is whole.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Decode every block of a log and tell whether it is whole.",
    discussion: """
      Checks the checksums, the chain of blocks, the sequence of every writer, the order of time,
      and each block's checkpoint against the events before it. Exits with 1 when anything is wrong,
      also when a crash cut the log's end.
      """)

  @Argument(help: "The log to read; - is standard input.", completion: .file())
  var log: String

  func run() throws {
    let report: VerifyReport
    do {
      report = try VerifyReport(
        log == "-" ? LogReader(descriptor: 0) : LogReader(path: log, joinsRing: false))
    } catch {
      throw CommandError.unreadable("\(error)")
    }
    for problem in report.problems { try Terminal.print("\(problem)\n") }
    if report.problemCount > report.problems.count {
      try Terminal.print(
        "and \(CountText.of(report.problemCount - report.problems.count, "more problem"))\n")
    }
    let verdict =
      switch report.problemCount {
      case 0: "whole"
      case 1: "not whole: 1 problem"
      default: "not whole: \(CountText.of(report.problemCount, "problem"))"
      }
    let events = CountText.of(report.eventCount, "event")
    try Terminal.print("\(events) in \(CountText.of(report.blockCount, "block")), \(verdict)\n")
    if !report.isWhole { throw ExitStatus.findings }
  }
}
