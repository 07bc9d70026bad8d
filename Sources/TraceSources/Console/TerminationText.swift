import LifecycleModel
import TraceText

/// The text in which the system says why it ends a process, in the console and in crash reports.
enum TerminationText {
  /// "Ate bad food": the code of the watchdog.
  static let watchdogCode: UInt64 = 0x8bad_f00d

  /// Reads a text of a crash report or of the watchdog; `nil` when it says no cause.
  static func report(_ message: ArraySlice<UInt8>) -> Termination? {
    let heading = heading(in: message)
    if var end = context(in: message) {
      if case .killed(let namespace, let code?) = end.kind {
        end.kind = .killed(namespace: heading?.namespace ?? namespace, code: code)
        return end
      }
      return nil
    }

    var end: Termination
    if let heading {
      end = Termination(kind: .killed(namespace: heading.namespace, code: heading.code))
    } else if let words = message.firstRange(of: Array(" watchdog transgression: ".utf8)) {
      // The watchdog's words alone: it has one code.
      let known = ["SPRINGBOARD", "FRONTBOARD"].first {
        message[..<words.lowerBound].firstRange(of: Array($0.utf8)) != nil
      }
      end = Termination(kind: .killed(namespace: known, code: watchdogCode))
    } else {
      return nil
    }

    if case .killed("JETSAM", let code?) = end.kind { end = .jetsam(code) }
    end.reason = sentence(in: message) ?? end.reason
    addFields(of: message, to: &end)
    return end
  }

  /// Reads `<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:…>`; `nil` when there is none.
  ///
  /// A request may have neither domain nor code.
  static func context(in message: ArraySlice<UInt8>) -> Termination? {
    guard let mark = message.firstRange(of: Array("<RBSTerminateContext| ".utf8)) else {
      return nil
    }

    let rest = message[mark.upperBound...]
    let words = rest.firstRange(of: Array("explanation:".utf8))
    let head = rest[..<(words?.lowerBound ?? rest.endIndex)]
    let domain = number(after: "domain:", in: head)
    let code = number(after: "code:", in: head)
    var end: Termination

    if let domain {
      end = .code(code, ofNamespace: domain)
    } else {
      end = Termination(kind: .killed(namespace: nil, code: code))
    }

    if let words { end.reason = explanation(rest[words.upperBound...]) ?? end.reason }
    addFields(of: rest, to: &end)
    return end
  }

  /// Reads `Notes:412 has active assertions beyond permitted time: …`, with which assertiond ended
  /// an app up to iOS 12; it printed no code.
  static func expiredAssertions(_ rest: ArraySlice<UInt8>) -> Termination? {
    guard rest.firstRange(of: Array(" has active assertions beyond permitted time".utf8)) != nil
    else { return nil }
    let words = rest.prefix { $0 != 0x0a }.prefix(MessageRules.longestName)
    return Termination(kind: .killed(namespace: nil, code: nil), reason: words.text)
  }

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
    // A report of an OS that had no name for a namespace has its number: <0xF>.
    if namespace.first == UInt8(ascii: "<"), namespace.last == UInt8(ascii: ">"),
      let unnamed = self.number(namespace.dropFirst().dropLast())

