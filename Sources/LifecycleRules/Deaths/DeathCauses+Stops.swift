import LifecycleModel
import TraceAnalysis

/// What an app's runtime, or a framework within the app, says as it stops the process: what that means, and what
/// to do.
///
/// The words are the reason of an exception, the last words of a runtime, or the function that stopped the app
/// where nothing else was said. They explain a crash; they never make an end one.
extension DeathCauses {
  /// The row that explains what a process said as it stopped; `nil` where none does.
  package static func explaining(_ words: String?) -> DeathCause? { explaining(words, in: stops) }

  /// The row for a sentence that a line of text begins with, or that stands behind a method or the runtime's stars in
  /// it; `nil` where only a word or two of it would fit.
  package static func explaining(sentenceIn line: String) -> DeathCause? {
    let line = line.lowercased()
    let isOfRuntime = ["-[", "+[", "*** "].contains(where: line.contains)
    return stops.first { row in
      row.phrases.contains { phrase in
        phrase.utf8.count >= shortestSentence && phrase.contains(" ")
          && (isOfRuntime ? line.contains(phrase) : line.hasPrefix(phrase))
      }
    }
  }

  private static let shortestSentence = 13

  /// The same of some rows.
  static func explaining(_ words: String?, in rows: [DeathCause]) -> DeathCause? {
    guard let words = words?.lowercased() else { return nil }
    return rows.first { row in
      row.phrases.contains { phrase in
        words.contains(phrase) || phrase == dereferencesNull && words.contains(nearNull)
      }
    }
  }

  private static let dereferencesNull = "attempted to dereference null pointer"

  /// An address in the first page, as Xcode and MetricKit write it.
  private nonisolated(unsafe) static let nearNull =
    #/code=[12], address=0x[0-9a-f]{1,3}\)|kern_\w+ at 0x0*[0-9a-f]{1,3}\b|^(?:0x)?[0-9a-f]{1,3} is not in any region|_address: 0x[0-9a-f]{1,3}\b/#

  /// All rows; of those that fit the first counts.
  ///
  /// One that has a word names the end itself.
  static let stops: [DeathCause] =
    [withoutScenes, launchHang] + ofLifecycle + ofQueues + ofMemory + ofValues + thrown
    + namespaces.filter { !$0.phrases.isEmpty }

  private static func stop(
    _ phrases: String..., meaning: String, advice: String
  ) -> DeathCause {
    DeathCause(.manner, "stop", phrases: phrases, meaning, .fault, lookFor: advice)
  }

  // MARK: Rows

  /// UIKit stops an app at its launch that adopts no scenes.
  static let withoutScenes = DeathCause(
    .word, "no-scenes",
    phrases: ["no-scenes", "noscenelifecycleadoption", "uiscene life cycle is required"],
    "the app does not adopt scenes, without which UIKit launches no app built with SDK 27", .fault,
    lookFor: "Add a scene manifest to Info.plist and a scene delegate, as TN3187 shows.",
    .sceneMigration)

  /// A process, mostly of an extension, that the system aborts as it does not begin.
  static let launchHang = DeathCause(
    .word, "LAUNCH_HANG", or: ["launch_hang"], phrases: ["launch_hang"],
    "the process took too long to begin, before it answered the system", .fault,
    lookFor: """
      Do less before main: link fewer frameworks, and do no work in static initialisers and +load. \
      In an extension, load what is large after its first view is there.
      """, .watchdog)

  /// The libraries of Swift's runtime, in lower case behind `libswift`.
  private static let runtimeOfSwift = [
    "core", "foundation", "dispatch", "objectivec", "darwin", "os", "uikit", "security",
    "contacts", "coregraphics", "coreimage", "coredata", "corelocation", "coremedia", "coreaudio",
    "quartzcore", "metal", "avfoundation", "photos", "network", "simd", "swiftonone",
    "_concurrency",
  ]

