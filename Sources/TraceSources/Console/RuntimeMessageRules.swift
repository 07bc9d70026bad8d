import LifecycleModel
import Run

/// What runtimes of languages, debuggers and testers print as the app's process stops.
///
///     Notes/Store.swift:12: Fatal error: no note
///     Fatal error: no note: file Notes/Store.swift, line 12
///     libc++abi: terminating due to uncaught exception of type std::out_of_range: vector
///     Could not cast value of type 'Swift.Int' (0x1) to 'Swift.String' (0x2).
///     ==412==ERROR: AddressSanitizer: heap-use-after-free on address 0x6030
///     Notes(412,0x16b6ef000) malloc: *** error for object 0x600: pointer being freed was not allocated
///     Thread 1: EXC_BAD_ACCESS (code=1, address=0x0)
///     * thread #1, queue = 'com.apple.main-thread', stop reason = signal SIGABRT
///     Got a SIGSEGV while executing native code.
///     LaunchTests.swift:24: error: -[UITests.LaunchTests testLaunch] : Notes crashed in Store.save()
///     App terminated due to signal 9.
///     dyld[412]: Library not loaded: @rpath/Charts.framework/Charts
extension MessageRules {
  /// The rules by which a line without a frame is known as the runtime's or the debugger's.
  static let ofRuntime = MessageRules([.app: runtimeRules])

