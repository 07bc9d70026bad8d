import LifecycleModel
import Run

/// How a process ended.
struct Termination: Hashable {
  /// How the end came about.
  enum Kind: Hashable {
    /// The process is gone; how it ended is not said.
    case gone
    /// The process ended itself, with this status.
    case exited(status: Int64?)
    /// Somebody ended it: who keeps the codes, and the code.
    case killed(namespace: String?, code: UInt64?)
  }

  /// How the end came about.
  var kind: Kind
  /// The explanation in the system's words, or the reason of the exception.
  var reason: String?
  /// The name of an uncaught exception.
  var exception: String?
  /// Whether the reason is what Swift's runtime said when it stopped the process.
  var isFatalError = false
  /// Whether the reason is a complaint after which some runtimes go on: only another sign of an end makes it one.
  var isComplaint = false
  /// Whether the exception stands without the words that nothing has caught it.
  var isCited = false
  /// The words of ReportCrash about its report, which is about a crash and no other end.
  var crashReport: String?
  /// Who asked for the end.
  var requester: String?
  /// Whether the app was visible, in the words of the system: `foreground` or `background`.
  var visibility: String?
  /// What the watchdog watched over, such as `scene-update`.
  var watchdogEvent: String?
  /// How much processor time was used in the watchdog's time.
  var processorTime: String?
  /// The function that threw the exception.
  var frame: String?
  /// The line of the app's code in which it ended, such as `Store.swift:88`.
  var place: String?
  /// The memory limit that was passed.
  var memoryLimit: String?
  /// The memory that the process had.
  var memory: String?

  /// What explains an end, by the key of its event.
  private static let details:
    [(key: String, field: WritableKeyPath<Termination, String?> & Sendable)] = [
      ("exception", \.exception), (AttributeKey.reason.rawValue, \.reason),
      (AttributeKey.by.rawValue, \.requester), ("watchdog", \.watchdogEvent),
      ("visibility", \.visibility), ("cpu", \.processorTime), ("limit", \.memoryLimit),
      ("memory", \.memory), ("frame", \.frame), (AttributeKey.at.rawValue, \.place),
    ]

  /// The system says that the process ended itself, and not with which status.
  static let voluntary = exited(nil, reason: "voluntary")

  /// Whether it is what assertiond says of a process whose job is removed.
  var isTidying: Bool { reason?.contains("the job-submitter has disconnected") == true }

  /// The longest text that is kept of what explains an end, in bytes or characters.
  static let longestText = 1024

  /// The reason of an end by a debugger.
  static let debugger = "debugger"
  /// The namespaces of what stops a process from within.
  private static let runtimes: Set = ["SIGNAL", "TCC", "OBJC", "LIBSYSTEM", "LIBXPC"]

  /// An end that says no more than that the process is gone.
  static let gone = Termination(kind: .gone)

  /// An end by the process itself.
  static func exited(_ status: Int64?, reason: String? = nil) -> Termination {
    Termination(kind: .exited(status: status), reason: reason)
  }

  /// An end by somebody else.
  static func killed(
    _ namespace: String? = nil, _ code: UInt64? = nil, reason: String? = nil
  ) -> Termination {
    Termination(kind: .killed(namespace: namespace, code: code), reason: reason)
  }

  /// What an app says that nothing has caught.
  static func uncaught(_ exception: String, reason: String?) -> Termination {
    var end = exited(nil, reason: reason)
    end.exception = exception
    return end
  }

  /// An end by a signal.
  static func signal(_ number: UInt64?, reason: String? = nil) -> Termination {
    .killed("SIGNAL", number, reason: reason)
  }

  /// An end by jetsam, for the reason that the code stands for.
  static func jetsam(_ code: UInt64) -> Termination {
    .killed("JETSAM", code, reason: ExitNamespace.jetsamReason(code))
  }

  /// An end by the code of a namespace.
  static func code(_ code: UInt64?, ofNamespace number: UInt64) -> Termination {
    let namespace = ExitNamespace.name(number)
    if namespace == "JETSAM", let code { return .jetsam(code) }
    return .killed(namespace, code)
  }

  /// Reads a wait status: the signal is in its low seven bits, the exit status above them.
  static func waitStatus(_ status: UInt64) -> Termination {
    status & 0x7f == 0
      ? .exited(Int64(status >> 8 & 0xff)) : .signal(status & 0x7f)
  }

