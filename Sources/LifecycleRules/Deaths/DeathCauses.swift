import LifecycleModel
import TraceAnalysis

/// The causes that are documented or known, in one place; each with its source.
///
/// The article `KindsOfDeath` has the table in words.
public enum DeathCauses {
  /// All causes: codes, reasons of jetsam, signals, namespaces, words.
  package static let rows = codes + jetsam + signals + namespaces + boards + words

  static let codes: [DeathCause] = [
    DeathCause(
      code: 0x8bad_f00d, "the watchdog's time was over", .fault, .appWatchdog,
      shows: .overrunOrLeakedTask,
      lookFor: """
        The callback or the work that held the main thread, in the words of the system \
        (scene-create, scene-update, process-exit) and in the trace. "CPU time" means that it was \
        busy, "wall clock time" with little CPU that it waited for a lock or an answer. With an idle \
        main thread in the background, look for a background task without an end.
        """, .watchdog, .backgroundTaskNotes),
    DeathCause(
      code: 0xdead_10cc, "a file or SQLite lock was held at suspension", .fault,
      .suspendedWithLockedFile, shows: .lockAtSuspension,
      lookFor: """
        The database or file that is open while the app goes to the background, most often in an \
        app-group container. Take the lock under a background task, and end the task after the lock \
        is released.
        """, .killCodes, .reducingTerminations),
    DeathCause(
      code: 0x2182_bad2, "a background task was not completed in time", .fault,
      .backgroundTaskAssertionTimeout, shows: .openBackgroundTask,
      lookFor: "The task that is begun and not ended on one of its paths, or in its expiration.",
      .killCodes, .reducingTerminations),
    DeathCause(
      code: 0x2182_bad3, "a background URL session was not completed in time", .fault,
      .backgroundURLSessionCompletionTimeout, shows: .openURLSession,
      lookFor:
        "The completion handler of handleEventsForBackgroundURLSession, which must be called.",
      .killCodes),
    DeathCause(
      code: 0x2182_bad4, "a background fetch was not completed in time", .fault,
      .backgroundFetchCompletionTimeout, shows: .openFetch,
      lookFor: "The completion handler of the fetch, which must be called on every path.",
      .killCodes),
    DeathCause(
      code: 0xbaad_ca11, "a VoIP push came and no call was reported", .fault,
      shows: .unreportedCall,
      lookFor: "The handler of PushKit, which must report a call to CallKit for each VoIP push.",
      .killCodes),
    DeathCause(
      code: 0xbad2_2222, "a VoIP app was resumed too often", .fault, shows: .resumeLoop,
      lookFor: "What wakes the app: a socket that the peer closes, pushes in a row, a timer.",
      .killCodes),
    DeathCause(
      code: 0xbadd_d15c, "the system purged caches to free disk space", .innocent,
      lookFor: "Nothing in the app, but caches that are large.", .killCodes),
    DeathCause(
      code: 0xc000_10ff, "the device was too hot", .innocent,
      lookFor: "Nothing in the app, but work that keeps the processor busy for minutes.",
      .killCodes),
    DeathCause(
      code: 0xd00d_2bad, "the app used too much of a key resource of the system", .fault,
      shows: .manyOperations,
      lookFor: "What the app opens or submits again and again without an end.", .killCodes),
    DeathCause(
      code: 0xc51b_ad01, "a watch app used too much CPU in the background", .fault,
      .cpuResourceLimit, shows: .watchBackground,
      lookFor: "The background task of the watch app that computes for long.", .killCodes,
      .watchCodes),
    DeathCause(
      code: 0xc51b_ad02, "a watch app's background time was over", .fault,
      shows: .watchBackground,
      lookFor: "The background task of the watch app that is not completed in time.", .killCodes,
      .watchCodes),
    DeathCause(
      code: 0xc51b_ad03, "a watch app's background time was over, the system being busy",
      .innocent, lookFor: "Nothing in the app: the system gave it too little time.", .killCodes,
      .watchCodes),
    DeathCause(
      code: 0xbada_5e47, "too many background tasks were open", .fault, shows: .tooManyTasks,
      lookFor: "Background tasks that are begun in a loop, or whose ids are overwritten.",
      .backgroundTaskNotes),
    DeathCause(
      code: 0x2bad_45ec, "the app drew insecurely while the device was in secure mode", .fault,
      lookFor: "Drawing over the lock screen, or by an extension that may not show there.",
      .exitReasons),
    DeathCause(
      code: 0xdead_fa11, "the user forced the app to quit", .innocent,
      lookFor: "Nothing, unless users do so because the app hangs.", .legacyCodes),
    DeathCause(
      code: 0xfbfb_fbfb, "the simulator's host asked for it", .innocent,
      lookFor: "Nothing: the run was stopped from outside.", .exitReasons),
    DeathCause(
      code: 0xbaaa_aaad, "a stackshot, not a crash", .noDeath,
      lookFor: "Nothing: the system or a user took a picture of all stacks.", .legacyCodes),
  ]

