import LifecycleModel

/// What one line is to a framing.
enum FramedLine {
  /// The first line of a record.
  case record(ConsoleRecord)
  /// A message that has no time of its own: it has the time of the record before it.
  case unstamped(ConsoleRecord)
  /// A line without a prefix: it belongs to the record before it.
  case continuation
  /// A line that is known to say nothing, such as the header of `log show`.
  case nothing
  /// A line that should have been a record and cannot be read.
  case broken
  /// A line by which the tool says that it lost its device: what is missing nobody knows.
  case disconnected
}

/// A way in which a tool prints records.
///
/// ``FramingDetector`` chooses the framing that reads most of an input's first lines. From then on
/// the framing reads every line of the input.
protocol ConsoleFraming: Sendable {
  /// What the framing is called in messages.
  var name: String { get }
  /// Looks at the first lines of an input, where the form leaves something open.
  mutating func learn(from lines: [ArraySlice<UInt8>])
  /// Reads one line; `number` is its line number.
  mutating func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine
  /// What else the line held that was read last; `nil` when that was all.
  mutating func more() -> FramedLine?
  /// What was begun and not ended, at the end of the input.
  mutating func finish() -> FramedLine?
}

extension ConsoleFraming {
  mutating func learn(from lines: [ArraySlice<UInt8>]) {}
  mutating func more() -> FramedLine? { nil }
  mutating func finish() -> FramedLine? { nil }
}
