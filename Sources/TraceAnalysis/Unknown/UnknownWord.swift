import LifecycleModel
import TraceText

/// A word of a trace that this version does not know, or a subject that is missing: what the analysis
/// could not use.
public struct UnknownWord: Hashable, Encodable, Sendable {
  /// What kind of word it is.
  public enum Kind: String, CaseIterable, Encodable, Sendable {
    /// A verb.
    case verb
    /// A name of a verb that takes one: a callback, a notification, a category.
    case name
    /// A key of the profile.
    case key
    /// A value of a key of the profile or of `process.start`, such as a hook or a mode.
    case value
    /// A code or a reason of a `kill` of which no table knows anything.
    case code
    /// A key that looks like a member of an NDJSON event.
    case member
    /// The subject is missing; the word is the name of the event.
    case subject
  }

  /// So many places of one word are kept.
  static let placesKept = 3

  /// What kind of word it is.
  public var kind: Kind
  /// The word.
  public var word: String
  /// What it belongs to: the verb of a name, the key of a value; empty for a verb.
  public var owner: String
  /// What was probably meant, or what is expected; `nil` when nothing is near.
  public var near: String?
  /// How often it stands there.
  public var count: Int
  /// The first lines of the text that have it, or in a binary log the first events, such as `main#12`.
  public var places: [String]

  /// One sentence for a person, without a full stop.
  public var text: String { "\(sentence) (\(placesText))" }

  /// The sentence without the places.
  package var sentence: String {
    let said = InertText.word(word)
    let owner = InertText.word(owner)
    let sentence =
      switch kind {
      case .verb: "unknown verb \(said)"
      case .name: "unknown \(UnknownWord.nouns[self.owner] ?? "name after \(owner)") \(said)"
      case .key: "unknown key \(said) in \(owner)"
      case .value: "unknown \(UnknownWord.nouns[self.owner] ?? "value of \(owner)") \(said)"
      case .code: "unknown \(owner) \(said)"
      case .member: "the unknown key \(said) is kept as an attribute"
      case .subject: "\(said.isEmpty ? owner : "\(owner) \(said)") has no subject"
      }

    let hint =
      near.map { kind == .subject ? "; expected \($0)" : "; did you mean \($0)?" } ?? ""
    return sentence + hint
  }

  /// What the names of a verb, and the values of a key, are called.
  private static let nouns = [
    "call": "callback", "return": "callback", "notify": "notification",
    "observe": "notification", "observed": "notification", "state": "transition",
    "work": "category of work", "work.begin": "category of work",
    "work.end": "category of work", "acquire": "resource", "release": "resource",
    "deliver": "kind of delivery", "complete": "kind of delivery", "sample": "sampled value",
    "gap": "cause of a gap", "hooks": "hook", "mode": "mode", "clock": "clock",
    "launch": "reason of a launch", "platform": "platform",
    "background-modes": "background mode",
  ]

  private var placesText: String {
    let isLine = places.first?.hasPrefix("line ") ?? false
    let shown =
      isLine && places.count > 1
      ? "lines " + places.map { String($0.dropFirst(5)) }.joined(separator: ", ")
      : places.joined(separator: ", ")
    return count > places.count ? "\(shown) and \(count - places.count) more" : shown
  }
}
