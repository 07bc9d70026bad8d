import LifecycleModel

/// Finds out which tool printed the input: the framing that reads most of the first lines.
///
/// A prefix that another tool has put before each line is found too. Memory: the lines that were
/// looked at, at most ``maximumBytes`` of them.
struct FramingDetector {
  /// An input is given up when this many lines are in no known framing.
  static let maximumLines = 10_000
  /// How many lines are looked at together.
  static let window = 64
  private static let maximumBytes = 1 << 20

  /// The framings, in the order in which they are tried; of those that read equally many lines the
  /// first one is taken.
  static let framings: [any ConsoleFraming] = [
    JSONFraming(), LineFraming.logShow, LineFraming.logSyslog, LineFraming.compact,
    LineFraming.pyMobileDevice, LineFraming.xcode, ColumnFraming.tabbed, LineFraming.deviceSyslog,
    ColumnFraming.spaced,
  ]

  /// A line of the input that no framing has read yet.
  typealias Line = (number: Int, bytes: ArraySlice<UInt8>)

  /// What was found out.
  struct Choice {
    var framing: any ConsoleFraming
    /// What stands before the framing's own text on each line.
    let prefix: [UInt8]
    /// The lines that were looked at, and that the framing has to read.
    var lines: ArraySlice<Line>
  }

  /// The first line that is not blank, for the error message.
  private(set) var firstLine: ArraySlice<UInt8>?
  private var lines: [Line] = []
  private var byteCount = 0
  private var seen = 0

  /// Takes a line; returns the choice as soon as enough was seen.
  ///
  /// Throws when too many lines fitted no framing.
  mutating func take(_ line: ArraySlice<UInt8>, number: Int) throws -> Choice? {
    if firstLine == nil, line.contains(where: { $0 > 0x20 }) { firstLine = ArraySlice(Array(line)) }
    lines.append((number, ArraySlice(Array(line))))
    byteCount += line.count
    seen += 1
    guard
      lines.count >= Self.window || byteCount >= Self.maximumBytes || seen >= Self.maximumLines
    else { return nil }
    if let choice = choose() { return choice }
    if seen >= Self.maximumLines { throw error }

    // The record before the first line that is read may reach over some lines.
    lines.removeFirst(lines.count / 2)
    byteCount = lines.reduce(0) { $0 + $1.bytes.count }
    return nil
  }

  /// The framing that reads most of the lines that were seen; `nil` when none reads any.
  func choose() -> Choice? {
    let bytes = lines.map(\.bytes)
    var found = Self.best(of: bytes) ?? Self.bestBehindPrefix(of: bytes)
    if found == nil, bytes.contains(where: PlainFraming.isKnown) { found = (PlainFraming(), [], 0) }
    return found.map { Choice(framing: $0.framing, prefix: $0.prefix, lines: lines[...]) }
  }

  /// A framing, the prefix that is cut off before it reads, and how many lines it reads.
  private typealias Found = (framing: any ConsoleFraming, prefix: [UInt8], count: Int)

  private static func best(of lines: [ArraySlice<UInt8>], behind prefix: [UInt8] = []) -> Found? {
    let lines = prefix.isEmpty ? lines : lines.map { $0.dropping(prefix: prefix) ?? $0 }
    var best: Found?
    for var framing in framings {
      framing.learn(from: lines)
      // A framing remembers what it reads, so the lines are counted by another one.
      var reader = framing
      let count = lines.count { line in
        if case .record = reader.read(line, number: 0) { true } else { false }
      }
      if count > best?.count ?? 0 { best = (framing, prefix, count) }
    }
    return best
  }

  /// The framing that reads most lines when a prefix that lines have in common is cut off.
  private static func bestBehindPrefix(of lines: [ArraySlice<UInt8>]) -> Found? {
    var tried: Set<[UInt8]> = []
    var best: Found?
    for (line, next) in zip(lines, lines.dropFirst() + lines.prefix(1)) {
      let common = zip(line, next).prefix { $0 == $1 }.count
      for end in line.indices.prefix(min(common, 96)) where line[end] == " " {
        let prefix = Array(line[...end])
        guard tried.count < 64, tried.insert(prefix).inserted else { continue }
        let found = Self.best(of: lines, behind: prefix)
        if found?.count ?? 0 > best?.count ?? 0 { best = found }
      }
    }
    return best
  }

  /// Whether a framing that knows a line by itself reads it as a record.
  static func isRecord(_ line: ArraySlice<UInt8>) -> Bool { best(of: [line]) != nil }

  /// What is said about an input that no framing can read.
  var error: SourceError {
    let names = Self.framings.map(\.name)
    return SourceError(
      .unknownForm,
      expected: "console text in one of these formats: \(names.joined(separator: ", "))",
      found: firstLine.map { SourceError.shown($0) } ?? "no line",
      remedy: "save the console text unchanged, or use --source trace or ndjson for a trace"
    )
  }
}
