import LifecycleModel

/// What UIKit prints in the app's own process.
extension MessageRules {
  static let appRules = statesAndTasks + warnings + remarks + uncaughtExceptions + endsAndScenes

  private static let statesAndTasks: [MessageRule] = [
    MessageRule(
      "^Deactivation reason {verb:letters}: {reason:int}; deactivation reasons: {before:int} -> {after:int}",
      change),
    MessageRule(
      "^Will add backgroundTask with taskName: {name}, expirationHandler: {handler}"
    ) {
      .willBeginTask(name: $0.text("name"), hasHandler: !$0.text("handler").hasPrefix("(null)"))
    },
    // The app chooses the name, which may have commas: only what UIKit prints next ends it.
    MessageRule(
      "^Created background task *taskID = {id:int}[[, taskName = {name}[[, creationTime = ]]]]"
    ) { said in said.number("id").map { .taskBegan(id: $0, name: taskName(said)) } },
    MessageRule("^Created background task <private>", .hiddenTaskBegan),
    MessageRule("^Ending background task with UIBackgroundTaskIdentifier: {id:word}") {
      $0.number("id").map { .taskEnded(id: $0) }
    },
    MessageRule("^Ending task with identifier {id:int}") {
      $0.number("id").map { .taskEndDescribed(id: $0) }
    },
    MessageRule("^Can't end* task exists with identifier {id:word}") { said in
      let words = said.message.prefix(longestName).line.text
      // Up to iOS 12 the number is hexadecimal; later it stands there twice: `108 (0x6c)`.
      let digits = said.text("id").prefix(while: \.isHexDigit)
      let id = UInt64(digits, radix: words.contains(" (0x") ? 10 : 16)
      return id.map { .taskEndRefused(id: $0, words: words) }
    },
    MessageRule("^Background task still not ended after expiration handlers") {
      openTask(describedTask.read(unwrapped($0.rest)), hasExpired: true)
    },
    MessageRule("^Background Task ") {
      openTask(agedTask.read(unwrapped($0.rest)), hasExpired: false)
    },
    MessageRule("UIScene life cycle is required for apps built with this SDK") {
      .endForetold(.ownEnd($0.line, signal: 5), $0.words)
    },
  ]

  /// The memory limit under a debugger, in Xcode's words.
  private static let memoryIssue = ConsoleStatement.endedUnderDebugger(
    .killed("JETSAM", reason: "memory issue"))

