import LifecycleModel
import LifecycleRules
import TraceAnalysis
import Traces

/// Whether findings keep their fingerprints in disguise, and whether different bugs have different
/// ones.
public struct FingerprintTrial {
  /// How many findings of one kind of disguise kept their fingerprints.
  public struct Stability: Sendable {
    /// Findings that are made of the original and of the disguised trace.
    public var cases = 0
    /// Those with the same fingerprint.
    public var kept = 0
    /// Findings of the original that the disguised trace does not show: its times are others.
    public var gone = 0
  }

  /// How often two different bugs share a fingerprint.
  public struct Collisions: Sendable {
    /// How many different bugs there are.
    public var bugs = 0
    /// How many pairs of them.
    public var pairs = 0
    /// How many pairs share a fingerprint.
    public var shared = 0
    /// Pairs of bugs that one rule finds, and those of them that share a fingerprint.
    public var pairsOfOneRule = 0
    /// Some of the pairs that share one.
    public var examples: [String] = []
  }

  /// By disguise.
  public private(set) var stability: [Disguise: Stability] = [:]
  /// Some of those that changed.
  public private(set) var changed: [String] = []
  /// The bugs, each with the rules and fingerprints that it was found by.
  private var found: [PlantedBug: [String: Set<String>]] = [:]
  private let program = RuleProgram()

  /// Makes a trial of nothing.
  public init() {}

  /// How many findings were looked at in disguise.
  public var cases: Int { stability.values.reduce(0) { $0 + $1.cases } }

  /// Breaks a clean trace in every way, and looks at what is found.
  public mutating func run(_ clean: Trace, _ generator: inout SeededGenerator) {
    let source = CleanTrace(clean)
    for way in MutationOperator.all {
      guard let mutant = source.mutant(way, &generator),
        case .violation(let expected) = mutant.label
      else { continue }
      let bug = PlantedBug(mutant, of: clean)
      for finding in findings(mutant.trace) where expected.contains(finding.rule) {
        found[bug, default: [:]][finding.rule, default: []].insert(finding.fingerprint)
      }
      for disguise in Disguise.allCases { tryOut(disguise, mutant.trace, &generator) }
    }
  }

  /// Disguises a trace, and compares the fingerprints of what is found.
  public mutating func tryOut(
    _ disguise: Disguise, _ trace: Trace, _ generator: inout SeededGenerator
  ) {
    let original = disguise.original(trace)
    let disguised = disguise.apply(original, &generator)
    let before = Self.byPlace(findings(original)) { Int($0) - 1 }
    let origins = Dictionary(uniqueKeysWithValues: disguised.places.enumerated().map { ($1, $0) })
    let after = Self.byPlace(findings(disguised.trace)) { origins[Int($0) - 1] ?? -1 }

    for (place, prints) in before {
      guard let others = after[place], others.count == prints.count else {
        stability[disguise, default: Stability()].gone += prints.count
        continue
      }
      stability[disguise, default: Stability()].cases += prints.count
      let kept = zip(prints, others).count { $0 == $1 }
      stability[disguise, default: Stability()].kept += kept
      if kept < prints.count && changed.count < 20 {
        changed.append("\(disguise.rawValue): \(place.rule) at event \(place.index + 1)")
      }
    }
  }

  /// What different bugs have in common.
  public func collisions() -> Collisions {
    var collisions = Collisions()
    let bugs = found.sorted { $0.key.description < $1.key.description }
    collisions.bugs = bugs.count
    for (index, first) in bugs.enumerated() {
      for second in bugs[(index + 1)...] {
        collisions.pairs += 1
        let rules = Set(first.value.keys).intersection(second.value.keys)
        if rules.isEmpty { continue }
        collisions.pairsOfOneRule += 1
        let isShared = rules.contains {
          !(first.value[$0] ?? []).isDisjoint(with: second.value[$0] ?? [])
        }
        guard isShared else { continue }
        collisions.shared += 1
        if collisions.examples.count < 400 {
          collisions.examples.append("\(first.key.description)\n      \(second.key.description)")
        }
      }
    }
    return collisions
  }

  private struct Place: Hashable {
    var rule: String
    var index: Int
  }

  private func findings(_ trace: Trace) -> [Finding] {
    var analyzer = program.analyzer(trace.vocabulary)
    analyzer.observe(trace.events)
    return analyzer.finish().allFindings
  }

  /// The fingerprints by rule and place in the original, found without them.
  private static func byPlace(
    _ findings: [Finding], _ index: (UInt64) -> Int
  ) -> [Place: [String]] {
    var places: [Place: [String]] = [:]
    for finding in findings {
      places[Place(rule: finding.rule, index: index(finding.ordinal)), default: []]
        .append(finding.fingerprint)
    }
    return places.mapValues { $0.sorted() }
  }
}
