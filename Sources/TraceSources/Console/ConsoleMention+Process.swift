/// The words by which RunningBoard and FrontBoard name a process.
///
///     app<com.example.notes(UUID)>:412
///     xpcservice<com.apple.WebKit.WebContent([app<com.example.notes(UUID)>:412])>:431:431
///
/// What the name opens with is the process; an app inside it is the host that the process helps.
extension ConsoleMention {
  private static let kinds: Set<String> = [
    "app", "application", "xpcservice", "daemon", "osservice", "extension", "anon",
  ]

  /// Darwin gives no larger number.
  private static let largestPID: Int32 = 99_999

  /// Reads the first name of a process in `text`; `nil` when there is none.
  init?(processIn text: ArraySlice<UInt8>) {
    var start = text.startIndex
    while let open = text[start...].firstIndex(of: "<") {
      let before = text[..<open].droppingEnd { (0x61...0x7a).contains($0) }
      let word = text[before.endIndex..<open]
      if before.last.map(Self.isLetter) != true, Self.kinds.contains(word.text) {
        self.init(
          kind: word.text, after: text[(open + 1)...], isBracketed: before.last == "[")
        return
      }
      start = open + 1
    }
    return nil
  }

  /// Reads `ID(…)>(…):PID`, what stands after the kind; `nil` where the line is damaged there, so that a
  /// number of something else is not taken for the process's.
  private init?(kind: String, after text: ArraySlice<UInt8>, isBracketed: Bool) {
    let identifier = text.prefix { byte in byte > 0x20 && byte != "(" && byte != ">" && byte != "<"
    }
    guard identifier.isIdentifier, let plain = JobLabel.identifier(of: identifier) else {
      return nil
    }

    isHelper = kind != "app" && kind != "application"
    bundle = plain
    var rest = text[identifier.endIndex...]
    while let group = Self.group(at: rest) {
      if let inner = ConsoleMention(processIn: group), !inner.isHelper {
        (hostBundle, hostPID) = (inner.bundle, inner.pid)
      }
      rest = rest[group.endIndex...].dropFirst()
    }

    guard rest.first == ">" else { return }
    rest = rest.dropFirst()
    while let group = Self.group(at: rest) { rest = rest[group.endIndex...].dropFirst() }
    guard rest.first == ":" else { return }
    let digits = rest.dropFirst().digits
    // Whoever publishes a report may have put a word in the number's place.
    if digits.isEmpty { return }
    let number = digits.processNumber
    guard number ?? 0 <= Self.largestPID,
      Self.isEnd(text[digits.endIndex...], isBracketed: isBracketed)
    else { return nil }
    pid = number
  }

  /// Whether what stands behind the number of a process can stand there: in brackets `]`, or `:PID]`.
  private static func isEnd(_ rest: ArraySlice<UInt8>, isBracketed: Bool) -> Bool {
    guard let first = rest.first else { return !isBracketed }
    if isBracketed {
      let second = rest.dropFirst().drop { $0.isDigit }
      return first == "]" || first == ":" && second.first == "]"
    }
    return first != "+" && first != "-" && !isLetter(first)
  }

  /// What stands inside the brackets that `text` begins with; `nil` without brackets, or when they
  /// do not close.
  private static func group(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var depth = 0
    for index in text.indices {
      switch text[index] {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      default: break
      }
      if depth <= 0 { return index == text.startIndex ? nil : text[(text.startIndex + 1)..<index] }
    }
    return nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte == "_"
  }
}
