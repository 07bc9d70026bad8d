import LifecycleModel

/// What SpringBoard, runningboardd, assertiond and launchd print about apps.
extension MessageRules {
  static let all = MessageRules(appRules + systemRules)

  static let systemRules: [MessageRule] = [
    MessageRule(.system, .start, "Bootstrapping ") { rest, _ in
      rest.firstRange(of: Array(" with intent ".utf8)).map {
        .launchRequested(intent: rest[$0.upperBound...].prefix { $0 > 0x20 }.prefix(64).text)
      }
    },
    MessageRule(.system, .start, "Now tracking process: ") { _, _ in .processStarted },
    MessageRule(.system, .start, "Bootstrap success!") { _, _ in .processStarted },
    MessageRule(.system, .start, "Resuming task.") { _, _ in .resumed },
    MessageRule(.system, .start, "Suspending task.") { _, _ in .suspended },
    MessageRule(.system, .start, "Sending scene action [") { rest, message in
      sceneAction(rest, message).map {
        .sceneActionSent($0, allowance: allowance(in: rest))
      }
    },
    MessageRule(.system, .start, "Scene action [") { rest, message in
      guard rest.firstRange(of: Array("] completed with success".utf8)) != nil else { return nil }
      return sceneAction(rest, message).map { .sceneActionCompleted($0) }
    },
    MessageRule(.system, .start, "Now flagged as pending exit for reason: ") { _, message in
      remark(message)
    },
    MessageRule(.system, .start, "Sending background permission expiration warning!") {
      remark($1)
    },
    MessageRule(.system, .start, "Assertions for process will expire soon") { _, message in
      remark(message)
    },
    MessageRule(.system, .start, "Forcing crash report with description: ") { rest, message in
      TerminationText.expiredAssertions(rest).map { .ended($0) } ?? remark(message)
    },
    MessageRule(.system, .anywhere, "termination reported by launchd (") { rest, _ in
      TerminationText.launchdTriple(rest).map { .ended($0) }
    },
    MessageRule(.system, .start, "Process exited: ") { rest, _ in
      .ended(TerminationText.exitContext(rest))
    },
    MessageRule(.system, .anywhere, "ermination") { _, message in
      TerminationText.report(message).map { .ended($0) }
    },
    MessageRule(.system, .anywhere, "<RBSTerminateContext| ") { _, message in
      TerminationText.report(message).map { .ended($0) }
    },
    MessageRule(.system, .anywhere, " watchdog transgression: ") { _, message in
      TerminationText.report(message).map { .ended($0) }
    },
    MessageRule(.system, .anywhere, "sceneID:") { _, message in
      ConsoleSceneName.identifier(in: message).map { .sceneSeen($0) }
    },
  ]

  /// The words after the bracket that names the process.
  private static func remark(_ message: ArraySlice<UInt8>) -> ConsoleFact {
    var words = message
    if message.first == UInt8(ascii: "["),
      let close = message.firstRange(of: Array("] ".utf8))
    {
      words = message[close.upperBound...]
    }
    return .remark(words.prefix { $0 != 0x0a }.prefix(longestName).text)
  }

  /// Reads `Logical Activate][0x6dbb] …` and the scene that the message begins with.
  private static func sceneAction(
    _ rest: ArraySlice<UInt8>, _ message: ArraySlice<UInt8>
  ) -> SceneAction? {
    guard let scene = ConsoleSceneName.identifier(in: message),
      let middle = rest.prefix(longestName).firstRange(of: Array("][0x".utf8))
    else { return nil }
    let digits = rest[middle.upperBound...].prefix { $0 != UInt8(ascii: "]") }
    guard let id = Int64(digits.text, radix: 16), id >= 0 else { return nil }
    return SceneAction(scene: scene, name: rest[..<middle.lowerBound].text, id: id)
  }

  /// Reads the watchdog's allowance, such as `19.97s`; `nil` when there is no watchdog.
  private static func allowance(in rest: ArraySlice<UInt8>) -> String? {
    guard let mark = rest.firstRange(of: Array("(watchdog: ".utf8)) else { return nil }
    let word = rest[mark.upperBound...].prefix { $0 != UInt8(ascii: ")") }
    return InstantText.parse(word) == nil ? nil : word.text
  }
}
