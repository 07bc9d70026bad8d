import LifecycleModel

/// A row of the table that turns messages into facts.
struct MessageRule {
  /// Who prints messages.
  enum Printer: Int, CaseIterable {
    /// Processes of apps.
    case app
    /// The system's processes that watch over apps.
    case system
    /// The process that starts all others.
    case launchd
    /// The kernel.
    case kernel
    /// The processes that write crash reports.
    case crashReporter
  }

  /// The shape of the messages that the rule reads.
  let pattern: MessagePattern
  /// What such a message says; `nil` when it is not what its shape promised.
  let fact: @Sendable (Said) -> ConsoleStatement?

  init(_ pattern: String, _ fact: @escaping @Sendable (Said) -> ConsoleStatement?) {
    (self.pattern, self.fact) = (MessagePattern(pattern), fact)
  }

  init(_ pattern: String, _ fact: ConsoleStatement) {
    self.init(pattern) { _ in fact }
  }

  /// Makes a rule for a line that is a warning as it stands.
  init(_ pattern: String, warns warning: SystemWarning) {
    self.init(pattern) { .warned(warning, $0.wordsOfLine) }
  }
}

/// The rules, so arranged that a message meets few of them.
struct MessageRules {
  /// Words longer than this are no names that an app gives.
  static let longestName = 1024

  /// What a message says, in what words.
  typealias Reading = (fact: ConsoleStatement, said: Said)

  /// The rules for the messages of one kind of printer, by the first byte of their first words.
  private struct Table {
    var atStart = [[MessageRule]](repeating: [], count: 256)
    var atLines = [[MessageRule]](repeating: [], count: 256)
    var hasLines = false
    var anywhere: [MessageRule] = []
  }

  private let tables: [Table]

  init(_ rules: [MessageRule.Printer: [MessageRule]]) {
    tables = MessageRule.Printer.allCases.map { printer in
      var table = Table()
      for rule in rules[printer] ?? [] {
        let first = rule.pattern.anchor.first.map { Int($0) } ?? 0
        switch rule.pattern.place {
        case .start: table.atStart[first].append(rule)
        case .line: table.atLines[first].append(rule)
        case .anywhere: table.anywhere.append(rule)
        }
      }
      table.hasLines = !table.atLines.allSatisfy(\.isEmpty)
      return table
    }
  }

  /// What `message` says; `nil` when no rule knows it.
  ///
  /// The start of a message is also what stands behind the bracket that it begins with.
  func read(_ message: ArraySlice<UInt8>, by printer: MessageRule.Printer) -> Reading? {
    let table = tables[printer.rawValue]
    if let found = Self.read(message, of: message, table.atStart) { return found }
    if message.first == "[", let close = message.prefix(512).firstRange(of: Self.bracketEnd),
      let found = Self.read(message[close.upperBound...], of: message, table.atStart)
    {
      return found
    }

    var line = message
    while table.hasLines {
      if let found = Self.read(line, of: message, table.atLines) { return found }
      guard let end = line.firstIndex(of: 0x0a) else { break }
      line = line[(end + 1)...]
    }

    for rule in table.anywhere {
      if let said = rule.pattern.read(message), let fact = rule.fact(said) { return (fact, said) }
    }
    return nil
  }

  private static let bracketEnd = Array("] ".utf8)

  /// What the end of a message says.
  private static func read(
    _ end: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, _ table: [[MessageRule]]
  ) -> Reading? {
    guard let first = end.first else { return nil }
    for rule in table[Int(first)] {
      if let said = rule.pattern.read(end, of: message), let fact = rule.fact(said) {
        return (fact, said)
      }
    }
    return nil
  }
}
