import LifecycleModel
import TraceAnalysis
import YAMLReading

/// The words for conditions on the state.
enum StateWords {
  /// Those that go with nothing.
  static let plain: [(word: String, condition: StateCondition)] = [
    ("suspended", .suspended), ("app-active", .appActive), ("app-in-foreground", .appInForeground),
    ("scene-in-foreground", .sceneInForeground), ("inactive", .subjectInactive),
    ("in-background", .subjectInBackground), ("unsaved", .unsaved), ("task-open", .taskOpen),
    ("leaving-foreground", .insideDeparture),
    ("callback-of-another-scene", .insideCallbackOfAnotherScene),
  ]

  /// Pairs that cannot hold together.
  private static let contradictions: [Set<String>] = [
    ["suspended", "app-active"], ["suspended", "app-in-foreground"],
    ["suspended", "scene-in-foreground"],
  ]

  /// A condition as it was written.
  struct Written {
    let word: String
    let condition: StateCondition
    let value: YAMLValue

    /// Whether events bring it about; a finding names them.
    var isOfFacts: Bool {
      if case .declaring = condition { false } else { true }
    }
  }

  /// Says so where conditions cannot hold together.
  static func check(while holding: [Written], unless notHolding: [Written]) {
    for (index, one) in holding.enumerated() {
      for other in holding[..<index] where contradictions.contains([one.word, other.word]) {
        one.value.fail("\(one.word) and \(other.word) never hold at the same time")
      }
    }
    for one in notHolding where holding.contains(where: { $0.word == one.word }) {
      one.value.fail("\"while\" requires \(one.word): the rule can never find anything")
    }
  }
}

/// The keys of a state that takes an argument.
struct StateKeys: Mapping {
  static let shape: Shape = ("state", "a state")
  /// Whose things count that are open: of what leaves the foreground.
  private static let leaving = "leaving"

  let holding = Key(Kind<Resource>.choice("a resource"), "the app holds such a resource")
  let running = Key(.category, "such work is running")
  let inside = Key(
    .mapping(InsideKeys.self, or: Kind<Callback>.callback.map { (scene: $0, app: $0) }),
    "this callback is running for the event's scene, or for the app")
  let declares = Key(
    .oneOrMore(
      .word("a background mode such as audio", Profile.knownBackgroundModes),
      orExpect: "a background mode such as audio"), "the app declares one of these background modes"
  )
  let open = Key(.events, "something is open that such an event began")
  let of = Key(
    .word("whose it must be", [StateKeys.leaving]), "open: only in what leaves the foreground")

  func model(_ owner: YAMLValue) -> StateWords.Written? {
    if open.written == nil, let of = of.written {
      of.fail("\"of\" goes with \"open\": expected {open: …, of: \(StateKeys.leaving)}")
      return nil
    }

    let present = all.filter { $0.written != nil && $0.name != of.name }
    if present.count > 1 {
      let names = present.map(\.name).joined(separator: " and ")
      owner.fail(
        "expected one state in a mapping, found \(names); write a list with a mapping for each")
    } else if owner.mapping("a state")?.isEmpty ?? true {
      owner.fail("expected one of the keys \(StateKeys.names.joined(separator: ", "))")
    }
    guard present.count == 1, all.allSatisfy(\.isRead) else { return nil }

    let states: [(word: String, condition: StateCondition)?] = [
      holding.value.map { ("holding \($0.rawValue)", .holding($0)) },
      running.value.map { ("running \($0.rawValue)", .running($0)) },
      declares.value.map { ("declares \($0.joined(separator: " "))", .declaring($0)) },
      inside.value.map {
        (
          "inside \($0.scene.rawValue) \($0.app.rawValue)",
          .insideCallback(ofScene: $0.scene, ofApp: $0.app)
        )
      },
      open.value?.spans("the state \"open\"").map {
        let state: StateCondition = of.written == nil ? .open($0) : .openInLeaving($0)
        return (state.words, state)
      },
    ]
    return states.compactMap(\.self).first.map {
      StateWords.Written(word: $0.word, condition: $0.condition, value: owner)
    }
  }
}

/// The keys of the state inside of a callback that scenes and the app have under different names.
struct InsideKeys: Mapping {
  static let shape: Shape = ("inside", "the mapping of \"inside\"")

  let scene = Key(
    .callback("a callback of a scene", of: .sceneDelegate), isRequired: true,
    "for the event's scene")
  let app = Key(
    .callback("a callback of an app", of: .appDelegate), isRequired: true, "for the app")

  func model(_: YAMLValue) -> (scene: Callback, app: Callback)? {
    guard let scene = scene.value, let app = app.value else { return nil }
    return (scene, app)
  }
}

extension Kind<Callback> {
  /// A callback of one hook.
  fileprivate static func callback(_ expected: String, of hook: Hook) -> Kind {
    .one(expected, of: Callback.allCases.filter { $0.hook == hook }.map { ($0.rawValue, $0) })
  }
}

extension Kind<[StateWords.Written]> {
  /// States: words, words with an argument, or a list of both.
  static var states: Kind { .oneOrMore(.mapping(StateKeys.self, or: .plain)) }
}

extension Kind<StateWords.Written> {
  /// A state that takes no argument.
  fileprivate static var plain: Kind {
    Kind(JSONSchema.word(StateWords.plain.map(\.word))) { value in
      let word = value.word("a state", StateWords.plain.map(\.word) + StateKeys.names)
      guard let state = StateWords.plain.first(where: { $0.word == word }) else {
        if let word { value.fail("\(word) needs an argument: {\(word): …}") }
        return nil
      }
      return StateWords.Written(word: state.word, condition: state.condition, value: value)
    }
  }
}