    {
      return (ExitNamespace.name(unnamed), number)
    }
    return (namespace.text, number)
  }

  // MARK: The explanation

  /// The watchdog's sentence, or what stands after `explanation:`.
  private static func sentence(in message: ArraySlice<UInt8>) -> String? {
    if let mark = message.firstRange(of: Array("explanation:".utf8)) {
      return explanation(message[mark.upperBound...])
    }
    guard let mark = message.firstRange(of: Array(" watchdog transgression: ".utf8)) else {
      return nil
    }
    let start = message[..<mark.lowerBound].lastIndex { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
    let words = message[(start.map { $0 + 1 } ?? message.startIndex)...]
    return explanation(words.prefix { $0 != UInt8(ascii: "|") })
  }

  /// The words of an explanation: up to the line's end, or to the field that follows.
  ///
  /// They may contain `>`: only the one that closes the context is cut off.
  private static func explanation(_ text: ArraySlice<UInt8>) -> String? {
    var words = text.prefix { $0 != 0x0a }
    let isLine = words.endIndex < text.endIndex
    var isClosed = isLine
    for end in [
      " ProcessVisibility:", " reportType:", " maxTerminationResistance:", ">, ran for ",
    ] {
      if let found = words.firstRange(of: Array(end.utf8)) {
        words = words[..<found.lowerBound]
        isClosed = true
      }
    }

    words = trimmed(words)
    if !isClosed { words = withoutClosing(words) }
    if isLine {
      // The files that are held follow on lines of their own.
      let files = text[words.endIndex...].split(separator: 0x0a)
        .map { trimmed($0.drop { $0 <= 0x20 }) }
        .prefix { $0.isEmpty || $0.first == UInt8(ascii: "/") }.filter { !$0.isEmpty }
      if !files.isEmpty {
        let list = files.map { withoutClosing($0).text }.joined(separator: ", ")
        return String((words.text + " " + list).prefix(MessageRules.longestName))
      }
    }
    return words.isEmpty ? nil : words.prefix(MessageRules.longestName).text
  }

  /// Cuts off what closes the context: a `>` at the end that no `<` has opened.
  private static func withoutClosing(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var words = text
    if words.last == UInt8(ascii: "."), words.dropLast().last == UInt8(ascii: ">") {
      words = words.dropLast()
    }

    var surplus = 0
    for byte in words {
      if byte == UInt8(ascii: ">") { surplus += 1 }
      if byte == UInt8(ascii: "<") { surplus -= 1 }
    }

    while surplus > 0, words.last == UInt8(ascii: ">") {
      words = words.dropLast()
      surplus -= 1
    }
    return trimmed(words)
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text
    while let last = text.last, last <= 0x20 { text = text.dropLast() }
    return text
  }

  // MARK: The fields

  /// Adds what the watchdog says beside its sentence.
  static func addFields(of text: ArraySlice<UInt8>, to end: inout Termination) {
    end.watchdogEvent = word(after: "WatchdogEvent: ", in: text)
    end.visibility =
      visibility(word(after: "ProcessVisibility: ", in: text))
      ?? visibility(word(after: "WatchdogVisibility: ", in: text))
    let times: [(String, String)] = [
      ("application", "Elapsed application CPU time (seconds): "),
      ("total", "Elapsed total CPU time (seconds): "),
    ]
    let told = times.compactMap { name, anchor in
      processorTime(after: anchor, in: text).map { "\(name) \($0)" }
    }
    if !told.isEmpty { end.processorTime = told.joined(separator: ", ") }
  }

  /// `foreground` or `background`; `nil` for other words.
  static func visibility(_ word: String?) -> String? {
    switch word {
    case "Foreground": "foreground"
    case "Background": "background"
    default: nil
    }
  }

  /// Reads `0.258, 0% CPU` and `7.770 (user 7.770, system 0.000), 6% CPU`, as `0.258s 0%`.
  private static func processorTime(
    after anchor: String, in text: ArraySlice<UInt8>
  ) -> String? {
    guard let mark = text.firstRange(of: Array(anchor.utf8)) else { return nil }
    let rest = text[mark.upperBound...].prefix(96).prefix { $0 != 0x0a }
    let seconds = rest.prefix { $0 >= 0x30 && $0 <= 0x39 || $0 == UInt8(ascii: ".") }
    guard !seconds.isEmpty, let percent = rest.firstIndex(of: UInt8(ascii: "%")) else { return nil }
    var start = percent
    while start > rest.startIndex, (0x30...0x39).contains(rest[start - 1]) { start -= 1 }
    return "\(seconds.text)s \(rest[start...percent].text)"
  }

  private static func word(after key: String, in text: ArraySlice<UInt8>) -> String? {
    guard let mark = text.firstRange(of: Array(key.utf8)) else { return nil }
    let word = text[mark.upperBound...].prefix(64).prefix { byte in
      (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == UInt8(ascii: "-")
    }
    return word.isEmpty ? nil : word.text
  }

  // MARK: Numbers

  /// The number that follows a key.
  static func number(after key: String, in text: ArraySlice<UInt8>) -> UInt64? {
    guard let mark = text.firstRange(of: Array(key.utf8)) else { return nil }
    return number(
      text[mark.upperBound...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != 0x2c })
  }

  /// Reads a decimal number or a hexadecimal one with `0x`.
  static func number(_ word: ArraySlice<UInt8>) -> UInt64? {
    guard let first = word.first, (0x30...0x39).contains(first) else { return nil }
    let isHexadecimal = word.starts(with: Array("0x".utf8)) || word.starts(with: Array("0X".utf8))
    return isHexadecimal ? UInt64(word.dropFirst(2).text, radix: 16) : UInt64(word.text)
  }
}
