import LifecycleModel
import LifecycleRules
import TraceAnalysis
import YAMLReading

/// A kind of value: how it is read, and its JSON schema.
struct Kind<Value> {
  /// The value, as far as it can be read; a problem names what cannot.
  let read: (YAMLValue) -> Value?
  /// The JSON schema of such a value.
  let schema: (inout SchemaShapes) -> String

  /// A kind with `schema`, read by `read`.
  init(_ schema: @autoclosure @escaping () -> String, _ read: @escaping (YAMLValue) -> Value?) {
    (self.read, self.schema) = (read, { _ in schema() })
  }

  /// A kind whose schema refers to those of mappings.
  init(
    read: @escaping (YAMLValue) -> Value?, schema: @escaping (inout SchemaShapes) -> String
  ) {
    (self.read, self.schema) = (read, schema)
  }

  /// What `make` makes of such a value.
  func map<Other>(_ make: @escaping (Value) -> Other) -> Kind<Other> {
    Kind<Other>(read: { read($0).map(make) }, schema: schema)
  }

  /// Such a value for which `isRight` holds; of another one a problem says what was expected.
  func checked(_ expected: String, _ isRight: @escaping (Value) -> Bool) -> Kind {
    Kind(
      read: { value in
        read(value).flatMap { value.read(isRight($0) ? $0 : nil, orExpect: expected) }
      }, schema: schema)
  }

  // MARK: Lists and mappings

  /// A list, or one value; where an empty list is an error, `expected` says what it lacks.
  static func oneOrMore<Element>(
    _ kind: Kind<Element>, orExpect expected: String? = nil, oneOf known: [String] = []
  ) -> Kind where Value == [Element] {
    Kind(
      read: { value in
        let items = value.items
        if items.isEmpty, let expected { value.expected(expected, oneOf: known) }
        return items.compactMap(kind.read)
      }, schema: { JSONSchema.oneOrMore(kind.schema(&$0)) })
  }

  /// A list.
  static func list<Element>(_ expected: String, _ kind: Kind<Element>) -> Kind
  where Value == [Element] {
    Kind(
      read: { $0.list(expected)?.compactMap(kind.read) },
      schema: { "{\"type\": [\"array\", \"null\"], \"items\": \(kind.schema(&$0))}" })
  }

  /// What the keys of a mapping mean together.
  static func mapping<Keys: Mapping>(_: Keys.Type) -> Kind where Value == Keys.Model {
    Kind(read: { Keys.read($0) }, schema: { $0.reference(Keys.self) })
  }

  /// What the keys of a mapping mean together, or what something shorter means.
  static func mapping<Keys: Mapping>(_: Keys.Type, or short: Kind) -> Kind
  where Value == Keys.Model {
    Kind(
      read: { $0.isMapping ? Keys.read($0) : short.read($0) },
      schema: { JSONSchema.any([short.schema(&$0), $0.reference(Keys.self)]) })
  }

  // MARK: Words

  /// One of some words, each with its meaning.
  static func one(
    _ expected: String, of words: @autoclosure @escaping () -> [(word: String, meaning: Value)]
  ) -> Kind {
    Kind(JSONSchema.word(words().map(\.word))) { value in
      let words = words()
      let word = value.word(expected, words.map(\.word))
      return words.first { $0.word == word }?.meaning
    }
  }

  /// One word, with its meaning.
  static func only(_ word: String, _ meaning: Value) -> Kind {
    one(word, of: [(word, meaning)])
  }
}

extension Kind where Value: Sendable {
  /// Such a value, with its place.
  var sourced: Kind<Configuration.Sourced<Value>> {
    Kind<Configuration.Sourced<Value>>(
      read: { value in read(value).map { .init(value: $0, place: value.place) } }, schema: schema)
  }
}

extension Kind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the words of an enumeration.
  static func choice(_ expected: String) -> Kind {
    Kind(JSONSchema.word(Value.allCases.map(\.rawValue))) { $0.choice(expected, Value.self) }
  }
}

extension Kind<String> {
  /// A text that is not empty.
  static func text(_ expected: String) -> Kind { Kind(JSONSchema.text) { $0.text(expected) } }

  /// A text that is shown and never compared.
  static func prose(_ expected: String) -> Kind { Kind(JSONSchema.text) { $0.prose(expected) } }

  /// One of some words.
  static func word(
    _ expected: String, _ words: @autoclosure @escaping () -> [String]
  ) -> Kind { Kind(JSONSchema.word(words())) { $0.word(expected, words()) } }

  /// An id of at most `longest` characters, which no built-in rule has.
  static func id(_ expected: String, longest: Int = .max) -> Kind {
    Kind(JSONSchema.text) { value in
      let id = value.scalar?.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/).map { String($0.0) }
      return value.read(id.flatMap { $0.count <= longest ? $0 : nil }, orExpect: expected)
        .flatMap { value.isFree(id: $0) ? $0 : nil }
    }
  }
}

// MARK: Kinds that several mappings have

extension Kind<Bool> {
  /// `true` or `false`.
  static var flag: Kind { Kind("{\"type\": \"boolean\"}") { $0.flag() } }
}

extension Kind<Int> {
  /// A whole number.
  static func number(_ expected: String, in range: ClosedRange<Int>) -> Kind {
    Kind("{\"type\": \"integer\", \"minimum\": 1}") { $0.number(expected, in: range) }
  }
}

extension Kind<Nanoseconds> {
  /// A time with its unit.
  static var time: Kind {
    Kind("{\"type\": \"string\", \"pattern\": \"^[0-9.]+(ns|us|ms|s|m|h|d)$\"}") { $0.time() }
  }
}

extension Kind<CalendarDay> {
  /// A day of the calendar.
  static var day: Kind {
    Kind("{\"type\": \"string\", \"pattern\": \"^[0-9]{4}-[0-9]{2}-[0-9]{2}$\"}") {
      $0.read($0.scalar.flatMap { CalendarDay($0) }, orExpect: "a day such as 2027-01-31")
    }
  }
}

extension Kind<Severity> { static var severity: Kind { .choice("a severity") } }
extension Kind<TimeLimit.Clock> { static var clock: Kind { .choice("a clock") } }
extension Kind<Callback> { static var callback: Kind { .choice("a callback") } }
extension Kind<WorkCategory> { static var category: Kind { .choice("a category of work") } }
extension Kind<SceneRole> { static var role: Kind { .choice("a role of a scene") } }
extension Kind<Profile.Mode> { static var mode: Kind { .choice("a mode") } }
extension Kind<Hook> { static var hook: Kind { .choice("a hook") } }

extension YAMLValue {
  /// Whether an id means no built-in rule, which would be found in its place.
  fileprivate func isFree(id: String) -> Bool {
    guard let rule = RuleRegistry.all.first(where: { $0.description.isCalled(id) })?.description
    else { return true }
    let what =
      id == rule.id
      ? "the id of a built-in rule"
      : "the \(rule.formerNames.contains(id) ? "former id" : "number") of the built-in rule \(rule.id)"
    fail("\(id) is \(what); choose another")
    return false
  }
}
