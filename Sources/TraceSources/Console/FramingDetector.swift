/// Finds out which tool printed the input: the first line that a framing can read decides.
struct FramingDetector {
  /// An input of which so many lines are in no known framing is given up.
  static let maximumLines = 10_000

  /// The framings, in the order in which they are tried; no line fits two of them.
  static let framings: [any ConsoleFraming] = [
    JSONFraming(), ConsoleAppFraming(), CompactFraming(), SyslogFraming(),
  ]

  /// The first line that is not blank, for the error message.
  private(set) var firstLine: ArraySlice<UInt8>?
  private var seen = 0

  /// The framing that reads `line` as a record; throws when too many lines fitted none.
  mutating func framing(for line: ArraySlice<UInt8>, number: Int) throws -> (any ConsoleFraming)? {
    for framing in Self.framings {
      if case .record = framing.read(line, number: number) { return framing }
    }
    if firstLine == nil, line.contains(where: { $0 > 0x20 }) { firstLine = ArraySlice(Array(line)) }
    seen += 1
    if seen >= Self.maximumLines { throw error }
    return nil
  }

  /// What is said about an input that no framing can read.
  var error: SourceError {
    let names = Self.framings.map { type(of: $0).name }
    return SourceError(
      .unknownForm,
      expected: "console text in one of the forms \(names.joined(separator: ", "))",
      found: firstLine.map { SourceError.shown($0) } ?? "no line",
      remedy: "save the console's text without changes, or use --source trace or ndjson for a trace"
    )
  }
}
