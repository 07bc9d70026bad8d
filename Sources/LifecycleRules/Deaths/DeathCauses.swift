import LifecycleModel
import Run
import TraceAnalysis

/// The causes that are documented or known, in one place; each with its source.
///
/// A further kind of death is a further row: what matches it, whose fault it is, what it means, what to look
/// for, and the ``DeathCause/Signature`` by which a trace shows it. `explain`, verdicts, findings and the table
/// of the article `KindsOfDeath` are made of the rows; the tests write that table with `UPDATE_SNAPSHOTS=1`.
public enum DeathCauses {
  /// All causes that something names: codes, reasons of jetsam, signals, namespaces, words.
  package static let rows = codes + jetsam + signals + namespaces + families + boards + words

  /// What to do about a background task that passed its time.
  static let taskInTime =
    "End each background task as soon as its work is done, on every path, and also in its expiration handler."

  private static let watchTaskInTime =
    "Call setTaskCompletedWithSnapshot(_:) on each background task of the watch app, on every path."

  /// What to do about a main thread that was held too long.
  static let heldMainThread = """
    Move slow work off the main thread, and return from the callback at once. If the system counts little CPU \
    time, the thread waited: look for a lock, a synchronous call or a semaphore. If it was idle in the \
    background, end each background task on every path.
    """

