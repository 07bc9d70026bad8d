import LifecycleModel
import TraceAnalysis
import TraceText

extension EventPattern {
  /// The events as they are written, one item each; `nil` when there are no words for them.
  var writtenItems: [String]? {
    var items: [String] = []
    for branch in branches where !branch.alternatives.isEmpty {
      guard let conditions = branch.writtenConditions else { return nil }
      for verb in branch.writtenVerbs {
        items.append(([verb] + conditions).joined(separator: " "))
      }
    }
    return items.isEmpty ? nil : items
  }

  /// Verbs with their names; verbs that have the same names stand alone all the same.
  private var writtenVerbs: [String] {
    var names: [(verb: Verb, names: [String]?)] = []
    for alternative in alternatives {
      let name = alternative.name.flatMap { WellKnownWords.text($0) }
      if let index = names.firstIndex(where: { $0.verb == alternative.verb }) {
        guard let known = names[index].names, let name else {
          names[index].names = nil
          continue
        }
        if !known.contains(name) { names[index].names = known + [name] }
      } else {
        names.append((alternative.verb, name.map { [$0] }))
      }
    }

    let ownNames = identifiers?.sorted()
    func written(_ word: String, _ names: [String]?) -> String {
      guard EventWords.takesName(word) else { return word }
      return word + " " + ((names ?? ownNames)?.joined(separator: "|") ?? EventWords.anyName)
    }

    let begin = names.first { $0.verb == .workBegin }
    let work = names.first { $0.verb == .work }
    let isBoth = work != nil && begin != nil && work?.names == begin?.names
    return names.compactMap { verb, names in
      switch verb {
      case .work: written(isBoth ? "work" : EventWords.instant, names)
      case .workBegin where isBoth: nil
      default: verb.word.map { written($0, names) }
      }
    }
  }

  private var writtenConditions: [String]? {
    if isAskedInsideObserver { return nil }
    var words: [String] = []
    if let subjects {
      words.append(
        Subject.Kind.allCases.filter(subjects.contains).map { "\($0)" }.joined(separator: "|"))
    }

    if let labels, !labels.isEmpty {
      words.append(labels.sorted().map { JSONText.quoted($0) }.joined(separator: "|"))
    }
    switch writer {
    case .any: break
    case .onMain: words.append("thread=main")
    case .offMain: words.append("thread=other")
    case .appCode: words.append("thread=app")
    }

    let conditions = attributes.map(\.written)
    return conditions.contains(nil) ? nil : words + conditions.compactMap(\.self)
  }
}

extension AttributeCondition {
  /// The condition as it is written; `nil` when there are no words for it.
  fileprivate var written: String? {
    guard EventWords.attributes.contains(key.rawValue) else { return nil }
    func values(_ values: Set<String>) -> String? {
      let areWords = values.allSatisfy { value in
        !value.isEmpty && value != EventWords.anyValue
          && !value.contains { $0.isWhitespace || $0 == "|" || $0 == "\"" }
      }
      return areWords ? values.sorted().joined(separator: "|") : nil
    }

    return switch test {
    case .isOneOf(let all): values(all).map { "\(key.rawValue)=\($0)" }
    case .isNoneOf(let all): values(all).map { "\(key.rawValue)!=\($0)" }
    case .isSaid: "\(key.rawValue)=\(EventWords.anyValue)"
    case .isNotSaid: "\(key.rawValue)!=\(EventWords.anyValue)"
    }
  }
}
