import LifecycleModel

/// A log may hold more distinct words than fit in memory. What the analyzer still needs of them is
/// what it holds: open windows, findings, milestones and the state.
extension Analyzer {
  /// Lets the vocabulary forget what no event can be asked about any more, when it has become large.
  ///
  /// Call it between two batches; the events of earlier batches have no words from then on.
  public mutating func forgetUnusedWords() {
    guard vocabulary.isLarge, VocabularyUse.seesProperties else { return }
    var use = VocabularyUse()
    use.add(state)
    statistics?.addUse(to: &use)
    for fact in set.facts { use.add(fact.event) }
    for word in set.words { use.add(word) }
    for fact in present.mainThread.facts + present.resumes.facts { use.add(fact.event) }
    if let termination = present.termination { use.add(termination.event) }
    if let beginning = present.beginning { use.add(beginning.event) }
    if let ended {
      use.add(ended.present.state)
      for fact in ended.evidence.ends + ended.present.mainThread.facts + ended.present.resumes.facts
      { use.add(fact.event) }
      if let termination = ended.present.termination { use.add(termination.event) }
    }
    for event in deaths.verdicts.flatMap(\.events) { use.add(event) }
    for rule in rules { use.add(wordsIn: rule) }
    for finding in collector.findings {
      for event in finding.witnesses.compactMap(\.event) { use.add(event) }
      for event in finding.missing.flatMap({ [$0.after, $0.before].compactMap(\.self) }) {
        use.add(event)
      }
    }
    for milestone in milestones.first + milestones.last { use.add(milestone.event) }
    collector.forgetRecurrences()
    statistics?.forgetWords()
    vocabulary.forget(except: use)
  }
}

extension ClauseSet {
  /// The facts that open windows, orders, budgets and balances hold.
  fileprivate var facts: [Fact] {
    var facts = windows.flatMap { $0.open.entries.map(\.value) }
    for order in orders {
      for case .sawThen(let fact, _) in order.progress.entries.map(\.value) { facts.append(fact) }
    }
    facts += everys.flatMap { $0.pending.entries.map(\.value) }
    facts += budgets.flatMap { $0.accounts.entries.map(\.value.first) }
    facts += stretches.flatMap { $0.open.entries.map(\.value) }
    return facts + balances.flatMap(\.facts)
  }

  /// The words that events are compared with, and those that instances are kept apart by.
  fileprivate var words: [Symbol] {
    var words = guarded.flatMap(\.words)
    for order in orders where clauses[order.clause].scope.isOfWords {
      words += order.progress.entries.map { Symbol(rawValue: UInt32($0.key)) }
    }
    return words
  }
}