  static let codes: [DeathCause] = [
    DeathCause(
      .code, "0x8badf00d", phrases: ["watchdog transgression"],
      "the app exceeded a watchdog time limit", .fault, .appWatchdog, shows: .overrunOrLeakedTask,
      lookFor: heldMainThread, .watchdog, .backgroundTaskNotes),
    DeathCause(
      .code, "0xdead10cc", phrases: ["suspended with locked", "suspended-with-locked"],
      "the app held a file or SQLite lock at suspension", .fault, .suspendedWithLockedFile,
      shows: .lockAtSuspension,
      lookFor: """
        Release each file and SQLite lock before the app is suspended: take it under a background \
        task, release it, then end the task. Look first at databases in an app-group container, \
        such as Core Data and SQLite.
        """, .killCodes, .reducingTerminations),
    DeathCause(
      .code, "0x2182bad2", "a background task was not completed in time", .fault,
      .backgroundTaskAssertionTimeout, shows: .openBackgroundTask, lookFor: taskInTime,
      .killCodes, .reducingTerminations),
    DeathCause(
      .code, "0x2182baad", phrases: ["timed-out waiting for process to invalidate assertion"],
      "an assertion, such as a background task, was not ended after its time", .fault,
      .backgroundTaskAssertionTimeout, shows: .openBackgroundTask,
      lookFor: """
        End each background task on every path and in its expiration handler, and begin none when \
        the time in the background is over.
        """,
      .runningBoardCodes),
    DeathCause(
      .code, "0x2182bad3", "a background URL session was not completed in time", .fault,
      .backgroundURLSessionCompletionTimeout, shows: .openURLSession,
      lookFor: """
        Call the completion handler of \
        application(_:handleEventsForBackgroundURLSession:completionHandler:) on the main thread \
        once urlSessionDidFinishEvents(forBackgroundURLSession:) has come.
        """,
      .killCodes),
    DeathCause(
      .code, "0x2182bad4", "a background fetch was not completed in time", .fault,
      .backgroundFetchCompletionTimeout, shows: .openFetch,
      lookFor: """
        Call the completion handler of the fetch or the push within 30 seconds, on every path, \
        also when the request fails.
        """,
      .killCodes),
    DeathCause(
      .code, "0xbaadca11", "the app received a VoIP push and reported no call", .fault,
      shows: .unreportedCall,
      lookFor: """
        Call reportNewIncomingCall in \
        pushRegistry(_:didReceiveIncomingPushWith:for:completion:) before it returns, for each \
        VoIP push.
        """,
      .killCodes),
    DeathCause(
      .code, "0xbad22222", "a VoIP app was resumed too often", .fault, shows: .resumeLoop,
      lookFor: """
        Find what wakes the app over and over: a socket that the peer closes, repeated pushes, or \
        a timer. Remove the VoIP socket, and let PushKit wake the app.
        """,
      .killCodes),
    DeathCause(
      .code, "0xbaddd15c", "the system purged caches to free disk space", .innocent,
      lookFor: "Nothing in the app. Keep caches small, and in the Caches directory.", .killCodes),
    DeathCause(
      .code, "0xc00010ff", "the device was too hot", .innocent,
      lookFor: "Nothing in the app, unless its own work keeps the processor busy for minutes.",
      .killCodes),
    DeathCause(
      .code, "0xd00d2bad", "the app used too much of a key system resource", .fault,
      shows: .manyOperations,
      lookFor: """
        Find what the app begins or opens over and over, such as background tasks, web views, files, ports or GPU \
        work, and end or limit it.
        """, .killCodes),
    DeathCause(
      .code, "0xc51bad01", "a watch app used too much CPU in the background", .fault,
      .cpuResourceLimit, shows: .watchBackground,
      lookFor: "Do less in the watch app's background task, or split the work.", .killCodes,
      .watchCodes),
    DeathCause(
      .code, "0xc51bad02", "a watch app exceeded its background time", .fault,
      shows: .watchBackground, lookFor: watchTaskInTime, .killCodes, .watchCodes),
    DeathCause(
      .code, "0xc51bad03", "a watch app exceeded its background time while the system was busy",
      .innocent, lookFor: "Nothing in the app: the system gave it too little time.", .killCodes,
      .watchCodes),
    DeathCause(
      .code, "0xbada5e47", "too many background tasks were open", .fault, shows: .tooManyTasks,
      lookFor: """
        Find the background task that begins in a loop, or whose identifier is overwritten before \
        it ends.
        """,
      .backgroundTaskNotes),
    DeathCause(
      .code, "0x2bad45ec", "the app drew insecurely while the device was in secure mode", .fault,
      lookFor: """
        Find what draws over the lock screen, or the extension that must not appear there.
        """,
      .exitReasons),
    DeathCause(
      .code, "0xdeadfa11", "the user force-quit the app", .innocent,
      lookFor: "Nothing, unless users quit the app because it hangs.", .legacyCodes),
    DeathCause(
      .code, "0xb10cca11",
      "the app was too slow to receive updates on the state of other processes", .audience,
      lookFor: "Keep the queue free on which the app follows other processes.",
      .runningBoardCodes),
    DeathCause(
      .code, "0x5ca1ded", "the conditions changed under which the system had launched the process",
      .audience, lookFor: "Nothing in the app, unless it was on screen.", .runningBoardCodes),
    DeathCause(
      .code, "0xdead6502", "the system holds an assertion that such processes end", .audience,
      lookFor: "Look for an update, a removal or a restriction of the app at that minute.",
      .runningBoardCodes),
    DeathCause(
      .code, "0xb111b111", "a process on which it depends has exited", .audience,
      lookFor: "Look for the end of that process at the same second, in the console.",
      .runningBoardCodes),
    DeathCause(
      .code, "0xfbfbfbfb", "the simulator's host requested it", .innocent,
      lookFor: "Nothing: something outside the app stopped the run.", .exitReasons),
    DeathCause(
      .code, "0xbaaaaaad", "a stackshot, not a crash", .noDeath,
      lookFor: "Nothing: the system or a user captured the stacks of all threads.", .legacyCodes),
  ]

