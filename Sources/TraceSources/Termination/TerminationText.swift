import LifecycleModel
import Run
import TraceText

/// The text in which the system says why it ends a process, in the console and in crash reports.
enum TerminationText {
  /// Reads a text of a crash report or of the watchdog; `nil` when it says no cause.
  static func report(_ message: ArraySlice<UInt8>) -> Termination? {
    end(message.behind("Termination Reason: ").flatMap { heading($0) }, message)
  }

  /// Reads a heading, such as `Namespace RUNNINGBOARD, Code 0xdead10cc`, and the lines that explain it.
  static func end(headed heading: String, _ words: String = "") -> Termination? {
    end(self.heading(heading.slice), "\(heading)\n\(words)".slice)
  }

  /// The end that a namespace and its code say, and a text explains; `nil` when neither says a cause.
  static func end(
    _ heading: (namespace: String, code: UInt64)?, _ message: ArraySlice<UInt8>
  ) -> Termination? {
    if var end = context(in: message) {
      if case .killed(let namespace, let code?) = end.kind {
        end.kind = .killed(namespace: heading?.namespace ?? namespace, code: code)
        return end
      }
      return nil
    }

    var end: Termination
    if let heading {
      end = .killed(heading.namespace, heading.code)
    } else if let mark = message.firstRange(of: " watchdog transgression") {
      // The watchdog's words alone: it has one code, but for the background tasks of watch apps.
      let before = message[..<mark.lowerBound]
      let known = ["SPRINGBOARD", "FRONTBOARD", "CAROUSEL"].first { before.contains($0) }
      let words = before.suffix(256).text.lowercased()
      let isOfTask = KillCode.watchTasks.contains(where: words.contains)
      end = .killed(known, isOfTask ? nil : KillCode.watchdog)
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
    guard let rest = message.behind("<RBSTerminateContext| ") else { return nil }
    let words = rest.behind("explanation:")
    let head = rest[..<(words?.startIndex ?? rest.endIndex)]
    let domain = number(after: "domain:", in: head)
    let code = number(after: "code:", in: head)
    var end = domain.map { Termination.code(code, ofNamespace: $0) } ?? .killed(nil, code)
    if let words { end.reason = explanation(words) ?? end.reason }
    addFields(of: rest, to: &end)
    return end
  }

  /// Reads `Notes:412 has active assertions beyond permitted time: …`, with which assertiond ended
  /// an app up to iOS 12; it printed no code.
  static func expiredAssertions(_ rest: ArraySlice<UInt8>) -> Termination? {
    guard rest.behind("has active assertions beyond permitted time") != nil else { return nil }
    let names = AssertionText.tasks(in: rest.text).map { JSONText.quoted($0.name) }
    let words = rest.line.droppingEnd { $0 <= 0x20 || $0 == ":" }.text
    let list = names.isEmpty ? "" : ": " + names.joined(separator: ", ")
    return .killed(reason: String((words + list).prefix(Termination.longestText)))
  }

  /// Reads `Namespace RUNNINGBOARD, Code 0xdead10cc` and the newer form without the two words, whose code
  /// may be decimal.
  private static func heading(_ text: ArraySlice<UInt8>) -> (namespace: String, code: UInt64)? {
    var words = text.line.split { $0 <= 0x20 || $0 == "," || $0 == "|" }[...]
    if words.first?.text == "Namespace" { words.removeFirst() }
    guard let namespace = words.popFirst(), namespace.count <= 64 else { return nil }
    if let word = words.first?.text, ["Code", "Code:"].contains(word) { words.removeFirst() }
    return words.first.flatMap(number).map { (self.namespace(namespace), $0) }
  }

  /// The name of a namespace, in whose place an OS that had none for it prints its number: `<0xF>`.
  static func namespace(_ word: ArraySlice<UInt8>) -> String {
    guard word.first == "<", word.last == ">", let unnamed = number(word.dropFirst().dropLast())
    else { return word.text }
    return ExitNamespace.name(unnamed)
  }

  // MARK: The explanation

  /// The watchdog's sentence, or what stands after `explanation:`.
  private static func sentence(in message: ArraySlice<UInt8>) -> String? {
    if let words = message.behind("explanation:") { return explanation(words) }
    guard let mark = message.firstRange(of: " watchdog transgression") else { return nil }
    // A watch names the event in words.
    let isInWords = message[mark.upperBound...].first == "."
    let before = message[..<mark.lowerBound]
    let start = before.lastIndex { $0 == "," || (isInWords ? $0 == 0x0a : $0 <= 0x20) }
    let words = message[(start.map { $0 + 1 } ?? message.startIndex)...]
    return explanation(isInWords ? words.drop { $0 <= 0x20 } : words.prefix { $0 != "|" })
  }

  /// The words of an explanation: up to the line's end, or to the field that follows.
  ///
  /// They may contain `>`: only the one that closes the context is cut off.
  private static func explanation(_ text: ArraySlice<UInt8>) -> String? {
    var words = text.drop { $0 == 0x20 }.prefix { $0 != 0x0a }
    let isLine = words.endIndex < text.endIndex
    var isClosed = isLine
    for end in [
      " ProcessVisibility:", " reportType:", " maxTerminationResistance:", ">, ran for ",
    ] {
      if let found = words.firstRange(of: end) {
        words = words[..<found.lowerBound]
        isClosed = true
      }
    }

    words = words.trimmedEnd
    if !isClosed { words = withoutClosing(words) }
    if isLine {
      // The files that are held follow on lines of their own.
      let files = text[words.endIndex...].split(separator: 0x0a)
        .map { $0.drop { $0 <= 0x20 }.trimmedEnd }
        .prefix { $0.isEmpty || $0.first == "/" }.filter { !$0.isEmpty }
      if !files.isEmpty {
        let list = files.map { withoutClosing($0).text }.joined(separator: ", ")
        return String((words.text + " " + list).prefix(Termination.longestText))
      }
    }
    return words.isEmpty ? nil : words.prefix(Termination.longestText).text
  }

  /// Cuts off what closes the context: a `>` at the end that no `<` has opened.
  private static func withoutClosing(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var words = text
    if words.last == ".", words.dropLast().last == ">" { words = words.dropLast() }

    var surplus = 0
    for byte in words {
      if byte == ">" { surplus += 1 }
      if byte == "<" { surplus -= 1 }
    }

    while surplus > 0, words.last == ">" {
      words = words.dropLast()
      surplus -= 1
    }
    return words.trimmedEnd
  }

  // MARK: The fields

  /// Adds what the watchdog says beside its sentence.
  static func addFields(of text: ArraySlice<UInt8>, to end: inout Termination) {
    end.watchdogEvent = text.word(behind: "WatchdogEvent: ")
    end.visibility =
      visibility(text.word(behind: "ProcessVisibility: "))
      ?? visibility(text.word(behind: "WatchdogVisibility: "))
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
    word == "Foreground" || word == "Background" ? word?.lowercased() : nil
  }

  /// Reads `0.258, 0% CPU` and `7.770 (user 7.770, system 0.000), 6% CPU`, as `0.258s 0%`.
  private static func processorTime(
    after anchor: String, in text: ArraySlice<UInt8>
  ) -> String? {
    let words = text.behind(anchor)?.prefix(96).line.split { $0 == " " || $0 == "," } ?? []
    guard let seconds = words.first?.prefix(while: { $0.isDigit || $0 == "." }), !seconds.isEmpty,
      let share = words.first(where: { $0.last == "%" })
    else { return nil }
    return "\(seconds.text)s \(share.text)"
  }

  // MARK: Numbers

  /// The number that follows a key at once, or in the parentheses of `code:SIGABRT(6)`.
  static func number(after key: String, in text: ArraySlice<UInt8>) -> UInt64? {
    guard let rest = text.behind(key)?.prefix(64) else { return nil }
    let word = rest.prefix { $0 > 0x20 && !">,(".utf8.contains($0) }
    let inside = rest[word.endIndex...].dropping(prefix: "(")?.prefix { $0 != ")" }
    return number(word) ?? inside.flatMap(number)
  }

  /// Reads a decimal number or a hexadecimal one with `0x`.
  static func number(_ word: ArraySlice<UInt8>) -> UInt64? {
    guard let first = word.first, first.isDigit else { return nil }
    let isHexadecimal = word.starts(with: "0x") || word.starts(with: "0X")
    return isHexadecimal ? UInt64(word.dropFirst(2).text, radix: 16) : UInt64(word.text)
  }
}
