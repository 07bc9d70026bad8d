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

  /// Whose things count that are open: of what leaves the foreground.
  static let leaving = "leaving"

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

  /// Reads conditions, one or a list.
  static func read(_ value: YAMLValue) -> [Written] { value.items.compactMap(readOne) }

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

  private static func readOne(_ value: YAMLValue) -> Written? {
    guard value.isMapping else {
      guard let word = value.word("a state", plain.map(\.word) + MappingSchema.state.names),
        let known = plain.first(where: { $0.word == word })
      else {
        if let word = value.scalar, MappingSchema.state.names.contains(word) {
          value.fail("\(word) needs an argument: {\(word): …}")
        }
        return nil
      }
      return Written(word: word, condition: known.condition, value: value)
    }

    guard let members = value.members(MappingSchema.state) else { return nil }
    if members["open"] == nil, let of = members["of"] {
      of.fail("\"of\" goes with \"open\": expected {open: …, of: \(leaving)}")
      return nil
    }

    let states = members.present.filter { $0 != "of" }
    guard states.count == 1 else {
      if states.count > 1 {
        value.fail(
          "expected one state in a mapping, found \(states.joined(separator: " and ")); write a "
            + "list with a mapping for each")
      } else if value.mapping("a state")?.isEmpty ?? true {
        value.fail("expected one of the keys \(MappingSchema.state.names.joined(separator: ", "))")
      }
      return nil
    }
    return readWithArgument(members, value)
  }

  private static func readWithArgument(_ members: YAMLMembers, _ value: YAMLValue) -> Written? {
    if let holding = members["holding"] {
      return holding.choice("a resource", Resource.self).map {
        Written(word: "holding \($0.rawValue)", condition: .holding($0), value: value)
      }
    }

    if let running = members["running"] {
      return running.choice("a category of work", WorkCategory.self).map {
        Written(word: "running \($0.rawValue)", condition: .running($0), value: value)
      }
    }

    if let declares = members["declares"] {
      let modes = declares.items.compactMap {
        $0.word("a background mode such as audio", Profile.knownBackgroundModes)
      }
      if modes.isEmpty || modes.count < declares.items.count { return nil }
      return Written(
        word: "declares \(modes.joined(separator: " "))", condition: .declaring(modes), value: value
      )
    }

    if let open = members["open"] { return readOpen(open, of: members["of"], value) }
    guard let inside = members["inside"] else { return nil }
    if inside.isMapping {
      guard let both = inside.members(MappingSchema.inside) else { return nil }
      let scene = both["scene"]?.word("a callback of a scene", EventWords.sceneCallbacks)
      let app = both["app"]?.word("a callback of an app", EventWords.appCallbacks)
      guard let scene, let app else { return nil }
      return self.inside(Callback(rawValue: scene), Callback(rawValue: app), value)
    }

    let callback = inside.choice("a callback", Callback.self)
    return self.inside(callback, callback, value)
  }

  private static func readOpen(
    _ open: YAMLValue, of owner: YAMLValue?, _ value: YAMLValue
  ) -> Written? {
    guard let begins = ReadEvents(open)?.spans("the state \"open\"") else { return nil }
    if let owner, owner.word("whose it must be", [leaving]) == nil { return nil }
    let state: StateCondition = owner == nil ? .open(begins) : .openInLeaving(begins)
    return Written(word: state.words, condition: state, value: value)
  }

  private static func inside(
    _ scene: Callback?, _ app: Callback?, _ value: YAMLValue
  ) -> Written? {
    guard let scene, let app else { return nil }
    return Written(
      word: "inside \(scene.rawValue) \(app.rawValue)",
      condition: .insideCallback(ofScene: scene, ofApp: app), value: value)
  }
}
