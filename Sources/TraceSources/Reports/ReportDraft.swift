import LifecycleModel
import Run
import TraceText

/// What was read of one report so far, in its own words; made a ``TerminationReport`` at its end.
struct ReportDraft {
  var report: TerminationReport
  /// An end that the reader knows by other words than those below.
  var known: Termination?
  /// In which lines keys of text stand.
  var lines: [String: Int] = [:]
  /// What kind of report its number says that it is.
  var bugType: String?
  /// Who keeps the code of the termination, and the code, as they stand.
  var (namespace, code): (String?, String?)
  /// The lines that explain the termination.
  var reasons: [String] = []
  /// The heading of the termination as text has it, without its key.
  var heading: String?
  /// `EXC_CRASH`, or `00000020` up to iOS 9.2.
  var exceptionType: String?
  /// The line of text that has both, without its key.
  var exceptionLine: String?
  /// `SIGKILL`.
  var exceptionSignal: String?
  /// Up to iOS 9.2 the code of the termination stands there.
  var exceptionCodes: String?
  /// What stands beside the type: a limit, or an address.
  var exceptionDetail: String?
  /// What the kernel says of a bad access: `KERN_INVALID_ADDRESS at 0x0000000000000004`.
  var fault: String?
  /// What the memory is at the address of a bad access, where that explains it: `STACK GUARD`.
  var region: String?
  /// `EXC_CORPSE_NOTIFY`, or words that it is no crash.
  var exceptionNote: String?
  /// Whether the process did not answer the system at its launch.
  var isLaunchHang = false
  static let launchHang = "LAUNCH_HANG"
  /// Whether the report itself says that its condition was not fatal, or simulated.
  var isNonFatal = false
  /// The code of the system that somebody's words above a report of SIGKILL name.
  var namedCode: UInt64?
  /// Whether an SDK recorded an exception that need not have ended the app.
  var isRecorded = false
  /// Whether there is nothing but a stack that threw.
  private var isThrowAlone = false
  /// The name of the group of processes, which is that of another app where this one was started by it.
  var coalition: String?
  /// The path of the executable.
  var path: String?
  /// The name of the process that ended this one.
  var terminator: String?
  /// Whether an SDK's word for a crash stands above the frames, which the system uses for kills, too.
  var isOfSDK = false
  /// Whether a language exception has a backtrace of its own.
  var hasExceptionBacktrace = false
  /// Whether the text ends behind the frames of the thread that crashed.
  var endsInStack = false
  /// The name and the words of the language exception.
  var (exceptionName, exceptionWords): (String?, String?)
  /// The innermost frames of threads, by the numbers of these.
  var frames: [Int: [ReportFrame]] = [:]
  /// The threads that run the queue on which expo-updates throws an error again.
  var recoveryThreads: Set<Int> = []
  static let recoveryQueue = "expo.controller.errorRecoveryQueue"
  /// What the app itself or its runtime had said.
  var information: [String] = []
  /// What a report about a limit says: the limit, the numbers, and what was done.
  var (limit, usage, action): (String?, String?, String?)

  /// How long the main thread did not respond, in a report about a hang.
  var duration: String?
  /// The version and the build of the app, in the order that the system's version decides.
  var releaseText: String?
  /// What a list of processes says beside it: the largest of them, and the bytes of a page.
  var (largest, pageSize): (String?, UInt64?)

  init(_ form: ReportForm) { report = TerminationReport(form) }

  /// The most frames that are kept of a thread, and that are read: a crash reporter's stand above them.
  static let (framesKept, framesRead) = (5, 128)
  /// The threads from the first on whose frames are looked at.
  static let mostThreads = 512
  /// The number under which the frames stand that threw a language exception.
  static let throwing = -2

  /// The most lines that are kept of what the app had printed.
  static let longestInformation = 64

  /// Whether the build stands before the version, as in crash reports up to iOS 14; `nil` without the system's
  /// version.
  ///
  /// In a report about a limit or of an SDK, and on other systems, it never does.
  var isBuildFirst: Bool? {
    if limit != nil || usage != nil { return false }
    // PLCrashReporter, which names a signal alone, writes the version first on every system.
    if exceptionSignal != nil, exceptionType == nil { return false }
    guard let major = report.os.flatMap({ Int($0.prefix { $0.isNumber }) }) else { return nil }
    switch report.platform {
    case "ios", "ipados", "tvos": return major < 15
    case "watchos": return major < 8
    default: return report.platform == nil && major < 15
    }
  }

