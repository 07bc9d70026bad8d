import LifecycleModel
import TraceAnalysis

/// The words for events: those of the notation.
enum EventWords {
  /// An instant of work alone; `work` means the beginning of work with a duration too.
  static let instant = "work.instant"
  /// The end of the process, where a window is closed by nothing else.
  static let processEnd = "process-end"
  /// Any name, or any value of an attribute.
  static let anything = "*"

  static let verbs = Verb.known.compactMap(\.word) + [instant]
  static let subjects = Subject.Kind.allCases.map { (word: "\($0)", meaning: $0) }
  static let threads = [MissingEvent.Thread.main, .other, .app].map {
    (word: $0.rawValue, meaning: $0)
  }
  /// The keys of attributes; `role` is asked of a finding's scene, and a line of no one.
  static let attributes = AttributeKey.allCases.filter { $0 != .role && $0 != .line }
    .map(\.rawValue)
  static let profileKeys: [AttributeKey] = [
    .mode, .multiScene, .platform, .os, .sdk, .launch, .backgroundModes, .hooks, .clock,
  ]

  /// The names that a verb can have; `nil` when they are the app's own.
  static func names(_ verb: String) -> [String]? {
    let known = verbs(verb).first.map(KnownWords.names) ?? []
    // A pattern of a transition from a state to itself would match nothing.
    let names = known.filter { name in Transition(name).map { $0.from != $0.to } ?? true }
    return names.isEmpty ? nil : names
  }

  static func takesName(_ verb: String) -> Bool {
    verb == instant || Verb(word: verb)?.takesName ?? false
  }

  static func verbs(_ word: String) -> [Verb] {
    switch word {
    case "work": [.work, .workBegin]
    case instant: [.work]
    default: Verb(word: word).map { [$0] } ?? []
    }
  }
}
