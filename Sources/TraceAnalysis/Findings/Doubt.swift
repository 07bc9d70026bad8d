import LifecycleModel

/// Why a rule cannot tell whether it was kept.
public enum Doubt: Hashable, Sendable {
  /// The profile does not say this.
  case profileKeyMissing(AttributeKey)
  /// None of these hooks is recorded.
  case hooksNotRecorded([Hook])
  /// Only some of what this hook covers is recorded.
  case recordedInPart(Hook)
  /// Events are missing where it would have shown.
  case gap
  /// The log ends before it could show.
  case endOfLog
  /// The process ended before it could show.
  case processEnded
  /// The state is not known at that point.
  case stateNotKnown
  /// The log does not show how the process began.
  case startNotSeen
  /// The event does not say what it is about.
  case subjectNotKnown
  /// The app may not implement the callback that would have shown it, and its notification is not
  /// recorded.
  case callbackNeverSeen
  /// The event does not say this.
  case attributeMissing(AttributeKey)
  /// Declared background modes let the app run on.
  case backgroundModes
  /// More names or labels came than are followed at a time.
  case tooManyInstances
  /// The app may not label such views, or such changes.
  case notMarked(Profile.Mark)
  /// The wall clock was set, or went back: how long it took is not known.
  case clockSet
  /// The log does not say this, though it could.
  case notSaid(String)

  /// The reason in words, to stand behind "cannot tell: ".
  public var reason: String {
    switch self {
    case .profileKeyMissing(let key): "the profile does not state \(key.rawValue)"
    case .hooksNotRecorded(let hooks):
      "the log does not record \(hooks.map(\.rawValue).joined(separator: " or "))"
    case .recordedInPart(let hook): "only some of \(hook.rawValue) is recorded"
    case .gap: "events are missing where the evidence would be"
    case .endOfLog: "the log ends before the evidence would appear"
    case .processEnded: "the process ended before the evidence would appear"
    case .stateNotKnown: "the state at that point is not known"
    case .startNotSeen: "the log does not show the start of the process"
    case .subjectNotKnown: "the event does not identify its subject"
    case .callbackNeverSeen:
      """
      the log never shows the callback that would be evidence, and does not record its \
      notification
      """
    case .attributeMissing(let key): "the event does not state \(key.rawValue)"
    case .tooManyInstances: "there were too many names or labels to follow"
    case .backgroundModes: "background modes may let the app keep running"
    case .notMarked(.restoration): "the log does not state when the state to restore changes"
    case .notMarked(let mark): "the log does not state which views are kind=\(mark.rawValue)"
    case .clockSet: "the clock was set during the interval, so its length is not known"
    case .notSaid(let what): "the log does not state \(what)"
    }
  }

  /// Whether the log claims to show what it does not: events are missing in it, or there are more than
  /// are followed.
  var isUnkept: Bool { self == .gap || self == .tooManyInstances }
}
