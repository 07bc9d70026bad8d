import TraceAnalysis

/// What one rule found about one thing in several logs: a row of the page about many logs.
struct IndexIssue {
  /// A rule, and what it is about: a label where there is one, since numbers differ from run to run.
  struct Key: Hashable {
    let rule: String
    let words: [String?]

    init(_ finding: ReportedFinding) {
      rule = finding.rule
      let event = finding.culprit?.event
      let subject = event?.label ?? event?.subject ?? finding.subject
      // Ends differ in their causes, which the message words with numbers.
      let cause = rule == "death" ? finding.message.filter { !$0.isNumber } : nil
      words = [event?.verb, event?.name, subject, cause]
    }
  }

  /// What a log shows of it, and where its page does.
  struct Sighting {
    let log: String
    /// The address of the log's page, at the finding.
    let link: String
    /// How often the log has it.
    let count: Int
    let release: String?
    /// When it was, in days since 1970.
    let day: Int?
  }

  let finding: ReportedFinding
  /// How often it was found.
  let count: Int
  /// In which logs, in their order.
  let sightings: [Sighting]

  /// The issues of logs, in the order of the first finding of each.
  static func all(_ total: AnalysisResults, _ rows: [IndexPage.Row]) -> [IndexIssue] {
    // What stands under another finding is no issue of its own.
    total.issues.filter { $0.cause == nil }.grouped { Key($0.finding) }.map { key, issues in
      IndexIssue(
        finding: issues[0].finding, count: issues.reduce(0) { $0 + $1.count },
        sightings: rows.compactMap { $0.sightings[key] })
    }
  }

  /// The releases of the app that have it, in the order of their names.
  var releases: [String] { Set(sightings.compactMap(\.release)).sorted() }

  /// The days on which it was seen, the first one first.
  var days: [Int] { sightings.compactMap(\.day).sorted() }
}