  /// Drops the frames of a thread that is neither the main one, nor one that crashed, nor one that locks files or
  /// shows why another has crashed.
  mutating func dropFrames(of thread: Int) {
    if thread <= 0 || thread == report.crashedThread { return }
    let isKept = frames[thread]?.contains { $0.shows(.lock) || $0.shows(.nameOfCause) } == true
    if !isKept { frames[thread] = nil }
  }

  /// Takes the name of a thread's queue, perhaps behind other words.
  mutating func take(queue name: String, of thread: Int) {
    let queue = name.split(separator: " ").last ?? ""
    if queue == Self.recoveryQueue { recoveryThreads.insert(thread) }
  }

  /// Whether an end or a limit was read.
  var saysEnd: Bool {
    namespace != nil || heading != nil || exceptionType != nil || limit != nil || !reasons.isEmpty
  }

  /// What the report says.
  func finished() -> TerminationReport {
    var draft = self
    // The stack that crashed may be that which threw; one without a head may have been caught.
    if frames[Self.throwing] == nil, crashedFrames.prefix(8).contains(where: \.isThrow) {
      draft.frames[Self.throwing] = crashedFrames
      draft.isThrowAlone = !saysEnd && known == nil && exceptionSignal == nil && !isOfSDK
    }
    // An app may have the name of a framework.
    if let process = report.process, !isOfSystem {
      draft.frames = draft.frames.mapValues { list in
        list.map { $0.image == process && $0.isOfApple ? $0.ofApp : $0 }
      }
    }
    draft.known = known ?? draft.shownCrash
    draft.frames = draft.frames.mapValues { ReportFrame.withoutReporter($0) }

    // The runtime calls such a handler where nothing has caught an exception.
    let isUncaught = crashedFrames.contains { frame in
      ["FIRCLSTerminateHandler", "CLSTerminateHandler"].contains(where: frame.name.hasPrefix)
    }
    draft.isRecorded = isRecorded && !isUncaught
    if draft.isRecorded || isLive { draft.report.crashedThread = nil }
    draft.isNonFatal = isNonFatal || isLive
    // Sentry says it so.
    let isOpen = !saysEnd && exceptionSignal == nil && known == nil
    if isOpen, let hang = information.first(where: { $0.hasPrefix("App hanging for ") }) {
      draft.take(hang: hang.slice)
    }
    if draft.report.bundle == nil, let coalition, coalition.contains("."),
      draft.report.process.map({ coalition.hasSuffix("." + $0) }) ?? true
    {
      draft.report.bundle = coalition
    }
    // Of a report about processor time the limit may have been left out.
    if limit == nil, usage?.contains(" cpu time over ") == true { draft.limit = "cpu usage" }
    return draft.made()
  }