  /// Why the linker could not use a library that it has found.
  static let ofLinker: [DeathCause] = [
    stop(
      "library not loaded: /system/library/", "library not loaded: /usr/lib/",
      meaning: "it links a library that this version of the system lacks",
      advice: """
        Link that framework as optional in the target that refers to it, and check for the system's version before \
        it is used.
        """),
    stop(
      "symbol not found",
      meaning: "a symbol that it needs is not in the library",
      advice: """
        Build what refers to the symbol and the library together; for a symbol of the system, check with if \
        #available or dlsym, or raise the deployment target.
        """),
    stop(
      "errno=12",
      meaning: "the system had no memory to load a library that is in the app",
      advice: """
        Restart the device: the library is there, and other apps fail in the same way. Fewer and smaller \
        frameworks make it rarer.
        """),
    stop(
      "code signature", "code signing", "not valid for use in process", "team id",
      "validating first page", "mmap() error",
      meaning: "the system refused a library for its code signature",
      advice: """
        Sign the library that the words name with the certificate of the app: set Embed & Sign in its target, \
        and clean the build.
        """),
    stop(
      "no matching architecture", "wrong architecture", "incompatible architecture",
      "incompatible platform", "mach-o, but not built for",
      meaning: "a library is built for another processor or system",
      advice: "Build or take the library for this platform: an .xcframework carries one for each."),
    DeathCause(
      .manner, "stop",
      phrases: runtimeOfSwift.map { "library not loaded: @rpath/libswift\($0).dylib" },
      "a library of Swift's runtime is not in the app", .fault,
      lookFor: """
        Set Always Embed Swift Standard Libraries in the build settings of the app's target, and clean the build.
        """),
  ]

  /// A page of code that its signature does not fit.
  static let badPage = stop(
    "kern_codesign_error", "unknown_0x32 at ", "0x00000032, ",
    meaning: "it ran a page of code that has no signature, or that its signature does not fit",
    advice: """
      Check the app with codesign --verify --deep --strict and sign it again: a file of it or of a library was \
      changed after it was signed. Code that is made as the app runs, as by a just-in-time compiler, needs a debugger \
      or an entitlement.
      """)

  /// A rule of macOS on who may start a process, and how.
  static let launchConstraint = stop(
    "launch constraint violation",
    meaning: "the system does not let it be started so",
    advice: "Start it as its launch constraint says: look at who starts it, and from where.")

  /// Something was thrown, and the words say no more of it.
  private static let thrown: [DeathCause] = [
    stop(
      "last exception backtrace", "lastexceptionbacktrace",
      meaning: "an exception was thrown that nothing caught",
      advice: """
        Read the exception's name and reason in the console of that minute: the frames under Last Exception \
        Backtrace are the call that threw it.
        """),
    stop(
      "_objc_terminate", "objc_exception_throw", "exceptionpreprocess",
      "terminate_handler unexpectedly threw",
      "terminating with uncaught exception", "demangling_terminate_handler", "std::terminate(",
      "std::__terminate(",
      meaning: "an exception was thrown that nothing caught",
      advice: """
        Read the exception's name and reason in the console of that minute, or set an exception breakpoint.
        """),
  ]

