import LifecycleModel

/// The texts in which the system says how a process ended, in the console and in crash reports.
enum TerminationText {
  /// Reads `2, 6, 6)`: the namespace, the code and the wait status that launchd reports.
  static func launchdTriple(_ rest: ArraySlice<UInt8>) -> Termination? {
    guard let close = rest.firstIndex(of: UInt8(ascii: ")")) else { return nil }
    let numbers = rest[..<close].split(separator: UInt8(ascii: ","))
      .map { UInt64($0.drop { $0 == UInt8(ascii: " ") }.text) }
    guard numbers.count == 3, let namespace = numbers[0], let code = numbers[1],
      let status = numbers[2]
    else { return nil }
    if namespace == 0 {
      // A wait status has the signal in its low seven bits and the exit status above them.
      return status & 0x7f == 0
        ? Termination(kind: .exited(status: Int64(status >> 8 & 0xff)))
        : Termination(kind: .killed(namespace: "SIGNAL", code: status & 0x7f))
    }
    return Termination(kind: .killed(namespace: self.namespace(namespace), code: code))
  }

  /// Reads `<RBSProcessExitContext| voluntary>` or `… domain:signal(2) code:SIGABRT(6)>>`.
  static func exitContext(_ rest: ArraySlice<UInt8>) -> Termination {
    guard let domain = parenthesised(after: "domain:", in: rest), domain != 0 else {
      return Termination(kind: .exited(status: nil))
    }
    let code = parenthesised(after: "code:", in: rest)
    return Termination(
      kind: .killed(namespace: namespace(domain), code: code))
  }

  /// Reads a text of a crash report or of the watchdog; `nil` when it says no cause.
  static func report(_ message: ArraySlice<UInt8>) -> Termination? {
    let reason = explanation(in: message)
    if let context = message.firstRange(of: Array("<RBSTerminateContext| ".utf8)) {
      let rest = message[context.upperBound...]
      let domain = number(after: "domain:", in: rest)
      guard let code = number(after: "code:", in: rest) else { return nil }
      let named = heading(in: message)?.namespace
      return Termination(
        kind: .killed(namespace: named ?? domain.map { namespace($0) }, code: code),
        reason: reason)
    }
    if let heading = heading(in: message) {
      return Termination(
        kind: .killed(namespace: heading.namespace, code: heading.code), reason: reason)
    }
    // The watchdog's words alone: it has one code.
    guard let words = message.firstRange(of: Array(" watchdog transgression: ".utf8)) else {
      return nil
    }
    let known = ["SPRINGBOARD", "FRONTBOARD"].first {
      message[..<words.lowerBound].firstRange(of: Array($0.utf8)) != nil
    }
    return Termination(kind: .killed(namespace: known, code: watchdogCode), reason: reason)
  }

  /// Reads `Notes:412 has active assertions beyond permitted time: …`, with which assertiond ended
  /// an app up to iOS 12; it printed no code.
  static func expiredAssertions(_ rest: ArraySlice<UInt8>) -> Termination? {
    guard rest.firstRange(of: Array(" has active assertions beyond permitted time".utf8)) != nil
    else { return nil }
    let words = rest.prefix { $0 != 0x0a }.prefix(MessageRules.longestName)
    return Termination(kind: .killed(namespace: nil, code: nil), reason: words.text)
  }

  /// "Ate bad food": the code of the watchdog.
  private static let watchdogCode: UInt64 = 0x8bad_f00d

  /// Reads `Termination Reason: Namespace RUNNINGBOARD, Code 0xdead10cc` and the newer form without
  /// the two words, whose code may be decimal.
  private static func heading(in message: ArraySlice<UInt8>) -> (namespace: String, code: UInt64)? {
    guard let mark = message.firstRange(of: Array("Termination Reason: ".utf8)) else { return nil }
    var scanner = LineScanner(message[mark.upperBound...])
    func isWord(_ byte: UInt8) -> Bool { byte > 0x20 && byte != UInt8(ascii: ",") }
    var namespace = scanner.takeWhile(isWord)
    if namespace.elementsEqual("Namespace".utf8) {
      scanner.skipBlanks()
      namespace = scanner.takeWhile(isWord)
    }
    _ = scanner.take(UInt8(ascii: ","))
    scanner.skipBlanks()
    var code = scanner.takeWhile(isWord)
    if code.elementsEqual("Code".utf8) || code.elementsEqual("Code:".utf8) {
      scanner.skipBlanks()
      code = scanner.takeWhile(isWord)
    }
    guard !namespace.isEmpty, namespace.count <= 64, let number = number(code) else { return nil }
    return (namespace.text, number)
  }

  /// The explanation: after `explanation:`, or the watchdog's sentence.
  private static func explanation(in message: ArraySlice<UInt8>) -> String? {
    var words: ArraySlice<UInt8>
    if let mark = message.firstRange(of: Array("explanation:".utf8)) {
      words = message[mark.upperBound...]
    } else if let mark = message.firstRange(of: Array(" watchdog transgression: ".utf8)) {
      let start = message[..<mark.lowerBound].lastIndex { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
      words = message[(start.map { $0 + 1 } ?? message.startIndex)...]
    } else {
      return nil
    }
    words = words.prefix { $0 != 0x0a && $0 != UInt8(ascii: "|") }
    for end in [" ProcessVisibility:", " reportType:", " maxTerminationResistance:"] {
      if let found = words.firstRange(of: Array(end.utf8)) { words = words[..<found.lowerBound] }
    }
    while let last = words.last, last <= 0x20 { words = words.dropLast() }
    return words.isEmpty ? nil : words.prefix(MessageRules.longestName).text
  }

  /// The number in the parentheses of `code:SIGABRT(6)`, or the one that follows at once.
  private static func parenthesised(
    after key: String, in text: ArraySlice<UInt8>
  ) -> UInt64? {
    guard let mark = text.firstRange(of: Array(key.utf8)) else { return nil }
    let rest = text[mark.upperBound...].prefix(64)
    let word = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "(") }
    if let number = number(word) { return number }
    guard word.endIndex < rest.endIndex, rest[word.endIndex] == UInt8(ascii: "(") else {
      return nil
    }
    let inside = rest[(word.endIndex + 1)...].prefix { $0 != UInt8(ascii: ")") }
    return number(inside)
  }

  private static func number(after key: String, in text: ArraySlice<UInt8>) -> UInt64? {
    guard let mark = text.firstRange(of: Array(key.utf8)) else { return nil }
    return number(
      text[mark.upperBound...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != 0x2c })
  }

  /// Reads a decimal number or a hexadecimal one with `0x`.
  private static func number(_ word: ArraySlice<UInt8>) -> UInt64? {
    guard let first = word.first, (0x30...0x39).contains(first) else { return nil }
    let isHexadecimal = word.starts(with: Array("0x".utf8)) || word.starts(with: Array("0X".utf8))
    return isHexadecimal ? UInt64(word.dropFirst(2).text, radix: 16) : UInt64(word.text)
  }

  /// The word for a namespace of the kernel's exit reasons; the number where none is known.
  private static func namespace(_ number: UInt64) -> String {
    switch number {
    case 1: "JETSAM"
    case 2: "SIGNAL"
    case 3: "CODESIGNING"
    case 6: "DYLD"
    case 10: "FRONTBOARD"
    case 15: "RUNNINGBOARD"
    default: String(number)
    }
  }
}
