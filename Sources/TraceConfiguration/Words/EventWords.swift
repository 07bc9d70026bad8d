import LifecycleModel
import TraceAnalysis

/// The words for events: those of the notation.
enum EventWords {
  /// An instant of work alone; `work` means the beginning of work with a duration too.
  static let instant = "work.instant"
  /// The end of the process, where a window is closed by nothing else.
  static let processEnd = "process-end"
  /// Any name.
  static let anyName = "*"
  /// Any value of an attribute.
  static let anyValue = "*"

  static let verbs = Verb.known.compactMap(\.word) + [instant]
  static let subjects = Subject.Kind.allCases.map { "\($0)" }
  static let threads = ["main", "other", "app"]
  /// The keys of attributes; `role` is asked of a finding's scene, and a line of no one.
  static let attributes = AttributeKey.allCases.filter { $0 != .role && $0 != .line }
    .map(\.rawValue)
  static let profileKeys: [AttributeKey] = [
    .mode, .multiScene, .platform, .os, .sdk, .launch, .backgroundModes, .hooks, .clock,
  ]

  /// The names that a verb can have; `nil` when they are the app's own.
  static func names(_ verb: String) -> [String]? {
    switch verb {
    case "call", "return": Callback.allCases.map(\.rawValue)
    case "notify", "observe", "observed": LifecycleNotification.allCases.map(\.rawValue)
    case "work", instant, "work.begin", "work.end": WorkCategory.allCases.map(\.rawValue)
    case "acquire", "release": Resource.allCases.map(\.rawValue)
    case "deliver", "complete": Delivery.allCases.map(\.rawValue)
    case "sample": SampledValue.allCases.map(\.rawValue)
    case "gap": GapCause.allCases.map(\.rawValue)
    case "state": transitions
    default: nil
    }
  }

  /// The transitions of an app and of a scene, each between different states.
  static let transitions: [String] =
    between(AppState.allCases.map(\.rawValue)) + between(SceneActivation.allCases.map(\.rawValue))

  private static func between(_ states: [String]) -> [String] {
    states.flatMap { from in states.filter { $0 != from }.map { "\(from)->\($0)" } }
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
