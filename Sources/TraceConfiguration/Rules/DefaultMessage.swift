import TraceAnalysis
import TraceText
import YAMLReading

/// What findings say where a rule has no sentence of its own, and what a sentence can say.
enum DefaultMessage {
  private static let ofCulprit = ["name", "subject", "label", "writer"]
  private static let ofOpener = ["opener", "since", "holder", "held"]
  private static let ofTime = ["elapsed", "allowed"]

  /// All placeholders.
  static let placeholders = ofCulprit + ofOpener + ofTime
  /// Those for what is closed twice.
  static let ofSecondClose = ofCulprit + ofOpener

  /// Those that findings of a pattern fill.
  static func placeholders(of pattern: RulePattern) -> [String] {
    switch pattern.form {
    case .window, .condition, .count: ofCulprit + ofOpener
    case .always, .order: ofCulprit
    case .every(let form) where form.limit == nil: ofCulprit
    // What an event ends too early has no length.
    case .every(let form) where !form.end.isNothing: ofCulprit + ["allowed"]
    case .every, .budget, .balance: ofCulprit + ofTime
    case .stretch, .mainThread: placeholders
    }
  }

  static func never(isWindow: Bool) -> String {
    isWindow
      ? "{name} {label} came after {opener} at {since}" : "{name} {label} is not allowed here"
  }
  static func every(isTimed: Bool) -> String {
    isTimed
      ? "{name} {label} had no response within {allowed}" : "{name} {label} had no response"
  }
  static let order = "{name} {label} came before the event that must precede it"
  static let budget = "{name} {label} took {elapsed}; the limit is {allowed}"
  static let count = "{name} {label} came too often since {since}"
  static let unclosed = "{name} {label} was never closed: open for {elapsed} in the background"
  static let closedAgain = "{name} {label} closed what was already closed at {since}"

  /// Reports each placeholder of a sentence that findings cannot fill; `word` is the key that has only
  /// what is `offered`.
  static func check(_ key: Key<String>, _ word: String, _ offered: [String]) {
    guard let value = key.written, let text = key.value else { return }
    let list = offered.map { "{\($0)}" }.joined(separator: ", ")
    for match in text.matches(of: /\{([^{}]*)\}/) {
      let name = String(match.1)
      if offered.contains(name) { continue }
      let isKnown = placeholders.contains(name)
      let near = isKnown ? nil : NearestWord.of(name, in: offered)
      value.fail(
        (isKnown ? "\"\(word)\" cannot fill {\(name)} here" : "there is no {\(name)}")
          + (near.map { "; did you mean {\($0)}?" } ?? "") + "; known: \(list)")
    }

    let rest = text.replacing(/\{[^{}]*\}/, with: "")
    if let open = rest.firstIndex(of: "{") {
      let found = YAMLValue.quoted(rest[open...].prefix { $0 != " " })
      value.fail("expected } at the end of a placeholder, found \(found); known: \(list)")
    }
  }
}