  private static let endsAndScenes: [MessageRule] = [
    MessageRule("|Message from debugger: Terminated due to signal {signal:int}", seenSignal),
    MessageRule("|Message from debugger: killed", .endedUnderDebugger(.signal(9))),
    MessageRule("|Message from debugger: Terminated due to memory issue", memoryIssue),
    MessageRule("killed by the operating system because it is using too much memory", memoryIssue),
    MessageRule("terminated because it was using too much memory", memoryIssue),
    // An app that opens another one prints such words, too.
    MessageRule(#"Launching: *The request to open "{bundle:id}" failed."#, warns: .launchRefused),
    MessageRule("Simulator device failed to launch {bundle:id}", warns: .launchRefused),
    // Of simctl, and of tools that call it: what failed stands in the lines below.
    MessageRule(
      "An error was encountered processing the command (domain=FBSOpenApplicationServiceErrorDomain"
    ) { said in
      // simctl prints the same line at other commands, which the lines below name.
      let isOfLaunch = ["The request to open", "failed to launch"].contains {
        said.rest.contains($0)
      }
      guard isOfLaunch || said.rest.trimmedEnd.text.hasSuffix("):") else { return nil }
      let lines = said.rest.prefix(longestName).split(separator: 0x0a).prefix(6).map {
        $0.text.replacing(#/^\s*\[[\w-]+\]\s*/#, with: "").trimmedStart
      }
      let words = lines.filter { !$0.isEmpty }.joined(separator: " ").slice.behind("):")
      let rest = (words ?? []).drop { $0 <= 0x20 }
      return .warned(.launchRefused, rest.isEmpty ? said.line.text : rest.text)
    },
    MessageRule("^Performing snapshot request ", .snapshotBegan),
    MessageRule("^Snapshot request * complete", .snapshotEnded),
    MessageRule("^Scene will invalidate: ") {
      ConsoleSceneName.identifier(in: $0.rest).map { .sceneInvalidated($0) }
    },
    // The app passes a request of its own on to the system; only what it receives counts.
    MessageRule("FBSceneSnapshotAction") {
      $0.message.contains("Received action") ? .remark("snapshot requested") : nil
    },
    MessageRule(#"\{name = UI{name:letters}[[*object = <{object}]]"#, notification),
    MessageRule("sceneID:") {
      ConsoleSceneName.identifier(in: $0.message).map { .sceneSeen($0) }
    },
  ]

  private static let warnings = [
    ("This process does not adopt UIScene", .noScenes),
    ("`UIScene` lifecycle will soon be required", .noScenes),
    ("BackgroundExecutionNotPermitted", .gpuInBackground),
    ("Insufficient Permission (to submit GPU work from background)", .gpuInBackground),
    ("but the completion handler was never called", .handlerNotCalled),
    ("UISceneDelegateClassName key, but could not load class with name", .noSceneDelegate),
    ("There is no scene delegate set", .noSceneDelegate),
    ("WebProcessProxy::didClose: (web process", .webContentGone),
    ("WebProcessProxy didClose (web process crash)", .webContentGone),
    ("WebPageProxy::processDidTerminate: (pid", .webContentGone),
    ("WebPageProxy::dispatchProcessDidTerminate: reason", .webContentGone),
    ("GPUProcessProxy::gpuProcessExited: reason=", .webContentGone),
    ("WebProcessProxy::processDidTerminateOrFailedToLaunch: reason=", .webContentGone),
    ("web content process is terminated", .webContentGone),
  ].map { (pattern: String, warning: SystemWarning) in
    MessageRule(pattern) { .warned(warning, $0.words) }
  }

  private static let remarks = [
    // What a framework hands to the app, in the app's own words: no proof of anything.
    ("AppLifecycleState.{state:letters}", "the app says: "),
    ("App state changed: ", "the app says: "), ("AppState changed", "the app says: "),
    ("appStateChange", "the app says: "),
    ("^Running task: <BG{kind:letters}: {id:id}", ""),
    ("^Starting task: <BG{kind:letters}: {id:id}", ""),
    ("^submitTaskRequest: <BG{kind:letters}: {id:id}", ""),
  ].map { pattern, speaker in MessageRule(pattern) { .remark(speaker + $0.words) } }

  private static let uncaughtExceptions =
    [
      "^Terminating app due to uncaught exception '",
      #"|\*\*\* Terminating app due to uncaught exception '"#,
      // What a page makes of the stars.
      "^--- Terminating app due to uncaught exception '",
      // A reporter's.
      "|Trapped uncaught exception '",
    ].map { pattern in MessageRule(pattern) { uncaughtException($0.rest) } } + [
      // AppKit's, and WebKit's.
      MessageRule("|An uncaught exception was raised") { .exceptionCaught($0.wordsOfLine) },
      MessageRule("WebKit discarded an uncaught exception in ") {
        .exceptionCaught($0.wordsOfLine)
      },
      // As people cite it, without the words before it.
      MessageRule("^'") { said in
        let name = said.rest.prefix(256).before("', reason: '")
        return name.text.hasSuffix("Exception") ? uncaughtException(said.rest) : nil
      },
    ]

  private static func uncaughtException(_ rest: ArraySlice<UInt8>) -> ConsoleStatement? {
    ProcessExitText.uncaughtException(rest).map(uncaught)
  }

  // The quotes around the name may be curly.
  private static let agedTask = MessagePattern(
    "^{id:int}*({name}), was created over [[{elapsed:int}]]")
  private static let describedTask = MessagePattern(
    "^*taskID = {id:int}[[, taskName = {name}[[, creationTime = *(elapsed = {elapsed:int}]]]]")

  private static func change(_ said: Said) -> ConsoleStatement? {
    let verb = said.text("verb")
    guard verb == "added" || verb == "removed", let reason = said.number("reason"), reason < 64,
      let before = said.number("before"), let after = said.number("after")
    else { return nil }
    return .reason(
      DeactivationChange(
        reason: UInt8(reason), isAdded: verb == "added", before: before, after: after))
  }

  /// The name of a task; `nil` when it is hidden.
  private static func taskName(_ said: Said) -> String? {
    let name = said.text("name")
    return ["", "<private>", "(null)"].contains(name) ? nil : name
  }

  private static func openTask(_ said: Said?, hasExpired: Bool) -> ConsoleStatement? {
    guard let said, let id = said.number("id") else { return nil }
    var name = hasExpired ? taskName(said) ?? "" : said.text("name")
    for quote in hasExpired ? [] : ["\"", "“", "”"] {
      if name.hasPrefix(quote) { name.removeFirst() }
      if name.hasSuffix(quote) { name.removeLast() }
    }
    return .taskStillOpen(
      id: id, name: name.isEmpty ? nil : name,
      elapsed: said.number("elapsed").flatMap { Int(exactly: $0) }, hasExpired: hasExpired)
  }

  /// A sentence on one line: whoever posts one may have wrapped it.
  private static func unwrapped(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let sentence = text.prefix(4 * longestName)
    guard sentence.contains(0x0a) else { return text }
    var line: [UInt8] = []
    for byte in sentence where byte != 0x0a || line.last != 0x20 {
      line.append(byte == 0x0a ? 0x20 : byte)
    }
    return line[...]
  }

  /// Names a notification as Swift does.
  private static func notification(_ said: Said) -> ConsoleStatement? {
    guard let word = said.name, word.count <= 128,
      let family = ["Application", "Scene"].first(where: { word.starts(with: $0) }),
      let first = word.dropFirst(family.utf8.count).first, (0x41...0x5a).contains(first)
    else { return nil }
    let own = word.dropFirst(family.utf8.count + 1).text
    // Two constants of UIKit do not end in "Notification", but their Swift names do.
    let suffix = own.hasSuffix("Notification") ? "" : "Notification"
    return .notification(
      name: "UI\(family).\(String(UnicodeScalar(first | 0x20)))\(own)\(suffix)",
      hasObject: said.object != nil)
  }
}
