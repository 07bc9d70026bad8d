import LifecycleModel

/// A row of the table that turns messages into facts.
struct MessageRule {
  /// Whose messages the rule reads.
  enum Printer {
    /// Processes of apps.
    case app
    /// The system's processes that watch over apps.
    case system
  }

  /// Where the anchor stands.
  enum Place {
    /// At the start of the message, or after its first bracket.
    case start
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
  let extract: @Sendable (ArraySlice<UInt8>, ArraySlice<UInt8>) -> ConsoleFact?

  init(
    _ printer: Printer, _ place: Place, _ anchor: String,
    _ extract: @escaping @Sendable (ArraySlice<UInt8>, ArraySlice<UInt8>) -> ConsoleFact?
  ) {
    self.printer = printer
    self.place = place
    self.anchor = Array(anchor.utf8)
    self.extract = extract
  }
}

/// The rules, so arranged that a message meets few of them.
struct MessageRules {
  private let appByFirstByte: [[MessageRule]]
  private let systemByFirstByte: [[MessageRule]]
  private let appAnywhere: [MessageRule]
  private let systemAnywhere: [MessageRule]

  init(_ rules: [MessageRule]) {
    func byFirstByte(_ printer: MessageRule.Printer) -> [[MessageRule]] {
      var table = [[MessageRule]](repeating: [], count: 256)
      for rule in rules where rule.printer == printer && rule.place == .start {
        if let first = rule.anchor.first { table[Int(first)].append(rule) }
      }
      return table
    }
    func anywhere(_ printer: MessageRule.Printer) -> [MessageRule] {
      rules.filter { $0.printer == printer && $0.place == .anywhere }
    }
    appByFirstByte = byFirstByte(.app)
    systemByFirstByte = byFirstByte(.system)
    appAnywhere = anywhere(.app)
    systemAnywhere = anywhere(.system)
  }

  /// What `message` says; `nil` when no rule knows it.
  func fact(of message: ArraySlice<UInt8>, by printer: MessageRule.Printer) -> ConsoleFact? {
    let table = printer == .app ? appByFirstByte : systemByFirstByte
    if let fact = Self.fact(at: message, of: message, table) { return fact }
    if message.first == UInt8(ascii: "["),
      let close = message.prefix(512).firstRange(of: Self.bracketEnd),
      let fact = Self.fact(at: message[close.upperBound...], of: message, table)
    {
      return fact
    }
    for rule in printer == .app ? appAnywhere : systemAnywhere {
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
  ) -> ConsoleFact? {
    guard let first = start.first else { return nil }
    for rule in table[Int(first)] {
      if let rest = start.dropping(prefix: rule.anchor), let fact = rule.extract(rest, message) {
        return fact
      }
    }
    return nil
  }
}
