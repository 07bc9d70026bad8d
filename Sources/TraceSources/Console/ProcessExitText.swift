import LifecycleModel
import Run

/// The words in which the system's processes say how a process ended.
enum ProcessExitText {
  /// Reads `(2, 6, 6)`: the namespace, the code and the wait status that launchd reports.
  static func launchdTriple(_ said: Said) -> Termination? {
    guard let namespace = said.number("namespace"), let code = said.number("code"),
      let status = said.number("status")
    else { return nil }
    return namespace == 0 ? .waitStatus(status) : .code(code, ofNamespace: namespace)
  }

  private static let frontBoard = MessagePattern("^<FBProcessExitContext; {word:word}")
  private static let quotedReason = MessagePattern(#"("{reason}")"#)

  /// Reads the context of an exit: RunningBoard's, or FrontBoard's.
  ///
  /// What is no context says that the process is gone and not how.
  static func context(_ rest: ArraySlice<UInt8>) -> Termination {
    if let said = frontBoard.read(rest) {
      return frontBoard((said.word ?? []).before(">").text, quotedReason.read(said.rest))
    }
    guard let domain = TerminationText.number(after: "domain:", in: rest) else {
      // assertiond's.
      if let word = rest.behind("; reason: ") {
        return frontBoard(word.prefix(64).before(">").text, nil)
      }
      return rest.contains("| voluntary") ? .voluntary : .gone
    }
    let code = TerminationText.number(after: "code:", in: rest)
    return domain == 0
      ? code.map { .waitStatus($0) } ?? .voluntary : .code(code, ofNamespace: domain)
  }

  /// Reads `watchdog ("watchdog provision violated")>.`: only `voluntary` is a normal end.
  private static func frontBoard(_ word: String, _ quoted: Said?) -> Termination {
    let reason = quoted?.text("reason")
    return switch word {
    case "voluntary": .voluntary
    case "watchdog": .killed(nil, KillCode.watchdog, reason: reason ?? word)
    case "jetsam": .killed("JETSAM", reason: reason ?? word)
    case "crash", "signal": .signal(nil, reason: reason ?? word)
    case "": .gone
    default: .killed(reason: reason.map { "\(word): \($0)" } ?? word)
    }
  }

  /// Reads launchd's `SIGKILL | sent by runningboardd[31], ran for 12ms`, or `exit(1), ran …`.
  static func launchdCause(_ rest: ArraySlice<UInt8>) -> Termination? {
    if let status = rest.dropping(prefix: "exit(") {
      return Int64(status.before(")").text).map { .exited($0) }
    }

    let name = rest.prefix { $0 > 0x20 && $0 != "," }
    // The simulator prints `signal: Killed: 9`, and `Abort trap: 6`.
    let words = (rest.dropping(prefix: "signal: ") ?? rest).line.text
    guard let number = DarwinSignal.number(named: name.text) ?? DarwinSignal.number(inWords: words)
    else { return nil }

    var end = Termination.signal(number)
    end.requester = rest.behind("| sent by ")?.prefix(64).prefix { $0 != "[" && $0 != "," }.text
    if number == 9, end.requester == "debugserver" {
      (end.kind, end.reason) = (.killed(namespace: nil, code: nil), Termination.debugger)
    }
    return end
  }

  /// Reads launchd's `(namespace: 10 code: 0x8badf00d) - OS_REASON_FRONTBOARD | CONTEXT, ran for …`.
  static func launchdReason(_ said: Said) -> Termination? {
    guard let namespace = said.namespace.flatMap(TerminationText.number),
      let code = said.code.flatMap(TerminationText.number)
    else { return nil }

    var end = Termination.code(code, ofNamespace: namespace)
    if let context = TerminationText.context(in: said.rest) {
      end = end.joined(with: context)
    } else if let words = said.explanation.map({ $0.line.before(", ran for ") }), !words.isEmpty {
      end.reason = words.prefix(MessageRules.longestName).text
    }
    return end
  }

  /// Reads `'NAME', reason: 'TEXT'`, after the anchor; the text may run over several lines.
  static func uncaughtException(_ rest: ArraySlice<UInt8>) -> Termination? {
    // The name may quote something, and say more behind a colon.
    let start = rest.prefix(1024)
    guard let quote = start.firstRange(of: "', reason: '")?.lowerBound ?? start.firstIndex(of: "'"),
      quote > rest.startIndex
    else { return nil }
    var end = Termination.uncaught(rest[..<quote].before(": ").text, reason: nil)
    if let stack = rest.behind("throw call stack:") {
      end.take(stack: ReportFrame.thrown(ReportFrame.all(in: stack)), isThrown: true)
    }
    guard var text = rest[quote...].dropping(prefix: "', reason: ")?.drop(while: { $0 <= 0x20 })
    else { return end }
    guard text.first == "'" else {
      end.reason = text.line.prefix(MessageRules.longestName).text
      return end
    }
    text = text.dropFirst()
    // Whoever cites the line may close quotes of their own behind it.
    let ends = ["'\n", "' \n", "'\"\n", "' \"\n"].compactMap { text.firstRange(of: $0)?.lowerBound }
    let close = ends.min() ?? lastQuote(in: text) ?? text.line.endIndex
    end.reason = text[..<close].prefix(MessageRules.longestName).text
    return end
  }

  /// The last quotation mark of a text that is no apostrophe within a word; `nil` without one.
  private static func lastQuote(in text: ArraySlice<UInt8>) -> Int? {
    text.indices.last { place in
      text[place] == UInt8(ascii: "'")
        && !(place > text.startIndex && text[place - 1].isLetter
          && place + 1 < text.endIndex && text[place + 1].isLetter)
    }
  }
}