  static let jetsam: [DeathCause] = [
    memory("jettisoned", "the system dropped the process for another reason"),
    DeathCause(
      .jetsam, "highwater", "the process exceeded its high-water mark", .fault,
      lookFor: ownMemory, .jetsamReports, .exitReasons),
    DeathCause(
      .jetsam, "vnode-limit", "the system ran out of open files", .audience,
      lookFor: "Close each file that the app opens.", .jetsamReports, .exitReasons),
    memory("vm-pageshortage", "the device ran out of memory"),
    memory("proc-thrashing", "the process was thrashing"),
    memory("fc-thrashing", "the file cache was thrashing"),
    DeathCause(
      .jetsam, "per-process-limit", "the app exceeded its own memory limit", .fault,
      .memoryResourceLimit, lookFor: ownMemory, .jetsamReports, .exitReasons),
    DeathCause(
      .jetsam, "disk-space-shortage", "the device ran out of disk space", .innocent,
      lookFor: "Nothing in the app, except large caches.", .exitReasons),
    DeathCause(
      .jetsam, "idle-exit", "the process was idle and not needed", .innocent,
      lookFor: "Nothing.", .exitReasons),
    memory("zone-map-exhaustion", "the kernel ran out of memory of its own"),
    memory("vm-compressor-thrashing", "the memory compressor was thrashing"),
    memory("vm-compressor-space-shortage", "the memory compressor was full"),
    memory("low-swap", "the device ran out of swap"),
    memory("sustained-memory-pressure", "memory stayed short for a long time"),
  ]

  private static let ownMemory = """
    Use less memory, as in images, buffers and caches; extensions have small limits. \
    Empty caches in applicationDidReceiveMemoryWarning(_:). The limit applies to the app alone, so \
    the same use reaches it every time.
    """

  private static let forMemory = """
    In the background this is normal: free memory when the app goes there, so that it stays \
    longer. On screen, look at the memory samples before the end.
    """

  private static func memory(_ word: String, _ meaning: String) -> DeathCause {
    DeathCause(
      .jetsam, word, meaning, .audience, .memoryPressure,
      lookFor: forMemory, .jetsamReports, .exitReasons)
  }

  static let signals: [DeathCause] = [
    DeathCause(
      .signal, "SIGHUP", "its terminal closed", .innocent, .normal, lookFor: stopped,
      .signalPage),
    DeathCause(
      .signal, "SIGINT", "it was interrupted", .innocent, .normal, lookFor: stopped,
      .signalPage),
    DeathCause(
      .signal, "SIGQUIT", "something asked it to quit and dump its stacks", .audience,
      lookFor: "Find the sender of the signal: a tool that samples hangs does this.", .signalPage),
    crash(
      "SIGILL",
      "it ran into an illegal instruction (on Intel also a trap of Swift's: a nil, an index, a cast)",
      .illegalInstruction),
    crash(
      "SIGTRAP",
      "it ran into a trap, such as Swift sets for a nil, an index out of range or a fatalError",
      .illegalInstruction),
    crash(
      "SIGABRT", "it called abort(), as after a failed assertion or an uncaught exception",
      .abnormal),
    crash("SIGBUS", "it accessed memory in a way that the mapping does not allow", .badAccess),
    crash("SIGFPE", "it divided by zero", .abnormal),
    DeathCause(
      .signal, "SIGKILL", "the signal gives no reason", .audience,
      lookFor: """
        Look for the system's messages in the console, or for a crash report of that minute: \
        SIGKILL itself gives no reason. On screen the cause is the watchdog, memory, or the user, \
        who quit the app.
        """, .killCodes),
    crash("SIGSEGV", "it accessed memory that is not mapped or not permitted", .badAccess),
    crash("SIGSYS", "it made an invalid system call", .abnormal),
    DeathCause(
      .signal, "SIGPIPE", "it wrote to a closed pipe or socket", .audience, shows: .heldSocket,
      lookFor: """
        Close each socket before the app is suspended, and connect again on the way back: the system \
        or the peer closes it meanwhile. Set SO_NOSIGPIPE on each socket, so that a write fails \
        instead.
        """, .signalPage, .socketsReclaimed, .socketsOfSuspendedApps),
    DeathCause(
      .signal, "SIGTERM", "it was asked to quit", .innocent, .normal, lookFor: stopped,
      .signalPage),
    DeathCause(
      .signal, "SIGXCPU", "it exceeded a CPU time limit", .fault, .cpuResourceLimit,
      lookFor: "Find the work that keeps a thread busy and does not end.", .signalPage),
  ]

  private static let stopped = "Nothing in the app: whoever ran it stopped it."

  private static func crash(
    _ word: String, _ meaning: String, _ reason: ExitReason
  ) -> DeathCause {
    DeathCause(.signal, word, meaning, .fault, reason, lookFor: crashed, .signalPage)
  }