  static let jetsam: [DeathCause] = [
    memory(1, "jettisoned", "the process was dropped for another reason"),
    DeathCause(
      .jetsam, "highwater", 2, "the process passed its high-water mark", .fault,
      lookFor: ownMemory, .jetsamReports, .exitReasons),
    DeathCause(
      .jetsam, "vnode-limit", 3, "the system ran out of open files", .audience,
      lookFor: "Files that are opened and never closed.", .jetsamReports, .exitReasons),
    memory(4, "vm-pageshortage", "the device ran out of memory"),
    memory(5, "proc-thrashing", "the process was thrashing"),
    memory(6, "fc-thrashing", "the file cache was thrashing"),
    DeathCause(
      .jetsam, "per-process-limit", 7, "the app passed its own memory limit", .fault,
      .memoryResourceLimit, lookFor: ownMemory, .jetsamReports, .exitReasons),
    DeathCause(
      .jetsam, "disk-space-shortage", 8, "the device ran out of disk space", .innocent,
      lookFor: "Nothing in the app, but caches that are large.", .exitReasons),
    DeathCause(
      .jetsam, "idle-exit", 9, "the process was idle and not needed", .innocent,
      lookFor: "Nothing.", .exitReasons),
    memory(10, "zone-map-exhaustion", "the kernel ran out of memory of its own"),
    memory(11, "vm-compressor-thrashing", "the compressor of memory was thrashing"),
    memory(12, "vm-compressor-space-shortage", "the compressor of memory was full"),
    memory(13, "low-swap", "the device ran out of swap"),
    memory(14, "sustained-memory-pressure", "memory was short for long"),
  ]

  private static let ownMemory = """
    The memory samples before it: images, caches and views that are kept. On a device the limit is \
    the app's own, so that the same use brings it each time.
    """

  private static func memory(_ number: UInt64, _ word: String, _ meaning: String) -> DeathCause {
    DeathCause(
      .jetsam, word, number, meaning, .audience, .memoryPressure,
      lookFor: """
        In the background that is normal; the less memory an app holds there, the longer it stays. On \
        the screen, look at the memory samples before it.
        """, .jetsamReports, .exitReasons)
  }

  static let signals: [DeathCause] = [
    DeathCause(
      .signal, "SIGHUP", 1, "its terminal went away", .innocent, .normal, lookFor: stopped,
      .signalPage),
    DeathCause(
      .signal, "SIGINT", 2, "it was interrupted", .innocent, .normal, lookFor: stopped,
      .signalPage),
    DeathCause(
      .signal, "SIGQUIT", 3, "it was asked to quit with a picture of its stacks", .audience,
      lookFor: "Who sent it: a tool that samples a hang does.", .signalPage),
    crash(
      "SIGILL", 4, "it came to an instruction that cannot be executed", .illegalInstruction),
    crash(
      "SIGTRAP", 5, "the runtime stopped it, as Swift does at a nil or an index out of range",
      .illegalInstruction),
    crash("SIGABRT", 6, "it aborted itself, as an uncaught exception does", .abnormal),
    crash("SIGBUS", 10, "it used memory that is not mapped so", .badAccess),
    crash("SIGFPE", 8, "it divided by zero", .abnormal),
    DeathCause(
      .signal, "SIGKILL", 9, "it does not say why", .audience,
      lookFor: """
        The system's own words, in the console or a crash report of that minute: a SIGKILL does not \
        say why it was sent. On the screen it is the watchdog, memory, or a force quit.
        """, .killCodes),
    crash("SIGSEGV", 11, "it used memory that is not there", .badAccess),
    crash("SIGSYS", 12, "it made a system call that does not exist", .abnormal),
    DeathCause(
      .signal, "SIGPIPE", 13, "it wrote to a pipe or a socket that was closed", .audience,
      lookFor: "A write to a socket without SO_NOSIGPIPE after the peer has gone.", .signalPage),
    DeathCause(
      .signal, "SIGTERM", 15, "it was asked to end", .innocent, .normal, lookFor: stopped,
      .signalPage),
    DeathCause(
      .signal, "SIGXCPU", 24, "it passed a limit of processor time", .fault, .cpuResourceLimit,
      lookFor: "Work that keeps a thread busy without an end.", .signalPage),
  ]

