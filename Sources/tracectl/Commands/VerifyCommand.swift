import ArgumentParser
import TraceLog
import TraceReport
import TraceText

/// `tracectl verify`: whether a log is whole.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Decode every block of a log and tell whether it is whole.",
    discussion: """
      Checks that no part is missing, the checksums, the chain of blocks, the sequence of every writer, the order of time, each block's header and checkpoint against the events, and that the ring beside the log, if there is one, can be joined with it. Exits with 1 when anything is wrong, also when a crash cut off the end of the log.

      Only a binary log can be verified. Notation and NDJSON are checked by analyze --strict.
      """)

  @OptionGroup var input: LogArgument

  func run() throws {
    let log = try input.path()
    let report: VerifyReport
    do {
      report = try log == "-" ? VerifyReport(LogReader(descriptor: 0)) : VerifyReport(path: log)
    } catch LogError.notALog(let path, looksLikeText: true) {
      throw CommandError.unreadable(
        "\(path): is text, and only a binary log can be verified; check a text with "
          + "tracectl analyze --strict \(path)")
    } catch LogError.notALog(let path, _) where path.hasSuffix(".gz") {
      throw CommandError.unreadable(
        "\(path): is compressed, and the log itself is verified; decompress it first: gunzip -k")
    } catch {
      throw CommandError.unreadable("\(error)")
    }
    for problem in report.problems { try Terminal.print("\(InertText.line("\(problem)"))\n") }
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
    let ring =
      report.ringEventCount == 0
      ? "" : ", \(CountText.of(report.ringEventCount, "more event")) in the ring beside it"
    try Terminal.print(
      "\(events) in \(CountText.of(report.blockCount, "block"))\(ring), \(verdict)\n")
    if !report.isWhole { throw ExitStatus.findings }
  }
}
