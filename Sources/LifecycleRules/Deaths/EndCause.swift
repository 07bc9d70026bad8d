import LifecycleModel
import Run
import TraceAnalysis
import TraceText

/// What an event that ends a process states about the cause.
struct EndCause {
  /// How the end came.
  var manner: DeathVerdict.Manner
  /// What the table knows of it.
  var row: DeathCause?
  /// Whose doing it is, where the event itself or the table says; else it depends on who looked.
  var bearing = DeathCause.Bearing.audience
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
  /// Whether the event only says that the process is gone.
  var isGone = false
  /// Whether the system gave a code or words that no table lists.
  var isUnlisted = false
  /// What ended the process, in a word.
  var name: String
  /// How much the event says: of several about one end the one that says most counts, of equal ones
  /// the first.
  var rank: Int

  /// Reads `end`, which may be the first event of the next process.
  init(_ end: Event, _ vocabulary: Vocabulary, isLinux: Bool) {
    let said = end.attributes.isNone ? [] : vocabulary.attributes(end.attributes)
    switch end.verb {
    case .exit: self.init(exit: said, isLinux: isLinux)
    case .kill: self.init(kill: said, isLinux: isLinux)
    default: self.init(.silent, "silent", rank: 0)
    }
  }

  private init(_ manner: DeathVerdict.Manner, _ name: String, rank: Int) {
    (self.manner, self.name, self.rank) = (manner, name, rank)
  }

  private init(exit said: [Attribute], isLinux: Bool) {
    if let exception = said[.exception] {
      self.init(exception: exception, rank: 4)
    } else if said[.reason] == "gone" {
      self.init(.silent, "gone", rank: 0)
      isGone = true
    } else if let signal = said[.signal] {
      self.init(signal: signal, said[.reason], isLinux: isLinux)
    } else if let status = said[.status].flatMap({ Int($0) }) {
      self.init(.exit, status == 0 ? "exit" : "exit status \(status)", rank: 2)
      self.status = status
      (bearing, reason) = status == 0 ? (.innocent, .normal) : (.fault, .abnormal)
    } else if said[.reason] == "voluntary" {
      self.init(.exit, "exit", rank: 2)
      (bearing, reason) = (.innocent, .normal)
    } else {
      // The process has ended, and nothing states how.
      self.init(.exit, "exit", rank: 1)
    }
  }

  private init(exception: String, rank: Int) {
    self.init(.crash, InertText.word(exception), rank: rank)
    (self.exception, bearing, reason) = (exception, .fault, .abnormal)
  }

  private init(signal: String, _ words: String?, isLinux: Bool) {
    let row = DeathCauses.signal(signal, isLinux: isLinux)
    // SIGKILL says how the system ended it, and the words beside it say why.
    if row?.word == "SIGKILL", let why = words.flatMap(DeathCauses.reason) {
      self.init(.kill, why.word, rank: 4)
      take(why)
    } else {
      let isCrash = row?.bearing == .fault
      self.init(isCrash ? .crash : .kill, row?.word ?? "signal \(InertText.word(signal))", rank: 2)
      take(row)
    }
  }

  private init(kill said: [Attribute], isLinux: Bool) {
    let namespace = said[.namespace].map(DeathCauses.namespaceName)
    let isOfOthers = namespace == "SIGNAL" || namespace == "JETSAM"
    let number =
      said[.code].flatMap(KillCode.number)
      ?? (isOfOthers ? nil : said[.reason].flatMap(DeathCauses.codeInWords))
    if let exception = said[.exception] {
      self.init(exception: exception, rank: 4)
    } else if namespace == "SIGNAL", let row = said[.reason].flatMap(DeathCauses.limit) {
      // A signal says how the system ended it, and its words say why.
      self.init(.kill, row.word, rank: 4)
      take(row)
    } else if namespace == "SIGNAL", let number {
      self.init(signal: String(number), said[.reason], isLinux: isLinux)
    } else if namespace == "SIGNAL", said[.signal] == nil {
      // Who says that a signal came, and not which, has seen a crash.
      self.init(.crash, "a signal", rank: 3)
      (bearing, reason) = (.fault, .abnormal)
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
    let row =
      words.flatMap(DeathCauses.reason)
      ?? (number.map { DeathCauses.jetsam($0) } ?? DeathCauses.shortOfMemory)
    self.init(.kill, row?.word ?? number.map { "jetsam \($0)" } ?? "jetsam", rank: 4)
    take(row)
    reason = row == nil ? .memoryPressure : row?.exitReason
  }

  private init(_ namespace: String?, _ number: UInt64?, _ words: String?) {
    let ofCode = number.flatMap { DeathCauses.code($0) }
    let ofNamespace = namespace.flatMap { DeathCauses.namespace($0) }
    let ofWords = words.flatMap(DeathCauses.reason)
    let name = EndCause.name(namespace, number, ofCode ?? (ofNamespace == nil ? ofWords : nil))
    let isSaid = ofCode != nil || ofNamespace != nil
    let rank = isSaid ? 4 : number != nil || words != nil || namespace != nil ? 3 : 1
    self.init(.kill, name, rank: rank)
    code = number
    isUnlisted = rank == 3 && ofWords == nil
    take(ofCode ?? ofNamespace ?? ofWords)
  }

  /// A code stands for itself; one of a namespace that has its own codes has its name before it.
  private static func name(_ namespace: String?, _ number: UInt64?, _ row: DeathCause?) -> String {
    if let row { return row.word }
    let isPlain = namespace.map { DeathCauses.plainNamespaces[$0] != nil } ?? true
    let parts = [isPlain ? nil : namespace, number.map(DeathCause.hex)].compactMap(\.self)
    return parts.isEmpty ? "kill" : InertText.word(parts.joined(separator: " "))
  }

  /// What to look for.
  var advice: String {
    if let row { return row.advice }
    if let exception { return DeathCauses.exception(exception).advice }
    switch manner {
    case .silent: return DeathCauses.vanished.advice
    case .exit: return (status ?? 0) == 0 ? DeathCauses.exited.advice : DeathCauses.failed.advice
    case .crash: return DeathCauses.anySignal.advice
    case .kill: return isUnlisted ? DeathCauses.unlisted.advice : DeathCauses.wordless.advice
    }
  }

  private mutating func take(_ row: DeathCause?) {
    self.row = row
    if let row { (bearing, reason) = (row.bearing, row.exitReason) }
  }
}