  private static let ofLifecycle: [DeathCause] = [
    stop(
      "never posted an incoming call", "unhandledvoippush",
      meaning: "it did not report a VoIP push as a call",
      advice: """
        For every VoIP push, call reportNewIncomingCall(with:update:completion:) before \
        pushRegistry(_:didReceiveIncomingPushWith:for:completion:) is over, also where no call follows.
        """),
    stop(
      "launch handlers must be registered before application finishes launching",
      "_unsafe_registerfortaskwithidentifier",
      meaning: "it registered the handler of a background task after its launch",
      advice: """
        Call register(forTaskWithIdentifier:using:launchHandler:) of BGTaskScheduler before \
        application(_:didFinishLaunchingWithOptions:) returns.
        """),
    stop(
      "no launch handler registered for task with identifier",
      "_handlesubmissionwithoutregistration",
      meaning: "it submitted a background task for which it has no handler",
      advice: """
        Register a handler for that identifier before application(_:didFinishLaunchingWithOptions:) returns, \
        in each build that submits the task.
        """),
    stop(
      "launch handler for task with identifier",
      meaning: "it registered two handlers for one background task",
      advice: """
        Register each identifier once: look for an SDK that registers it, too, and for code that runs \
        at each connection of a scene.
        """),
    stop(
      "clclientisbackgroundable",
      meaning: "it asked for locations in the background without the background mode",
      advice: "Add location to UIBackgroundModes, or leave allowsBackgroundLocationUpdates false."),
    stop(
      "wkrefreshbackgroundtask dealloc",
      meaning: "a background task of the watch went away before it was completed",
      advice: """
        Keep each WKRefreshBackgroundTask until its work is done, and call \
        setTaskCompletedWithSnapshot(_:) on every path.
        """),
    stop(
      "completion handler blocks are not supported in background sessions",
      meaning: "it gave a completion handler to a background URL session",
      advice: "Take the results of a background URL session in its delegate."),
    stop(
      "expected to have a root view controller",
      meaning: "a window had no root view controller at the end of the launch",
      advice: """
        Set rootViewController of each window before it is shown; in an app with scenes, in \
        scene(_:willConnectTo:options:).
        """),
    stop(
      "has no persistent stores",
      meaning: "Core Data had no open store",
      advice: """
        Use the store only after it is loaded, and handle the error of loading it: before the first \
        unlock, and in the background, its file may be locked.
        """),
    stop(
      "nil is not a legal nspersistentstorecoordinator",
      "nil is not a legal nsmanagedobjectcontext",
      meaning: "Core Data was asked before its stack was set up",
      advice: """
        Load the persistent container before the first fetch, and hand its context to what fetches: the context, or \
        its coordinator, was nil.
        """),
    stop(
      "batchedbridge is undefined",
      meaning: "React Native's JavaScript was not loaded",
      advice: """
        Start the packager, or check that main.jsbundle is in the app and loads: its code did not run.
        """),
    stop(
      "unhandled js exception",
      meaning: "JavaScript threw an error that nothing caught",
      advice: "Mend the error in the script that the words name; its stack is one of JavaScript."),
    stop(
      "invariant violation: ", "typeerror: undefined is not an object (evaluating",
      meaning: "JavaScript threw an error",
      advice: """
        Mend the error in the script that the words and the lines below them name: a debug build shows it and goes \
        on, and a release build ends.
        """),
    stop(
      "rctfatal", "rctexceptionsmanager reportfatalexception",
      meaning: "JavaScript threw an error that nothing caught",
      advice: """
        Read the error in the app's console of that minute, or repeat the steps in a debug build: its words \
        and its stack name the script.
        """),
    stop(
      "convertnsexceptiontojserror",
      meaning: "React Native passed a module's exception to JavaScript on the wrong thread",
      advice: """
        Look for the native module that throws: its method runs in performVoidMethodInvocation, and the console \
        of that minute has the exception's reason. Catch it in the module, as JavaScript cannot.
        """),
    stop(
      "errorrecoverydelegate.throwexception(", "errorrecovery.crash(",
      "expo.controller.errorrecoveryqueue",
      meaning: "expo-updates rethrew a JavaScript error from the launch",
      advice: """
        Look for the JavaScript error in the console of that launch, or run the same release build from Xcode: it \
        names the script.
        """),
    stop(
      "core::panicking", "rust_begin_unwind",
      meaning: "code in Rust panicked",
      advice: "Read the panic's message in the console of that minute: it names the file and line."),
    stop(
      "missing support for the following url schemes", "register custom url scheme",
      meaning: "a sign-in needs a URL scheme that Info.plist does not have",
      advice: """
        Add the scheme to CFBundleURLTypes in Info.plist, under URL Types of the target: Google's is \
        REVERSED_CLIENT_ID of GoogleService-Info.plist.
        """),
    stop(
      "must call `[firapp configure", "must call `firebaseapp.configure", "call [firapp configure",
      "default app has not been configured", "default firebaseapp is not initialized",
      "failed to get firebaseapp",
      meaning: "Firebase was used before it was configured",
      advice: """
        Call FirebaseApp.configure() in application(_:didFinishLaunchingWithOptions:) before anything else of \
        Firebase, and add GoogleService-Info.plist to the target.
        """),
    stop(
      "failed to load aot module", "load_aot_module",
      meaning: "compiled code of .NET did not fit the assembly beside it",
      advice: "Delete bin and obj, and build and install the app again."),
    stop(
      "il2cppexceptionwrapper",
      meaning: "C# code threw an exception that nothing caught, and il2cpp passed it on",
      advice: """
        Read the exception's name and stack in Unity's log of that minute: il2cpp passes neither on.
        """),
    stop(
      "il2cpp initialization failed", "global-metadata.dat",
      meaning: "Unity could not load the scripts that il2cpp has compiled",
      advice: """
        Put Unity's folder Data into the target of UnityFramework, and build the app from a clean export.
        """),
    stop(
      "rnfbcrashlyticsmodule crash", "sentrysdk crash", "bugsnagtest crash", "generatetestcrash",
      meaning: "it called a function that crashes on purpose",
      advice: "Look for what calls that function: a button or a setting for tests is in this build."
    ),
    stop(
      "sandbox registration failed",
      meaning: "the system could not set up its sandbox at the launch",
      advice: "Sign the app again: its code signature or its entitlements do not fit the sandbox."),
  ]

