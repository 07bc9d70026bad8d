import LifecycleModel
import Run

/// What SpringBoard, runningboardd, assertiond and launchd print about apps.
///
/// What a row takes as `bundle`, `label`, `predicate` or `pid`, or as `name` with a `pid`, names the process to
/// ``ConsoleMention``, too.
extension MessageRules {
  static let all = MessageRules([
    .app: appRules + runtimeRules, .system: systemRules, .launchd: launchdRules,
    .kernel: kernelRules, .crashReporter: crashReporterRules,
  ])

  static let systemRules: [MessageRule] = [
    MessageRule("^Bootstrapping {bundle} with intent {intent:word}") {
      .launchRequested(intent: ($0.intent ?? []).prefix(64).text)
    },
    MessageRule("^Executing launch request for ", .launchRequested(intent: "")),
    MessageRule("^Sending launch request: ", .launchRequested(intent: "")),
    MessageRule(#"^Received request to open [["]]{bundle}" from {by:word}"#) {
      .openRequested(by: ($0.by ?? []).prefix(64).before(":").text)
    },
    MessageRule("^Bootstrap failed", .launchFailed),
    MessageRule("^Now tracking process: ", .processStarted),
    MessageRule("^Bootstrap success!", .processStarted),
    MessageRule("^Resuming task.", .resumed),
    MessageRule("^Suspending task.", .suspended),
    MessageRule("^Sending scene action [{name}][0x{id}][[*(watchdog: {limit})]]") { said in
      // Without a watchdog there are other words than a time such as `19.97s`.
      let limit = said.limit.flatMap { InstantText.parse($0) == nil ? nil : $0.text }
      return sceneAction(said, isDone: false, allowance: limit)
    },
    MessageRule("^Scene action [{name}][0x{id}] completed with success") {
      sceneAction($0, isDone: true)
    },
    MessageRule("^Now flagged as pending exit for reason: ") { .remark($0.words) },
    MessageRule("^Sending background permission expiration warning!") {
      .remark($0.words)
    },
    MessageRule("^Assertions for process will expire soon") { .remark($0.words) },
    MessageRule("^Forcing crash report with description: ") {
      TerminationText.expiredAssertions($0.rest).map { .ended($0) } ?? .remark($0.words)
    },
    MessageRule("^Application process state changed for {bundle:id}: (null)", gone),
    MessageRule(
      "^Application process state changed for {bundle:id}: [[*; pid: {pid:int}]]*taskState: {task:letters}"
        + "[[*visibility: {visibility:letters}]]"
    ) {
      $0.text("task") == "Not"
        ? gone : .processState(isRunning: $0.text("task") == "Running", visibility: visibility($0))
    },
    MessageRule("^Setting process visibility to: {visibility:letters}") {
      .processState(isRunning: true, visibility: visibility($0))
    },
    MessageRule("^Setting process task state to: Not Running", gone),
    MessageRule("^Removing process: ", gone),
    MessageRule("^Removing assertions for terminated process: ", gone),
    MessageRule("^Deleted job with label: ", gone),
    MessageRule("^Deleted launchd job with label: ", gone),
    MessageRule("^Received state update for [[{pid:int}]]*, running-{state:letters}") {
      ["suspended": true, "active": false][$0.text("state")].map { .observed(isSuspended: $0) }
    },
    MessageRule("^Memory Limits: ") { .remark($0.words) },
    MessageRule("^Provision violated for watchdog ") {
      .remark("provision violated for watchdog " + $0.rest.prefix(longestName).line.text)
    },
    MessageRule("^Ignoring <FBProcessWatchdog*process is being debugged") {
      .debugged($0.words)
    },
    MessageRule("^Ignoring <FBProcessWatchdog") { .remark($0.words) },
    MessageRule(
      "^Received termination request from {origin} on {predicate}[[ with context ]]"
    ) { said in
      guard let origin = said.origin, var end = TerminationText.context(in: said.rest) else {
        return nil
      }
      let requester = ConsoleMention(processIn: origin)?.bundle ?? origin.text
      end.requester = requester
      return .endForetold(
        end, "termination requested by \(requester)" + (end.reason.map { ": \($0)" } ?? ""))
    },
    MessageRule("^Terminating with context: ") { said in
      TerminationText.context(in: said.rest).map { .endForetold($0, said.words) }
    },
    MessageRule("suspended with locked system files:") {
      .warned(.lockedFiles, joined($0.rest, after: "suspended with locked system files:"))
    },
    MessageRule("Received (FATAL) CPU usage trigger:*{name}[{pid:int}] (") { overCPULimit($0) },
    MessageRule("Fatal RESOURCE_NOTIFY trigger for {name}[{pid:int}] (") { overCPULimit($0) },
    MessageRule("Death sentinel fired", gone),
    MessageRule("^BKUnsuspendLimit {name}[{pid:int}] exceeded ") {
      .warned(.resourceLimit, $0.words)
    },
    // Up to iOS 8, where the report that is forced names no reason.
    MessageRule("] has active assertions beyond permitted time:") { said in
      TerminationText.expiredAssertions(said.message).map { .endForetold($0, said.words) }
    },
    MessageRule("^terminate_with_reason() success", .endCarriedOut),
    MessageRule("^Terminating because ") { .ended(.killed(reason: $0.words)) },
    MessageRule("^Bootstrapping failed for <FBApplicationProcess: *; {bundle}; pid: ", notStarted),
    MessageRule(
      "^Bootstrapping failed for <FBApplicationProcess: *; application<{bundle:id}>", notStarted),
    MessageRule("Application '{label}' exited voluntarily", .ended(.voluntary)),
    MessageRule("Application '{label}' crashed.", .ended(.signal(nil))),
    MessageRule("Application '{label}' exited abnormally via signal", .ended(.signal(nil))),
    MessageRule("^Forcing crash report of <FBApplicationProcess: *; {name}; pid: {pid:int}> (") {
      said in
      said.rest.behind("description: ").map {
        let words = $0.prefix(longestName).line.before(")").text
        // The watchdog of iOS 9 and before.
        let code = words.hasSuffix(" in time") ? KillCode.watchdog : nil
        return .endForetold(.killed(nil, code, reason: words), words)
      }
    },
    MessageRule("Application '{label}' exited abnormally with signal {signal:int}") {
      $0.number("signal").map { .ended(.signal($0)) }
    },
    MessageRule("^exited with context ") { .ended(ProcessExitText.context($0.rest)) },
    MessageRule("^Process exited: <BKProcess: *; {name}; *; pid: {pid:int}", gone),
    MessageRule("Got exit context: <BKSProcessExitContext") {
      .ended(ProcessExitText.context($0.rest))
    },
    MessageRule("^Process exited: ") { .ended(ProcessExitText.context($0.rest)) },
    MessageRule("termination reported by launchd ({namespace:int}, {code:int}, {status:int})") {
      ProcessExitText.launchdTriple($0).map { .ended($0) }
    },
    // Numbers that cannot be read say that the process is gone and not how.
    MessageRule("termination reported by launchd (", gone),
    MessageRule("ermination", report),
    MessageRule("<RBSTerminateContext| ", report),
    MessageRule(" watchdog transgression: ", report),
    MessageRule("RBSProcessExitStatus[[|]] domain:{domain} code:") { said in
      // An app may print how a page's process, or one of the system, has ended.
      let isOfOther = ["com.apple.", "WebContent"].contains { said.message.line.contains($0) }
      return isOfOther
        ? nil : .ended(ProcessExitText.context(said.message[said.before.endIndex...]))
    },
    MessageRule("sceneID:") {
      ConsoleSceneName.identifier(in: $0.message).map { .sceneSeen($0) }
    },
  ]