  private static let stopped = "Nothing in the app: whoever ran it ended it."

  private static func crash(
    _ word: String, _ number: UInt64, _ meaning: String, _ reason: ExitReason
  ) -> DeathCause {
    DeathCause(
      .signal, word, number, meaning, .fault, reason,
      lookFor: """
        The stack of the crashed thread in the crash report of that minute; the trace tells what the \
        app was in the middle of.
        """, .signalPage)
  }

  static let namespaces: [DeathCause] = [
    DeathCause(
      .namespace, "CODESIGNING", 3, "its code signature is not valid", .audience,
      lookFor: "How the app was signed, and whether its files were changed afterwards.",
      .exitReasons),
    other(4, "HANGTRACER", "a tool that watches for hangs ended it"),
    missing(6, "DYLD", "a library or a symbol that it needs was not found"),
    missing(7, "LIBXPC", "it used XPC in a way that is not allowed"),
    missing(8, "OBJC", "the Objective-C runtime stopped it"),
    other(9, "EXEC", "it could not be executed"),
    missing(
      11, "TCC", "it used protected data without the usage description that its Info.plist needs"),
    other(12, "REPORTCRASH", "the crash reporter ended it"),
    other(13, "COREANIMATION", "Core Animation ended it"),
    missing(18, "LIBSYSTEM", "the system's library stopped it"),
    DeathCause(
      .namespace, "WATCHDOG", 20, "a watchdog's time was over", .fault, .appWatchdog,
      shows: .overrunOrLeakedTask,
      lookFor: "What held the main thread; the code 0x3e9 is that of a widget's extension.",
      .exitReasons),
    other(21, "METAL", "Metal ended it"),
    other(22, "WATCHKIT", "WatchKit ended it"),
    missing(23, "GUARD", "it closed or used a guarded file or port that is not its own"),
    missing(25, "SANDBOX", "it did what its sandbox does not allow"),
    other(26, "SECURITY", "the system's security ended it"),
    other(27, "ENDPOINTSECURITY", "endpoint security ended it"),
    missing(28, "PAC_EXCEPTION", "it used a pointer that was changed"),
    missing(30, "PORT_SPACE", "it ran out of Mach ports"),
    other(31, "WEBKIT", "WebKit ended it"),
    other(33, "MEDIA", "the media services ended it"),
    other(46, "POWEREXCEPTIONS", "it used too much power"),
  ]

  /// The namespaces that mean nothing without their code.
  static let boards: [DeathCause] = [
    board("JETSAM", 1, [], "the system freed memory; the number says which limit was passed"),
    board("SIGNAL", 2, [], "a signal ended the process; the number says which"),
    board(
      "FRONTBOARD", 10, ["springboard"],
      "FrontBoard, which runs apps on the screen, ended the app; the code says why"),
    board(
      "RUNNINGBOARD", 15, ["assertiond"],
      "RunningBoard, which gives processes their time, ended the app; the code says why"),
  ]

  private static func board(
    _ word: String, _ number: UInt64, _ others: [String], _ meaning: String
  ) -> DeathCause {
    DeathCause(
      .namespace, word, number, or: others, meaning, .audience,
      lookFor: "The code behind it, with tracectl explain.", .exitReasons)
  }

