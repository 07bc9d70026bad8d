import LifecycleModel

/// What the runtimes of Swift and C++ print in the app's own process.
extension MessageRules {
  /// The rules by which a line without a frame is known as the runtime's or the debugger's.
  static let ofRuntime = MessageRules(runtimeRules)

  static let runtimeRules: [MessageRule] =
    [
      MessageRule(.app, .line, "libc++abi") { rest, _ in
        RuntimeErrorText.uncaughtException(rest).map {
          .endForetold($0, $0.exception.map { "uncaught exception " + $0 } ?? $0.reason ?? "")
        }
      },
      MessageRule(.app, .line, "Program ended with exit code: ") { rest, _ in
        ProcessExitText.programEnd(rest).map { .endedUnderDebugger($0) }
      },
    ]
    + LastWords.beginnings.map { beginning in
      MessageRule(.app, .line, beginning) { rest, message in
        lastWords(rest, of: message)
      }
    }
    + RuntimeErrorText.fatalWords.map { word in
      MessageRule(.app, .line, word + ": ") { rest, message in
        fatalError(rest, of: message)
      }
    } + [
      MessageRule(.app, .anywhere, ".swift:") { rest, message in
        fatalError(rest, of: message)
      },
      MessageRule(.app, .anywhere, LastWords.malloc) { rest, message in
        lastWords(rest, of: message)
      },
    ]

  private static func lastWords(
    _ rest: ArraySlice<UInt8>, of message: ArraySlice<UInt8>
  ) -> ConsoleStatement? {
    LastWords.end(line(rest, of: message)).map { .endForetold($0, $0.reason ?? "") }
  }

  private static func fatalError(
    _ rest: ArraySlice<UInt8>, of message: ArraySlice<UInt8>
  ) -> ConsoleStatement? {
    RuntimeErrorText.fatalError(line(rest, of: message)).map {
      .endForetold($0, $0.reason ?? "")
    }
  }

  /// The line of `message` in which `rest` begins.
  private static func line(
    _ rest: ArraySlice<UInt8>, of message: ArraySlice<UInt8>
  ) -> ArraySlice<UInt8> {
    let start = message[..<rest.startIndex].lastIndex(of: 0x0a).map { $0 + 1 }
    return message[(start ?? message.startIndex)...].prefix { $0 != 0x0a }
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
    return .ownEnd(line)
  }

  /// What stands behind `Notes/Store.swift:12: `; `nil` when the line does not begin so.
  private static func behindPlace(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let mark = line.prefix(longestPlace).firstRange(of: Array(".swift:".utf8)),
      line[..<mark.lowerBound].firstRange(of: colon) == nil
    else { return nil }
    let digits = line[mark.upperBound...].prefix(while: isDigit)
    return digits.isEmpty ? nil : line[digits.endIndex...].dropping(prefix: colon)
  }

  /// Whether the bytes end in `: file Notes/Store.swift, line 12`, or in C's
  /// `, function save, file Store.m, line 12.`.
  private static func hasPlace(atEndOf bytes: ArraySlice<UInt8>) -> Bool {
    if bytes.last == UInt8(ascii: "."), let file = bytes.firstRange(of: Array(", file ".utf8)),
      let line = bytes[file.upperBound...].firstRange(of: Array(", line ".utf8))
    {
      return bytes[..<file.lowerBound].firstRange(of: Array(", function ".utf8)) != nil
        && bytes[line.upperBound...].dropLast().allSatisfy(isDigit)
    }
    guard let last = bytes.last, isDigit(last),
      let file = bytes.firstRange(of: Array(": file ".utf8))
    else { return false }
    return bytes[file.upperBound...].firstRange(of: Array(".swift, line ".utf8)) != nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Reads what stands after `libc++abi`: `: terminating due to uncaught exception of type TYPE: WORDS`.
  static func uncaughtException(_ rest: ArraySlice<UInt8>) -> Termination? {
    let line = rest.prefix { $0 != 0x0a }
    if let mark = line.prefix(32).firstRange(of: Array(": terminating ".utf8)),
      line[mark.upperBound...].text.hasSuffix(" uncaught foreign exception")
    {
      return .ownEnd(line[(mark.lowerBound + 2)...])
    }
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
