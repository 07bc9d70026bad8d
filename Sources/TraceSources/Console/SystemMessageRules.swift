import LifecycleModel

/// What SpringBoard, runningboardd, assertiond and launchd print about apps.
extension MessageRules {
  static let all = MessageRules(
    appRules + runtimeRules + systemRules + launchdRules + kernelRules + crashReporterRules)

  static let systemRules: [MessageRule] = [
    MessageRule(.system, .start, "Bootstrapping ") { rest, _ in
      rest.firstRange(of: Array(" with intent ".utf8)).map {
        .launchRequested(intent: rest[$0.upperBound...].prefix { $0 > 0x20 }.prefix(64).text)
      }
    },
    MessageRule(.system, .start, "Executing launch request for ") { _, _ in
      .launchRequested(intent: "")
    },
    MessageRule(.system, .start, "Sending launch request: ") { _, _ in
      .launchRequested(intent: "")
    },
    MessageRule(.system, .start, "Received request to open ") { rest, _ in
      rest.firstRange(of: Array("\" from ".utf8)).map {
        .openRequested(
          by: rest[$0.upperBound...].prefix(64)
            .prefix { $0 > 0x20 && $0 != UInt8(ascii: ":") }.text)
      }
    },
    MessageRule(.system, .start, "Bootstrap failed") { _, _ in .launchFailed },
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
    MessageRule(.system, .start, "Application process state changed for ") { rest, _ in
      processState(rest)
    },
    MessageRule(.system, .start, "Setting process visibility to: ") { rest, _ in
      .processState(isRunning: true, visibility: TerminationText.visibility(word(rest)))
    },
    MessageRule(.system, .start, "Setting process task state to: Not Running") { _, _ in
      .ended(Termination(kind: .gone))
    },
    MessageRule(.system, .start, "Removing process: ") { _, _ in
      .ended(Termination(kind: .gone))
    },
    MessageRule(.system, .start, "Deleted job with label: ") { _, _ in
      .ended(Termination(kind: .gone))
    },
    MessageRule(.system, .start, "Deleted launchd job with label: ") { _, _ in
      .ended(Termination(kind: .gone))
    },
    MessageRule(.system, .start, "Received state update for ") { rest, _ in observed(rest) },
    MessageRule(.system, .start, "Memory Limits: ") { _, message in remark(message) },
    MessageRule(.system, .start, "Provision violated for watchdog ") { rest, _ in
      .remark(
        "provision violated for watchdog " + rest.prefix(longestName).prefix { $0 != 0x0a }.text)
    },
    MessageRule(.system, .start, "Ignoring <FBProcessWatchdog") { rest, message in
      guard rest.firstRange(of: Array("process is being debugged".utf8)) != nil else {
        return remark(message)
      }
      guard case .remark(let words) = remark(message) else { return nil }
      return .debugged(words)
    },
    MessageRule(.system, .start, "Received termination request from ") { rest, message in
      terminationRequest(rest, message)
    },
    MessageRule(.system, .start, "Terminating with context: ") { rest, message in
      guard let end = TerminationText.context(in: rest), case .remark(let words) = remark(message)
      else { return nil }
      return .endForetold(end, words)
    },
    MessageRule(.system, .start, "terminate_with_reason() success") { _, _ in .endCarriedOut },
    MessageRule(.system, .start, "Terminating because ") { _, message in
      guard case .remark(let words) = remark(message) else { return nil }
      return .ended(Termination(kind: .killed(namespace: nil, code: nil), reason: words))
    },
    MessageRule(.system, .start, "Application '") { rest, _ in
      rest.firstRange(of: Array("' exited abnormally with signal ".utf8)).flatMap {
        ProcessExitText.abnormalSignal(rest[$0.upperBound...]).map { .ended($0) }
      }
    },
    MessageRule(.system, .start, "exited with context ") { rest, _ in
      .ended(ProcessExitText.context(rest))
    },
    MessageRule(.system, .start, "Process exited: ") { rest, _ in
      .ended(ProcessExitText.context(rest))
    },
    MessageRule(.system, .anywhere, "termination reported by launchd (") { rest, _ in
      .ended(ProcessExitText.launchdTriple(rest))
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

  private static let launchdRules: [MessageRule] = [
    MessageRule(.launchd, .anywhere, "exited due to ") { rest, _ in
      ProcessExitText.launchdCause(rest).map { .ended($0) }
    },
    MessageRule(.launchd, .anywhere, "exited with exit reason ") { rest, _ in
      ProcessExitText.launchdReason(rest).map { .ended($0) }
    },
    MessageRule(.launchd, .start, "(UIKitApplication:") { _, message in
      ProcessExitText.oldLaunchd(message).map { .ended($0) }
    },
  ]

  private static let kernelRules: [MessageRule] = [
    MessageRule(.kernel, .anywhere, MemoryStatusText.burning) { rest, _ in
      .remark(MemoryStatusText.burning.dropFirst() + rest.prefix(256).prefix { $0 != 0x0a }.text)
    },
    MessageRule(.kernel, .anywhere, " exceeded mem limit: ") { rest, _ in
      MemoryStatusText.limit(rest)
    },
    MessageRule(.kernel, .anywhere, "killing_") { rest, _ in
      MemoryStatusText.kill(rest)
    },
  ]

  private static let crashReporterRules: [MessageRule] = [
    MessageRule(.crashReporter, .start, "Formulating fatal ") { CrashReportText.crash($1, $1) },
    MessageRule(.crashReporter, .anywhere, "Termination Reason: ") { _, message in
      TerminationText.report(message).map { .ended($0) }
    },
    MessageRule(.crashReporter, .anywhere, "<RBSTerminateContext| ") { _, message in
      TerminationText.report(message).map { .ended($0) }
    },
    MessageRule(.crashReporter, .anywhere, ".ips") { CrashReportText.place($1) },
  ]

  /// Reads `ORIGIN on PREDICATE with context CONTEXT`.
  private static func terminationRequest(
    _ rest: ArraySlice<UInt8>, _ message: ArraySlice<UInt8>
  ) -> ConsoleStatement? {
    guard let on = rest.prefix(512).firstRange(of: Array(" on ".utf8)),
      var end = TerminationText.context(in: rest)
    else { return nil }
    let origin = rest[..<on.lowerBound]
    end.requester = ProcessSubject(in: origin)?.identifier ?? origin.text
    return .endForetold(
      end, "termination requested by \(end.requester ?? "")" + (end.reason.map { ": \($0)" } ?? ""))
  }

  /// Reads `BUNDLE: <SBApplicationProcessState: 0x1; pid: 412; taskState: Running; visibility: …>`,
  /// or `BUNDLE: (null)` when the process is gone.
  private static func processState(_ rest: ArraySlice<UInt8>) -> ConsoleStatement? {
    guard let colon = rest.firstRange(of: Array(": ".utf8)) else { return nil }
    let state = rest[colon.upperBound...]
    if state.starts(with: Array("(null)".utf8)) { return .ended(Termination(kind: .gone)) }
    guard let mark = state.firstRange(of: Array("taskState: ".utf8)) else { return nil }

    let task = state[mark.upperBound...]
    if task.starts(with: Array("Not Running".utf8)) {
      return .ended(Termination(kind: .gone))
    }

    let visibility = state.firstRange(of: Array("visibility: ".utf8)).flatMap {
      TerminationText.visibility(word(state[$0.upperBound...]))
    }
    return .processState(isRunning: word(task) == "Running", visibility: visibility)
  }

  /// Reads `412 (app<…>, running-suspended-NotVisible`.
  private static func observed(_ rest: ArraySlice<UInt8>) -> ConsoleStatement? {
    guard let mark = rest.prefix(512).firstRange(of: Array(", running-".utf8)) else { return nil }
    switch word(rest[mark.upperBound...]) {
    case "suspended": return .observed(isSuspended: true)
    case "active": return .observed(isSuspended: false)
    default: return nil
    }
  }

  /// The letters that begin `text`.
  private static func word(_ text: ArraySlice<UInt8>) -> String {
    text.prefix(64).prefix { (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) }.text
  }

  /// The words after the bracket that names the process.
  private static func remark(_ message: ArraySlice<UInt8>) -> ConsoleStatement {
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
