import LifecycleModel

/// A row of the table that turns messages into facts.
struct MessageRule {
  /// Whose messages the rule reads.
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

  /// Where the anchor stands.
  enum Place {
    /// At the start of the message, or after its first bracket.
    case start
    /// At the start of any line of the message.
    case line
    /// Anywhere.
    case anywhere
  }

  /// Whose messages the rule reads.
  let printer: Printer
  /// Where the anchor stands.
  let place: Place
  /// The words by which the message is known.
  let anchor: [UInt8]
  /// Reads the rest; `nil` when the message is not what its anchor promised.
  ///
  /// It gets what stands after the anchor, and the whole message.
  let extract: @Sendable (ArraySlice<UInt8>, ArraySlice<UInt8>) -> ConsoleStatement?

  init(
    _ printer: Printer, _ place: Place, _ anchor: String,
    _ extract: @escaping @Sendable (ArraySlice<UInt8>, ArraySlice<UInt8>) -> ConsoleStatement?
  ) {
    self.printer = printer
    self.place = place
    self.anchor = Array(anchor.utf8)
    self.extract = extract
  }
}

/// The rules, so arranged that a message meets few of them.
struct MessageRules {
  /// The rules for the messages of one kind of printer.
  private struct Table {
    var byFirstByte = [[MessageRule]](repeating: [], count: 256)
    var atLines: [MessageRule] = []
    var anywhere: [MessageRule] = []
  }

  private let tables: [Table]

  init(_ rules: [MessageRule]) {
    var tables = [Table](repeating: Table(), count: MessageRule.Printer.allCases.count)
    for rule in rules {
      let printer = rule.printer.rawValue
      switch rule.place {
      case .start:
        if let first = rule.anchor.first { tables[printer].byFirstByte[Int(first)].append(rule) }
      case .line: tables[printer].atLines.append(rule)
      case .anywhere: tables[printer].anywhere.append(rule)
      }
    }
    self.tables = tables
  }

  /// What `message` says; `nil` when no rule knows it.
  func fact(of message: ArraySlice<UInt8>, by printer: MessageRule.Printer) -> ConsoleStatement? {
    let table = tables[printer.rawValue]
    if let fact = Self.fact(at: message, of: message, table.byFirstByte) { return fact }
    if message.first == UInt8(ascii: "["),
      let close = message.prefix(512).firstRange(of: Self.bracketEnd),
      let fact = Self.fact(at: message[close.upperBound...], of: message, table.byFirstByte)

    {
      return fact
    }
    if !table.atLines.isEmpty, let fact = Self.fact(atLinesOf: message, table.atLines) {
      return fact
    }

    for rule in table.anywhere {
      if let found = message.firstRange(of: rule.anchor),
        let fact = rule.extract(message[found.upperBound...], message)
      {
        return fact
      }
    }
    return nil
  }

  private static let bracketEnd = Array("] ".utf8)

  private static func fact(
    at start: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, _ table: [[MessageRule]]
  ) -> ConsoleStatement? {
    guard let first = start.first else { return nil }
    for rule in table[Int(first)] {
      if let rest = start.dropping(prefix: rule.anchor), let fact = rule.extract(rest, message) {
        return fact
      }
    }
    return nil
  }

  private static func fact(
    atLinesOf message: ArraySlice<UInt8>, _ rules: [MessageRule]
  ) -> ConsoleStatement? {
    var line = message
    while true {
      for rule in rules {
        if let rest = line.dropping(prefix: rule.anchor), let fact = rule.extract(rest, message) {
          return fact
        }
      }
      guard let end = line.firstIndex(of: 0x0a) else { return nil }
      line = line[(end + 1)...]
    }
  }
}
