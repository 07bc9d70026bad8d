import LifecycleModel
import TraceAnalysis

/// The ends of all processes of one log, or of many, in words.
struct DeathsText {
  /// So many verdicts have a paragraph.
  static let told = 5
  /// So many kinds of end are named in a headline.
  private static let named = 3

  private let results: AnalysisResults

  init(_ results: AnalysisResults) { self.results = results }

  /// A paragraph on each of the last ends, the newest first, then the others by their causes.
  var paragraphs: [String] {
    results.verdicts.suffix(DeathsText.told).reversed().map(\.text)
      + [earlier].compactMap(\.self)
  }

  /// All ends by their causes, where more ended than have a paragraph.
  private var earlier: String? {
    guard results.ended > DeathsText.told else { return nil }
    // The most serious class first, in each the most frequent cause.
    let kinds = results.deaths.sorted { first, second in
      (first.kind.rank, second.count, first.cause, first.exitReason ?? "")
        < (second.kind.rank, first.count, second.cause, second.exitReason ?? "")
    }
    let list = kinds.map { "\($0.count) \($0.cause)" }
    return "In all \(CountText.of(results.ended, "process", plural: "processes")) ended: "
      + list.joined(separator: ", ") + "."
  }

  /// How the processes ended, in a phrase for a headline, and the most serious class; `nil` when none
  /// ended.
  var phrase: (text: String, worst: DeathClass)? {
    DeathsText.phrase(results.verdicts.map { ($0.phrase, $0.kind) }, count: results.ended)
  }

  /// The phrases of the ends that are known as one, of `count` ends: the most serious first, of these
  /// the newest, three at the most.
  private static func phrase(
    _ ends: [(text: String, deathClass: DeathClass)], count: Int
  ) -> (text: String, worst: DeathClass)? {
    let ordered = ends.reversed().enumerated().sorted {
      ($0.element.deathClass.rank, $0.offset) < ($1.element.deathClass.rank, $1.offset)
    }
    guard let worst = ordered.first?.element.deathClass else { return nil }
    var phrases: [(text: String, count: Int)] = []
    for (_, end) in ordered {
      if let index = phrases.firstIndex(where: { $0.text == end.text }) {
        phrases[index].count += 1
      } else {
        phrases.append((end.text, 1))
      }
    }
    let shown = phrases.prefix(DeathsText.named)
    let rest = count - shown.reduce(0) { $0 + $1.count }
    let list = shown.map { $0.count > 1 ? "\($0.count) × \($0.text)" : $0.text }
    let text = list.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
    return ((count > 1 ? "\(count) processes ended: " : "") + text, worst)
  }
}

extension DeathClass {
  /// What matters most comes first.
  var rank: Int {
    switch self {
    case .fault: 0
    case .unexplained: 1
    case .unknown: 2
    case .normal: 3
    }
  }
}
