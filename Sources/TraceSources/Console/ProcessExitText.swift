import LifecycleModel

/// The words in which the system's processes say how a process ended.
enum ProcessExitText {
  /// Reads `2, 6, 6)`: the namespace, the code and the wait status that launchd reports.
  ///
  /// Numbers that cannot be read say that the process is gone and not how.
  static func launchdTriple(_ rest: ArraySlice<UInt8>) -> Termination {
    let numbers = rest.prefix(256).prefix { $0 != UInt8(ascii: ")") }
      .split(separator: UInt8(ascii: ","))
      .map { UInt64($0.drop { $0 == UInt8(ascii: " ") }.text) }
    guard numbers.count == 3, let namespace = numbers[0], let code = numbers[1],
      let status = numbers[2]
    else { return Termination(kind: .gone) }
    return namespace == 0 ? .waitStatus(status) : .code(code, ofNamespace: namespace)
  }

  /// Reads the context of an exit: RunningBoard's, or FrontBoard's.
  ///
  /// What is no context says that the process is gone and not how.
  static func context(_ rest: ArraySlice<UInt8>) -> Termination {
    if let words = rest.dropping(prefix: Array("<FBProcessExitContext; ".utf8)) {
      return frontBoard(words)
    }
    if let domain = parenthesised(after: "domain:", in: rest) {
      let code = parenthesised(after: "code:", in: rest)
      return domain == 0
        ? code.map { .waitStatus($0) } ?? .voluntary
        : .code(code, ofNamespace: domain)
    }

    let isVoluntary = rest.firstRange(of: Array("| voluntary".utf8)) != nil
    return isVoluntary ? .voluntary : Termination(kind: .gone)
  }

  /// Reads `watchdog ("watchdog provision violated")>.`: only `voluntary` is a normal end.
  private static func frontBoard(_ words: ArraySlice<UInt8>) -> Termination {
    let word = words.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
    var reason: String?
    if let open = words.firstRange(of: Array("(\"".utf8)),
      let close = words[open.upperBound...].firstRange(of: Array("\")".utf8))
    {
      reason = words[open.upperBound..<close.lowerBound].prefix(MessageRules.longestName).text
    }

    switch word.text {
    case "voluntary": return .voluntary
    case "watchdog":
      return Termination(
        kind: .killed(namespace: nil, code: TerminationText.watchdogCode),
        reason: reason ?? "watchdog")
    case "jetsam":
      return Termination(
        kind: .killed(namespace: "JETSAM", code: nil), reason: reason ?? "jetsam")
    case "crash", "signal": return .signal(nil, reason: reason ?? word.text)
    case "": return Termination(kind: .gone)
    default:
      return Termination(
        kind: .killed(namespace: nil, code: nil),
        reason: reason.map { "\(word.text): \($0)" } ?? word.text)
    }
  }

