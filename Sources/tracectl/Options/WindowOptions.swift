import ArgumentParser
import LifecycleModel
import TraceLog
import TraceReport

/// The part of a run that a command looks at.
struct WindowOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      From this time on: 4.2s, or 17:30:31 by the wall clock (UTC, or as printed by a console \
      without dates).
      """,
      valueName: "moment"))
  var from: MomentArgument?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Up to this time.", valueName: "moment"))
  var to: MomentArgument?

  mutating func validate() throws {
    try from?.check("--from")
    try to?.check("--to")
    if let first = from?.plainInstant, let last = to?.plainInstant, first > last {
      throw ValidationError(backwards)
    }
  }

  /// Whether none was given: the part is the whole.
  var isEmpty: Bool { from == nil && to == nil }

  /// What a message says of the part, where there is one.
  var inPart: String { isEmpty ? "" : " between --from and --to" }

  /// The part as far as no clock needs to be known for it.
  var plainPart: ClosedRange<Instant> {
    (from?.plainInstant ?? .distantPast)...(to?.plainInstant ?? .distantFuture)
  }

  /// The blocks of a log that may hold events of the part; a time of the wall clock excludes none.
  var blocks: BlockFilter {
    BlockFilter(from: plainPart.lowerBound, to: plainPart.upperBound)
  }

  /// The part in a log that has this clock; `nil` for the whole.
  func part(by clock: WallClock?) throws -> ClosedRange<Instant>? {
    if isEmpty { return nil }
    let first = try from?.instant(by: clock, "--from") ?? .distantPast
    let last = try to?.instant(by: clock, "--to") ?? .distantFuture
    if first > last { throw CommandError.usage(backwards) }
    return first...last
  }

  /// The part in a log that has this clock, also where it is the whole.
  ///
  /// A console's text says its time with its first event: the part is known from then on.
  func range(by clock: WallClock?) throws -> ClosedRange<Instant> {
    try part(by: clock) ?? .distantPast ... .distantFuture
  }

  private var backwards: String {
    "--from \(from?.text ?? "") is after --to \(to?.text ?? ""); swap them"
  }
}
