import LifecycleModel
import TraceAnalysis
import TraceText
import YAMLReading

/// What the attributes of events can say: the words of the article `Events`.
enum AttributeWords {
  /// A condition as it was written.
  typealias Written = (text: String, condition: AttributeCondition, value: YAMLValue)

  /// Whether events with `verb` can fulfil all conditions; every mistake is told.
  static func check(_ conditions: [Written], of verb: String) -> Bool {
    var isGood = true
    for (index, written) in conditions.enumerated() {
      if !checkWords(written, verb) { isGood = false }
      for other in conditions[..<index] where contradict(other.condition, written.condition) {
        written.value.fail("\(other.text) and \(written.text) never hold at the same time")
        isGood = false
      }
    }
    return isGood
  }

  // MARK: Words

  private static func checkWords(_ written: Written, _ verb: String) -> Bool {
    let key = written.condition.key
    if let verbs = verbs(key), !verb.isEmpty, !verbs.contains(verb) {
      written.value.fail(
        "\(verb) never says \(key.rawValue); expected it with \(list(verbs))")
      return false
    }
    guard let known = values(key.rawValue, of: verb) else { return true }

    let strangers = written.condition.test.values.filter { !known.contains($0) }
    for word in strangers {
      let near = NearestWord.of(word, in: known).map { "; did you mean \(YAMLValue.quoted($0))?" }
      written.value.fail(
        "expected a value of \(key.rawValue), found \(YAMLValue.quoted(word))"
          + (near ?? "; known: \(known.joined(separator: ", "))"))
    }
    return strangers.isEmpty
  }

  private static func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
  }

  /// The verbs whose events can say a key; `nil` for those of all verbs.
  private static func verbs(_ key: AttributeKey) -> [String]? {
    switch key {
    case .mode, .multiScene, .platform, .os, .sdk, .backgroundModes, .debugger, .simulator, .port,
      .hooks, .clock, .implements, .missed, .marks, .partial, .app, .version, .build, .device,
      .install, .process:
      ["profile"]
    case .launch: ["profile", "process.start"]
    case .bundle: ["process.start"]
    case .pid: ["profile", "process.start", "kill", "exit"]
    case .session, .options: ["call", "return"]
    case .task, .access: ["work", EventWords.instant, "work.begin", "work.end"]
    case .handler: ["task.begin", "bgtask.launch"]
    case .holder: ["task.begin"]
    case .kind: ["acquire", "release"] + bgtasks
    case .gpu: bgtasks
    case .code, .namespace, .status, .signal, .exception: ["kill", "exit"]
    case .reason: ["call", "return", "sample", "kill", "exit"]
    case .writer, .from, .to, .within: ["gap"]
    case .warning: ["note"]
    case .role, .by, .at, .line, .allowance: nil
    }
  }

  private static let bgtasks = EventWords.verbs.filter { $0.hasPrefix("bgtask.") }

  /// The values that a key can have with a verb; `nil` when the app or the system has its own.
  static func values(_ key: String, of verb: String) -> [String]? {
    switch AttributeKey(rawValue: key) {
    case .handler?, .gpu?: ["true", "false"]
    case .access?: DataAccess.allCases.map(\.rawValue)
    case .options?: ["none", "url", "activity", "notification", "shortcut"]
    case .warning?: TaskWarning.allCases.map(\.rawValue)
    case .kind? where bgtasks.contains(verb): ["refresh", "processing", "continued"]
    case .launch?, .mode?, .clock?, .platform?, .multiScene?, .debugger?, .simulator?, .port?:
      KnownWords.values[key]
    default: nil
    }
  }

  // MARK: Contradictions

  private static func contradict(_ one: AttributeCondition, _ other: AttributeCondition) -> Bool {
    guard one.key == other.key else { return false }
    return switch (one.test, other.test) {
    case (.isOneOf(let some), .isOneOf(let others)): some.isDisjoint(with: others)
    case (.isOneOf(let some), .isNoneOf(let others)), (.isNoneOf(let others), .isOneOf(let some)):
      some.isSubset(of: others)
    case (.isNotSaid, .isOneOf), (.isOneOf, .isNotSaid), (.isNotSaid, .isSaid),
      (.isSaid, .isNotSaid):
      true
    default: false
    }
  }
}

extension AttributeCondition.Test {
  /// The values that it names, in their order.
  fileprivate var values: [String] {
    switch self {
    case .isOneOf(let values), .isNoneOf(let values): values.sorted()
    case .isSaid, .isNotSaid: []
    }
  }
}

extension AttributeCondition {
  /// Reads `key=value` or `key!=value`; `|` stands between what is as good, and `*` is any value.
  init?(_ text: String, _ value: YAMLValue) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isNegated = parts[0].last == "!"
    let word = String(isNegated ? parts[0].dropLast() : parts[0])
    guard EventWords.attributes.contains(word), let key = AttributeKey(rawValue: word) else {
      value.part(word).expected("an attribute", oneOf: EventWords.attributes)
      return nil
    }
    let values = Set((parts.dropFirst().first ?? "").split(separator: "|").map(String.init))
    if values.isEmpty {
      value.part("").expected("a value of \(word), as in \(word)=…; * is any")
      return nil
    }
    if values.contains(EventWords.anything), values.count > 1 {
      let others = values.filter { $0 != EventWords.anything }.sorted().joined(separator: "|")
      value.part(text).expected("* alone, which is any value, or \(word)=\(others)")
      return nil
    }
    if values.contains(EventWords.anything) {
      self.init(key, isNegated ? .isNotSaid : .isSaid)
    } else {
      self.init(key, isNegated ? .isNoneOf(values) : .isOneOf(values))
    }
  }
}
