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
      MessageRule(.app, .anywhere, word) { rest, message in
        RuntimeErrorText.fatalError(rest, of: message, word: word.utf8.count).map {
          .endForetold($0, $0.reason ?? word)
        }
      }
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

  private static let anchors = fatalWords.map { Array($0.utf8) }
  /// What the runtime says itself; an app may print other words behind "Fatal error", and go on.
  private static let ownWords = [
    "Unexpectedly found nil while ", "Index out of range", "'try!' expression unexpectedly raised",
    "Division by zero", "Dictionary literal contains duplicate keys",
    "Duplicate keys of type ",
  ].map { Array($0.utf8) }
  private static let longestPlace = 1024

  /// The words of the line in which one of the words of Swift's runtime stands, `word` bytes long and
  /// just before `rest`; `nil` when the line is somebody else's.
  static func fatalError(
    _ rest: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, word: Int
  ) -> Termination? {
    let found = rest.startIndex - word
    let start = message[..<found].lastIndex(of: 0x0a).map { $0 + 1 } ?? message.startIndex
    let line = message[start...].prefix { $0 != 0x0a }
    let words = rest.prefix { $0 != 0x0a }
    let isPlaced = isPlace(line[..<found])
    guard isPlaced || start == found, words.isEmpty && isPlaced || words.starts(with: colon) else {
      return nil
    }
    let said = words.dropFirst(colon.count)
    guard isPlaced || ownWords.contains(where: said.starts) || hasPlace(atEndOf: said) else {
      return nil
    }
    var end = Termination.signal(nil, reason: line.prefix(MessageRules.longestName).text)
    end.isFatalError = true
    return end
  }

  /// Whether a line is Swift's last word.
  static func isFatalError(_ line: ArraySlice<UInt8>) -> Bool {
    anchors.contains { word in
      line.prefix(longestPlace).firstRange(of: word).map {
        fatalError(line[$0.upperBound...], of: line, word: word.count) != nil
      } ?? false
    }
  }

  private static let colon = Array(": ".utf8)

  /// Whether the bytes are `Notes/Store.swift:12: `.
  private static func isPlace(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count <= longestPlace, bytes.suffix(2).elementsEqual(colon) else { return false }
    let place = bytes.dropLast(2)
    let file = place[..<(place.lastIndex { !isDigit($0) } ?? place.startIndex)]
    return file.endIndex + 1 < place.endIndex && file.suffix(6).elementsEqual(".swift".utf8)
      && place[file.endIndex] == UInt8(ascii: ":") && file.firstRange(of: colon) == nil
  }

  /// Whether the bytes end in `: file Notes/Store.swift, line 12`.
  private static func hasPlace(atEndOf bytes: ArraySlice<UInt8>) -> Bool {
    guard let last = bytes.last, isDigit(last), let file = bytes.firstRange(of: fileMark) else {
      return false
    }
    return bytes[file.upperBound...].firstRange(of: lineMark) != nil
  }

  private static let fileMark = Array(": file ".utf8)
  private static let lineMark = Array(".swift, line ".utf8)

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