  private static let crashed = """
    Begin at the app's innermost frame in the thread that crashed: a symbolicated crash report shows it. The \
    trace shows what the app was doing.
    """

  static let namespaces: [DeathCause] = [
    DeathCause(
      .namespace, "CODESIGNING", "its code signature is not valid", .fault, .abnormal,
      lookFor: """
        Sign the app and its frameworks again with a valid profile. Look for files in the bundle \
        that changed after it was signed.
        """, .exitReasons),
    other("HANGTRACER", "a tool that watches for hangs ended it"),
    DeathCause(
      .namespace, "DYLD", "a library or a symbol that it needs could not be loaded", .fault,
      .abnormal,
      lookFor: """
        Embed and sign the library that the words name, for this device and this version of the \
        system, in the target of the app. A symbol that a library of the system lacks needs a later \
        system: check for it before it is used, or raise the deployment target.
        """, .exitReasons),
    missing("LIBXPC", "it used XPC in a way that is not allowed"),
    missing("OBJC", "the Objective-C runtime stopped it"),
    DeathCause(
      .namespace, "EXEC", "it could not be executed", .fault, .abnormal,
      lookFor: """
        Build the app for the processor of this device or simulator, sign it for the device, and check that \
        Info.plist names its executable.
        """, .exitReasons),
    DeathCause(
      .namespace, "TCC", phrases: ["crashing_due_to_privacy_violation__"],
      "it used protected data, and its Info.plist lacks the usage description", .fault, .abnormal,
      lookFor: """
        Add the key that the system's words name, which ends in UsageDescription, to Info.plist, with a sentence for \
        the user.
        """, .exitReasons),
    other("REPORTCRASH", "the crash reporter ended it"),
    other("COREANIMATION", "Core Animation ended it"),
    missing("LIBSYSTEM", "the system's library stopped it"),
    DeathCause(
      .namespace, "WATCHDOG", "it exceeded a watchdog time limit", .fault, .appWatchdog,
      shows: .overrunOrLeakedTask,
      lookFor: """
        Move what holds the main thread to a queue. The code 0x3e9 belongs to a widget extension.
        """,
      .exitReasons),
    other("METAL", "Metal ended it"),
    other("WATCHKIT", "WatchKit ended it"),
    DeathCause(
      .namespace, "GUARD", "it closed or used a guarded file or port that it does not own", .fault,
      .abnormal,
      lookFor: """
        Look for what is closed, released or unmapped twice, or by other code than that which opened it, in the \
        innermost frame that is not the system's.
        """, .exitReasons),
    missing("SANDBOX", "its sandbox does not allow what it did"),
    other("SECURITY", "a security component of the system ended it"),
    other("ENDPOINTSECURITY", "endpoint security ended it"),
    missing("PAC_EXCEPTION", "it used a modified pointer"),
    missing("PORT_SPACE", "it ran out of Mach ports"),
    other("WEBKIT", "WebKit ended it"),
    other("MEDIA", "the media services ended it"),
    other("POWEREXCEPTIONS", "it used too much power"),
  ]

  /// The namespaces that mean nothing without their code, which is a number of their own: jetsam's, or a
  /// signal's.
  static let families: [DeathCause] = [
    board("JETSAM", "the system freed memory; the number identifies the exceeded limit"),
    board("SIGNAL", "a signal ended the process; the number identifies it"),
  ]

  /// The namespaces that mean nothing without their code, which is a termination code.
  static let boards: [DeathCause] = [
    board(
      "FRONTBOARD", or: ["springboard"],
      "FrontBoard, which manages apps on screen, ended the app; the code gives the reason"),
    board(
      "RUNNINGBOARD", or: ["assertiond"],
      "RunningBoard, which manages process time, ended the app; the code gives the reason"),
  ]

  private static func board(
    _ word: String, or others: [String] = [], _ meaning: String
  ) -> DeathCause {
    DeathCause(
      .namespace, word, or: others, meaning, .audience,
      lookFor: "Look up the code that follows it.", .exitReasons)
  }

