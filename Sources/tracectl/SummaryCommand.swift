import ArgumentParser
import LifecycleModel
import TraceLog
import TraceReport

/// `tracectl summary`: what a log holds, from its block headers alone.
struct SummaryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: "Tell what a log holds, from its block headers alone.")

  @Argument(help: "The log to read; - is standard input.", completion: .file())
  var log: String

  func run() throws {
    let summary: LogSummary
    do {
      summary = try log == "-" ? LogSummary(descriptor: 0) : LogSummary(path: log)
    } catch {
      throw CommandError.unreadable("\(error)")
    }
    let events = CountText.of(summary.eventCount, "event")
    var lines = ["\(events) in \(CountText.of(summary.blockCount, "block"))"]
    lines[0] += ", \(summary.byteCount) bytes\(bytesPerEvent(summary))"
    if let extent = summary.instants {
      let first = InstantText.print(extent.lowerBound.nanoseconds)
      let last = InstantText.print(extent.upperBound.nanoseconds)
      lines.append("from       \(first) to \(last)")
    }
    if let identity = summary.identity {
      lines.append("log        \(hex(identity.logID))")
      let isKnown = identity.originWall != 0
      lines.append("origin     \(isKnown ? WallTime.text(identity.originWall) : "not known")")
    } else {
      lines.append("origin     not known: the file header is damaged")
    }
    for writer in summary.writers {
      let name = TraceNotation.isWord(writer.name) ? writer.name : JSONText.quoted(writer.name)
      lines.append(
        "writer     \(name): \(CountText.of(writer.count, "event")), \(writer.first) to \(writer.last)"
      )
    }
    if summary.parts.upperBound > 1 {
      let parts = "\(summary.parts.lowerBound) to \(summary.parts.upperBound)"
      let removed = summary.removedEvents
      lines.append(
        "parts      \(parts)\(removed > 0 ? ", after \(CountText.of(removed, "removed event"))" : "")"
      )
    }
    if summary.ringEvents > 0 {
      lines.append(
        "ring       \(CountText.of(summary.ringEvents, "more event")), not in the log yet")
    }
    let verbs = summary.verbs.compactMap(\.word) + (summary.hasUnknownVerbs ? ["others"] : [])
    lines.append("verbs      \(verbs.joined(separator: " "))")
    lines += summary.losses.map { "missing    \(text(of: $0))" }
    lines += summary.damages.map { "damage     \($0)" }
    lines.append(summary.isWhole ? "whole" : "not whole")
    try Terminal.print(lines.joined(separator: "\n") + "\n")
  }

  private func bytesPerEvent(_ summary: LogSummary) -> String {
    guard summary.eventCount > 0 else { return "" }
    let hundredths = summary.byteCount * 100 / Int(summary.eventCount)
    let fraction = hundredths % 100
    return " (\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) an event)"
  }

  private func text(of gap: Gap) -> String {
    let count = gap.count.map { CountText.of($0, "event") } ?? "events"
    let writer = gap.writer.map { " of \(JSONText.quoted($0))" } ?? ""
    let range = gap.from.flatMap { from in gap.to.map { ", \(from) to \($0)" } } ?? ""
    return "\(count)\(writer)\(range): \(gap.cause)"
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
