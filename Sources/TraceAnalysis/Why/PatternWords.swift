import LifecycleModel
import TraceText

extension RulePattern {
  /// The pattern as a sentence.
  package var words: String {
    var text = form.content.words + guardWords + form.content.timeWords
    if let roles {
      text += ", in scenes with role " + roles.map(\.rawValue).sorted().joined(separator: " or ")
    }
    return text + ", per \(scope.word)"
  }

  /// In which states an event counts that a finding would name, behind a comma.
  package var guardWords: String {
    var text = ""
    if !guards.holding.isEmpty {
      text += ", while " + guards.holding.map(\.words).joined(separator: " and ")
    }
    if !guards.notHolding.isEmpty {
      text += ", unless " + guards.notHolding.map(\.words).joined(separator: " or ")
    }
    return text
  }
}

extension Scope {
  /// What instances are kept apart by.
  package var word: String { self == .app ? "process" : rawValue }
}

extension EventPattern {
  private static let told = 4

  /// The events in words: by verb and name, the first few.
  package var words: String {
    if isNothing { return "nothing" }
    if !others.isEmpty { return branches.map(\.words).joined(separator: ", or ") }
    var parts = alternatives.prefix(EventPattern.told).map { alternative in
      let verb = alternative.verb.word ?? ""
      let name = alternative.name.flatMap { WellKnownWords.text($0) }
      return name.map { "\(verb) \($0)" } ?? verb
    }

    let more = alternatives.count - parts.count
    if more > 0 { parts.append("\(more) more") }
    return parts.joined(separator: " or ") + conditionWords
  }

  /// What is asked of the events beside verb and name, behind a blank.
  fileprivate var conditionWords: String {
    var text = ""
    if let subjects {
      text += " about \(subjects.map { "\($0)" }.sorted().joined(separator: " or "))"
    }

    if let identifiers {
      text += " " + identifiers.sorted().map(InertText.word).joined(separator: " or ")
    }
    if let labels {
      text += " labelled " + labels.sorted().map(JSONText.quoted).joined(separator: " or ")
    }

    if let writer { text += " " + writer.words }
    return text + attributes.map { " \($0.words)" }.joined()
  }
}

extension AttributeCondition {
  /// The condition in words.
  package var words: String {
    func written(_ values: Set<String>) -> String {
      values.sorted().map { "\(key.rawValue)=\(InertText.word($0))" }.joined(separator: " or ")
    }
    return switch test {
    case .isOneOf(let values): "with \(written(values))"
    case .isNoneOf(let values): "without \(written(values))"
    case .isSaid: "with \(key.rawValue)"
    case .isNotSaid: "without \(key.rawValue)"
    }
  }
}

extension OpenSpan {
  /// What is open, in words.
  fileprivate var words: String {
    let name = begin.alternatives.first?.name.flatMap { WellKnownWords.text($0) } ?? ""
    let isOne = begin.others.isEmpty && begin.alternatives.count == 1
    let (asked, owner) = (begin.conditionWords, isLeaving ? " in what leaves the foreground" : "")

    switch isOne ? begin.alternatives.first?.verb : nil {
    case .acquire?: return "a \(name)\(asked) is held" + owner
    case .workBegin?: return "\(name)\(asked) is running" + owner
    case .dataDirty?: return "data\(asked) is unsaved" + owner
    case .taskBegin?: return "a background task\(asked) is open" + owner
    default: return "\(begin.words) is not over" + owner
    }
  }
}

extension StateCondition {
  /// The condition in words.
  package var words: String {
    switch self {
    case .suspended: "the process is suspended"
    case .appInForeground: "the app is in the foreground"
    case .subjectInactive: "its subject is not active"
    case .subjectInBackground: "its subject is in the background"
    case .sceneInForeground: "a scene is in the foreground"
    case .insideCallback(let ofScene, let ofApp):
      "\(ofScene.rawValue) or \(ofApp.rawValue) is running"
    case .insideCallbackOfAnotherScene: "a callback of another scene is running"
    case .openSpan(let span): span.words
    case .declaring(let modes): "the app declares \(modes.joined(separator: " or "))"
    case .appActive: "the app is active"
    case .insideDeparture: "a callback that leaves the foreground is running"
    }
  }
}

extension RuleNeeds.ProfileCondition {
  /// The condition in words.
  package var words: String {
    switch self {
    case .mode(let mode): "a profile that states mode=\(mode.rawValue)"
    case .scenesPossible: "a profile that does not state mode=app"
    case .noDebugger: "a profile without debugger=true"
    case .noSimulator: "a profile without simulator=true"
    case .noCatalyst: "a profile without platform=catalyst"
    case .says(let key): "a profile that states \(key.rawValue)"
    case .osMajor(let first): "a profile that states os=\(first) or later"
    }
  }
}
