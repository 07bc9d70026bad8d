import LifecycleModel

/// Takes the words of an app out of a trace, so that it can be shown to anybody.
///
/// What stays is what every app says: callbacks, UIKit's names, categories, states, codes, numbers and
/// times. All other words are replaced. The same word has the same replacement everywhere, and words
/// that differ in their numbers alone have replacements of which this is true, too: rules find the same
/// in both traces, and findings that were one bug are one bug.
package struct Scrubber: WordChange {
  /// What happens with words beside what always does; the most cautious pattern wins.
  package struct Policy: Sendable {
    /// Words that stay.
    package var keep: [ScrubPattern] = []
    /// Labels and attributes that are left out.
    package var drop: [ScrubPattern] = []
    /// Words that are replaced though they say nothing of the app.
    package var hash: [ScrubPattern] = []

    package init() {}
  }

  /// What becomes of a word: `hide` leaves the public parts of a value, `hash` leaves nothing.
  private enum Fate { case keep, drop, hash, hide }

  /// Remembers which patterns meant a word.
  private final class Use {
    var patterns: Set<String> = []
  }

  private let policy: Policy
  private let use = Use()
  private let hash: KeyedHash
  private let known: PublicWords

  /// Makes a scrubber; words of `systemWords` stay, too.
  package init(_ policy: Policy, _ hash: KeyedHash, systemWords: [String] = []) {
    (self.policy, self.hash) = (policy, hash)
    known = PublicWords(systemWords)
  }

  /// The patterns that meant a word so far, as they were written.
  package var used: Set<String> { use.patterns }

  private func fate(of word: String, at place: String, isPublic: Bool) -> Fate {
    func isMeant(_ patterns: [ScrubPattern]) -> Bool {
      let meant = patterns.filter { $0.means(word, at: place) }
      for pattern in meant { use.patterns.insert(pattern.text) }
      return !meant.isEmpty
    }
    let (isDropped, isHashed, isKept) = (
      isMeant(policy.drop), isMeant(policy.hash), isMeant(policy.keep)
    )
    if isDropped { return .drop }
    if isHashed { return .hash }
    return isPublic || isKept ? .keep : .hide
  }

  // MARK: Places

  package func verb(_ word: String) -> String {
    fate(of: word, at: "verb", isPublic: false) == .keep ? word : replacement(of: word)
  }

  package func name(_ text: String) -> String {
    let isPublic = WellKnownWords.symbol(text) != nil
    return fate(of: text, at: "name", isPublic: isPublic) == .keep ? text : replacement(of: text)
  }

  /// A label is the app's own word, unless it has a meaning or is a state that was looked up.
  package func label(_ text: String, of event: Event) -> String {
    let isPublic =
      Scrubber.labels.contains(text)
      || event.verb == .sample && AppState(rawValue: text) != nil
    return switch fate(of: text, at: "label", isPublic: isPublic) {
    case .keep: text
    case .drop: ""
    case .hash, .hide: replacement(of: text)
    }
  }

  /// The labels that have a meaning: several observers, and the state to restore.
  private static let labels: Set<String> = ["others", "restoration"]

  package func writer(_ name: String) -> String {
    if Vocabulary.isRole(name) { return name }
    return fate(of: name, at: "writer", isPublic: false) == .keep ? name : replacement(of: name)
  }

  package func attributes(_ list: [Attribute]) -> [Attribute] {
    var told: [Attribute] = []
    let namespace = list[.namespace]
    // An exception's words, and those beside a signal, are the app's own.
    let isSystems = list[.exception] == nil && list[.signal] == nil && namespace != "SIGNAL"
    for attribute in list {
      let fate = fate(of: attribute.value, at: attribute.key, isPublic: isPublic(attribute))
      if fate == .drop { continue }
      let value =
        switch fate {
        case .keep, .drop: attribute.value
        case .hash where attribute.key != AttributeKey.writer.rawValue:
          replacement(of: attribute.value)
        case .hash, .hide: replacement(of: attribute, isSystems: isSystems)
        }
      let isKnown = fate == .keep || Scrubber.keys.contains(attribute.key)
      let key = isKnown ? attribute.key : replacement(of: attribute.key)
      if !told.contains(where: { $0.key == key }) { told.append(Attribute(key, value)) }
    }
    return told
  }

  // MARK: Attributes

  /// The keys of the article `Events`.
  private static let keys: Set<String> = Set(
    AttributeKey.allCases.map(\.rawValue) + AttributeKey.ofImports)

  /// Keys whose values are the app's own words, also where they look like numbers.
  private static let ofApp: Set<String> = Set(
    [AttributeKey.app, .process, .bundle, .install, .holder, .at, .exception, .reason]
      .map(\.rawValue))

  private static let versions: Set<String> = Set([AttributeKey.os, .sdk].map(\.rawValue))

  private func isPublic(_ attribute: Attribute) -> Bool {
    let (key, value) = (attribute.key, attribute.value)
    if key == AttributeKey.writer.rawValue { return writer(value) == value }
    if Scrubber.versions.contains(key) { return PublicWords.isVersion(value) }
    if let isShaped = PublicWords.release[key] { return isShaped(value) }
    if Scrubber.ofApp.contains(key) { return known.contains(value) }
    return Scrubber.keys.contains(key) && known.areIn(value)
  }

  /// What stands for a value; of a sentence the words stay that the system says of every app, if the
  /// sentence is the system's.
  private func replacement(of attribute: Attribute, isSystems: Bool) -> String {
    let value = attribute.value
    switch attribute.key {
    case AttributeKey.writer.rawValue: return writer(value)
    case AttributeKey.reason.rawValue where isSystems, "watchdog" where isSystems:
      return sentence(value)
    case AttributeKey.hooks.rawValue, AttributeKey.backgroundModes.rawValue,
      AttributeKey.implements.rawValue, AttributeKey.missed.rawValue, AttributeKey.marks.rawValue,
      AttributeKey.partial.rawValue, "open":
      return value.split(separator: ",").map {
        known.contains(String($0)) ? String($0) : replacement(of: String($0))
      }.joined(separator: ",")
    default: return replacement(of: value)
    }
  }

  /// What the system says of an end, without the words that are not its own.
  private func sentence(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      known.isOfSentence(word) ? String(word) : replacement(of: String(word))
    }.joined(separator: " ")
  }

  // MARK: Replacements

  /// Letters that are no vowels, and no hexadecimal digits: no word arises, and no number.
  private static let letters = Array("ghjkmnpqrstvwxyz".utf8)
  private static let start = "x-"
  private static let length = 12
  private static let numbers: UInt64 = 1_000_000_000_000

  /// What stands for a word: that of the word without its numbers, and then a number, if it has some.
  private func replacement(of word: String) -> String {
    if word.isEmpty || Scrubber.isReplacement(word) { return word }
    let bare = CausalWord.text(word)
    var bits = hash.of(Array(bare.utf8))
    var told = Scrubber.start
    for _ in 0..<Scrubber.length {
      told.unicodeScalars.append(UnicodeScalar(Scrubber.letters[Int(bits & 15)]))
      bits >>= 4
    }
    return bare == word ? told : told + "-\(hash.of(Array(word.utf8)) % Scrubber.numbers)"
  }

  /// Whether a word stands for another one already.
  private static func isReplacement(_ word: String) -> Bool {
    guard word.hasPrefix(start) else { return false }
    let rest = word.utf8.dropFirst(start.utf8.count)
    guard rest.prefix(length).count == length, rest.prefix(length).allSatisfy(letters.contains)
    else { return false }
    let number = rest.dropFirst(length)
    if number.isEmpty { return true }
    return number.first == UInt8(ascii: "-") && (2...13).contains(number.count)
      && number.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }
}