  private func made() -> TerminationReport {
    var report = report
    let thrown = ReportFrame.thrown(frames[Self.throwing] ?? [])
    let app = report.process
    report.throwingFrames = ReportFrame.shown(thrown, Self.framesKept, of: app)
    // SIGKILL comes from outside, and so does the end that KSCrash makes of a deadlock: no thread has crashed.
    let isOfOutside =
      exceptionSignal == "SIGKILL" || exceptionType == "00000020"
      || exceptionType == nil && (termination ?? known)?.isOfWatcher == true
    if isOfOutside && !isCrashCutShort || known == .deadlock { report.crashedThread = nil }
    let isOfIdleThread = isOfIdleThread
    let crashed = isOfIdleThread ? nil : report.crashedThread
    let crashedFrames = crashed.flatMap { frames[$0] } ?? []
    let main = isOfIdleThread && report.crashedThread == 0 ? [] : frames[0] ?? []
    let wait = report.crashedThread == 0 ? nil : ReportFrame.wait(in: main)
    report.mainWait = wait?.words
    report.mainFrames = ReportFrame.shown(wait?.callers ?? main, Self.framesKept, of: app)
    if report.crashedThread != 0 {
      report.crashedFrames = ReportFrame.shown(crashedFrames, Self.framesKept, of: app)
    }
    let isThrown = exceptionName != nil || hasExceptionBacktrace
    report.isCrashForeign = !isThrown && (isOfSystem || ReportFrame.isForeign(crashedFrames))
    report.end = end
    report.isCrashCut = isCut(before: report.end)

    if var end = report.end {
      explain(&end, &report)
      end.take(
        stack: thrown.isEmpty ? crashedFrames : thrown, isThrown: !thrown.isEmpty,
        of: report.process)
      report.end = end
      report.allowance = Self.allowance(in: end.reason)
      addRemarks(end, to: &report)
    } else {
      report.notes.append(reasonOfNoDeath)
    }
    // It has what names the process, and nothing of its end.
    let isHeadAlone =
      saysNoEnd && exceptionType == nil && frames.isEmpty && information.isEmpty
    let isStackAlone = saysNoEnd && !saysEnd && !frames.isEmpty
    if report.end == nil, isHeadAlone || isStackAlone {
      let words = report.remarks.first {
        isStackAlone && ($0.contains("thread ") || $0.contains(" thrown in "))
      }
      report.warnings.append(
        ReportWarning(warning: .cutReport, words: words ?? ""))
    }
    if limit == "hang" {
      let frames = report.mainFrames.isEmpty ? report.crashedFrames : report.mainFrames
      // Where `main` stands first, the frames stand in the other order.
      let isOrdered = frames.first.map { !$0.isEntry } ?? false
      let place = isOrdered ? "it was in " + ReportFrame.text(of: frames) : nil
      let words = [duration.map { "for \($0)" }, report.mainWait, place].compactMap(\.self).joined(
        separator: "; ")
      report.warnings.append(ReportWarning(warning: .hang, words: words))
    } else if let limit, report.end == nil {
      report.warnings.append(
        ReportWarning(warning: .resourceLimit, words: limitWords(limit)))
    } else if isOfResource, !isNoCrash, report.end == nil {
      let words = [exceptionType, exceptionDetail].compactMap(\.self).joined(separator: " ")
      report.warnings.append(ReportWarning(warning: .resourceLimit, words: words))
    }
    noteMisread(in: &report)
    return report
  }

  // MARK: The end

  /// How the process ended; `nil` when nothing says that it did.
  private var end: Termination? {
    if isNoCrash { return nil }
    if isStoppedByDebugger { return .killed(reason: Termination.debugger) }
    if isCrashCutShort, let exceptionType {
      let words = [fault, termination?.reason].compactMap(\.self).joined(separator: "; ")
      return MachException.end(named: exceptionType, words.isEmpty ? nil : words)
    }
    if let end = termination ?? known { return end }
    if let limit {
      return action?.lowercased().contains("killed") == true ? limitEnd(limit) : nil
    }
    if exceptionType == "00000020" || exceptionType == "0x20" { return oldEnd }
    if isOfResource { return nil }
    if exceptionSignal == "SIGKILL", let namedCode { return .killed(nil, namedCode) }
    // A handler of the app's runtime may have called abort() where the processor stopped it.
    if exceptionSignal == "SIGABRT", let exceptionType, MachException.faults.contains(exceptionType)
    {
      return MachException.end(named: exceptionType, fault)
    }
    if let number = exceptionSignal.flatMap({ DarwinSignal.number(named: $0) }) {
      let isOfSigning = number == 9 && fault.map(Self.isOfSigning) == true
      return isOfSigning ? .killed("CODESIGNING", reason: fault) : .signal(number)
    }
    if let end = information.lazy.compactMap({ TerminationText.expiredAssertions($0.slice) }).first
    {
      return end
    }
    // What the app itself had said as it stopped.
    if information.contains(where: { $0.contains("uncaught exception '") }) { return .signal(6) }
    if information.contains(where: Self.isFatal) { return .signal(nil) }
    // The type alone says that it crashed; what stands behind it and is no signal is damaged.
    guard exceptionLine == nil || exceptionLine == exceptionType, let exceptionType,
      MachException.fatal.contains(exceptionType)
    else { return nil }
    return MachException.end(named: exceptionType, fault ?? exceptionDetail)
  }

  /// Whether the app had crashed, and the watchdog ended it while the crash was handled.
  private var isCrashCutShort: Bool {
    guard exceptionSignal == "SIGKILL", MachException.faults.contains(exceptionType ?? ""),
      case .killed(_, KillCode.watchdog)? = termination?.kind
    else { return false }
    return true
  }

