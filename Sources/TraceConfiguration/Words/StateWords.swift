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
    let present = members.present
    guard present.count == 1 else {
      if present.count > 1 {
        value.fail(
          "expected one state in a mapping, found \(present.joined(separator: " and ")); write a "
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

  private static func inside(
    _ scene: Callback?, _ app: Callback?, _ value: YAMLValue
  ) -> Written? {
    guard let scene, let app else { return nil }
    return Written(
      word: "inside \(scene.rawValue) \(app.rawValue)",
      condition: .insideCallback(ofScene: scene, ofApp: app), value: value)
  }

  /// A condition as it is written.
  static func print(_ condition: StateCondition) -> String {
    switch condition {
    case .suspended: "suspended"
    case .appActive: "app-active"
    case .appInForeground: "app-in-foreground"
    case .sceneInForeground: "scene-in-foreground"
    case .subjectInactive: "inactive"
    case .subjectInBackground: "in-background"
    case .unsaved: "unsaved"
    case .taskOpen: "task-open"
    case .insideDeparture: "leaving-foreground"
    case .insideCallbackOfAnotherScene: "callback-of-another-scene"
    case .holding(let resource): "{holding: \(resource.rawValue)}"
    case .running(let category): "{running: \(category.rawValue)}"
    case .insideCallback(let scene, let app) where scene == app: "{inside: \(scene.rawValue)}"
    case .insideCallback(let scene, let app):
      "{inside: {scene: \(scene.rawValue), app: \(app.rawValue)}}"
    }
  }
}
