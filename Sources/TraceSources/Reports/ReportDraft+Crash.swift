import LifecycleModel
import Run
import TraceText

/// What explains that an app stopped from within.
extension ReportDraft {
  /// Explains an end by what the app had said, by its exception, or by the functions of its stack.
  func explainCrash(_ end: inout Termination) {
    for (index, line) in information.enumerated() where line.contains("uncaught exception '") {
      let rest = information[index...].joined(separator: "\n")
      guard let words = rest.slice.behind("uncaught exception '"),
        let own = ProcessExitText.uncaughtException(words)
      else { continue }
      (end.exception, end.reason) = (own.exception, own.reason)
      return
    }

    if let exceptionName {
      let thrower = frames[Self.throwing] == nil ? nil : stopper
      // A stack may stand behind the words, with its lines run together.
      let words =
        exceptionWords?.slice.before(#"\nThe stack trace "#).text
        ?? information.first { $0.contains(": unrecognized selector sent to ") }
      // Where a runtime has wrapped one, its name is all that is said.
      let wrapper = exceptionName.hasPrefix("Il2Cpp") ? exceptionName : nil
      (end.exception, end.reason) = (exceptionName, words ?? thrower?.name ?? wrapper)
      return
    }
    // A title only repeats the type, and what is said of the address.
    let title = end.reason
    if let title, !title.hasPrefix("EXC_BAD_ACCESS") { return }
    if isLaunchHang {
      end.reason = Self.launchHang
      return
    }
    let frames = (frames[Self.throwing] ?? []) + crashedFrames
    if let frame = frames.first(where: { $0.shows(.nameOfCause) }) ?? causeElsewhere {
      end.reason = frame.name
      return
    }
    if let failure = frames.first(where: { $0.name.hasPrefix("Swift runtime failure: ") }) {
      (end.reason, end.isFatalError) = (failure.name, true)
    } else if let fatal = information.first(where: Self.isFatal) {
      end.reason = String(fatal.prefix(Termination.longestText))
      end.isFatalError = true
    } else if let line = information.first(where: { $0.contains("Attempted to dereference ") })
      ?? information.first(where: Self.isAboutEnd),
      !hasExceptionBacktrace || !line.contains("terminating with uncaught exception")
    {
      end.reason = String(line.prefix(Termination.longestText))
    } else {
      let isMessage = exceptionDetail?.contains(" ") == true
      let words = isMessage ? exceptionDetail : region ?? fault
      let frame = stopper ?? user(of: end, title)
      let isRecovery = report.crashedThread.map(recoveryThreads.contains) ?? false
      let queue = isRecovery && end.kind == Termination.signal(6).kind ? Self.recoveryQueue : nil
      end.reason = frame?.name ?? assertion ?? queue ?? words ?? title ?? signOfException
    }
  }

  /// What Swift's runtime found, as the functions show that stopped the process; `nil` where it did not.
  private var assertion: String? {
    guard crashedFrames.contains(where: \.isAssertion) else { return nil }
    let conversion = crashedFrames.prefix(Self.deepest).first { frame in
      !frame.isKnownOfApp && ["UTF16View", "_toUTF16Offset"].contains(where: frame.name.contains)
    }
    return conversion?.name ?? "_assertionFailure(_:_:file:line:flags:)"
  }

  /// The function of the system that names by itself what stopped the app; `nil` without one.
  private var stopper: ReportFrame? {
    // Where the exception has a stack, the thread that crashed shows what the runtime did with it.
    let thrown = frames[Self.throwing] ?? []
    let telling = thrown.isEmpty && !hasExceptionBacktrace ? crashedFrames : thrown
    // A thread of C++ that goes away while it runs stops the app, too.
    let isOfThread = telling.contains { $0.name.contains("::~thread") }
    return telling.prefix(Self.deepest).first { frame in
      frame.shows(.nameOfStop) && (!frame.isKnownOfApp || frame.name.contains("panicking::"))
        && !(isOfThread && frame.name.contains("terminate"))
        && !(report.crashedThread == 0 && frame.name.contains("CATransactionCommitSynchronizes"))
    }
  }

  /// How deep in a stack a function still names what stopped the app.
  private static let deepest = 16

  /// The function that used the memory of an object, where the address is no sign of anything else.
  private func user(of end: Termination, _ title: String?) -> ReportFrame? {
    let isBadAccess = [10, 11].contains { Termination.signal($0).kind == end.kind }
    guard title != nil || isBadAccess, region == nil else { return nil }
    return crashedFrames.first?.userOfObject(at: fault ?? title)
  }

  /// The function of another thread that explains a crash of Hermes: React Native may not make an error of JavaScript
  /// there.
  private var causeElsewhere: ReportFrame? {
    guard crashedFrames.prefix(4).contains(where: { $0.name.hasPrefix("hermes::") }) else {
      return nil
    }
    let others = frames.filter { $0.key >= 0 }.sorted { $0.key < $1.key }.flatMap(\.value)
    return others.first { $0.name.contains("convertNSExceptionToJSError") }
  }

  /// What shows that something was thrown, where nothing says more; `nil` where nothing was.
  private var signOfException: String? {
    // The runtime's own frames may be all that is left, or addresses.
    let thrown = frames[Self.throwing] ?? []
    if ReportFrame.thrown(thrown).isEmpty, let first = thrown.first { return first.name }
    let isPlaced = thrown.contains { $0.isOfApp && $0.code != nil }
    return (hasExceptionBacktrace || !thrown.isEmpty) && !isPlaced ? "lastExceptionBacktrace" : nil
  }

  /// Whether a line is how Swift's runtime says that it stops.
  static func isFatal(_ line: String) -> Bool {
    ["Fatal error", "Precondition failed", "Assertion failed", "Could not cast value"]
      .contains { line.contains($0) }
  }
}
