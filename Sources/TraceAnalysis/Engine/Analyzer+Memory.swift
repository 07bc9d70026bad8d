import LifecycleModel

/// A log may hold more distinct words than fit in memory. What the analyzer still needs of them is
/// what it holds: open windows, findings, milestones and the state.
extension Analyzer {
  /// Lets the vocabulary forget what no event can be asked about any more, when it has become large.
  ///
  /// Call it between two batches; the events of earlier batches have no words from then on.
  public mutating func forgetUnusedWords() { forgetUnusedWords(but: VocabularyUse()) }

  /// The same, without what else is in `use`.
  package mutating func forgetUnusedWords(but use: VocabularyUse) {
    guard vocabulary.isLarge, VocabularyUse.seesProperties else { return }
    own()
    var use = use
    addUse(to: &use)
    ledger.collector.forgetRecurrences()
    for index in statistics.indices { statistics[index].forgetWords() }
    vocabulary.forget(except: use)
  }

  /// Whether so many words are held that it is worth while to forget some.
  package var isVocabularyLarge: Bool { vocabulary.isLarge }

  /// Adds the words that may still be needed, for who shares the vocabulary.
  package func addUse(to use: inout VocabularyUse) {
    use.add(ledger.present)
    for index in statistics.indices { statistics[index].addUse(to: &use) }

    for clause in set.forms.all {
      for opener in clause.facts { use.add(opener.event) }
      for word in clause.words { use.add(word) }
    }

    for word in set.guarded.flatMap(\.words) { use.add(word) }
    if let ended {
      use.add(ended.present)
      for opener in ended.evidence.ends { use.add(opener.event) }
    }

    for event in deaths.verdicts.flatMap(\.events) { use.add(event) }
    for event in conclusions?.verdicts.flatMap(\.events) ?? [] { use.add(event) }
    for rule in ledger.rules.logics { use.add(wordsIn: rule) }
    for finding in ledger.collector.findings {
      for event in finding.witnesses.compactMap(\.event) { use.add(event) }
      for event in finding.missing.flatMap({ [$0.after, $0.before].compactMap(\.self) }) {
        use.add(event)
      }
    }
    for milestone in milestones.first + milestones.last { use.add(milestone.event) }
  }
}

extension VocabularyUse {
  /// Whether this build can look at properties: it cannot if reflection metadata was left out.
  static let seesProperties = !Mirror(reflecting: Subject.app).children.isEmpty

  /// Adds the words of all that is true at a place.
  fileprivate mutating func add(_ present: Present) {
    add(present.state)
    for opener in present.facts { add(opener.event) }
  }

  /// Adds the words of all events and symbols that a value holds, however deep.
  ///
  /// A rule need not list what it remembers. Reflection is slow, but words are rarely forgotten.
  mutating func add(wordsIn value: Any) {
    switch value {
    case let event as Event: add(event)
    case let word as Symbol: add(word)
    case is String, is any BinaryInteger: break
    default: for (_, part) in Mirror(reflecting: value).children { add(wordsIn: part) }
    }
  }
}