  /// Two reports of one death as one: the kind that says more, and what either of them adds.
  ///
  /// What the system reports stays: the app's own words explain only an end that they can
  /// bring, and only where the system gives no reason.
  func joined(with other: Termination) -> Termination {
    if isOwn != other.isOwn {
      let (own, end) = isOwn ? (self, other) : (other, self)
      // Who stops a process that has stopped itself says nothing of why it did.
      if end.isOfDebugger { return own.isComplaint ? end : own }
      if own.isComplaint ? !end.isSignalOfCrash : !end.carriesOutOwn { return end }
    }

    let isLess = other.weight > weight
    let (first, second) = isLess ? (other, self) : (self, other)
    var joined = first
    for (_, field) in Self.details {
      joined[keyPath: field] = first[keyPath: field] ?? second[keyPath: field]
    }
    if isOwn != other.isOwn { joined.reason = (isOwn ? other : self).reason ?? joined.reason }
    // The runtime of C++ knows no more of an exception than that.
    if joined.exception == "NSException" { joined.exception = second.exception ?? "NSException" }
    // What a debugger says of the exception says less than the app's own words.
    if let word = joined.reason, word.hasPrefix("EXC_") { joined.reason = second.reason ?? word }
    // Whoever cites the words in a title may cut them.
    if let cut = joined.reason, let whole = second.reason, whole.count > cut.count {
      let start = cut.prefix { $0 != "\n" && $0 != "…" }
      if !start.isEmpty, whole.hasPrefix(start) { joined.reason = whole }
    }
    joined.isFatalError = first.isFatalError || second.isFatalError
    joined.isComplaint = first.isComplaint && second.isComplaint
    joined.isCited = first.isCited && second.isCited
    joined.crashReport = first.crashReport ?? second.crashReport

    // SIGKILL takes away a process that has crashed or has stopped itself; it is not the cause.
    let isCrash = joined.isFatalError || joined.crashReport != nil
    if isCrash, joined.kind == Self.signal(9).kind { joined.kind = Self.signal(nil).kind }
    return joined
  }

  /// Whether a process cannot have ended in both ways; what is not said contradicts nothing.
  func contradicts(_ other: Termination) -> Bool {
    switch (kind, other.kind) {
    case (.killed(_, let code?), .killed(_, let theirs?)):
      return code != theirs && !carriesOutAny && !other.carriesOutAny
    case (.exited(.some), .killed), (.killed, .exited(.some)): return true
    default: return false
    }
  }

  /// Whether the kind is a signal by which others end a process, whatever their reason: SIGKILL, SIGABRT.
  private var carriesOutAny: Bool { kind == Self.signal(9).kind || kind == Self.signal(6).kind }

  /// Whether what watches over apps has ended it, and no signal; a code without its namespace is one of theirs.
  var isOfWatcher: Bool {
    guard case .killed(let namespace, let code) = kind else { return false }
    return namespace.map { ["CAROUSEL", "FRONTBOARD", "RUNNINGBOARD", "SPRINGBOARD"].contains($0) }
      ?? (code != nil)
  }

  /// Whether the app itself has said why it ends, so that it cannot go on.
  var isOwn: Bool { exception != nil || isFatalError }

  /// Whether a debugger has ended the process.
  private var isOfDebugger: Bool {
    self.kind == .killed(namespace: nil, code: nil) && reason == Self.debugger
  }

  /// Whether a process can end so because of what it said itself: a signal, an error, a runtime.
  private var carriesOutOwn: Bool {
    switch kind {
    case .gone: true
    case .exited(let status): status ?? 0 != 0
    case .killed(let namespace, _): Self.runtimes.contains(namespace ?? "")
    }
  }

  /// Whether it is a signal that nobody sends to end a process.
  private var isSignalOfCrash: Bool {
    guard case .killed("SIGNAL", let code) = kind else { return false }
    return code != 9 && code != 15
  }

  /// How much the kind says: the watchdog's code more than the signal that carries it out.
  private var weight: Int {
    if isOfDebugger { return 5 }
    return switch kind {
    case .gone: 0
    case .exited(nil): 1
    case .exited: 2
    case .killed("DYLD", nil), .killed("TCC", nil): 5
    case .killed(_, nil): 3
    case .killed("SIGNAL", _): 4
    case .killed: 5
    }
  }

  /// The verb of the end's event.
  var verb: Verb {
    if case .killed = kind { return .kill }
    return .exit
  }

  /// What the event says beside its verb.
  var attributes: [Attribute] {
    var list: [Attribute] = []
    var end = self
    if kind == Self.signal(nil).kind { end.reason = reason ?? crashReport }
    switch kind {
    case .gone: end.reason = reason ?? "gone"
    case .exited(let status):
      if let status {
        list.append(Attribute(.status, String(status)))
        // The status says more.
        if reason == Self.voluntary.reason { end.reason = nil }
      }
    case .killed(let namespace, let code):
      if let code { list.append(Attribute(.code, "0x" + String(code, radix: 16))) }
      if let namespace { list.append(Attribute(.namespace, namespace)) }
    }

    for (key, field) in Self.details {
      if let value = end[keyPath: field], !value.isEmpty { list.append(Attribute(key, value)) }
    }
    return list
  }

  /// The end in a few words, for a note.
  var summary: String {
    let end =
      switch kind {
      case .gone: "it vanished"
      case .exited(let status?): "it exited with status \(status)"
      case .exited(nil): "it exited"
      case .killed("SIGNAL", let code?): "it ended with \(DarwinSignal.name(code))"
      case .killed(let namespace?, let code?):
        "it was killed with \(namespace) 0x\(String(code, radix: 16))"
      case .killed(let namespace, _): "it was killed" + (namespace.map { ", \($0)" } ?? "")
      }
    let words = reason == Self.voluntary.reason ? nil : reason
    return end + (words.map { ": \($0)" } ?? "")
  }
}
