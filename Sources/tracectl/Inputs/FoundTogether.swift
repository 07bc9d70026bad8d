import LifecycleModel
import TraceSources
import TraceText

/// Logs and crash reports that were named together, or lie in one directory.
///
/// A report is joined to the log of its process without being asked for, where the log's id, the boot or a clock
/// shows that it is about that process, or where the number and the age of one process alone fit; else both are
/// shown side by side.
struct FoundTogether {
  /// The files that are read by themselves, in their order.
  private(set) var paths: [String]
  /// The reports that belong to one of the logs.
  private(set) var reports: [ReportFiles.Entry] = []

  /// Sorts files; each log beside which there are reports is read once for it.
  init(_ paths: [String], _ settings: InputSettings) {
    let (all, heads) = ReportFiles.withoutSame(paths)
    // What --crash names is held against each log.
    let named = heads.filter { head in
      settings.reports.contains { $0.path == head.path || $0.report.isSame(as: head.report) }
    }.map(\.path)
    self.paths = all.filter { !named.contains($0) }
    let found = heads.filter { !named.contains($0.path) }
    let logs = self.paths.filter { path in !found.contains { $0.path == path } }
    if found.isEmpty || logs.isEmpty { return }

    var fits: [Int: [(log: String, means: ReportJoin.Means)]] = [:]
    for log in logs {
      for place in Self.places(of: found.map(\.report), in: log, settings) {
        fits[place.report, default: []].append((log, place.means))
      }
    }
    var joined: Set<Int> = []
    for (report, places) in fits.sorted(by: { $0.key < $1.key }) {
      let isSure = places.contains { $0.means.doubt == nil }
      if isSure || places.count == 1 && places[0].means == .age {
        joined.insert(report)
        continue
      }
      let names = [found[report].path, places[0].log].map { InertText.word($0) }
      Terminal.printError(
        "\(names[0]): may be about a process of \(names[1]), by \(places[0].means.rawValue); "
          + "both are shown side by side, and --crash joins them")
    }
    // A file of several reports is one input: it is joined as a whole, or not at all.
    let apart = Set(found.indices.filter { !joined.contains($0) }.map { found[$0].path })
    let own = Set(found.map(\.path)).subtracting(apart)
    self.paths.removeAll { own.contains($0) }
    for path in own.sorted() {
      let heads = found.filter { $0.path == path }.map(\.report)
      let whole = (try? ReportFiles.read(path, settings.console.app)) ?? []
      reports += (whole.isEmpty ? heads : whole).map { (path, $0) }
      Terminal.printError("\(InertText.word(path)): joined to the log of its process")
    }
  }

  /// Where the reports may belong in a log; nowhere if it cannot be read.
  private static func places(
    of reports: [TerminationReport], in log: String, _ settings: InputSettings
  ) -> [ReportJoin.Place] {
    var quiet = settings
    (quiet.isQuiet, quiet.tellsDamages) = (true, false)
    guard var input = try? TraceInput(log, settings: quiet, isReadAgain: true) else { return [] }

    var join = ReportJoin(reports)
    var (events, places): ([Event], [ReportJoin.Place]) = ([], [])
    while (try? input.read(into: &events)) == true {
      for event in events { places += join.observe(event, input.vocabulary, input.joinFacts) }
      input.vocabulary.forgetAllIfLarge()
    }
    return places + join.finish(input.joinFacts)
  }
}