  private static let ofQueues: [DeathCause] = [
    stop(
      "block was expected to execute on queue", "_dispatch_assert_queue_fail",
      "incorrect actor executor assumption",
      meaning: "code of one actor or queue ran on another",
      advice: """
        Await the call on its actor, or make what the frames name nonisolated. A closure that a framework calls \
        elsewhere must be @Sendable: Swift took it for code of the actor around it, such as the main one.
        """),
    stop(
      "dispatch_sync called on queue already owned by current thread",
      "__dispatch_wait_for_queue__",
      meaning: "it waited for the queue on which it ran",
      advice: "Do not call sync on the queue that runs the code: call the function, or use async."),
    stop(
      "object deallocated while in use",
      meaning: "a semaphore or a group went away while something waited for it",
      advice: "Keep the semaphore or group until its count is back at that of its start."),
    stop(
      "unbalanced call to dispatch_group_leave",
      meaning: "a group was left more often than it was entered",
      advice: "Leave the group once for each entry: look for a completion that is called twice."),
    stop(
      "os_unfair_lock",
      meaning: "a lock was taken twice by one thread, or released by another",
      advice: "Take and release the lock on one thread, and take it never while it is held."),
    stop(
      "from main thread only", "must be made on main thread", "autolayout engine",
      "layout engine must not be",
      "_performblockaftercatransactioncommitsynchronizes",
      meaning: "UIKit was called on another thread than the main one",
      advice: "Change to the main actor before views are touched: Main Thread Checker names calls."),
    stop(
      "was mutated while being enumerated",
      meaning: "a collection changed while it was walked through",
      advice: "Walk through a copy, and guard the collection where several threads use it."),
  ]

