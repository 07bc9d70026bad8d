import LifecycleModel
import TraceAnalysis

/// Processes that ended alike.
struct EndGroup {
  /// The newest of them.
  let end: ReportedDeath
  /// The oldest of several, where all are known.
  var first: ReportedDeath?
  /// How many there are.
  var count: Int
  /// In how many logs.
  var logs: Int
  /// The fingerprints of the findings that stand for them.
  var findings: [String]
}

/// The ends of all processes of one log, or of many, in words.
extension AnalysisResults {
  /// The largest number of kinds of end that have a paragraph.
  private static let endParagraphsShown = 5
  /// The largest number of kinds of end that a headline names.
  private static let endingsNamed = 3

  /// The processes that ended alike: the most serious ends first, of equal ones the newest.
  ///
  /// Where more processes ended than there are verdicts, the newest of a kind stands for all of the kind.
  var endGroups: [EndGroup] {
    let isWhole = ended == verdicts.count
    let tallies = Dictionary(deaths.map { ($0.order, $0) }) { first, _ in first }
    let alike = verdicts.reversed().grouped { end in
      EndKind(order: end.order, likeness: isWhole ? end.likeness : nil)
    }

    return alike.map { kind, ends in
      let tally = isWhole ? nil : tallies[kind.order]
      return EndGroup(
        end: ends[0], first: isWhole && ends.count > 1 ? ends[ends.count - 1] : nil,
        count: tally?.count ?? ends.count, logs: tally?.logs ?? Set(ends.map(\.log)).count,
        findings: ends.compactMap(\.finding))
    }.sorted { $0.end.class.rank < $1.end.class.rank }
  }

  /// What ends have in common that are alike; the kind alone where not all of them are known.
  private struct EndKind: Hashable {
    let order: DeathTally.Order
    let likeness: [String?]?
  }

  /// A paragraph on the newest of each kind of end, in the order of the headline, then all ends by their causes where
  /// there are more kinds.
  package var endParagraphs: [String] {
    let groups = endGroups
    let first = groups.prefix(Self.endParagraphsShown).map { group in
      // Of a crash loop the paragraph says how many there are.
      let others = group.count - 1 - group.end.earlierOfLoop.count
      let words = CountText.of(others, "more process", plural: "more processes")
      return group.end.text + (others > 0 ? " \(words) ended alike." : "")
    }
    return first + (groups.count > first.count ? [allEnds] : [])
  }

  /// All ends by their causes.
  private var allEnds: String {
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
  /// At most three phrases are named.
  package var ending: (text: String, worst: DeathClass)? {
    let ends = endGroups
    guard let worst = ends.first?.end.class else { return nil }
    let phrases = ends.grouped(by: \.end.phrase).map { phrase, groups in
      (text: phrase, count: groups.reduce(0) { $0 + $1.count })
    }

    let shown = phrases.prefix(Self.endingsNamed)
    let rest = ended - shown.reduce(0) { $0 + $1.count }
    let list = shown.map { $0.count > 1 ? "\($0.count) × \($0.text)" : $0.text }
    let text = list.joined(separator: ", ") + CountText.more(rest, behind: ", ")
    return ((ended > 1 ? "\(ended) processes ended: " : "") + text, worst)
  }
}

extension ReportedDeath {
  /// What another process has in common that ended for the same reason, but for its numbers.
  package var likeness: [String?] {
    [finding, advice, phrase, explanation?.filter { !$0.isNumber }]
  }
}
