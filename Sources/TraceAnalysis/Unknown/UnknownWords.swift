import LifecycleModel
import TraceText

/// Collects what a trace says in words that this version does not know, each once.
///
/// Unknown words are kept in the trace, and rules ignore them; so a slip of the pen would otherwise go
/// unnoticed. Cost: two table look-ups an event; memory by what is distinct, of which ``limit`` are kept.
public struct UnknownWords {
  /// So many different words are kept.
  public static let limit = 100

  private struct Key: Hashable {
    var kind: UnknownWord.Kind
    var word: String
    var owner: String
  }

  private let vocabulary: Vocabulary
  private let system: any SystemKnowledge
  private let flags = KnownWords.flags
  private let isName = KnownWords.isName
  private let wordCount = WellKnownWords.count
  private var places: [Key: Int] = [:]
  /// By the number of an attribute list: whether it was looked at.
  private var isChecked: [Bool] = []

  /// The words in the order in which they came.
  public private(set) var list: [UnknownWord] = []
  /// How many different words were left out.
  public private(set) var leftOut = 0

  /// Makes a collector for events of `vocabulary`; the catalogue knows the codes of kills.
  package init(_ vocabulary: Vocabulary, _ catalogue: Catalogue) {
    (self.vocabulary, system) = (vocabulary, catalogue.system)
  }

  /// Looks at an event; `line` is asked for its line, where it has one, when there is something to say.
  public mutating func observe(_ event: Event, line: () -> Int?) {
    let flags = flags[Int(event.verb.code)]
    let isNameKnown = flags.contains(.takesAnyName) || isName[nameIndex(event)]
    let hasSubject = event.subjectKind != .none || !flags.contains(.needsSubject)
    if isNameKnown && hasSubject && flags.contains(.isKnown) {
      if event.attributes.isNone || event.attributes.line != nil { return }
      let id = Int(event.attributes.rawValue)
      if !flags.contains(.hasKnownValues) && id < isChecked.count && isChecked[id] { return }
    }
    look(event, isNameKnown: isNameKnown, hasSubject: hasSubject, line)
  }

  /// The place of the event's name among those of its verb; that of no name for words of the app.
  private func nameIndex(_ event: Event) -> Int {
    let name = min(Int(event.name.rawValue), wordCount)
    return Int(event.verb.code) * (wordCount + 1) + name
  }

  // MARK: What is unknown

  private mutating func look(
    _ event: Event, isNameKnown: Bool, hasSubject: Bool, _ line: () -> Int?
  ) {
    let vocabulary = vocabulary
    func place() -> String {
      line().map { "line \($0)" } ?? EventReference(event, vocabulary).text
    }
    let verb = vocabulary.word(of: event.verb)
    if !event.verb.isKnown {
      add(.verb, verb, "", NearestWord.of(verb, in: Verb.known.compactMap(\.word)), place)
    }

    let name = vocabulary.text(event.name)
    if !isNameKnown {
      add(
        .name, name, verb, NearestWord.of(name, in: KnownWords.names(of: event.verb)), place)
    } else if !hasSubject {
      add(.subject, name, verb, KnownWords.subject(of: event.verb, name), place)
    }

    let attributes = vocabulary.attributes(event.attributes)
    switch event.verb {
    case .profile: for attribute in attributes { lookAtProfile(attribute, place) }
    case .processStart:
      if let launch = attributes[.launch] { lookAtValue("launch", launch, place) }
    case .kill: lookAtKill(attributes, place)
    default: break
    }
    if event.verb != .profile { lookAtMembers(event, attributes, place) }
  }

  private mutating func lookAtProfile(_ attribute: Attribute, _ place: () -> String) {
    guard AttributeKey(rawValue: attribute.key) != nil else {
      return add(
        .key, attribute.key, "profile",
        NearestWord.of(attribute.key, in: AttributeKey.allCases.map(\.rawValue)), place)
    }

    if attribute.key == AttributeKey.hooks.rawValue
      || attribute.key == AttributeKey.backgroundModes.rawValue
    {
      for word in attribute.value.split(separator: ",") {
        lookAtValue(attribute.key, String(word), place)
      }
    } else {
      lookAtValue(attribute.key, attribute.value, place)
    }
  }

  private mutating func lookAtValue(_ key: String, _ value: String, _ place: () -> String) {
    guard let known = KnownWords.values[key], !known.contains(value) else { return }
    add(.value, value, key, NearestWord.of(value, in: known), place)
  }

  private mutating func lookAtKill(_ attributes: [Attribute], _ place: () -> String) {
    guard let (key, word) = system.unknownWord(ofKill: attributes) else { return }
    add(.code, word, key.rawValue, nil, place)
  }

