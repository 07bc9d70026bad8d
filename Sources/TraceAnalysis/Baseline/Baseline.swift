import LifecycleModel

/// Findings that are known already: how often each fingerprint may come.
///
/// See the article `Baseline` for the file and for what counts.
///
/// ```swift
/// import LifecycleModel
/// import LifecycleRules
/// import TraceAnalysis
/// import TraceReport
///
/// /// How many findings of a trace the text of a baseline does not have.
/// func newFindings(in trace: Trace, against text: String) throws -> Int? {
///   var results = AnalysisResults(Analyzer.analyze(trace), of: "flight.bin", trace.vocabulary)
///   results.compare(with: try Baseline(text: text.utf8))
///   return results.comparison?.new
/// }
/// ```
public struct Baseline: Equatable, Sendable {
  /// The version of the file; it changes when fingerprints or members change their meaning.
  public static let version = 1

  /// One fingerprint of the baseline.
  public struct Entry: Hashable, Encodable, Sendable {
    /// The rule's slug.
    public var rule: String
    /// The fingerprint.
    public var fingerprint: String
    /// How many findings with it are known, or are meant here; positive.
    public var count: Int
    /// How much the most serious of them matters: `error`, `warning` or `info`.
    public var severity: String
    /// What it is about: `app`, `scene`, `task` …; empty when there is none.
    public var subject: String
    /// What is wrong, of one of them, for a person to read.
    public var message: String

    /// Makes an entry.
    public init(
      rule: String, fingerprint: String, count: Int, severity: String, subject: String,
      message: String
    ) {
      self.rule = rule
      self.fingerprint = fingerprint
      self.count = count
      self.severity = severity
      self.subject = subject
      self.message = message
    }
  }

  /// The entries by rule, then by fingerprint; each fingerprint stands once.
  public let entries: [Entry]
  private let counts: [String: Int]

  /// Makes a baseline of entries in any order; of one fingerprint the larger count holds.
  public init(_ entries: [Entry] = []) {
    var byFingerprint: [String: Entry] = [:]
    for entry in entries where entry.count > 0 {
      if let other = byFingerprint[entry.fingerprint], !Baseline.holds(entry, other) { continue }
      byFingerprint[entry.fingerprint] = entry
    }
    self.entries = byFingerprint.values.ordered { $0.key < $1.key }
    counts = byFingerprint.mapValues(\.count)
  }

  /// How many findings with a fingerprint are known.
  public func count(of fingerprint: String) -> Int { counts[fingerprint] ?? 0 }

  /// The entries of both; where both have a fingerprint, that with the larger count.
  ///
  /// Associative, commutative, and the same once more is the same.
  public func union(_ other: Baseline) -> Baseline {
    self == other ? self : Baseline(entries + other.entries)
  }

  /// Which of two entries of one fingerprint holds, whatever their order.
  private static func holds(_ entry: Entry, _ other: Entry) -> Bool {
    entry.count == other.count
      ? entry.words.lexicographicallyPrecedes(other.words) : entry.count > other.count
  }
}

extension Baseline.Entry {
  fileprivate var key: (String, String) { (rule, fingerprint) }
  fileprivate var words: [String] { [rule, severity, subject, message] }
}

extension Baseline {
  /// Which of the findings of one fingerprint that are kept are new, given how many there are.
  ///
  /// `kept` are their severities, in the order of logs and places. Which of equal ones was there
  /// before nobody knows: the more serious ones are called new first, and of these the first.
  package static func newOnes(of kept: [Severity], all: Int, known: Int) -> [Bool] {
    let surplus = min(max(0, all - known), kept.count)
    let order = kept.indices.sorted { (kept[$1], $0) < (kept[$0], $1) }
    var isNew = Array(repeating: false, count: kept.count)
    for index in order.prefix(surplus) { isNew[index] = true }
    return isNew
  }
}
