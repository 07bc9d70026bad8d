import LifecycleModel
import TraceText

/// What a source counted while it read: for the summary that a person gets after the import.
public struct SourceTally: Hashable, Sendable {
  /// The form of the input, once it is recognised.
  public var form: String?
  /// The app that was followed, once it is known; `nil` where an input has only one.
  public var app: String?
  /// Lines of the input.
  public var lines = 0
  /// Records that the lines made up.
  public var records = 0
  /// Lines without a prefix, joined to the record before them.
  public var joined = 0
  /// Joined lines that were cut off because their record had become too long.
  public var cut = 0
  /// Lines that could not be read and belong to no record.
  public var skipped = 0
  /// Zero bytes that were passed over.
  public var zeros = 0
  /// The line in whose middle the input ends; `nil` when it ends with a whole one.
  public var cutAtLine: Int?
  /// Records that were dropped because a tool had printed them before its device was away.
  public var replayed = 0
  /// Records that were dropped because the same had been said within a millisecond.
  public var duplicates = 0
  /// Records whose time lies before that of a record above them, put right.
  public var inversions = 0
  /// Records that came too late to be put right, and got the instant of the event before them.
  public var late = 0
  /// How often the input's clock was set back.
  public var clockSteps = 0
  /// Holes in the input, each of which became a `gap`.
  public var gaps = 0
  /// Background tasks whose identifier the system hides, so that they became no events.
  public var hiddenTasks = 0
  /// Ends in words of the system that name no process.
  public var namelessEnds = 0
  /// Events handed out, the gaps among them.
  public var events = 0

  /// What is wrong with the input itself, in a sentence each.
  public var damages: [String] {
    let hole = zeros == 1 ? "a zero byte was" : "\(zeros) zero bytes were"
    return [
      zeros > 0
        ? "\(hole) passed over; was the file damaged, or its machine switched off?" : nil,
      cutAtLine.map { "ends in the middle of line \($0); what follows is missing" },
    ].compactMap(\.self)
  }

  /// Makes an empty tally.
  public init() {}
}

extension SourceTally: CustomStringConvertible {
  /// One line with the counts that are not zero, such as `412 lines, 380 records, 61 events`.
  public var description: String {
    let counts: [(Int, one: String, many: String)] = [
      (lines, "line", "lines"), (records, "record", "records"),
      (joined, "line joined", "lines joined"), (cut, "line truncated", "lines truncated"),
      (skipped, "line skipped", "lines skipped"),
      (zeros, "zero byte passed over", "zero bytes passed over"),
      (cutAtLine == nil ? 0 : 1, "line cut at the end", ""),
      (replayed, "record printed again", "records printed again"),
      (duplicates, "duplicate dropped", "duplicates dropped"),
      (inversions, "line reordered", "lines reordered"),
      (late, "record too late to reorder", "records too late to reorder"),
      (clockSteps, "time the clock went back", "times the clock went back"),
      (gaps, "gap", "gaps"),
      (hiddenTasks, "task with a hidden identifier", "tasks with a hidden identifier"),
      (events - min(events, gaps), "event", "events"),
    ]

    let told = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.one : $0.many)" }
    let names = [form, app.map { InertText.word($0) }].compactMap(\.self)
    return (names + (told.isEmpty ? ["no lines"] : told)).joined(separator: ", ")
  }
}