  private static func missing(
    _ word: String, _ meaning: String
  ) -> DeathCause {
    DeathCause(
      .namespace, word, meaning, .fault, .abnormal,
      lookFor: "Read the text of the crash report of that minute: it names the cause.", .exitReasons
    )
  }

  private static func other(_ word: String, _ meaning: String) -> DeathCause {
    DeathCause(
      .namespace, word, meaning, .audience,
      lookFor: "Read the text of the crash report of that minute.", .exitReasons)
  }

  /// The words of assertiond, of EXC_RESOURCE, whose limits end a process only where a kill says so,
  /// and of who records.
  static let words: [DeathCause] = [
    DeathCause(
      .word, "active assertions beyond permitted time",
      "the app held background tasks beyond their time limit", .fault,
      .backgroundTaskAssertionTimeout, shows: .openBackgroundTask,
      lookFor: """
        End the tasks that the system names in its message, on every path and in their expiration \
        handlers.
        """, .backgroundTaskNotes),
    DeathCause(
      .word, "background refresh",
      phrases: KillCode.watchTasks.map { "\($0) watchdog transgression" },
      "a watch app did not complete a background task in time", .fault, shows: .watchBackground,
      lookFor: watchTaskInTime, .watchCodes),
    limit(
      "memory issue", "the app exceeded its memory limit", .memoryResourceLimit,
      lookFor: ownMemory),
    limit(
      "cpu", or: ["CPU limit"],
      phrases: [
        "cpu time over", "% cpu average", "cpu usage limit", "cpu limit", "burning cpu",
        "cpu resource",
      ],
      "it exceeded a CPU time limit", .cpuResourceLimit,
      lookFor: """
        Find the work that keeps the processor busy, in the heaviest stack of a report or with \
        Instruments. Stop it when the app leaves the screen, or hand it to a BGProcessingTask.
        """),
    limit(
      "memory", phrases: ["memory limit", "mem limit"], "it exceeded a memory limit",
      .memoryResourceLimit, lookFor: ownMemory),
    limit(
      "io",
      phrases: [
        "file backed memory dirtied", "file-backed memory dirtied", "disk writes limit",
        "disk write limit",
      ],
      "it exceeded a disk write limit", nil,
      lookFor: "Write less and less often: gather small writes, and write only what has changed."),
    limit(
      "wakeups", phrases: ["wakeups over", "wakeups per second", "wakeups limit"],
      "it exceeded a wakeup limit", nil,
      lookFor: """
        Find the timer or the thread that wakes many times a second. Give timers a tolerance, and \
        wait for events instead of polling.
        """),
    withoutScenes, launchHang,
    DeathCause(
      .word, KillCode.deadlock,
      "the main thread did not respond, and the crash reporter's own watchdog ended the app",
      .fault,
      lookFor: """
        Look at the main thread's frames in the report: move the work, or the wait, that they show \
        off the main thread.
        """, .deadlockMonitor),
    outside(
      "reboot", ["shutdown", "restart"],
      phrases: [
        "shutting down", "shut down", "system shutdown", "device shutdown", "initiated shutdown",
        "shutdown of", "reboot", "powering off", "powering down", "power off",
        "restarting the device", "restart of the device", "device restart",
      ],
      "the device shut down or restarted"),
    outside(
      "update", ["install"],
      phrases: [
        "app update", "application update", "being updated", "update of the app",
        "software update", "installing", "being installed", "uninstall", "app upgrade",
        "replaced by a new version", "new version of the app", "update is installed",
      ],
      "the app or the system was updated, or the app was removed", .appUpdate),
    outside(
      "debugger", ["debugger-detached"],
      phrases: ["debugger", "debugserver", "job-submitter has disconnected"],
      "the debugger, or the tool that launched it, stopped it or went away"),
    outside(
      "forced-quit", ["user-quit"],
      phrases: [
        "force quit", "force-quit", "user quit", "swiped away", "swiped up", "app switcher",
        "quit by the user", "killed by the user", "killed by user",
      ],
      "the user quit the app in the app switcher"),
    shortOfMemory,
  ]