  static let runtimeRules: [MessageRule] =
    [
      MessageRule("Exception Reason: {said}", exceptionInProse),
      MessageRule("|libc++abi*: terminating * exception of type {type}", uncaught),
      MessageRule("|libc++abi*: terminating {said}") { said in
        said.text("said").hasSuffix(" uncaught foreign exception")
          ? foretold(.ownEnd(said.line.behind(": ") ?? said.line)) : nil
      },
      MessageRule("|libc++abi*: terminate_handler unexpectedly threw an exception") {
        foretold(.ownEnd($0.line, signal: 6))
      },
      MessageRule("|terminating * exception of type {type}", uncaught),
      MessageRule("|Uncaught Kotlin exception: {type}", uncaught),
      // Unity's handler, and others.
      MessageRule("|Uncaught exception: {type}") { said in
        said.text("type").prefixMatch(of: exceptionName) == nil ? nil : uncaught(said)
      },
      // Up to iOS 5.
      MessageRule("terminate called throwing an exception") {
        .endForetold(.signal(6), $0.wordsOfLine)
      },
      MessageRule("terminate called after throwing an instance of '{type}'", uncaught),
      // Mono, of which Xamarin and .NET are made.
      MessageRule("Got a {signal:word} while executing native code", signalled),
      MessageRule("critical: Stacktrace:", ofMono),
      MessageRule("|Native stacktrace:", ofMono),
      MessageRule("|Unhandled managed exception: {said} ({type})", uncaughtInDotNet),
      MessageRule("|Unhandled managed exception: ") { foretold(.ownEnd($0.line)) },
      MessageRule("|Unhandled exception. {type}: {said}", uncaughtInDotNet),
      // .NET's debugger.
      MessageRule(
        "|An unhandled exception of type '{type}' occurred in *: '{said}'", uncaughtInDotNet),
      MessageRule("|Unhandled Exception: {type}: {said}", uncaughtInDotNet),
      MessageRule("|dyld*: Library not loaded: ") { stopped($0, by: "DYLD") },
      MessageRule("|dyld*: dependent dylib '") { stopped($0, by: "DYLD") },
      MessageRule("|dyld*: Symbol not found: ") { stopped($0, by: "DYLD") },
      MessageRule("|Library not loaded: ") { stopped($0, by: "DYLD") },
      MessageRule("|Symbol not found: ") { stopped($0, by: "DYLD") },
      MessageRule(
        "|Main Thread Checker: UI API called on a background thread: ", warns: .uiOffMain),
      MessageRule(
        "layout engine must not be performed from a background thread", warns: .uiOffMain),
      MessageRule("is modifying the autolayout engine from a background thread", warns: .uiOffMain),
      // The runtime of Swift 4 goes on, and later ones stop with a word of their own.
      MessageRule("|Simultaneous accesses to 0x") { said in
        said.message.contains("Fatal access conflict detected.")
          ? foretold(.ownEnd(said.line)) : complaint(said)
      },
      MessageRule(": error: -[*] : {app} crashed in ") {
        foretold(.ownEnd($0.line.behind("] : ")))
      },
      MessageRule(" encountered an error (*Crash: {app}: {said}") { foretold(.ownEnd($0.said)) },
      MessageRule("Test crashed with signal {signal:letters}", signalled),
      // Umeng.
      MessageRule("|Application received signal {signal:letters}") { said in
        said.signal.flatMap { signalled(said, said.message[said.before.endIndex..<$0.endIndex]) }
      },
      // Drivers of tests and development environments see no more than that the app is gone.
      MessageRule("The application under test with bundle id '{app}' is not running", gone),
      MessageRule("The app {app:id} has crashed") { $0.text("app").contains(".") ? gone($0) : nil },
      MessageRule("Application '{app}' has crashed", gone),
      MessageRule("|Lost connection to device.", warns: .connectionLost),
      MessageRule("mechanism: watchdog_termination", guessed),
      MessageRule("The OS watchdog terminated your app, possibly because it ", guessed),
      MessageRule("(Early unexpected exit, operation never finished bootstrapping", gone),
      MessageRule(
        "|Process finished with exit code *(interrupted by signal {signal:int}:", seenSignal),
      MessageRule("|Application terminated by signal *({signal:int})", seenSignal),
      // Without a debugger, `devicectl` prints how the app that it has started ended.
      MessageRule("|App terminated due to signal {signal:int}", seenSignal),
      MessageRule("|Terminated due to signal {signal:int}", seenSignal),
      MessageRule("|Process {pid:int} exited with status = {status:int}") { said in
        said.line.contains(" due to signal ")
          ? said.number("status").map { .endedUnderDebugger(.signal($0)) }
          : Int64(said.text("status")).map { .endedUnderDebugger(.exited($0)) }
      },
      // Xcode prints 9 for SIGKILL too, which its stop button sends.
      MessageRule("|Program ended with exit code: {status:word}") {
        Int64($0.text("status")).map {
          .endedUnderDebugger($0 == 9 ? .signal(9) : .exited($0))
        }
      },
      MessageRule("|Thread {number:int}: {stop}", stopped),
      // Xcode's words for an exception of Objective-C that nothing has caught.
      MessageRule(#"Thread {number:int}: [[Exception: ]]"{said}"#) { exceptionInXcode($0) },
      // Within a sentence a mark of code ends the words, and only Swift's own are known from the sentence's.
      MessageRule("Thread {number:int}: EXC_", citedStop),
      MessageRule("Thread {number:int}: signal SIG", citedStop),
      MessageRule("Thread {number:int}: Fatal error: ") { said in
        let words = said.message[said.before.endIndex...].behind("Fatal error: ")
        let own = ownWords.first { words?.starts(with: $0) == true }
        return own.flatMap { stopped(Array("Fatal error: \($0)".utf8)[...].trimmedEnd, said) }
      },
      // Behind the name and the number of a thread.
      MessageRule("): EXC_") { said in
        said.before.last?.isDigit == true
          ? stopped(said.message[said.before.endIndex...].dropFirst(3).line, said) : nil
      },
      MessageRule("|Unexpectedly found nil while unwrapping an Optional value: ") { said in
        isPlaced(atEndOf: said.line) ? stopped(said.line, at: nil) : nil
      },
      MessageRule("EXC_RESOURCE RESOURCE_TYPE_MEMORY (limit=") { said in
        .warned(.memoryLimit, "limit=" + said.rest.prefix(longestName).before(")").text)
      },
      MessageRule(
        "Exception '{said}' was thrown while invoking {name} on target ", warns: .moduleException),
      MessageRule(" seconds cpu time over {said}") { said in
        said.line.contains(" exceeding limit of ")
          ? .warned(.resourceLimit, said.wordsOfLine) : nil
      },
      MessageRule("|thread #*stop reason = {stop}", stopped),
      MessageRule(#"|\* thread #*stop reason = {stop}"#, stopped),
      MessageRule(
        "This app has crashed because it attempted to access privacy-sensitive data without a "
          + "usage description"
      ) { stopped($0, by: "TCC") },
      // An assertion in C, such as those of Metal.
      MessageRule(": failed assertion `", assertion),
      // Metal's words before that.
      MessageRule("], line {number:int}: error '") {
        $0.before.contains("MTL") ? assertion($0) : nil
      },
      MessageRule("BUG IN CLIENT OF LIB{library:letters}: ") { said in
        foretold(
          .ownEnd(
            said.message[said.before.endIndex...].line.droppingEnd { "\"'`* ".utf8.contains($0) }))
      },
      // As people cite it, without the words before it.
      MessageRule("|-[{name}]: unrecognized selector sent to ") { said in
        var end = Termination.uncaught("NSInvalidArgumentException", reason: said.line.text)
        end.isCited = true
        return uncaught(end)
      },
      MessageRule("this class is not key value coding-compliant for the key {key:id}") { said in
        let isOwn = said.before.trimmedEnd.suffix(2).text == "]:"
        guard isOwn || said.line.contains(" crashes with ") else { return nil }
        let words = "this class is not key value coding-compliant for the key \(said.text("key"))"
        return uncaught(
          .uncaught("NSUnknownKeyException", reason: isOwn ? said.line.text : words))
      },
      // A line that somebody has copied out of a JetsamEvent.
      MessageRule("|reason: per-process-limit") { said in
        let rest = said.rest.line.drop { $0 <= 0x20 }
        return rest.isEmpty || rest.starts(with: "rpages")
          ? .endForetold(.jetsam(7), said.line.trimmedEnd.text) : nil
      },
      MessageRule("is killed by jetsam (") { said in
        let cause = said.rest.prefix { $0.isLetter || $0 == "-" }.text
        return ExitNamespace.jetsamCode(cause).map {
          .endForetold(.jetsam($0), said.wordsOfLine)
        }
      },
    ]
    + lastLines.map { pattern, signal in
      MessageRule(pattern) { foretold(.ownEnd($0.line, signal: $0.number("signal") ?? signal)) }
    }
    + fatalWords.map { MessageRule("|\($0): ") { lastWord($0.line) } } + [
      MessageRule(".swift:") { lastWord($0.line) },
      // Nothing but the process stands before malloc's own words.
      MessageRule(#"malloc: \*\*\* error for object "#) { said in
        let name = said.line[..<said.before.endIndex].text
        guard name.isEmpty || name.hasSuffix(") ") else { return nil }
        // A process of 32 bits goes on.
        return name.contains(narrowThread) ? complaint(said) : foretold(.ownEnd(said.line))
      },
    ]

  /// The lines that say by themselves that the process stops, and by which signal if the line or its runtime says it.
  private static let lastLines: [(pattern: String, signal: UInt64?)] = [
    ("Failed to load AOT module '*' while running in aot-only mode", 6),
    // Unity's, and another tool's.
    ("|Caught fatal signal - signo:{signal:int}", nil), ("Signal {signal:int} was raised", nil),
    (": message sent to deallocated instance ", nil), ("|Fatal access conflict detected.", nil),
    ("Index out of range: file Swift/", nil),
    ("Killing app because it never posted an incoming call to the system", 6),
    ("|=={pid:int}==ERROR: AddressSanitizer: ", nil),
    ("|Could not cast value of type '*) to '", nil),
    ("|failed assertion {said} at /", 6),
    ("does not implement doesNotRecognizeSelector: -- abort", 6),
    // Bugsnag's words.
    ("|EXC_BAD_ACCESS Attempted to dereference ", nil),
  ]

  /// The name of an exception of a language or of Apple's frameworks: an app's own may have been handled.
  private nonisolated(unsafe) static let exceptionName =
    #/(?:(?:kotlin|System)\.[\w.]*(?:Exception|Error)|(?:NS|UI|CA)\w*Exception): /#

  /// The words by which Swift's runtime says that it stops.
  private static let fatalWords = [
    "Fatal error", "Precondition failed", "Assertion failed", "fatal error",
  ]
  /// The address of a thread of a process of 32 bits.
  private nonisolated(unsafe) static let narrowThread = #/,0x[0-9a-f]{1,8}\) $/#
  /// What the runtime says itself; an app may print other words behind "Fatal error", and go on.
  private static let ownWords = [
    "Unexpectedly found nil while ", "Index out of range", "'try!' expression unexpectedly raised",
    "unexpectedly found nil while ", "Array index out of range", "Division by zero",
    "Dictionary literal contains duplicate keys", "Duplicate keys of type ",
    "No ObservableObject of type ", "No observable object of type ",
  ]
  /// Other words with which Xcode and LLDB say why they stopped at a crash.
  private static let wordsOfStop = [
    "Simultaneous accesses to 0x", "Swift runtime failure: arithmetic overflow",
    "Swift runtime failure: Index out of range", "Swift runtime failure: Unexpectedly found nil",
    "Swift runtime failure: Array index is out of range", "Swift runtime failure: division by zero",
  ]
  private static let place = MessagePattern(".swift:{number:int}: {said}")
  private static let placeInSwift = MessagePattern(": file {file}.swift, line {number:int}")
  private static let placeInC = MessagePattern(", function *, file *, line {digits}")

  /// An end, with the frames of its thread that may stand in the lines below its words.
  private static func foretold(
    _ end: Termination, _ said: ArraySlice<UInt8>? = nil, stack: ArraySlice<UInt8> = []
  ) -> ConsoleStatement {
    var end = end
    let frames = ReportFrame.withoutReporter(ReportFrame.all(in: stack))
    let words = said?.prefix(longestName).text ?? end.reason ?? ""
    let isBadAccess = end.reason?.hasPrefix("EXC_BAD_ACCESS") == true
    let user = isBadAccess ? frames.first?.userOfObject(at: end.reason) : nil
    if let cause = frames.first(where: { $0.shows(.nameOfCause) || $0.shows(.nameOfStop) }) ?? user
    {
      end.reason = cause.name
    }

    // TCC aborts a process that uses protected data without a usage description in its Info.plist.
    if end.kind == Termination.signal(6).kind,
      frames.prefix(4).contains(where: { $0.image == "TCC" })
    {
      end.kind = .killed(namespace: "TCC", code: nil)
    }
    end.take(stack: frames, isThrown: end.exception != nil)
    let place = ReportFrame.text(of: ReportFrame.shown(frames, ReportDraft.framesKept))
    return .endForetold(end, frames.isEmpty ? words : "\(words): it crashed in \(place)")
  }

  /// An end by words after which the process goes on, unless something else shows an end.
  private static func complaint(_ said: Said) -> ConsoleStatement {
    var end = Termination.ownEnd(said.line)
    end.isComplaint = true
    return foretold(end)
  }

  /// An assertion in C, whose words may go on in the next line.
  private static func assertion(_ said: Said) -> ConsoleStatement {
    let words = said.message[said.line.startIndex...].prefix(longestName)
    let isOpen = !said.rest.line.contains(UInt8(ascii: "'"))
    let lines = words.split(separator: 0x0a).prefix(isOpen ? 2 : 1).map { $0.trimmedEnd.text }
    return foretold(.ownEnd(lines.joined(separator: " ").slice, signal: 6))
  }

  /// An end that a tool has noticed, and whose way it does not know.
  private static func gone(_ said: Said) -> ConsoleStatement? {
    .endForetold(.gone, said.wordsOfLine)
  }

  /// An end at which Sentry guesses at the next launch.
  private static func guessed(_ said: Said) -> ConsoleStatement? {
    .endForetold(.gone, ReportTitle.watchdogGuess)
  }

  /// Mono prints stacks as it handles a signal.
  private static func ofMono(_ said: Said) -> ConsoleStatement? {
    var end = Termination.signal(nil)
    end.isFatalError = true
    return .endForetold(end, said.wordsOfLine)
  }

  /// An end by a part of the system that keeps codes of its own, in the words of the line.
  private static func stopped(_ said: Said, by namespace: String) -> ConsoleStatement? {
    var end = Termination.ownEnd(said.message[said.before.endIndex...].line)
    end.kind = .killed(namespace: namespace, code: nil)
    return foretold(end)
  }

  /// Takes a signal by its name or a part of it: `SIGSEGV`, `segv`.
  private static func signalled(_ said: Said) -> ConsoleStatement? {
    // Mono's words go on in the next line.
    signalled(said, said.message[said.before.endIndex...].line.before(". This usually "))
  }

  private static func signalled(_ said: Said, _ words: ArraySlice<UInt8>) -> ConsoleStatement? {
    let name = said.text("signal").uppercased()
    guard let number = DarwinSignal.number(named: name.hasPrefix("SIG") ? name : "SIG" + name)
    else { return nil }
    return foretold(.ownEnd(words, signal: number), stack: said.message)
  }

  /// Takes the number of a signal that a tool saw end the app: its own stop is SIGKILL, too.
  static func seenSignal(_ said: Said) -> ConsoleStatement? {
    said.number("signal").map { .endedUnderDebugger(.signal($0)) }
  }

  private static func uncaught(_ said: Said) -> ConsoleStatement? {
    let said = (said.type ?? []).prefix(longestName)
    let type = said.before(": ")
    if type.isEmpty { return nil }
    return uncaught(.uncaught(type.text, reason: said.behind(": ")?.text))
  }

  /// An exception of .NET, whose frames stand in the lines below.
  private static func uncaughtInDotNet(_ said: Said) -> ConsoleStatement? {
    let type = said.text("type")
    // Dart prints such words, too, without a namespace, and goes on.
    guard type.hasSuffix("Exception") || type.hasSuffix("Error"), type.contains("."),
      !type.contains(" ")
    else { return nil }

    let words = said.message.firstRange(of: type).map { said.message[$0.upperBound...].line }
    let rest = words?.dropping(prefix: ": ") ?? said.said ?? []
    var end = Termination.uncaught(
      type, reason: rest.prefix(longestName).line.trimmedEnd.text)
    end.take(stack: ReportFrame.all(in: said.message), isThrown: true)
    return uncaught(end)
  }

  /// The end by what an app says that nothing has caught.
  static func uncaught(_ end: Termination) -> ConsoleStatement {
    .endForetold(end, "uncaught exception " + (end.exception ?? ""))
  }

  /// A quotation mark that closes, with the character before it.
  private nonisolated(unsafe) static let closingQuote = #/[^\\]"(?=$|[\s.,;:)`*])/#

  /// How the reasons of exceptions of UIKit and Foundation begin, beside the name of a method.
  private static let openings = [
    "[<", "Application tried to ", "Attempt to ", "Attempted to ", "attempt to ", "Can't ",
    "Cannot ", "Could not ", "Invalid ", "Modifications to ", "Unable to ", "UI", "NS",
  ]

  /// Takes `"-[Note save]: unrecognized selector sent to instance 0x600"`, where Xcode has no name of the exception.
  ///
  /// An app may print a thread and words in quotes, too: the words must be the runtime's own, or alone on their line begin
  /// as those of UIKit and Foundation do.
  private static func exceptionInXcode(_ said: Said) -> ConsoleStatement? {
    let words = (said.said ?? []).line.text
    guard let end = words.firstMatch(of: closingQuote)?.range else { return nil }
    let close = words.index(before: end.upperBound)
    let reason = String(words[..<close])

    let isOfRuntime = [": unrecognized selector sent to ", "*** -[", "*** +["]
      .contains(where: reason.contains)
    let isAlone = said.before.isEmpty && end.upperBound == words.endIndex
    let isOfUIKit = isAlone && openings.contains(where: reason.hasPrefix)
    let around = [said.before, String(words[end.upperBound...]).slice]
    guard isOfRuntime || isOfUIKit, !reason.hasSuffix("from main thread only"),
      !around.contains(where: LooseSentences.isDenied)
    else { return nil }
    return foretold(.ownEnd(reason.slice, signal: 6))
  }

  /// Takes `NSInternalInconsistencyException Reason: …`, as somebody or a bridge to another language cites it.
  private static func exceptionInProse(_ said: Said) -> ConsoleStatement? {
    let word = said.before.suffix(64).reversed().prefix { $0.isLetter }.reversed()
    let name = Array(word)[...].text + "Exception"
    guard name.hasPrefix("NS") else { return nil }
    let words = said.said?.line.prefix(longestName).before("\"")
    return uncaught(.uncaught(name, reason: words?.text))
  }

  /// Modules whose lines the runtime names as it stops an app: they are none of the app's.
  private static let modulesOfSystem: Set = [
    "Combine", "Foundation", "FoundationEssentials", "Swift", "SwiftData", "SwiftUI", "SwiftUICore",
    "_Concurrency", "_StringProcessing",
  ]

  /// Reads Swift's last word; `nil` when the line is somebody else's.
  private static func lastWord(_ line: ArraySlice<UInt8>) -> ConsoleStatement? {
    let place = place.read(line).flatMap { $0.before.contains(": ") ? nil : $0 }
    let words = place?.said ?? line
    guard let word = fatalWords.first(where: { words.starts(with: $0) }) else { return nil }
    let rest = words.dropFirst(word.utf8.count)
    if let said = rest.dropping(prefix: ": ") {
      guard
        place != nil || ownWords.contains(where: { said.starts(with: $0) })
          || isPlaced(atEndOf: words)
      else { return nil }
    } else if place == nil || !rest.isEmpty {
      return nil
    }
    return stopped(line, at: place)
  }

  /// The end by these words of Swift's runtime, in a line of code that stands before them or, up to Swift 5.3, behind.
  private static func stopped(_ line: ArraySlice<UInt8>, at place: Said?) -> ConsoleStatement {
    var end = Termination.ownEnd(line)
    let stated = place.map { ($0.before.text, $0.text("number")) }
    let older = placeInSwift.read(line).map { ($0.text("file"), $0.text("number")) }
    if let (file, number) = stated ?? older {
      let module = file.prefix { $0 != "/" }
      // The system's builds have folders of their own.
      let isOfSystem =
        module != file && modulesOfSystem.contains(String(module))
        || ["com.apple.xbs", "/stdlib/public/", "/BuildRoot/"].contains(where: file.contains)
      end.place = isOfSystem ? nil : "\(file).swift:\(number)"
    }
    return foretold(end)
  }

  /// Whether the bytes end in `: file Notes/Store.swift, line 12`, or in C's
  /// `, function save, file Store.m, line 12.`.
  private static func isPlaced(atEndOf bytes: ArraySlice<UInt8>) -> Bool {
    if bytes.last == ".", let said = placeInC.read(bytes) {
      return said.digits.map { $0.dropLast().digits.count == $0.count - 1 } ?? false
    }
    return bytes.last.map { $0.isDigit } == true && placeInSwift.read(bytes) != nil
  }

  /// Reads why a debugger has stopped the process: a breakpoint and a pause are no crash.
  private static func stopped(_ said: Said) -> ConsoleStatement? {
    said.stop.flatMap { stopped($0, said) }
  }

  private static func citedStop(_ said: Said) -> ConsoleStatement? {
    said.message[said.before.endIndex...].behind(": ").flatMap {
      stopped($0.line.before("`"), said)
    }
  }

  private static func stopped(_ words: ArraySlice<UInt8>, _ said: Said) -> ConsoleStatement? {
    if words.starts(with: "EXC_RESOURCE") {
      let isMemory = words.contains("RESOURCE_TYPE_MEMORY")
      return .warned(isMemory ? .memoryLimit : .resourceLimit, words.prefix(longestName).line.text)
    }
    if let name = words.dropping(prefix: "signal ") {
      let crashes: Set<UInt64> = [4, 5, 6, 8, 10, 11, 12]
      guard let number = DarwinSignal.number(named: name.prefix(while: \.isLetter).text),
        crashes.contains(number)
      else { return nil }
      // The signal is all that these words say.
      var end = Termination.ownEnd(words, signal: number)
      end.reason = nil
      return foretold(end, words, stack: said.message)
    }
    let isCrash = (MachException.fatal + fatalWords.map { $0 + ": " } + wordsOfStop).contains {
      words.starts(with: $0)
    }
    guard isCrash else { return nil }

    // Behind the exception and its numbers somebody's sentence may go on.
    let isException = words.starts(with: "EXC_")
    let close = isException ? words.firstIndex(of: UInt8(ascii: ")")) : nil
    let own = words[..<(close.map { $0 + 1 } ?? words.endIndex)]
    return foretold(
      .ownEnd(isException ? own.droppingEnd { $0 == "." } : own), stack: said.message)
  }
}

extension Termination {
  /// An end by a signal, in the words of the process itself.
  static func ownEnd(_ words: ArraySlice<UInt8>?, signal number: UInt64? = nil) -> Termination {
    let words = (words ?? []).drop { $0 <= 0x20 }.prefix(MessageRules.longestName)
    var end = signal(number, reason: words.text)
    end.isFatalError = true
    return end
  }
}
