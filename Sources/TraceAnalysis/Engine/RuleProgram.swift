import LifecycleModel

/// Rules made ready for many logs, of which each gets an ``Analyzer`` at little cost.
///
/// What rules compile to is made once and shared by reference, and so are the tables of the profiles
/// that came. It belongs to one thread, and so do its analyzers.
public final class RuleProgram {
  private let rules: [ActiveRule]
  private let statistics: Bool
  private let tables = ProfileTables()
  /// An analyzer that has seen nothing; `nil` when the rules have words of their own, whose symbols are
  /// others in each vocabulary.
  private let prototype: Analyzer?

  /// Makes rules ready; with `statistics` the analyses say how long things took.
  public init(_ rules: [ActiveRule] = RuleRegistry.all, statistics: Bool = false) {
    self.rules = rules
    self.statistics = statistics
    prototype =
      rules.allSatisfy(\.isOfCatalogue)
      ? Analyzer(Vocabulary(), rules: rules, tables: tables) : nil
  }

  /// An analyzer for a trace whose events belong to `vocabulary`.
  ///
  /// Cost: some microseconds.
  public func analyzer(_ vocabulary: Vocabulary) -> Analyzer {
    guard var analyzer = prototype else {
      return Analyzer(vocabulary, rules: rules, statistics: statistics, tables: tables)
    }
    analyzer.begin(vocabulary, statistics: statistics)
    return analyzer
  }
}

/// What was found out about profiles: which rules are in force, and the table of their steps.
final class ProfileTables {
  /// What follows from a profile.
  struct Entry {
    let forces: [RuleNeeds.Force]
    let table: StepTable
    /// The hooks that are recorded; empty when that is not known.
    let hooks: Set<Hook>
  }

  /// So many profiles are remembered, and so many tables.
  private static let limit = 32

  private var entries: [Profile: Entry] = [:]
  private var tables: [[Bool]: StepTable] = [:]

  /// The rules in force under `profile`, and their table, which `make` makes of them.
  func entry(
    _ profile: Profile, _ rules: [ActiveRule], make: ([Bool]) -> StepTable
  ) -> Entry {
    if let entry = entries[profile] { return entry }
    let hooks = profile.hooks
    let forces = rules.map { $0.description.needs.force(under: profile, hooks: hooks) }
    let inForce = forces.map { $0 == .inForce }
    let table = tables[inForce] ?? make(inForce)
    // A log whose profiles are all different must not fill the memory.
    if tables.count >= ProfileTables.limit { tables.removeAll() }
    if entries.count >= ProfileTables.limit { entries.removeAll() }
    tables[inForce] = table
    let entry = Entry(forces: forces, table: table, hooks: hooks ?? [])
    entries[profile] = entry
    return entry
  }
}