  /// The namespaces whose codes are termination codes; they mean nothing by themselves.
  static let plainNamespaces: [String: UInt64] = [
    "SPRINGBOARD": 10, "FRONTBOARD": 10, "RUNNINGBOARD": 15, "ASSERTIOND": 15,
  ]
  /// The namespaces whose codes are signals, or jetsam's own numbers.
  static let ownNamespaces: [String: UInt64] = ["JETSAM": 1, "SIGNAL": 2]

  private static func missing(
    _ number: UInt64, _ word: String, _ meaning: String
  ) -> DeathCause {
    DeathCause(
      .namespace, word, number, meaning, .fault, .abnormal,
      lookFor: "The words of the crash report of that minute, which name the thing.", .exitReasons)
  }

  private static func other(_ number: UInt64, _ word: String, _ meaning: String) -> DeathCause {
    DeathCause(
      .namespace, word, number, meaning, .audience,
      lookFor: "The words of the crash report of that minute.", .exitReasons)
  }

  /// The words of assertiond, of EXC_RESOURCE, whose limits end a process only where a kill says so,
  /// and of who records.
  static let words: [DeathCause] = [
    DeathCause(
      .word, "active assertions beyond permitted time", nil,
      "background tasks held the app beyond their time", .fault,
      .backgroundTaskAssertionTimeout, shows: .openBackgroundTask,
      lookFor: "The tasks that the system's words name.", .backgroundTaskNotes),
    limit("memory issue", "the app took more memory than it may", .memoryResourceLimit),
    limit("cpu", or: ["CPU limit"], "it passed a limit of processor time", .cpuResourceLimit),
    limit("memory", "it passed a limit of memory", .memoryResourceLimit),
    limit("io", "it passed a limit of writing to disk", nil),
    limit("wakeups", "it passed a limit of wakes", nil),
    outside("reboot", ["shutdown"], "the device was restarted"),
    outside("update", ["install"], "the app or the system was updated"),
    outside("debugger", ["debugger-detached"], "the debugger went away"),
    outside("forced-quit", ["user-quit"], "the user forced the app to quit"),
  ]

  /// A process that has gone without a word; nothing names it but who looks for the process.
  static let vanished = DeathCause(
    .word, "gone", or: ["vanished"], "the process is gone, and its end was not seen", .audience,
    lookFor: """
      A crash report of that minute, or the console: the app crashed, the system killed it, or somebody \
      did. An app that runs under tracectl record has its status or signal in the log.
      """, .watchdogLogic)

  /// A process that ended itself, and says that all was well.
  static let exited = DeathCause(
    .word, "voluntary", or: ["exit", "exit 0"], "the app ended itself", .innocent, .normal,
    lookFor: "Nothing; UIKit asks apps not to end themselves while somebody looks.", .watchdogLogic)

  /// A process that ended itself with another status than 0.
  static let failed = DeathCause(
    .word, "exit status", nil, "the app ended itself with a status other than 0", .fault, .abnormal,
    lookFor: "What calls exit() with that status; the last lines of the app's own output.",
    .watchdogLogic)

  /// An exception that nobody caught.
  static func exception(_ name: String) -> DeathCause {
    DeathCause(
      .word, name, nil, "an exception was thrown and not caught, which ends the process by SIGABRT",
      .fault,
      .abnormal,
      lookFor: """
        The exception's reason in the log or the console says what was wrong; the backtrace of the crash \
        report says where it was thrown.
        """, .signalPage)
  }

  private static func limit(
    _ word: String, or others: [String] = [], _ meaning: String, _ reason: ExitReason?
  ) -> DeathCause {
    DeathCause(
      .word, word, or: others, meaning, .fault, reason,
      lookFor: "The figures in the system's words, and the work of that time.", .resourceLimits)
  }

  private static func outside(_ word: String, _ others: [String], _ meaning: String) -> DeathCause {
    DeathCause(
      .word, word, or: others, meaning, .innocent, .normal, lookFor: "Nothing in the app.",
      .watchdogLogic)
  }
}