  private static let ofMemory: [DeathCause] = [
    stop(
      "pthread_kill",
      meaning: "it sent itself the signal",
      advice: "Look for what calls raise, kill or abort in the frames: a test of crashes does so."),
    stop(
      "pointer being freed was not allocated",
      meaning: "memory was freed twice, or was never allocated",
      advice: """
        Run the app with Address Sanitizer: it names the first free and the second. Where there was no first, malloc \
        never gave out that address.
        """),
    stop(
      "incorrect checksum for freed object",
      "bug in client of libmalloc", "malloc_error_break", "malloc_zone_error", "malloc_report",
      "malloc_vreport",
      meaning: "memory was freed twice, written after it was freed, or never allocated",
      advice: """
        Run the app with Address Sanitizer: it stops where the memory is damaged, and the crash comes \
        later.
        """),
    stop(
      "stack buffer overflow", "stack smashing detected",
      meaning: "it wrote past the end of a buffer on the stack",
      advice: "Run the app with Address Sanitizer: it stops at the write, and names the buffer."),
    stop(
      "message sent to deallocated instance",
      meaning: "it sent a message to an object that is gone",
      advice: """
        Hold the object as long as it is called: look at unowned and unsafe references, and at \
        delegates and observers that stay registered.
        """),
    stop(
      "stack guard", "excessive recursion",
      meaning: "the stack was full, as after a function that calls itself without end",
      advice: "Look for the frames that repeat: a function or a property calls itself without end."),
    stop(
      "exc_arm_da_align",
      meaning: "it accessed memory at an address that does not fit the type",
      advice:
        "Look for a pointer that is cast or computed: load with loadUnaligned, or copy the bytes."),
    stop(
      "a null function",
      meaning: "it called a function that is not there, at address 0",
      advice: """
        Look at the frame that called it: a callback that is nil, or a function that this version of the system \
        lacks.
        """),
    stop(
      dereferencesNull,
      meaning: "it used an address near zero, as behind a null pointer",
      advice: """
        Look for a nil pointer or unowned reference in the innermost frame that is not the system's.
        """),
    badPage,
    stop(
      "objc_msgsend", "objc_release", "objc_retain", "swift_release", "swift_retain",
      "lookupimporforward", "autoreleasepoolpage",
      meaning: "it used an object that was gone, or whose memory was overwritten",
      advice: """
        Turn on Zombie Objects in the scheme and repeat the steps: it names the object. Look first at delegates, \
        observers and targets that stay registered.
        """),
    stop(
      "possible pointer authentication failure", "exc_arm_pac_fail",
      "attempted to dereference garbage pointer",
      meaning: "it used a pointer that is damaged, or of an object that is gone",
      advice: """
        Run the app with Address Sanitizer and Zombie Objects: what damages the pointer comes before the crash.
        """),
    // Behind what says more of the address.
    stop(
      "exc_bad_access (code=1, address=0x", "exc_bad_access (code=2, address=0x",
      meaning: "it used memory that is not its own",
      advice: """
        Look at the innermost frame that is not the system's: frames that repeat are a recursion, and Zombie Objects in \
        the scheme name an object that is gone.
        """),
    stop(
      "exc_i386_gpflt",
      meaning: "it used an address that no pointer has, or one that does not fit the instruction",
      advice: """
        Run the app with Address Sanitizer and Zombie Objects: what damages a pointer comes before the crash.
        """),
    stop(
      "0xbbadbeef", "0x00000000bbadbeef",
      meaning: "WebKit stopped itself, as after a call on another thread than the main one",
      advice: "Call UIKit and WebKit on the main thread alone, and replace UIWebView by WKWebView."),
    stop(
      "overlapping accesses to", "fatal access conflict", "simultaneous accesses to",
      meaning: "a variable was changed while it was in use",
      advice: "Copy the value first, or end its use before the call that changes it."),
  ]

