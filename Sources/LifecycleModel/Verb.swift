/// What an event says happened.
///
/// The known verbs have fixed codes below 64, which the log's format uses. A verb that this version
/// does not know gets a code from 64 on in the ``Vocabulary`` of its trace and is kept and shown.
@frozen
public struct Verb: Hashable, Sendable {
  /// The verb's code: below 64 for known verbs.
  public let code: UInt8

  /// Makes a verb of its code.
  @inlinable
  public init(code: UInt8) {
    self.code = code
  }

  /// The number of codes that are kept for known verbs.
  @inlinable
  public static var knownCodes: Int { 64 }

  /// Whether this version knows the verb.
  @inlinable
  public var isKnown: Bool { code < 64 }
}

/// A row of the table of known verbs.
struct VerbRow {
  let verb: Verb
  let word: String
  let hasName: Bool

  init(_ verb: Verb, _ word: String, hasName: Bool = false) {
    self.verb = verb
    self.word = word
    self.hasName = hasName
  }
}

extension Verb {
  /// What the analyzer must know before it judges.
  @inlinable public static var profile: Verb { Verb(code: 1) }
  /// A process starts.
  @inlinable public static var processStart: Verb { Verb(code: 2) }
  /// A delegate callback is entered.
  @inlinable public static var call: Verb { Verb(code: 3) }
  /// A delegate callback has returned.
  @inlinable public static var `return`: Verb { Verb(code: 4) }
  /// A notification is posted.
  @inlinable public static var notify: Verb { Verb(code: 5) }
  /// An observer's handler is entered.
  @inlinable public static var observe: Verb { Verb(code: 6) }
  /// An observer's handler has returned.
  @inlinable public static var observed: Verb { Verb(code: 7) }
  /// A transition as the runtime reports it.
  @inlinable public static var state: Verb { Verb(code: 8) }
  /// One instant of work.
  @inlinable public static var work: Verb { Verb(code: 9) }
  /// Work with a duration begins.
  @inlinable public static var workBegin: Verb { Verb(code: 10) }
  /// Work with a duration ends.
  @inlinable public static var workEnd: Verb { Verb(code: 11) }
  /// A resource is acquired.
  @inlinable public static var acquire: Verb { Verb(code: 12) }
  /// A resource is released.
  @inlinable public static var release: Verb { Verb(code: 13) }
  /// A background task begins.
  @inlinable public static var taskBegin: Verb { Verb(code: 14) }
  /// A background task ends.
  @inlinable public static var taskEnd: Verb { Verb(code: 15) }
  /// The system granted a background task's assertion.
  @inlinable public static var taskGranted: Verb { Verb(code: 16) }
  /// A background task's expiration handler is entered.
  @inlinable public static var taskExpire: Verb { Verb(code: 17) }
  /// A background task's expiration handler has returned.
  @inlinable public static var taskExpired: Verb { Verb(code: 18) }
  /// A launch handler is registered with BGTaskScheduler.
  @inlinable public static var bgtaskRegister: Verb { Verb(code: 19) }
  /// BGTaskScheduler launches a task.
  @inlinable public static var bgtaskLaunch: Verb { Verb(code: 20) }
  /// A BGTaskScheduler task's expiration handler is called.
  @inlinable public static var bgtaskExpire: Verb { Verb(code: 21) }
  /// A BGTaskScheduler task is marked complete.
  @inlinable public static var bgtaskComplete: Verb { Verb(code: 22) }
  /// A datum has unsaved changes.
  @inlinable public static var dataDirty: Verb { Verb(code: 23) }
  /// A datum is saved.
  @inlinable public static var dataSave: Verb { Verb(code: 24) }
  /// The system hands the app an event.
  @inlinable public static var deliver: Verb { Verb(code: 25) }
  /// A completion handler was called.
  @inlinable public static var complete: Verb { Verb(code: 26) }
  /// The system begins to take the app's snapshot.
  @inlinable public static var snapshotBegin: Verb { Verb(code: 27) }
  /// The system has taken the app's snapshot.
  @inlinable public static var snapshotEnd: Verb { Verb(code: 28) }
  /// The process stops running code.
  @inlinable public static var suspend: Verb { Verb(code: 29) }
  /// The process continues running code.
  @inlinable public static var resume: Verb { Verb(code: 30) }
  /// A value read at this moment.
  @inlinable public static var sample: Verb { Verb(code: 31) }
  /// The system ended the process.
  @inlinable public static var kill: Verb { Verb(code: 32) }
  /// The process ended itself or was reaped.
  @inlinable public static var exit: Verb { Verb(code: 33) }
  /// Events are missing.
  @inlinable public static var gap: Verb { Verb(code: 34) }
  /// Free text.
  @inlinable public static var note: Verb { Verb(code: 35) }

  /// The known verbs in the order of their codes.
  static let rows: [VerbRow] = [
    VerbRow(.profile, "profile"),
    VerbRow(.processStart, "process.start"),
    VerbRow(.call, "call", hasName: true),
    VerbRow(.return, "return", hasName: true),
    VerbRow(.notify, "notify", hasName: true),
    VerbRow(.observe, "observe", hasName: true),
    VerbRow(.observed, "observed", hasName: true),
    VerbRow(.state, "state", hasName: true),
    VerbRow(.work, "work", hasName: true),
    VerbRow(.workBegin, "work.begin", hasName: true),
    VerbRow(.workEnd, "work.end", hasName: true),
    VerbRow(.acquire, "acquire", hasName: true),
    VerbRow(.release, "release", hasName: true),
    VerbRow(.taskBegin, "task.begin"),
    VerbRow(.taskEnd, "task.end"),
    VerbRow(.taskGranted, "task.granted"),
    VerbRow(.taskExpire, "task.expire"),
    VerbRow(.taskExpired, "task.expired"),
    VerbRow(.bgtaskRegister, "bgtask.register", hasName: true),
    VerbRow(.bgtaskLaunch, "bgtask.launch", hasName: true),
    VerbRow(.bgtaskExpire, "bgtask.expire", hasName: true),
    VerbRow(.bgtaskComplete, "bgtask.complete", hasName: true),
    VerbRow(.dataDirty, "data.dirty"),
    VerbRow(.dataSave, "data.save"),
    VerbRow(.deliver, "deliver", hasName: true),
    VerbRow(.complete, "complete", hasName: true),
    VerbRow(.snapshotBegin, "snapshot.begin"),
    VerbRow(.snapshotEnd, "snapshot.end"),
    VerbRow(.suspend, "suspend"),
    VerbRow(.resume, "resume"),
    VerbRow(.sample, "sample", hasName: true),
    VerbRow(.kill, "kill"),
    VerbRow(.exit, "exit"),
    VerbRow(.gap, "gap", hasName: true),
    VerbRow(.note, "note"),
  ]

  /// The known verbs in the order of their codes.
  public static let known: [Verb] = rows.map(\.verb)

  private static let byWord = Dictionary(uniqueKeysWithValues: rows.map { ($0.word, $0.verb) })

  /// The known verb that is written as `word`, such as `work.begin`.
  public init?(word: String) {
    guard let verb = Verb.byWord[word] else { return nil }
    self = verb
  }

  /// How the notation writes the verb; `nil` for a verb that this version does not know.
  public var word: String? {
    row?.word
  }

  /// Whether the verb takes a name; `nil` for a verb that this version does not know.
  public var takesName: Bool? {
    row?.hasName
  }

  private var row: VerbRow? {
    let index = Int(code) - 1
    return Verb.rows.indices.contains(index) ? Verb.rows[index] : nil
  }
}
