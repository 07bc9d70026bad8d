import LifecycleModel

/// What an analysis goes by: the rules, and what is known of the system under which apps run.
public struct Catalogue: Sendable {
  /// The rules that are applied, in the order in which reports have them.
  public var rules: [ActiveRule]
  /// What is known beside the rules.
  package let system: any SystemKnowledge

  /// Makes a catalogue.
  package init(rules: [ActiveRule], system: any SystemKnowledge) {
    (self.rules, self.system) = (rules, system)
  }

  /// The same with other rules.
  public func applying(_ rules: [ActiveRule]) -> Catalogue {
    Catalogue(rules: rules, system: system)
  }
}

/// What is known of a system beside rules: its limits, its words, and how it ends processes.
///
/// It is asked where a process ends and where something is counted first, never event by event.
package protocol SystemKnowledge: Sendable {
  /// The id of the rule that finds an end which no finding of another rule explains.
  var deathRule: String { get }

  /// Reaches a verdict on a process; the moment is that before its end.
  func verdict(_ evidence: DeathVerdict.Evidence, _ moment: Moment) -> DeathVerdict

  /// Whether the system ended a process because something took too long.
  func isOutOfTime(_ end: Event, _ vocabulary: Vocabulary) -> Bool

  /// What the attributes of a kill say that is not known; `nil` when all is.
  func unknownWord(ofKill attributes: [Attribute]) -> (key: AttributeKey, word: String)?

  /// The background time that all tasks of a process have together.
  func backgroundTime(_ profile: Profile) -> Nanoseconds

  /// The limit of what statistics count in a row; `nil` where no number is known.
  func limit(of key: Statistics.Key, _ profile: Profile) -> Nanoseconds?
}