  private static let ofValues: [DeathCause] = [
    stop(
      "unexpectedly found nil while",
      meaning: "an optional was nil where the code unwraps it",
      advice: """
        Unwrap it with if let or guard let, and find out why it is nil; of an outlet, whether its view \
        is loaded.
        """),
    stop(
      "invalid update: invalid number of", "attempt to insert row ", "attempt to insert section ",
      "attempt to insert item ", "attempt to delete row ", "attempt to delete section ",
      "attempt to delete item ",
      meaning: "a table's rows or sections did not fit its update",
      advice: """
        Change the data and the table in one step on the main thread, or use a diffable data source.
        """),
    stop(
      "forscrollingtorowatindexpath", "attempted to scroll the table view to an out-of-bounds",
      meaning: "a table was asked to scroll to a row that it does not have",
      advice: "Compare the row with the table's number of rows first, and reload the data before."),
    stop(
      "unrecognized selector sent to class",
      meaning: "a class received a message that it does not have",
      advice: """
        Link the library or the category that has the method: of static libraries, -ObjC among the linker's \
        flags loads categories.
        """),
    stop(
      "copywithzone:]: unrecognized selector",
      meaning: "an object was copied whose class does not adopt NSCopying",
      advice: """
        Adopt NSCopying in the class that the words name, or do not copy it: a dictionary copies its keys, and a \
        property with copy its value.
        """),
    stop(
      "encodewithcoder:]: unrecognized selector",
      meaning: "an object was archived whose class does not adopt NSCoding",
      advice: "Adopt NSCoding in the class that the words name, or archive its values instead."),
    stop(
      "_uitextlayoutview",
      meaning: "a nib that Xcode 11.2 compiled names a class that this version of the system lacks",
      advice: "Build with Xcode 11.2.1 or later, or make the text view in code."),
    stop(
      "could not instantiate class named",
      meaning: "a nib or a storyboard names a class that is not in the app or in this system",
      advice: """
        Compare class and module in the Identity inspector with the code; a class of the system needs a later system, \
        or another setting in the nib, such as no Auto Layout.
        """),
    stop(
      "expected dequeued view to be returned",
      meaning: "a collection view was given another cell than the one that it had dequeued",
      advice: """
        Return the cell that cellForItemAt or the cell provider dequeues, and dequeue none elsewhere, as to measure it.
        """),
    stop(
      "-[nsnull ",
      meaning: "NSNull, which stands for null in JSON, was used as a value",
      advice: "Check for NSNull before the value is used: null in JSON becomes it."),
    stop(
      "doesnotrecognizeselector: -- abort",
      meaning: "a message was sent to an object whose class has no methods of NSObject",
      advice: """
        Look for code that walks over all classes of the runtime and sends them messages, often in a \
        library, and update it.
        """),
    stop(
      "unrecognized selector sent to", "doesnotrecognizeselector:", "___forwarding___",
      meaning: "an object received a message that its class does not have",
      advice: """
        Look at class and selector: a renamed method, a version without it, a value of another type, a freed object, \
        or a category without -ObjC.
        """),
    stop(
      "utf16view", "_toutf16offset", "string index is out of bounds",
      meaning: "a String.Index did not fit its text, as that of a selection",
      advice: """
        Take an index only from the text that it is used with: after each change compute the range anew, and set a \
        selection of TextField or TextEditor with its text.
        """),
    // Below the selectors, which an index may be asked of.
    stop(
      "beyond bounds", "index out of range", "out of bounds",
      "_checkinoutandnativetypecheckedbounds", "_checksubscript(", "objectatindex:]",
      "objectatindexedsubscript:]",
      meaning: "an index was outside its collection",
      advice: """
        Check the index against the count before the access, and look for what changes the collection \
        between the two.
        """),
    stop(
      "failed assertion ", "-[mtl", "-[_mtl",
      meaning: "a framework found a call that its rules do not allow, and stopped the app",
      advice:
        "Mend the call that the words name; those of Metal come from its validation in debug builds."
    ),
    stop(
      "assertion failed", "precondition failed",
      meaning: "a condition did not hold that the code asserts",
      advice: "Look at the condition in the line that the words name, and why it did not hold."),
    stop(
      "assertion failure in -[", "assertion failure in +[",
      meaning: "a condition did not hold that the code asserts",
      advice: """
        Read the line below it, which says why; the line of code in these words may be the framework's.
        """),
    stop(
      "attempt to insert nil", "object cannot be nil", "placeholderdictionary initwithobjects",
      "placeholderarray initwithobjects", "nsdictionarym setobject:",
      meaning: "nil was put into a collection",
      advice: "Check the value that the words name before it is put into the collection."),
    stop(
      "failed to obtain a cell from its datasource", "must return a cell from",
      meaning: "the data source of a table returned no cell",
      advice: """
        Return a cell on every path of tableView(_:cellForRowAt:), and register the class or the nib under \
        its identifier.
        """),
    stop(
      "not key value coding-compliant", "forundefinedkey:",
      meaning: "an object was asked for a property that it does not have",
      advice: "Look for an outlet in the storyboard, or a key path, that the class has no more."),
    stop(
      "could not load nib in bundle", "could not find a storyboard named",
      meaning: "a nib or a storyboard is not in the app",
      advice: "Add the file that the words name to the target, and compare its name by letter case."
    ),
    stop(
      "'try!' expression unexpectedly raised an error", "swift_unexpectederror",
      meaning: "a call threw an error where the code expects none",
      advice: "Use do and catch in place of try!, and handle the error that the words name."),
    stop(
      "could not cast value of type", "dynamiccastfailure",
      meaning: "a value was not of the type to which it was cast",
      advice: "Replace as! by as?, and look where the value of the other type comes from."),
    stop(
      "exc_bad_instruction", "exc_i386_invop", "exc_breakpoint", "exc_arm_breakpoint",
      "_assertionfailure(",
      meaning:
        "it ran into a trap, such as Swift sets for a nil, an index out of range or a fatalError",
      advice: """
        Look for an optional that is unwrapped, an index or a cast in the innermost frame that is not the system's. The \
        line of the console that begins with Fatal error names it.
        """),
    stop(
      "no observableobject of type", "no observable object of type",
      meaning: "a view read an object that no view above it gives to the environment",
      advice: "Give the object by environmentObject(_:) or environment(_:) to a view above."),
  ]
}
