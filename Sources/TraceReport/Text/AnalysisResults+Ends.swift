import LifecycleModel
import TraceAnalysis

/// The ends of all processes of one log, or of many, in words.
extension AnalysisResults {
  /// The largest number of verdicts that have a paragraph.
  private static let endParagraphsShown = 5
  /// The largest number of kinds of end that a headline names.
  private static let endingsNamed = 3

  /// A paragraph on each of some ends, in the order of the headline, then all by their causes.
  ///
  /// The most serious ends come first, of equal ones the newest.
  var endParagraphs: [String] {
    // Of a crash loop the last end speaks for all.
    let loops = verdicts.filter { !$0.earlierOfLoop.isEmpty }
    let shown = verdicts.filter { end in
      !loops.contains { $0.log == end.log && $0.earlierOfLoop.contains(end.process.number) }
    }
    let first = shown.enumerated()
      .sorted { ($0.element.class.rank, $1.offset) < ($1.element.class.rank, $0.offset) }
      .prefix(Self.endParagraphsShown).map(\.element.text)
    return first + [allEnds].compactMap(\.self)
  }

  /// All ends by their causes, where more ended than have a paragraph.
  private var allEnds: String? {
    guard ended > Self.endParagraphsShown else { return nil }
    // The most serious class first, in each the most frequent cause.
    let kinds = deaths.sorted { first, second in
      (first.class.rank, second.count, first.cause, first.exitReason ?? "")
        < (second.class.rank, first.count, second.cause, second.exitReason ?? "")
    }
    let list = kinds.map { "\($0.count) \($0.cause)" }
    return "In total \(CountText.of(ended, "process", plural: "processes")) ended: "
      + list.joined(separator: ", ") + "."
  }

  /// How the processes ended, in a phrase for a headline, and the most serious class; `nil` when none
  /// ended.
  ///
  /// The most serious ends come first, of these the newest; at most three phrases are named.
  var ending: (text: String, worst: DeathClass)? {
    let ordered = countedEnds.reversed().enumerated().sorted {
      ($0.element.end.class.rank, $0.offset) < ($1.element.end.class.rank, $1.offset)
    }.map(\.element)
    guard let worst = ordered.first?.end.class else { return nil }

    var phrases: [(text: String, count: Int)] = []
    for (end, count) in ordered {
      if let index = phrases.firstIndex(where: { $0.text == end.phrase }) {
        phrases[index].count += count
      } else {
        phrases.append((end.phrase, count))
      }
    }

    let shown = phrases.prefix(Self.endingsNamed)
    let rest = ended - shown.reduce(0) { $0 + $1.count }
    let list = shown.map { $0.count > 1 ? "\($0.count) × \($0.text)" : $0.text }
    let text = list.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
    return ((ended > 1 ? "\(ended) processes ended: " : "") + text, worst)
  }

  /// The verdicts with how many ends they stand for: themselves, or where not all are kept the newest of
  /// each kind for all of it.
  private var countedEnds: [(end: ReportedDeath, count: Int)] {
    if ended == verdicts.count { return verdicts.map { ($0, 1) } }
    let counts = Dictionary(
      deaths.map { ($0.order, $0.count) }, uniquingKeysWith: { first, _ in first })
    var kinds: Set<AnalysisResults.DeathTally.Order> = []
    let newest = verdicts.reversed().filter { kinds.insert($0.order).inserted }
    return newest.reversed().map { ($0, counts[$0.order] ?? 1) }
  }
}