  /// Whether it is text of a crash with this end, and ends before the frames of what crashed.
  private func isCut(before end: Termination?) -> Bool {
    let isText = report.form == .crashText
    guard isText || report.form == .ips && report.crashedThread != nil,
      case .killed("SIGNAL", let signal)? = end?.kind, signal != 9,
      report.crashedThread != TerminationReport.unnumbered, frames[Self.throwing]?.isEmpty ?? true
    else { return false }
    // Of a stack at the end of a text that was cut, only the way may be left on which the process ended.
    let frames = frames[report.crashedThread ?? 0] ?? []
    let isOnWay =
      isText && endsInStack
      && frames.allSatisfy { $0.isWayToEnd && !$0.isKnownOfApp || $0.isAssertion }
    return !hasExceptionBacktrace && (isOfIdleThread || frames.isEmpty || isOnWay)
  }

  /// Whether the frames of the thread that crashed are of one that waited for messages, where no processor raises a
  /// signal: they were taken at another moment.
  private var isOfIdleThread: Bool {
    guard let signal = exceptionSignal.flatMap({ DarwinSignal.number(named: $0) }) else {
      return false
    }
    return DarwinSignal.ofProcessor.contains(signal)
      && crashedFrames.first?.name.hasPrefix("mach_msg") == true
  }

  /// The frames of the thread that crashed.
  var crashedFrames: [ReportFrame] { report.crashedThread.flatMap { frames[$0] } ?? [] }

  /// The end that frames show under a heading that says so: of a thread that crashed, of an exception.
  private var shownCrash: Termination? {
    guard exceptionSignal == nil, exceptionType == nil, limit == nil else { return nil }
    if isThrowAlone { return nil }
    if let frames = frames[Self.throwing], !frames.isEmpty { return .signal(6) }
    // The system calls the main thread crashed also where it has killed the app.
    let crashed = crashedFrames
    let isCrash =
      isOfSDK && !crashed.isEmpty || crashed.contains { $0.shows(.stop) || $0.isAssertion }
    let isAbort = crashed.contains { $0.name.hasSuffix("abort") || $0.name.contains("terminate") }
    return isCrash ? .signal(isAbort ? 6 : nil) : nil
  }

  /// Whether the report itself says that it is of no crash.
  private var isNoCrash: Bool {
    bugType == "308" || isNonFatal || isRecorded
      || exceptionNote?.lowercased().contains("not a crash") == true
  }

  /// Whether a reporter wrote the report while the app ran, as one that watches for hangs does.
  private var isLive: Bool {
    !hasExceptionBacktrace && exceptionName == nil && frames[Self.throwing] == nil
      && crashedFrames.prefix(2).contains { $0.name.contains("PLCrashReporter generateLiveReport") }
  }

  /// Whether a debugger took the process away: Stop in Xcode does.
  private var isStoppedByDebugger: Bool {
    guard terminator == "debugserver" || terminator == "lldb" else { return false }
    return termination.map { $0.kind == Termination.signal(9).kind }
      ?? (exceptionSignal == "SIGKILL")
  }

  /// Takes the title of a hang, such as `App hanging for at least 2000 ms`.
  mutating func take(hang title: ArraySlice<UInt8>) {
    limit = "hang"
    duration = title.behind("App hanging for ").map { $0.before(".").text }
  }

  /// Takes `(SIGKILL)`, also cut, or `SIGKILL (Code Signature Invalid)`, whose words are the reason.
  mutating func take(signal text: String) {
    let plain = text.filter { $0 != "(" && $0 != ")" }
    if text.first == "(", text.last != ")", let signal = DarwinSignal.name(beginning: plain) {
      return exceptionSignal = signal
    }
    // `SIGKILL - CODESIGNING`.
    let parts = plain.split(separator: " ").map(String.init)
    if parts.count == 3, parts[1] == "-", ExitNamespace.isName(parts[2]) {
      exceptionSignal = parts[0]
      known = .killed(parts[2])
      return
    }
    let invalid = "Code Signature Invalid"
    guard plain.hasSuffix(invalid) else { return exceptionSignal = plain }
    // Up to iOS 12 no signal stands before it.
    exceptionSignal = plain.count > invalid.count ? String(plain.dropLast(invalid.count + 1)) : nil
    known = .killed("CODESIGNING", reason: invalid)
  }

  /// Takes the number of a signal, which is no code of a termination.
  mutating func takeSignal() {
    defer { code = nil }
    guard let code else { return }
    if let number = UInt64(code), DarwinSignal.isKnown(number) {
      exceptionSignal = DarwinSignal.name(number)
    } else {
      report.noteMisread(code, at: "signal")
    }
  }

