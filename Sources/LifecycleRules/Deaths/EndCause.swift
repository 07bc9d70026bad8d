import LifecycleModel
import Run
import TraceAnalysis
import TraceText

/// What an event that ends a process states about the cause.
struct EndCause {
  /// How the end came.
  var manner: DeathVerdict.Manner
  /// What the table has of it; one of how processes end where nothing names the cause.
  var row: DeathCause
  /// The termination code of a kill.
  var code: UInt64?
  /// The namespace of a kill, by name where that is known.
  var namespace: String?
  /// The name of an uncaught exception.
  var exception: String?
  /// The status with which the app ended itself.
  var status: Int?
  /// What MetricKit counts it under.
  var reason: ExitReason?
  /// Whether the system gave a code or words that no table lists.
  var isUnlisted = false
  /// What ended the process, in a word.
  var name: String
  /// Whether the event only says that the process is gone.
  var isGone: Bool { manner == .silent && name == row.word }
  /// Whether something names the cause.
  var isNamed: Bool {
    row.kind != .manner || row.isExplained && row.word == DeathCauses.anySignal.word
  }
  /// Whether RunningBoard ended the process, which keeps the time of background tasks.
  var isOfKeeper: Bool { ["RUNNINGBOARD", "ASSERTIOND"].contains(namespace) }
  /// How much the event says: of several about one end the one that says most counts, of equal ones
  /// the first.
  var rank: Int

  /// Reads `end`, which may be the first event of the next process.
  init(_ end: Event, _ vocabulary: Vocabulary, isLinux: Bool) {
    let said = end.attributes.isNone ? [] : vocabulary.attributes(end.attributes)
    switch end.verb {
    case .exit: self.init(exit: said, isLinux: isLinux)
    case .kill: self.init(kill: said, isLinux: isLinux)
    default: self.init(.silent, DeathCauses.vanished, "silent", rank: 0)
    }
  }

  private init(
    _ manner: DeathVerdict.Manner, _ row: DeathCause, _ name: String? = nil, rank: Int
  ) {
    (self.manner, self.row, self.name, self.rank) = (manner, row, name ?? row.word, rank)
    reason = row.exitReason
  }

  private init(exit said: [Attribute], isLinux: Bool) {
    if let exception = said[.exception] {
      self.init(exception: exception, said[.reason])
    } else if said[.reason] == DeathCauses.vanished.word {
      self.init(.silent, DeathCauses.vanished, rank: 0)
    } else if let signal = said[.signal] {
      self.init(signal: signal, said[.reason], isLinux: isLinux)
    } else if let status = said[.status].flatMap({ Int($0) }) {
      self.init(
        .exit, status == 0 ? DeathCauses.exited : DeathCauses.failed,
        status == 0 ? "exit" : "exit status \(status)", rank: 2)
      self.status = status
    } else if said[.reason] == DeathCauses.exited.word {
      self.init(.exit, DeathCauses.exited, "exit", rank: 2)
    } else {
      // The process has ended, and nothing states how.
      self.init(.exit, DeathCauses.ended, "exit", rank: 1)
    }
  }

  private init(exception: String, _ words: String?) {
    let row = DeathCauses.exception(InertText.word(exception), hasReason: words != nil)
    self.init(.crash, row.explained(by: words), rank: 4)
    self.exception = exception
  }

  private init(signal: String, _ words: String?, isLinux: Bool) {
    if let stop = DeathCauses.explaining(words), stop.kind == .word {
      self.init(.crash, stop, rank: 4)
      return
    }
    let row = DeathCauses.signal(signal, isLinux: isLinux)
    // SIGKILL says how the system ended it, and the words beside it say why.
    if row?.word == "SIGKILL", let why = words.flatMap(DeathCauses.reason) {
      self.init(.kill, why, rank: 4)
    } else if let row, row.bearing == .fault {
      self.init(.crash, row.explained(by: words), rank: 2)
    } else if let row {
      self.init(.kill, row, rank: 2)
    } else {
      self.init(.kill, DeathCauses.wordless, "signal \(InertText.word(signal))", rank: 2)
    }
  }

  private init(kill said: [Attribute], isLinux: Bool) {
    let namespace = said[.namespace].map(DeathCauses.namespaceName)
    let isOfOthers = DeathCauses.families.contains { $0.word == namespace }
    let number =
      said[.code].flatMap(KillCode.number)
      ?? (isOfOthers ? nil : said[.reason].flatMap(DeathCauses.codeInWords))
    if let exception = said[.exception] {
      self.init(exception: exception, said[.reason])
    } else if namespace == "SIGNAL", let row = said[.reason].flatMap(DeathCauses.limit) {
      // A signal says how the system ended it, and its words say why.
      self.init(.kill, row, rank: 4)
    } else if namespace == "SIGNAL", let number {
      self.init(signal: String(number), said[.reason], isLinux: isLinux)
    } else if namespace == "SIGNAL", said[.signal] == nil {
      // Who says that a signal came, and not which, has seen a crash.
      self.init(.crash, DeathCauses.anySignal.explained(by: said[.reason]), rank: 3)
    } else if namespace == "JETSAM" {
      self.init(jetsam: number, said[.reason])
    } else if let signal = said[.signal], number == nil {
      self.init(signal: signal, said[.reason], isLinux: isLinux)
    } else {
      self.init(namespace, number, said[.reason])
    }
    self.namespace = namespace
  }

  private init(jetsam number: UInt64?, _ words: String?) {
    if let row = words.flatMap(DeathCauses.reason) ?? number.flatMap(DeathCauses.jetsam) {
      self.init(.kill, row, rank: 4)
    } else if let number {
      self.init(.kill, DeathCauses.wordless, "jetsam \(number)", rank: 4)
      reason = DeathCauses.shortOfMemory.exitReason
    } else {
      self.init(.kill, DeathCauses.shortOfMemory, rank: 4)
    }
  }

  private init(_ namespace: String?, _ number: UInt64?, _ words: String?) {
    let ofCode = number.flatMap { DeathCauses.code($0) }
    let row = namespace.flatMap { DeathCauses.namespace($0) }
    let ofNamespace = row.map { $0.explained(byCode: number, words) }
    let ofWords = words.flatMap(DeathCauses.reason)
    let name = EndCause.name(namespace, number, ofCode ?? (ofNamespace == nil ? ofWords : nil))
    let isSaid = ofCode != nil || ofNamespace != nil
    let rank = isSaid ? 4 : number != nil || words != nil || namespace != nil ? 3 : 1
    let isUnlisted = rank == 3 && ofWords == nil
    self.init(
      .kill,
      ofCode ?? ofNamespace ?? ofWords
        ?? (isUnlisted ? DeathCauses.unlisted : DeathCauses.wordless), name, rank: rank)
    code = number
    self.isUnlisted = isUnlisted
  }

  /// A code stands for itself; one of a namespace that has its own codes has its name before it.
  private static func name(_ namespace: String?, _ number: UInt64?, _ row: DeathCause?) -> String {
    if let row { return row.word }
    let isPlain =
      namespace.map { name in
        DeathCauses.boards.contains {
          $0.word == name || $0.otherWords.contains(name.lowercased())
        }
      } ?? true
    let parts = [isPlain ? nil : namespace, number.map(DeathCause.hex)].compactMap(\.self)
    return parts.isEmpty ? "kill" : InertText.word(parts.joined(separator: " "))
  }
}
