import TraceText

/// The sentences of Apple's software that are known wherever they stand: in prose, behind a tool's prefix, in
/// quotes.
///
/// A line has such a sentence if it contains one of these words and a rule reads it.
enum LooseSentences {
  /// Words of a sentence, and the process that prints it; `nil` for the app's own.
  private static let anchors: [(words: [UInt8], process: String?)] = [
    ("Terminating app due to uncaught exception '", nil), ("Message from debugger: ", nil),
    ("Trapped uncaught exception '", nil), ("An uncaught exception was raised", nil),
    ("WebKit discarded an uncaught exception ", nil),
    ("BUG IN CLIENT OF LIB", nil), ("], line ", nil),
    ("An error was encountered processing the command (domain=", nil),
    ("Background Task ", nil), ("Background task still not ended ", nil),
    ("Can't endBackgroundTask: ", nil), ("Can't end BackgroundTask: ", nil),
    ("Ending background task with ", nil), ("Deactivation reason ", nil),
    ("does not adopt UIScene", nil), ("`UIScene` lifecycle will soon ", nil),
    ("UIScene life cycle is required for", nil), ("BackgroundExecutionNotPermitted", nil),
    ("(to submit GPU work from background)", nil), ("but the completion handler was never", nil),
    ("UISceneDelegateClassName key, but could", nil), ("There is no scene delegate set", nil),
    ("WebProcessProxy::didClose: ", nil), ("WebPageProxy::processDidTerminate: ", nil),
    ("GPUProcessProxy::gpuProcessExited: ", nil), ("web content process is terminated", nil),
    ("This app has crashed because it attempted to access", nil),
    ("layout engine must not be performed from a", nil),
    ("is modifying the autolayout engine from a", nil), ("stop reason = ", nil),
    ("AppLifecycleState.", nil), ("AppState changed", nil), ("App state changed: ", nil),
    ("appStateChange", nil),
    ("Running task: <BG", nil), ("Starting task: <BG", nil), (": error: -[", nil),
    ("Got a SIG", nil), (": EXC_", nil), ("WebProcessProxy didClose (web process crash)", nil),
    (" caught causing excessive wakeups", "kernel"),
    (" encountered an error (", nil), ("Test crashed with signal ", nil),
    ("using too much memory", nil), ("The request to open ", nil),
    (": message sent to deallocated ", nil), (": signal SIG", nil), (": Fatal error: ", nil),
    ("Uncaught exception: ", nil),
    ("Main Thread Checker: ", nil), ("The application under test with ", nil),
    (" has crashed", nil), ("terminate called throwing an exception", nil),
    ("terminate called after throwing an instance of '", nil),
    ("processDidTerminateOrFailedToLaunch: reason=", nil),
    ("Index out of range: file Swift/", nil),
    ("Killing app because it never posted an incoming call ", nil),
    ("WebPageProxy::dispatchProcessDidTerminate: ", nil), ("Exception Reason: ", nil),
    ("EXC_RESOURCE RESOURCE_TYPE_MEMORY (", nil),
    ("]: unrecognized selector sent to ", nil),
    ("this class is not key value coding-compliant ", nil),
    ("failed assertion ", nil), ("is killed by jetsam (", nil),
    ("doesNotRecognizeSelector: -- abort", nil),
    ("EXC_BAD_ACCESS Attempted to dereference ", nil),
    ("' was thrown while invoking ", nil), ("Lost connection to device.", nil),
    ("Simulator device failed to launch ", nil), ("mechanism: watchdog_termination", nil),
    ("The OS watchdog terminated your app, possibly because it ", nil),
    (": \"-[", nil), (": \"+[", nil), (": \"*** -[", nil), (": Exception: \"", nil),
    (" seconds cpu time over ", nil), ("Exception', reason: '", nil),

    ("memorystatus: ", "kernel"), (" exceeded mem limit: ", "kernel"), ("killing_", "kernel"),
    (" caught burning CPU!", "kernel"),
    ("termination reported by launchd (", "runningboardd"),
    ("<RBSTerminateContext| ", "runningboardd"), (" watchdog transgression: ", "SpringBoard"),
    ("suspended with locked system files:", "runningboardd"),
    ("Received (FATAL) CPU usage trigger", "symptomsd"),
    ("Fatal RESOURCE_NOTIFY trigger ", "symptomsd"),
    (" killed by jetsam reason ", "ReportSystemMemory"),
    ("exited with exit reason (namespace: ", "launchd"),
    ("Forcing crash report with description: ", "assertiond"),
    ("Bootstrapping failed for <FBApplicationProcess: ", "SpringBoard"),
    ("Terminating because the job-submitter has ", "assertiond"),
    ("Death sentinel fired", "SpringBoard"), ("BKUnsuspendLimit ", "SpringBoard"),
    ("Service exited due to ", "launchd"), ("Service exited with abnormal code: ", "launchd"),
    ("Application 'UIKitApplication:", "SpringBoard"), (" was raised", nil),
    ("Received termination request from ", "runningboardd"),
    ("report for corpse[", "ReportCrash"), ("RBSProcessExitStatus", "runningboardd"),
  ].map { (Array($0.0.utf8), $0.1) }

  /// The sentence in a line, and the process that prints it, empty for the app; `nil` without one.
  static func sentence(
    in line: ArraySlice<UInt8>
  ) -> (message: ArraySlice<UInt8>, process: String)? {
    for (words, process) in anchors {
      guard let place = line.firstRange(of: words), !isDenied(line[..<place.lowerBound]) else {
        continue
      }
      let printer = process.flatMap { AppIdentity.systemPrinter($0) } ?? .app

      // Somebody may have cited it in quotes.
      let bare = line[place.lowerBound...].trimmedEnd.droppingEnd { $0 == "`" || $0 == "*" }
      for message in [line, bare] where MessageRules.all.read(message, by: printer) != nil {
        return (message, process ?? "")
      }
      // Its rest stands in the lines below.
      if beginnings.contains(words), bare.starts(with: words) { return (bare, "") }
    }
    return nil
  }

  /// Whether words before a sentence say that it is past or does not happen: `Fixed: `, `no longer crashes with `.
  static func isDenied(_ words: ArraySlice<UInt8>) -> Bool {
    !words.isEmpty && words.suffix(256).text.lowercased().contains(denial)
  }

  private nonisolated(unsafe) static let denial =
    #/\b(?:fixed|fixes|no longer|not like|never|used to be|caught|ignored|continues)\b/#

  /// Whether a line contains words of a sentence, which may go on below.
  static func mayStand(in line: ArraySlice<UInt8>) -> Bool {
    anchors.contains { line.firstRange(of: $0.words) != nil }
  }

  /// Whether a sentence begins near the start of a line, perhaps behind the name of its process.
  static func mayBegin(_ line: ArraySlice<UInt8>) -> Bool {
    let start = line.prefix(32)
    return openers.contains { start.firstRange(of: $0) != nil }
  }

  /// What stands at the beginning of sentences, and never within them.
  private static let openers = [
    "Message from debugger: ", "Background Task ", "memorystatus: ", "stop reason = ",
    "ReportSystemMemory", "Deactivation reason ",
  ].map { Array($0.utf8) }

  /// The words of sentences that may go on below.
  private static let beginnings = [
    Array("Background task still not ended ".utf8), Array("Background Task ".utf8),
  ]
}
