import LifecycleModel
import Platform

/// Rules made ready for many logs, of which each gets an ``Analyzer`` at little cost.
///
/// What rules compile to is made once and shared by reference, and so are the tables of the profiles
/// that came. Any thread may ask for an analyzer; an analyzer belongs to one thread.
public final class RuleProgram: @unchecked Sendable {
  // Sound because nothing is changed after the program is made: an analyzer is a copy that takes places of
  // its own before it changes anything, and what else copies share is constant or has a lock.

  private let catalogue: Catalogue
  private let statistics: Bool
  private let tables = ProfileTables()
  /// An analyzer that has seen nothing; `nil` when the rules have words of their own, whose symbols are
  /// others in each vocabulary.
  private let prototype: Analyzer?

  /// Makes rules ready; with `statistics` the analyses say how long things took.
  public init(_ catalogue: Catalogue, statistics: Bool = false) {
    self.catalogue = catalogue
    self.statistics = statistics
    prototype =
      catalogue.rules.allSatisfy(\.isOfCatalogue)
      ? Analyzer(Vocabulary(), catalogue, tables: tables) : nil
  }

  /// An analyzer for a trace whose events belong to `vocabulary`.
  ///
  /// Cost: some microseconds.
  public func analyzer(_ vocabulary: Vocabulary) -> Analyzer {
    analyzer(vocabulary, statistics: statistics)
  }

  /// The same with or without statistics, whatever the program was made for.
  package func analyzer(_ vocabulary: Vocabulary, statistics: Bool) -> Analyzer {
    guard var analyzer = prototype else {
      return Analyzer(vocabulary, catalogue, statistics: statistics, tables: tables)
    }
    analyzer.begin(vocabulary, statistics: statistics)
    return analyzer
  }
}

/// The rules and the clauses that judge under a profile, by their places.
struct InForce: Equatable {
  let rules: [Bool]
  let clauses: [Bool]

  init(_ forces: [RuleForce]) {
    rules = forces.map { $0.rule == .inForce }
    clauses = forces.flatMap(\.patterns)
  }
}

/// What was found out about profiles: which rules are in force, and the table of their steps.
///
/// Analyzers of several threads ask for them, once for each profile that comes.
final class ProfileTables: Sendable {
  /// What follows from a profile.
  struct Entry {
    let forces: [RuleForce]
    let table: StepTable
    /// The hooks that are recorded; empty when that is not known.
    let hooks: Set<Hook>
  }

  /// So many profiles are remembered, and so many tables.
  private static let limit = 32

  /// Lists and no dictionaries: to make the types of those takes longer than to look at each entry.
  private struct Known {
    var entries: [(profile: Profile, entry: Entry)] = []
    var tables: [(inForce: InForce, table: StepTable)] = []

    func entry(_ profile: Profile) -> Entry? { entries.first { $0.profile == profile }?.entry }

    func table(_ inForce: InForce) -> StepTable? { tables.first { $0.inForce == inForce }?.table }
  }

  private let known = Lock(Known())

  /// The rules in force under `profile`, and their table, which `make` makes of them.
  func entry(
    _ profile: Profile, _ rules: [ActiveRule], make: (InForce) -> StepTable
  ) -> Entry {
    if let entry = known.withLock({ $0.entry(profile) }) { return entry }

    let hooks = profile.hooks
    let forces = rules.map { $0.description.force(under: profile, hooks: hooks) }
    let inForce = InForce(forces)
    // Made without the lock: two threads may make the same one, and either is right.
    let table = known.withLock { $0.table(inForce) } ?? make(inForce)
    let entry = Entry(forces: forces, table: table, hooks: hooks ?? [])

    known.withLock { known in
      // A log whose profiles are all different must not fill the memory.
      if known.tables.count >= ProfileTables.limit { known.tables.removeAll() }
      if known.entries.count >= ProfileTables.limit { known.entries.removeAll() }
      if known.table(inForce) == nil { known.tables.append((inForce, table)) }
      if known.entry(profile) == nil { known.entries.append((profile, entry)) }
    }
    return entry
  }
}