  private static let launchdRules: [MessageRule] = [
    MessageRule("Program specified by service does not contain one of the ") {
      let words = $0.message[$0.before.endIndex...].prefix(longestName).line.before(": ").text
      return .endForetold(.killed("EXEC", reason: words), words)
    },
    MessageRule("exited due to ") {
      ProcessExitText.launchdCause($0.rest).map { .ended($0) }
    },
    MessageRule(
      "exited with exit reason (namespace: {namespace:word} code: {code})[[* | {explanation}]]"
    ) {
      ProcessExitText.launchdReason($0).map { .ended($0) }
    },
    MessageRule("Service exited with abnormal code: {status:int}", oldExit),
    // Up to iOS 9.
    MessageRule("^(UIKitApplication:*) Exited*: {signal}", oldSignal),
    MessageRule("^(UIKitApplication:*) Job appears to have crashed: {signal}", oldSignal),
    MessageRule("^(UIKitApplication:*) Exited with *code: {status:int}", oldExit),
  ]

  private static let kernelRules: [MessageRule] = [
    MessageRule(MemoryStatusText.burning) {
      .remark(MemoryStatusText.burning.dropFirst() + $0.rest.prefix(256).line.text)
    },
    MessageRule(" caught causing excessive wakeups", warns: .resourceLimit),
    MessageRule(MemoryStatusText.exceeded) { MemoryStatusText.limit($0.rest) },
    MessageRule("killing_*_process pid *] {cause}") { MemoryStatusText.kill($0) },
  ]

