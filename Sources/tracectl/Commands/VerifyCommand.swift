import ArgumentParser
import TraceLog
import TraceReport
import TraceText

/// `tracectl verify`: whether a log is whole.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Decode every block of a log and check that the log is whole.",
    discussion: """
      Checks for missing parts; checks the checksums, the chain of blocks, each writer's sequence, the order of times, each block's header and checkpoint against the events, and whether the ring beside the log, if any, can be joined with it. Exits with 1 if anything is wrong, including a log that a crash cut off, and with 4 if --max-work ended it.

      Only a binary log can be verified. For notation and NDJSON, use analyze --strict.
      """)

  @OptionGroup var input: LogArgument

  @Option(parsing: .unconditional, help: .maxWork, transform: WorkLimit.read)
  var maxWork: WorkLimit?

  private var work: WorkLimit { maxWork ?? WorkLimit() }

  func run() throws {
    let log = try input.path()
    let report: VerifyReport
    do {
      report = try self.report(log)
    } catch LogError.notALog(let path, looksLikeText: true) {
      throw CommandError.unreadable(
        "\(path): is text; only a binary log can be verified; check text with "
          + "tracectl analyze --strict \(path)")
    } catch LogError.notALog(let path, _) where path.hasSuffix(".gz") {
      throw CommandError.unreadable(
        "\(path): is compressed; only an uncompressed log can be verified; unpack it first: "
          + "gunzip -k \(path)")
    }

    for problem in report.problems { try Terminal.print("\(InertText.line("\(problem)"))\n") }
    if report.problemCount > report.problems.count {
      try Terminal.print(
        "and \(CountText.of(report.problemCount - report.problems.count, "more problem"))\n")
    }

    let verdict =
      report.problemCount > 0
      ? "not whole: \(CountText.of(report.problemCount, "problem"))"
      : report.isCut ? "whole as far as it was read" : "whole"

    let events = CountText.of(report.eventCount, "event")
    let removed =
      report.removedEventCount == 0 ? "" : ", \(report.removedEventCount) before them removed"
    let ring =
      report.ringEventCount == 0
      ? "" : ", \(CountText.of(report.ringEventCount, "more event")) in its ring"
    try Terminal.print(
      "\(events) in \(CountText.of(report.blockCount, "block"))\(removed)\(ring), \(verdict)\n")
    guard report.isWhole else {
      if log != "-", report.eventCount > 0 || report.ringEventCount > 0 {
        Terminal.printError(
          "what can be read is written to a new log by: tracectl copy \(InertText.word(log)) -o NEW.bin"
        )
      }
      throw ExitStatus.findings
    }
    if report.isCut { throw ExitStatus.inconclusive }
  }

  private func report(_ log: String) throws -> VerifyReport {
    let input = try ByteInput(log)
    if input.canBeReadAgain { return try VerifyReport(path: log, while: work.wants) }
    return try VerifyReport(
      LogReader(
        descriptor: input.descriptor, path: input.name, prefix: input.takePeeked()),
      while: work.wants)
  }
}