  /// Jetsam without its number, or the system's words for it.
  static let shortOfMemory = DeathCause(
    .jetsam, "jetsam",
    phrases: ["jetsam", "jettison", "memory pressure", "low memory", "out of memory"],
    "the device was short of memory", .audience, .memoryPressure, lookFor: forMemory,
    .jetsamReports, .exitReasons)

  // MARK: Ends that nothing names

  /// A process that has gone without a word; nothing names it but who looks for the process.
  static let vanished = DeathCause(
    .manner, "gone", or: ["vanished"], "the process vanished; its end was not seen", .audience,
    lookFor: """
      Look for a crash report of that minute, or at the console: the app crashed, or something \
      killed it. If \
      the app runs under tracectl record, the log contains its status or signal.
      """, .watchdogLogic)

  /// A process that ended itself, and says that all was well.
  static let exited = exit(.innocent, .normal)

  /// A process that ended itself, with a status that nothing states.
  static let ended = exit(.audience, nil)

  private static func exit(_ bearing: DeathCause.Bearing, _ reason: ExitReason?) -> DeathCause {
    DeathCause(
      .manner, "voluntary", or: ["exit", "exit 0"], "the app exited", bearing, reason,
      lookFor: """
        On screen, remove the call of exit(): show the user what is wrong instead. In the \
        background, nothing.
        """, .watchdogLogic)
  }

  /// A process that ended itself with another status than 0.
  static let failed = DeathCause(
    .manner, "exit status", "the app exited with a status other than 0", .fault, .abnormal,
    lookFor: "Find the call of exit() with that status; read the last lines of the app's output.",
    .watchdogLogic)

  /// An exception that nobody caught.
  static func exception(_ name: String, hasReason: Bool = true) -> DeathCause {
    // Exceptions of .NET and Kotlin have a namespace, and stop at no breakpoint of Xcode's.
    let named =
      name.contains(".")
      ? "Mend what the exception's reason names."
      : "Repeat the steps with an exception breakpoint in Xcode, which stops where it is thrown."
    let first = hasReason ? named : "Read the exception's reason in the console of that minute."
    return DeathCause(
      .manner, name, "an uncaught exception ended the process with SIGABRT", .fault, .abnormal,
      lookFor: """
        \(first) The first frames of its backtrace, which a crash report contains, are the call that threw it.
        """, .signalPage)
  }

  /// A signal that nobody names.
  static let anySignal = DeathCause(
    .manner, "a signal", "a signal ended it", .fault, .abnormal, lookFor: crashed, .signalPage)

  /// A kill that has no words.
  static let wordless = DeathCause(
    .manner, "kill", "the system gave no reason", .audience,
    lookFor: """
      Look for a crash report or a JetsamEvent report of that minute, and for the system's messages \
      in the console.
      """, .killCodes)

  /// A kill with a code or words that no table lists.
  static let unlisted = DeathCause(
    .manner, "unlisted", "no documentation lists the reason", .audience, .unknown,
    lookFor: """
      Look for a crash report or a JetsamEvent report of that minute: it may say more than the \
      reason that the log has.
      """, .killCodes)

  /// What to look for where a watchdog ends an app and the log does not show what it was doing.
  static let unseenHang = """
    Read the stack of the main thread in the crash report of that minute. Record main-busy and the \
    work of the app: then the next log names what held the thread.
    """

  private static func limit(
    _ word: String, or others: [String] = [], phrases: [String] = [], _ meaning: String,
    _ reason: ExitReason?, lookFor advice: String
  ) -> DeathCause {
    DeathCause(
      .word, word, or: others, phrases: phrases, meaning, .fault, reason, lookFor: advice,
      .resourceLimits)
  }

  private static func outside(
    _ word: String, _ others: [String], phrases: [String], _ meaning: String,
    _ reason: ExitReason = .normal
  ) -> DeathCause {
    DeathCause(
      .word, word, or: others, phrases: phrases, meaning, .innocent, reason,
      lookFor: "Nothing in the app.", .watchdogLogic)
  }
}
