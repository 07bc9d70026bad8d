import LifecycleModel

/// What the runtimes of Swift and C++ print in the app's own process.
extension MessageRules {
  static let runtimeRules: [MessageRule] =
    [
      MessageRule(.app, .line, "libc++abi") { rest, _ in
        RuntimeErrorText.uncaughtException(rest).map {
          .endForetold($0, "uncaught exception " + ($0.exception ?? ""))
        }
      }
    ]
    + RuntimeErrorText.fatalWords.map { word in
      MessageRule(.app, .line, word + ": ") { rest, message in
        fatalError(rest, of: message)
      }
    } + [
      MessageRule(.app, .anywhere, ".swift:") { rest, message in
        fatalError(rest, of: message)
      }
    ]

  /// Reads the line that `rest` ends.
  private static func fatalError(
    _ rest: ArraySlice<UInt8>, of message: ArraySlice<UInt8>
  ) -> ConsoleFact? {
    let start = message[..<rest.startIndex].lastIndex(of: 0x0a).map { $0 + 1 }
    let line = message[(start ?? message.startIndex)...].prefix { $0 != 0x0a }
    return RuntimeErrorText.fatalError(line).map { .endForetold($0, $0.reason ?? "") }
  }
}

/// What the runtimes of Swift and C++ print as they end the process that they run in.
///
///     Notes/Store.swift:12: Fatal error: no note
///     Fatal error: no note: file Notes/Store.swift, line 12
///     libc++abi: terminating due to uncaught exception of type std::out_of_range: vector
enum RuntimeErrorText {
  /// The words by which Swift's runtime says that it stops.
  static let fatalWords = ["Fatal error", "Precondition failed", "Assertion failed"]

  private static let beginnings = fatalWords.map { Array($0.utf8) }
  /// What the runtime says itself; an app may print other words behind "Fatal error", and go on.
  private static let ownWords = [
    "Unexpectedly found nil while ", "Index out of range", "'try!' expression unexpectedly raised",
    "Division by zero", "Dictionary literal contains duplicate keys",
    "Duplicate keys of type ",
  ].map { Array($0.utf8) }
  private static let longestPlace = 1024
  private static let colon = Array(": ".utf8)

  /// Reads Swift's last word; `nil` when the line is somebody else's.
  static func fatalError(_ line: ArraySlice<UInt8>) -> Termination? {
    let words = behindPlace(line) ?? line
    let isPlaced = words.startIndex > line.startIndex
    guard let word = beginnings.first(where: words.starts) else { return nil }
    let rest = words.dropFirst(word.count)
    let said = rest.dropFirst(colon.count)
    guard
      rest.isEmpty
        ? isPlaced
        : rest.starts(with: colon)
          && (isPlaced || ownWords.contains(where: said.starts) || hasPlace(atEndOf: said))
    else { return nil }
    var end = Termination.signal(nil, reason: line.prefix(MessageRules.longestName).text)
    end.isFatalError = true
    return end
  }

  /// What stands behind `Notes/Store.swift:12: `; `nil` when the line does not begin so.
  private static func behindPlace(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let mark = line.prefix(longestPlace).firstRange(of: Array(".swift:".utf8)),
      line[..<mark.lowerBound].firstRange(of: colon) == nil
    else { return nil }
    let digits = line[mark.upperBound...].prefix(while: isDigit)
    return digits.isEmpty ? nil : line[digits.endIndex...].dropping(prefix: colon)
  }

  /// Whether the bytes end in `: file Notes/Store.swift, line 12`.
  private static func hasPlace(atEndOf bytes: ArraySlice<UInt8>) -> Bool {
    guard let last = bytes.last, isDigit(last),
      let file = bytes.firstRange(of: Array(": file ".utf8))
    else { return false }
    return bytes[file.upperBound...].firstRange(of: Array(".swift, line ".utf8)) != nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Reads what stands after `libc++abi`: `: terminating due to uncaught exception of type TYPE: WORDS`.
  static func uncaughtException(_ rest: ArraySlice<UInt8>) -> Termination? {
    let line = rest.prefix { $0 != 0x0a }
    guard let mark = line.prefix(128).firstRange(of: Array(" exception of type ".utf8)),
      line[..<mark.lowerBound].firstRange(of: Array(": terminating ".utf8)) != nil
    else { return nil }
    let said = line[mark.upperBound...].prefix(MessageRules.longestName)
    let words = said.firstRange(of: colon)
    let type = said[..<(words?.lowerBound ?? said.endIndex)]
    if type.isEmpty { return nil }
    var end = Termination(kind: .exited(status: nil))
    end.exception = type.text
    end.reason = words.map { said[$0.upperBound...].text }
    return end
  }
}
