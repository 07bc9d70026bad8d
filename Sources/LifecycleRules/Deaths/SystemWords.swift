import LifecycleModel
import TraceAnalysis

/// What the system states of an end beside its code: in attributes, or in the sentence that gives the reason.
struct SystemWords {
  /// Whether the app was visible; `unknown` when nobody states it.
  var audience = DeathVerdict.Audience.unknown
  /// The time that the watchdog gave; `nil` when it is not stated.
  var allowance: Nanoseconds?
  /// The processor time that the app used meanwhile; `nil` when it is not stated.
  var processorTime: Nanoseconds?
  /// The memory limit, as it is written; `nil` when it is not stated.
  var memoryLimit: String?
  /// The memory that the process used, as it is written; `nil` when it is not stated.
  var memory: String?
  /// The system's sentence; empty without one.
  var reason = ""

  /// States nothing.
  init() {}

  /// Reads what one event states of an end.
  init(_ end: Event, _ vocabulary: Vocabulary) { self.init([end], vocabulary) }

  /// Reads what several events state of one end: of each thing what the first states.
  init(_ ends: [Event], _ vocabulary: Vocabulary) {
    let stated = ends.filter { !$0.attributes.isNone && $0.verb != .processStart }
      .flatMap { vocabulary.attributes($0.attributes) }
    func first(_ key: String) -> String? { stated.first { $0.key == key }?.value }

    switch first("visibility") {
    case "foreground": audience = .visible
    case "background": audience = .notVisible
    default: break
    }
    reason = first(AttributeKey.reason.rawValue) ?? ""
    allowance =
      first(AttributeKey.allowance.rawValue).flatMap(SystemWords.time)
      ?? SystemWords.time(in: reason, after: "time allowance of ")
      ?? SystemWords.time(in: reason, after: "gracefully after ")
    if let allowance, allowance <= 0 { self.allowance = nil }
    processorTime =
      first("cpu").flatMap(SystemWords.time)
      ?? SystemWords.time(in: reason, after: "application CPU time (seconds): ")
    (memoryLimit, memory) = (first("limit"), first("memory"))
  }

  /// The first word of a text that is a time, such as `0.051s` in `application 0.051s 0%`.
  private static func time(_ text: String) -> Nanoseconds? {
    text.split { $0 == " " || $0 == "," }.lazy
      .compactMap { InstantText.parse(ArraySlice($0.utf8)) }.first
  }

  /// The seconds behind some words, as in `time allowance of 10.00 seconds`.
  private static func time(in text: String, after words: String) -> Nanoseconds? {
    guard let place = text.firstRange(of: words) else { return nil }
    let number = text[place.upperBound...].prefix(24).prefix { $0.isNumber || $0 == "." }
    return InstantText.parse(ArraySlice((number + "s").utf8))
  }
}

extension Profile {
  /// Whether nothing says that the app or the system was exchanged.
  func isOfSameInstallation(as other: Profile) -> Bool {
    let ofOneLaunch = [AttributeKey.launch, .hooks, .pid].map(\.rawValue)
    func lasting(_ profile: Profile) -> Set<Attribute> {
      Set(profile.attributes.filter { !ofOneLaunch.contains($0.key) })
    }
    return lasting(self) == lasting(other)
  }
}
