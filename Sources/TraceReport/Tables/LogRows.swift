import LifecycleModel
import TraceAnalysis

/// What a log says of itself beside its events.
package struct LogFacts: Sendable {
  /// The log's own id, in hexadecimal digits; `nil` when it has none.
  package var id: String?
  /// The wall clock at the log's origin, in nanoseconds since 1970; `nil` when it is not known.
  package var origin: Int64?

  /// Makes facts.
  package init(id: String?, origin: Int64?) { (self.id, self.origin) = (id, origin) }
}

/// The rows of `logs` and `rules`.
enum LogRows {
  /// Adds the row of a log that was read.
  static func add(
    _ analysis: Analysis, of log: String, _ vocabulary: Vocabulary, _ facts: LogFacts,
    to chunk: inout TableChunk
  ) {
    let profile = analysis.profile
    let extent = analysis.extent
    let leftOut = analysis.findingsLeftOut.values.reduce(0, +)
    let counts: [TableValue] = [
      .text(log), .null, .of(facts.id), .of(analysis.eventCount),
      .of(extent?.lowerBound.nanoseconds), .of(extent.map { $0.upperBound.since($0.lowerBound) }),
      .integer(analysis.awake), .of(analysis.gaps.count), .integer(analysis.gaps.events),
      .of(leftOut),
    ]
    let cohort: [TableValue] = LogRows.cohort(analysis, vocabulary).map { .of($0) }
    let rest: [TableValue] = [
      .of(profile.install), .of(profile.attributes[.hooks]),
      profile.attributes.isEmpty ? .null : .text(TableText.json(profile.attributes)),
      .of(facts.origin),
    ]
    chunk.add(counts + cohort + rest)
  }

  /// The app, by its profile or by the start of its process.
  private static func app(_ analysis: Analysis, _ vocabulary: Vocabulary) -> String? {
    let start = analysis.state.processStart.map { vocabulary.attributes($0.event.attributes) }
    return analysis.profile.app ?? start?[.bundle]
  }

  /// Adds the row of a log that cannot be read.
  static func add(error: String, of log: String, to chunk: inout TableChunk) {
    let rest = chunk.columns.count - 2
    chunk.add([.text(log), .text(error)] + Array(repeating: .null, count: rest))
  }

  /// Adds the rows of what the rules concluded.
  static func add(_ outcomes: [RuleOutcome], of log: String, to chunk: inout TableChunk) {
    for outcome in outcomes {
      chunk.add([
        .text(log), .text(outcome.rule.id), .text(outcome.rule.severity.rawValue),
        .text(outcome.outcome.word), .of(outcome.outcome.reason), .of(outcome.checks),
      ])
    }
  }

  /// The values of a cohort's columns.
  static func cohort(
    _ columns: [TableColumn], _ analysis: Analysis, _ vocabulary: Vocabulary
  ) -> [String?] {
    let values = cohort(analysis, vocabulary)
    guard let first = LogTable.logs.place(of: "mode") else { return [] }
    return columns.map { LogTable.logs.place(of: $0.name).flatMap { values[$0 - first] } }
  }

  /// The values of the columns of `logs` from `mode` to `device`, in their order.
  private static func cohort(_ analysis: Analysis, _ vocabulary: Vocabulary) -> [String?] {
    let profile = analysis.profile
    return [
      profile.mode?.rawValue, profile.platform, profile.os, profile.sdk,
      app(analysis, vocabulary), profile.version, profile.build, profile.device,
    ]
  }

  /// The names of the columns of `logs` by which other tables can be summed.
  static let cohortNames = [
    "app", "version", "build", "os", "device", "platform", "sdk", "mode",
  ]
}

extension LogTable {
  /// The columns of `logs` by which `durations` and `rules` can be summed.
  package static var cohortColumns: [TableColumn] {
    LogRows.cohortNames.compactMap { name in LogTable.logs.columns.first { $0.name == name } }
  }
}

extension Outcome {
  /// The outcome in a word.
  var word: String {
    switch self {
    case .violated: "violated"
    case .satisfied: "satisfied"
    case .cannotTell: "cannot-tell"
    case .notApplicable: "not-applicable"
    }
  }

  /// Why it is no judgement; `nil` of one.
  var reason: String? {
    switch self {
    case .violated, .satisfied: nil
    case .cannotTell(let doubts): doubts.map(\.reason).joined(separator: "; ")
    case .notApplicable(let reason): reason
    }
  }
}