  /// What the kernel says of a bad access at the beginning of the codes of an exception; `nil` of other codes.
  static func fault(in text: String) -> String? {
    let form =
      #/(?:(?:KERN|BUS|SEGV|EXC_ARM)_\w+|EXC_I386_GPFLT|UNKNOWN_0x32)(?:(?: at|:) 0x[0-9a-f]+)?(?: -> 0x[0-9a-f]+)?(?: \([^)]*\))?|0x00000032, 0x[0-9a-f]+/#
    return text.prefix(256).prefixMatch(of: form).map { String($0.0) }
  }

  /// Takes the mark at the region of an address: `--->  STACK GUARD  16f204000-16f208000`.
  mutating func take(region line: some StringProtocol) {
    if line.hasPrefix("--->"), line.uppercased().contains("STACK GUARD") { region = "STACK GUARD" }
  }

  /// Whether the kernel found a page of code that its signature does not fit.
  private static func isOfSigning(_ fault: String) -> Bool {
    ["KERN_CODESIGN_ERROR", "UNKNOWN_0x32", "0x00000032"].contains { fault.hasPrefix($0) }
  }

  /// Whether the process is one of the system's own.
  private var isOfSystem: Bool {
    let isBelow = path.map(ReportFrame.isOfSystem) ?? false
    // A process of the system may have loaded somebody's plugin.
    return isBelow && !crashedFrames.contains(where: \.isKnownOfApp)
  }

  private var isOfResource: Bool { exceptionType?.hasPrefix("EXC_RESOURCE") == true }

  /// What the termination says, in JSON or in text.
  private var termination: Termination? {
    let words = reasons.joined(separator: "\n")
    let headed = heading.flatMap { TerminationText.end(headed: $0, words) }
    if let end = headed ?? coded(words) {
      // Where the signal's number is left out, the type of the exception has it.
      return end.kind == Termination.signal(0).kind ? nil : withWords(end)
    }
    if let end = TerminationText.report(words.slice) { return end }
    guard let namespace, ExitNamespace.isName(namespace) else { return nil }
    return withWords(.killed(namespace))
  }

  /// What the namespace and the code of the termination say, which stand by themselves in JSON.
  private func coded(_ words: String) -> Termination? {
    guard let namespace, let code, let number = TerminationText.number(code.slice) else {
      return nil
    }
    return TerminationText.end((TerminationText.namespace(namespace.slice), number), words.slice)
  }

