import LifecycleModel
import TraceAnalysis
import TraceText

/// The ends of all processes of a log in words.
struct DeathsText {
  /// So many verdicts have a paragraph.
  static let told = 5
  /// So many kinds of end are named in a headline.
  private static let named = 3

  private let deaths: Deaths
  private let vocabulary: Vocabulary

  init(_ deaths: Deaths, _ vocabulary: Vocabulary) {
    (self.deaths, self.vocabulary) = (deaths, vocabulary)
  }

  /// A paragraph on each of some ends, the newest first, then all by their causes.
  ///
  /// The most serious ends have one, of equal ones the newest.
  var paragraphs: [String] {
    let newest = deaths.verdicts.enumerated()
      .sorted { ($0.element.deathClass.rank, $1.offset) < ($1.element.deathClass.rank, $0.offset) }
      .prefix(DeathsText.told).sorted { $0.offset > $1.offset }.map(\.element)
    let isOneOfSeveral = deaths.count > 1
    var paragraphs = newest.map {
      DeathText($0, vocabulary, isOneOfSeveral: isOneOfSeveral).paragraph
    }
    if let earlier { paragraphs.append(earlier) }
    return paragraphs
  }

  /// All ends by their causes, where more ended than have a paragraph.
  private var earlier: String? {
    guard deaths.count > DeathsText.told else { return nil }
    let list = DeathsText.rows(deaths.counts).map { "\($0.count) \($0.cause)" }
    return "In all \(CountText.of(deaths.count, "process", plural: "processes")) ended: "
      + list.joined(separator: ", ") + "."
  }

  /// The kinds of end, the most serious class first, in each the most frequent cause first.
  static func rows(
    _ counts: [Deaths.Kind: Int]
  ) -> [(deathClass: DeathClass, cause: String, exitReason: ExitReason?, count: Int)] {
    counts.map { kind, count in
      (kind.deathClass, InertText.word(kind.cause), kind.exitReason, count)
    }.sorted { first, second in
      let order = (first.deathClass.rank, second.deathClass.rank)
      if order.0 != order.1 { return order.0 < order.1 }
      return (second.count, first.cause, first.exitReason?.rawValue ?? "")
        < (first.count, second.cause, second.exitReason?.rawValue ?? "")
    }
  }

  /// How the processes ended, in a phrase for a headline, and the most serious class; `nil` when none
  /// ended.
  var phrase: (text: String, worst: DeathClass)? {
    DeathsText.phrase(
      counted.map { (DeathText($0.verdict, vocabulary).phrase, $0.verdict.deathClass, $0.count) },
      count: deaths.count)
  }

  /// The verdicts with how many ends they stand for: themselves, or where not all are kept the newest of
  /// each kind for all of it.
  private var counted: [(verdict: DeathVerdict, count: Int)] {
    if deaths.count == deaths.verdicts.count { return deaths.verdicts.map { ($0, 1) } }
    var kinds: Set<Deaths.Kind> = []
    let newest = deaths.verdicts.reversed().filter { kinds.insert(Deaths.Kind($0)).inserted }
    return newest.reversed().map { ($0, deaths.counts[Deaths.Kind($0)] ?? 1) }
  }

  /// The phrases of the ends that are known as one, of `count` ends: the most serious first, of these
  /// the newest, three at the most.
  static func phrase(
    _ ends: [(text: String, deathClass: DeathClass, count: Int)], count: Int
  ) -> (text: String, worst: DeathClass)? {
    let ordered = ends.reversed().enumerated().sorted {
      ($0.element.deathClass.rank, $0.offset) < ($1.element.deathClass.rank, $1.offset)
    }
    guard let worst = ordered.first?.element.deathClass else { return nil }
    var phrases: [(text: String, count: Int)] = []
    for (_, end) in ordered {
      if let index = phrases.firstIndex(where: { $0.text == end.text }) {
        phrases[index].count += end.count
      } else {
        phrases.append((end.text, end.count))
      }
    }
    let shown = phrases.prefix(DeathsText.named)
    let rest = count - shown.reduce(0) { $0 + $1.count }
    let list = shown.map { $0.count > 1 ? "\($0.count) × \($0.text)" : $0.text }
    let text = list.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
    return ((count > 1 ? "\(count) processes ended: " : "") + text, worst)
  }
}

extension Analysis {
  /// What reports say of the ends of processes: a paragraph each, the newest first; empty when none
  /// ended.
  public func deathParagraphs(_ vocabulary: Vocabulary) -> [String] {
    DeathsText(deaths, vocabulary).paragraphs
  }
}