  private static let crashReporterRules: [MessageRule] = [
    MessageRule("^Formulating fatal *report for corpse[") {
      CrashReportText.crash($0.message.prefix(256).line.text)
    },
    // Before iOS 13 the line says of no report what it is of; a corpse is of a process that ended, however that was.
    MessageRule("^Formulating report for corpse[", foretoldGone),
    // Up to iOS 9 such a report was written of kills, too.
    MessageRule("^Formulating crash report for process {name}[{pid:int}]", foretoldGone),
    MessageRule("Termination Reason: ", report),
    MessageRule("<RBSTerminateContext| ", report),
    MessageRule(".ips") { CrashReportText.place($0.message) },
    MessageRule("Process {name} [{pid:int}] killed by jetsam reason {cause:word}") { said in
      ExitNamespace.jetsamCode(said.text("cause")).map { .ended(.jetsam($0)) }
    },
  ]

  /// Words and the lines below them, in one line.
  private static func joined(_ rest: ArraySlice<UInt8>, after words: String) -> String {
    let lines = rest.split(separator: 0x0a).map { $0.drop { $0 <= 0x20 }.trimmedEnd.text }
    return ([words] + lines.filter { !$0.isEmpty }).joined(separator: " ")
  }

  /// A limit of processor time that ends the process: what passed it stands in the line, or below it.
  private static func overCPULimit(_ said: Said) -> ConsoleStatement? {
    let words = joined(said.message, after: "")
    let end = Termination.signal(9, reason: "CPU limit:" + words.prefix(longestName))
    return .endForetold(end, words.trimmedStart)
  }

  private static let gone = ConsoleStatement.ended(.gone)

  private static func notStarted(_ said: Said) -> ConsoleStatement? {
    // The watchdog may have ended a launch that had begun.
    let isOfWatchdog = said.message.line.contains("watchdog")
    return .endForetold(.killed(isOfWatchdog ? nil : "EXEC", reason: said.words), said.words)
  }

  private static func foretoldGone(_ said: Said) -> ConsoleStatement? {
    .endForetold(.gone, said.words)
  }

  private static func report(_ said: Said) -> ConsoleStatement? {
    TerminationText.report(said.message).map { .ended($0) }
  }

  private static func visibility(_ said: Said) -> String? {
    TerminationText.visibility(said.text("visibility"))
  }

  private static func oldSignal(_ said: Said) -> ConsoleStatement? {
    said.signal.flatMap { DarwinSignal.number(inWords: $0.line.text) }.map { .ended(.signal($0)) }
  }

  private static func oldExit(_ said: Said) -> ConsoleStatement? {
    Int64(said.text("status")).map { .ended(.exited($0)) }
  }

  /// What is asked of the scene that the message begins with.
  private static func sceneAction(
    _ said: Said, isDone: Bool, allowance: String? = nil
  ) -> ConsoleStatement? {
    guard let scene = ConsoleSceneName.identifier(in: said.message),
      let id = said.id.flatMap({ Int64($0.before("]").text, radix: 16) }), id >= 0
    else { return nil }
    return .sceneAction(
      scene: scene, name: said.text("name"), id: id, isDone: isDone, allowance: allowance)
  }
}
