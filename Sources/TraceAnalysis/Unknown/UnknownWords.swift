import LifecycleModel

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
  private var places: [Key: Int] = [:]
  /// By the number of an attribute list: whether it was looked at.
  private var isChecked: [Bool] = []

  /// The words in the order in which they came.
  public private(set) var list: [UnknownWord] = []
  /// How many different words were left out.
  public private(set) var leftOut = 0

  /// Makes a collector for events of `vocabulary`.
  public init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// Looks at an event; `line` is asked for its line, where it has one, when there is something to say.
  public mutating func observe(_ event: Event, line: () -> Int?) {
    let needs = KnownWords.of(event.verb)
    if needs.isQuiet(event) {
      if event.attributes.isNone || event.attributes.line != nil { return }
      let id = Int(event.attributes.rawValue)
      if !needs.hasKnownAttributes && id < isChecked.count && isChecked[id] { return }
    }
    look(event, needs, line)
  }

  // MARK: What is unknown

  private mutating func look(_ event: Event, _ needs: KnownWords, _ line: () -> Int?) {
    let vocabulary = vocabulary
    func place() -> String {
      line().map { "line \($0)" } ?? UnknownWords.number(of: event, vocabulary)
    }
    let verb = vocabulary.word(of: event.verb)
    if !event.verb.isKnown {
      add(.verb, verb, "", NearestWord.of(verb, in: Verb.known.compactMap(\.word)), place)
    }
    let name = vocabulary.text(event.name)
    if !needs.knows(event.name) {
      add(.name, name, verb, NearestWord.of(name, in: needs.names), place)
    } else if needs.needsSubject && event.subjectKind == .none {
      add(.subject, name, verb, needs.subject(of: name), place)
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
    guard let known = KnownWords.values(of: key), !known.contains(value) else { return }
    add(.value, value, key, NearestWord.of(value, in: known), place)
  }

  private mutating func lookAtKill(_ attributes: [Attribute], _ place: () -> String) {
    let namespace = attributes[.namespace]
    if let text = attributes[.code] {
      guard let code = KillCodes.code(text) else {
        return add(.code, text, "code", nil, place)
      }
      // These number their own reasons, or signals.
      if ["SIGNAL", "JETSAM"].contains(namespace) { return }
      if KillCodes.row(code) == nil { add(.code, text, "code", nil, place) }
    } else if let reason = attributes[.reason], KillCodes.reason(reason) == nil {
      add(.code, reason, "reason", nil, place)
    }
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

  /// The number of an event, for a log without lines.
  private static func number(of event: Event, _ vocabulary: Vocabulary) -> String {
    "\(InertText.word(vocabulary.name(of: event.writer)))#\(event.sequence)"
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
private struct KnownWords {
  /// So many attribute lists are looked at for slips.
  static let attributesChecked = 1 << 16

  /// The members of an NDJSON event that a slip turns into an attribute.
  static let members = ["writer", "verb", "name", "subject", "label", "value", "attributes"]

  /// The names of the verb; empty when it takes none, or any.
  var names: [String] = []
  /// By the number of a symbol: whether the verb takes it; empty when it takes any.
  private var isName: [Bool] = []
  /// Whether something is missing without a subject.
  private(set) var needsSubject = false
  /// Whether the verb has attributes whose values are known words.
  private(set) var hasKnownAttributes = false
  private var isKnown = true

  /// Whether the event has nothing unknown but, perhaps, in its attributes.
  func isQuiet(_ event: Event) -> Bool {
    isKnown && knows(event.name) && !(needsSubject && event.subjectKind == .none)
  }

  /// Whether the verb takes the name.
  func knows(_ name: Symbol) -> Bool {
    isName.isEmpty || Int(name.rawValue) < isName.count && isName[Int(name.rawValue)]
  }

  /// The subject that an event with this name should have.
  func subject(of name: String) -> String {
    guard let callback = Callback(rawValue: name) else { return names.isEmpty ? "task:N" : "app" }
    switch callback {
    case .applicationConfigurationForConnecting, .applicationDidDiscardSceneSessions:
      return "session:N"
    default: return callback.hook == .sceneDelegate ? "scene:N" : "app"
    }
  }

  /// What an event with this verb may say.
  static func of(_ verb: Verb) -> KnownWords { table[Int(verb.code)] }

  private static let table: [KnownWords] = {
    var table = Array(repeating: KnownWords(), count: 256)
    for code in table.indices { table[code].isKnown = Verb(code: UInt8(code)).word != nil }
    func set(_ verbs: [Verb], _ names: [String], needsSubject: Bool = false) {
      for verb in verbs {
        table[Int(verb.code)].names = names
        table[Int(verb.code)].needsSubject = needsSubject
        var isName = Array(repeating: false, count: WellKnownWords.count)
        for name in names {
          if let symbol = WellKnownWords.symbol(name) { isName[Int(symbol.rawValue)] = true }
        }
        table[Int(verb.code)].isName = names.isEmpty ? [] : isName
      }
    }
    set([.call, .return], Callback.allCases.map(\.rawValue), needsSubject: true)
    set([.notify, .observe, .observed], LifecycleNotification.allCases.map(\.rawValue))
    set([.state], Transition.all.map(\.text), needsSubject: true)
    set([.work, .workBegin, .workEnd], WorkCategory.allCases.map(\.rawValue))
    set([.acquire, .release], Resource.allCases.map(\.rawValue))
    set([.deliver, .complete], Delivery.allCases.map(\.rawValue))
    set([.sample], SampledValue.allCases.map(\.rawValue))
    set([.gap], GapCause.allCases.map(\.rawValue))
    set(
      [.taskBegin, .taskEnd, .taskGranted, .taskExpire, .taskExpired], [], needsSubject: true)
    for verb in [Verb.profile, .processStart, .kill] {
      table[Int(verb.code)].hasKnownAttributes = true
    }
    return table
  }()

  /// The words that a key of the profile can have; `nil` when it can have any.
  static func values(of key: String) -> [String]? { values[key] }

  private static let values: [String: [String]] = {
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
    // UIBackgroundModes of the property list.
    set(
      [.backgroundModes],
      [
        "none", "audio", "location", "voip", "fetch", "remote-notification", "processing",
        "external-accessory", "bluetooth-central", "bluetooth-peripheral", "newsstand-content",
        "nearby-interaction", "push-to-talk", "network-authentication",
      ])
    return values
  }()
}