  /// Reads launchd's `SIGKILL | sent by runningboardd[31], ran for 12ms`, or `exit(1), ran …`.
  static func launchdCause(_ rest: ArraySlice<UInt8>) -> Termination? {
    if let status = rest.dropping(prefix: Array("exit(".utf8)) {
      return Int64(status.prefix { $0 != UInt8(ascii: ")") }.text)
        .map { Termination(kind: .exited(status: $0)) }
    }

    let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ",") }
    guard let number = DarwinSignal.number(named: name.text) else { return nil }

    var end = Termination.signal(number)
    if let mark = rest.firstRange(of: Array("| sent by ".utf8)) {
      end.requester =
        rest[mark.upperBound...].prefix(64)
        .prefix { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: ",") }.text
    }

    if number == 9, end.requester == "debugserver" {
      end.kind = .killed(namespace: nil, code: nil)
      end.reason = Termination.debugger
    }
    return end
  }

  /// Reads launchd's `(namespace: 10 code: 0x8badf00d) - OS_REASON_FRONTBOARD | CONTEXT, ran for …`.
  static func launchdReason(_ rest: ArraySlice<UInt8>) -> Termination? {
    guard let close = rest.firstIndex(of: UInt8(ascii: ")")),
      let namespace = TerminationText.number(after: "namespace: ", in: rest[..<close]),
      let code = TerminationText.number(after: "code: ", in: rest[..<close])
    else { return nil }

    var end = Termination.code(code, ofNamespace: namespace)
    let after = rest[close...]
    if let context = TerminationText.context(in: after) {
      end = end.joined(with: context)
    } else if let mark = after.firstRange(of: Array(" | ".utf8)) {
      var words = after[mark.upperBound...].prefix { $0 != 0x0a }
      if let ran = words.firstRange(of: Array(", ran for ".utf8)) {
        words = words[..<ran.lowerBound]
      }
      if !words.isEmpty { end.reason = words.prefix(MessageRules.longestName).text }
    }
    return end
  }

  /// Reads what launchd printed up to iOS 9: `Exited: Killed`, `Exited with code: 1`.
  static func oldLaunchd(_ message: ArraySlice<UInt8>) -> Termination? {
    for mark in [") Exited: ", ") Exited abnormally: ", ") Job appears to have crashed: "] {
      guard let found = message.firstRange(of: Array(mark.utf8)) else { continue }
      let words = message[found.upperBound...].prefix { $0 != 0x0a }
      return DarwinSignal.number(inWords: words.text).map { .signal($0) }
    }

    for mark in [") Exited with code: ", ") Exited with exit code: "] {
      guard let found = message.firstRange(of: Array(mark.utf8)) else { continue }
      let digits = message[found.upperBound...].prefix { $0 >= 0x30 && $0 <= 0x39 }
      return Int64(digits.text).map { Termination(kind: .exited(status: $0)) }
    }
    return nil
  }

  /// Reads SpringBoard's `… exited abnormally with signal 9: Killed`, after the anchor.
  static func abnormalSignal(_ rest: ArraySlice<UInt8>) -> Termination? {
    UInt64(rest.prefix { $0 >= 0x30 && $0 <= 0x39 }.text).map { .signal($0) }
  }

  /// Reads `'NAME', reason: 'TEXT'`, after the anchor; the text may run over several lines.
  static func uncaughtException(_ rest: ArraySlice<UInt8>) -> Termination? {
    guard let quote = rest.prefix(256).firstIndex(of: UInt8(ascii: "'")), quote > rest.startIndex
    else { return nil }
    var end = Termination(kind: .exited(status: nil))
    end.exception = rest[..<quote].text
    guard let text = rest[quote...].dropping(prefix: Array("', reason: '".utf8)) else { return end }
    let close =
      text.firstRange(of: Array("'\n".utf8))?.lowerBound
      ?? text.lastIndex(of: UInt8(ascii: "'")) ?? text.endIndex
    end.reason = text[..<close].prefix(MessageRules.longestName).text
    return end
  }

  /// Reads Xcode's `signal 9` or `memory issue`, after `Terminated due to`.
  static func debuggerMessage(_ rest: ArraySlice<UInt8>) -> Termination? {
    if let digits = rest.dropping(prefix: Array("signal ".utf8)) {
      return UInt64(digits.prefix { $0 >= 0x30 && $0 <= 0x39 }.text).map { .signal($0) }
    }
    guard rest.starts(with: Array("memory issue".utf8)) else { return nil }
    return Termination(kind: .killed(namespace: "JETSAM", code: nil), reason: "memory issue")
  }

  /// Reads Xcode's `Program ended with exit code: 1`, after the anchor: it prints 9 for SIGKILL too,
  /// which its stop button sends.
  static func programEnd(_ rest: ArraySlice<UInt8>) -> Termination? {
    Int64(rest.prefix(16).prefix { $0 > 0x20 }.text).map {
      $0 == 9 ? .signal(9) : Termination(kind: .exited(status: $0))
    }
  }

  /// The number in the parentheses of `code:SIGABRT(6)`, or the one that follows at once.
  private static func parenthesised(after key: String, in text: ArraySlice<UInt8>) -> UInt64? {
    guard let mark = text.firstRange(of: Array(key.utf8)) else { return nil }
    let rest = text[mark.upperBound...].prefix(64)
    let word = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "(") }
    if let number = TerminationText.number(word) { return number }
    guard word.endIndex < rest.endIndex, rest[word.endIndex] == UInt8(ascii: "(") else {
      return nil
    }
    let inside = rest[(word.endIndex + 1)...].prefix { $0 != UInt8(ascii: ")") }
    return TerminationText.number(inside)
  }
}