  /// The words of the system that stand in no context, such as those of the dynamic linker.
  private func withWords(_ end: Termination) -> Termination {
    var end = end
    // What was done to a guarded port stands with the exception alone.
    if case .killed("GUARD", _) = end.kind { end.reason = end.reason ?? exceptionDetail }
    guard end.reason == nil, let first = reasons.first, !first.hasPrefix("<RBS") else { return end }

    // Paths would take the place of what the linker says of the library.
    let words = reasons.prefix(3).joined(separator: "; ")
      .replacing(#/;? *Referenced from: .*?;? *(?=Reason: )/#, with: "; ")
      .replacing(#/Did find: *\/\S*\/([^\/\s]+:)/#) { "Did find: \($0.1)" }
      .replacing(
        #/(Referenced from|Expected in): *(?:<[0-9A-Fa-f-]{36}> *)?(?:\/[^;]*\/)?([^\/;]+)/#
      ) {
        "\($0.1): \($0.2)"
      }
    // The system's own fields follow behind the last bar.
    let sentence = words.slice.before(" | ProcessVisibility:").before(" | ProcessState:")
    end.reason = String(sentence.text.prefix(Termination.longestText))
    return end
  }

  /// Up to iOS 9.2 the code stands where others have the codes of the exception.
  private var oldEnd: Termination? {
    let word = (exceptionCodes ?? "").prefix { $0 != "," && $0 != " " }
    let code = TerminationText.number(String(word).slice)
    return .killed(nil, code == 0 ? nil : code)
  }

  /// `cpu usage, action taken: none: 90 seconds cpu time over 180 seconds`.
  private func limitWords(_ limit: String) -> String {
    let done = action.map { ", action taken: \($0)" } ?? ""
    return limit + done + (usage.map { ": \($0)" } ?? "")
  }

  /// An end by a limit on resources: only the action says that there was one.
  private func limitEnd(_ limit: String) -> Termination {
    if limit.lowercased().hasPrefix("cpu") {
      return .signal(9, reason: "CPU limit: \(usage ?? limit)")
    }
    return .killed(reason: limit.lowercased().contains("disk") ? "io" : limit)
  }

  // MARK: What explains it

  private func explain(_ end: inout Termination, _ report: inout TerminationReport) {
    if case .killed("SIGNAL", _) = end.kind { explainCrash(&end) }
    let text = information.joined(separator: "\n")
    if !information.isEmpty { TerminationText.addFields(of: text.slice, to: &end) }

    report.openTasks = AssertionText.tasks(in: text)
    if let subject = AssertionText.subject(of: text) {
      report.process = report.process ?? subject.name
      report.pid = report.pid ?? subject.pid
      report.bundle = report.bundle ?? subject.bundle
    }
    nameSubject(of: end, in: &report)
    guard end.reason == nil, !end.isOwn else { return }
    end.reason = information.first(where: Self.isAboutEnd).map {
      String($0.prefix(Termination.longestText))
    }
  }

  /// Whether a line of what the app had said may explain its end: where the linker was explains nothing.
  static func isAboutEnd(_ line: String) -> Bool {
    !line.isEmpty && line != "abort() called"
      && !["Elapsed ", "dyld: launch", "dyld3 mode", "dyld4 ", "/usr/lib/", "CoreSimulator "]
        .contains { line.hasPrefix($0) }
  }

  /// Reads `time allowance of 10.00 seconds`.
  private static func allowance(in words: String?) -> Nanoseconds? {
    words?.slice.behind(" time allowance of ").flatMap {
      InstantText.parse($0.prefix(16).prefix { $0 > 0x20 } + Array("s".utf8))
    }
  }

  private func addRemarks(_ end: Termination, to report: inout TerminationReport) {
    if let share = Self.processorShare(end.processorTime), report.allowance != nil {
      let isOfClock = end.reason?.contains("real (wall clock)") == true
      if isOfClock && share <= 1 {
        report.notes.append(
          "the app used \(share)% of the processor in the watchdog's time: it waited, as for a "
            + "lock or a synchronous call, or did not get the processor")
      }
    }

    // The first thread that was in what locks files.
    let locking = frames.filter { $0.key > 0 && $0.value.contains { $0.shows(.lock) } }
      .min { $0.key < $1.key }
    if case .killed(_, 0xdead_10cc) = end.kind, let (thread, list) = locking {
      report.notes.append(
        "thread \(thread) was in a file or a database: \(ReportFrame.text(of: list))")
    }
    if hasExceptionBacktrace, end.exception == nil {
      report.notes.append("an exception was thrown; the report does not say its name")
    }
    if isCrashCutShort {
      report.notes.append("the watchdog ended the app while its crash was handled")
    }
    if let limit, let usage, end.reason?.contains(usage) != true {
      report.notes.append("\(limit): \(usage)")
    }
    if end.reason?.contains(" exhausted CPU time allowance") == true {
      report.notes.append("the allowance is of processor time: the app was busy")
    }
    if let exceptionDetail, end.reason != exceptionDetail {
      report.notes.append("the exception says: \(exceptionDetail)")
    }
  }

  /// The per cent of `application 0.286s 0%`.
  private static func processorShare(_ text: String?) -> Int? {
    guard let part = text?.split(separator: ",").first, part.hasPrefix("application"),
      let word = part.split(separator: " ").last, word.hasSuffix("%")
    else { return nil }
    return Int(word.dropLast())
  }

  /// Whether the report is of a crash and lacks the words of its end.
  private var saysNoEnd: Bool {
    [.ips, .crashText].contains(report.form) && !isNoCrash && limit == nil && usage == nil
      && action == nil
  }

  private static let unknownDeath =
    "whether the process died is not known; a JetsamEvent, or console text of that minute, would "
    + "tell it"

  /// Why no death is reported.
  private var reasonOfNoDeath: String {
    if let limit {
      let numbers = usage.map { ": \($0)" } ?? ""
      if let action {
        return "\(limit)\(numbers); action taken: \(action): the report states no death"
      }
      return "\(limit)\(numbers); which action was taken is not said: \(Self.unknownDeath)"
    }

    if isRecorded {
      return "an SDK recorded an exception: the report does not show whether the app died of it"
    }
    if isNoCrash { return "the report is of no crash: the process went on" }
    if isOfResource {
      let detail = exceptionDetail.map { ": \($0)" } ?? ""
      return exceptionSignal == "SIGKILL"
        ? "a limit was passed\(detail), and SIGKILL is named: \(Self.unknownDeath)"
        : "a limit was passed\(detail); the report states no death"
    }
    return
      "the report says neither a termination nor a fatal exception, so that no death is told; "
      + "was it cut off?"
  }
}