  /// Keys that look like a slip of a member of an NDJSON event: these become attributes.
  private mutating func lookAtMembers(
    _ event: Event, _ attributes: [Attribute], _ place: () -> String
  ) {
    let id = Int(event.attributes.rawValue)
    if event.attributes.line != nil || id >= KnownWords.attributesChecked { return }
    if id < isChecked.count && isChecked[id] { return }
    while isChecked.count <= id { isChecked.append(false) }
    isChecked[id] = true

    for attribute in attributes where AttributeKey(rawValue: attribute.key) == nil {
      let key = Array(attribute.key.lowercased())
      // Two letters that changed places are one slip, too.
      let near = KnownWords.members.first {
        NearestWord.distance(key, Array($0)) == 1 || key.sorted() == $0.sorted()
      }
      if let near { add(.member, attribute.key, "", near, place) }
    }
  }

  private mutating func add(
    _ kind: UnknownWord.Kind, _ word: String, _ owner: String, _ near: @autoclosure () -> String?,
    _ place: () -> String
  ) {
    let key = Key(kind: kind, word: word, owner: owner)
    if let index = places[key] {
      list[index].count += 1
      if list[index].places.count < UnknownWord.placesKept { list[index].places.append(place()) }
      return
    }

    guard list.count < UnknownWords.limit else {
      leftOut += 1
      return
    }

    places[key] = list.count
    list.append(
      UnknownWord(kind: kind, word: word, owner: owner, near: near(), count: 1, places: [place()]))
  }
}

/// What an event with a verb may say: the words of the article `Events`.
package enum KnownWords {
  /// So many attribute lists are looked at for slips.
  static let attributesChecked = 1 << 16

  /// The members of an NDJSON event that a slip turns into an attribute.
  static let members = ["writer", "verb", "name", "subject", "label", "value", "attributes"]

  /// What holds for every event with a verb.
  struct Flags: OptionSet {
    let rawValue: UInt8
    static let isKnown = Flags(rawValue: 1)
    static let takesAnyName = Flags(rawValue: 2)
    /// Whether something is missing without a subject.
    static let needsSubject = Flags(rawValue: 4)
    /// Whether it has attributes whose values are known words.
    static let hasKnownValues = Flags(rawValue: 8)
  }

  /// By the code of a verb.
  static let flags: [Flags] = (0...255).map { code in
    let verb = Verb(code: UInt8(code))
    var flags: Flags = verb.word == nil ? [] : .isKnown
    if names(of: verb).isEmpty { flags.insert(.takesAnyName) }
    switch verb {
    case .call, .return, .state, .taskBegin, .taskEnd, .taskGranted, .taskExpire, .taskExpired:
      flags.insert(.needsSubject)
    case .profile, .processStart, .kill: flags.insert(.hasKnownValues)
    default: break
    }
    return flags
  }

  /// By the code of a verb and the number of a well-known word, with a place for all others: whether
  /// the verb takes it as its name.
  static let isName: [Bool] = {
    let width = WellKnownWords.count + 1
    var isName = Array(repeating: false, count: 256 * width)
    for verb in Verb.known {
      for name in names(of: verb) {
        guard let symbol = WellKnownWords.symbol(name) else { continue }
        isName[Int(verb.code) * width + Int(symbol.rawValue)] = true
      }
    }
    return isName
  }()

  /// The names that a verb takes; empty when it takes none, or any.
  package static func names(of verb: Verb) -> [String] {
    switch verb {
    case .call, .return: Callback.allCases.map(\.rawValue)
    case .notify, .observe, .observed: LifecycleNotification.allCases.map(\.rawValue)
    case .state: Transition.all.map(\.text)
    case .work, .workBegin, .workEnd: WorkCategory.allCases.map(\.rawValue)
    case .acquire, .release: Resource.allCases.map(\.rawValue)
    case .deliver, .complete: Delivery.allCases.map(\.rawValue)
    case .sample: SampledValue.allCases.map(\.rawValue)
    case .gap: GapCause.allCases.map(\.rawValue)
    default: []
    }
  }

  /// The subject that an event should have.
  static func subject(of verb: Verb, _ name: String) -> String {
    let subjects = EventPattern.Alternative(verb, WellKnownWords.symbol(name)).subjects
    return Subject.Kind.allCases.filter(subjects.contains)
      .map { $0 == .app ? "app" : "\($0):N" }.joined(separator: " or ")
  }

  /// The words that a key of the profile can have, where it cannot have any.
  package static let values: [String: [String]] = {
    var values: [String: [String]] = [:]
    func set(_ keys: [AttributeKey], _ words: [String]) {
      for key in keys { values[key.rawValue] = words }
    }
    set([.mode], Profile.Mode.allCases.map(\.rawValue))
    set([.clock], Profile.Clock.allCases.map(\.rawValue))
    set([.hooks], Hook.allCases.map(\.rawValue))
    set([.launch], LaunchReason.allCases.map(\.rawValue) + ["unknown"])
    set([.multiScene, .debugger, .simulator, .port], ["true", "false"])
    set(
      [.platform],
      ["ios", "ipados", "tvos", "visionos", "watchos", "catalyst", "macos", "linux"])

    set([.backgroundModes], ["none"] + Profile.knownBackgroundModes)
    return values
  }()
}
