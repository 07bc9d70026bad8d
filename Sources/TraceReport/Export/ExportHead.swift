import LifecycleModel
import TraceAnalysis
import TraceText

/// What a trace for a viewer states about the log as a whole.
package struct ExportHead {
  /// The largest process number that a viewer takes; there are none above on any system.
  private static let greatestPID: Int32 = 4_194_304

  /// The name of the app, or else of the log.
  let app: String
  /// The number of the first process; 1 where it is not known.
  let pid: Int32
  /// The analysis of the log.
  let analysis: Analysis
  /// What was found in the log.
  let results: AnalysisResults
  /// The verdict, counts and the profile, by name.
  let facts: [ExportDetail]
  /// Why times are not those of the wall clock, or not all; `nil` where they are.
  let clockRemark: String?
  /// The instant at which the trace's time is 0: the log's origin, or an earlier event.
  let start: Instant
  /// The wall clock at ``start``, in nanoseconds since 1970; `nil` when it is not known.
  let wallStart: Nanoseconds?
  /// The time at ``start`` in nanoseconds since 1970 for formats that need one: where no date is known, on 2
  /// January 1970, when no app ran.
  let unixStart: Nanoseconds

  /// What the analysis of the log at `path` says; `vocabulary` is the one that its events belong to.
  package init(
    _ analysis: Analysis, of path: String, _ vocabulary: Vocabulary, _ clock: WallClock?
  ) {
    self.analysis = analysis
    let log = InertText.line(path.split(separator: "/").last.map(String.init) ?? path)
    let identification = LogIdentification(analysis, vocabulary, clock)
    app = ExportText.cut(identification.bundle ?? log)
    let said = identification.pids.first.flatMap { Int32($0) } ?? 1
    pid = (1...ExportHead.greatestPID).contains(said) ? said : 1
    let start = min(Instant.origin, analysis.extent?.lowerBound ?? .origin)
    self.start = start

    let wall = clock.flatMap { $0.isDated ? $0.origin.adding(start.nanoseconds) : nil }
    wallStart = wall.flatMap { $0 >= 0 ? $0 : nil }
    let timeOfDay = clock.flatMap { $0.isDated ? nil : $0.origin.adding(start.nanoseconds) }
    unixStart = wallStart ?? max(0, Nanoseconds.seconds(86_400).adding(timeOfDay ?? 0))
    results = AnalysisResults(analysis, of: log, vocabulary)
    let remark =
      analysis.profile.clock == .wall
      ? nil : "stands still while the device sleeps; wall times are exact up to then"
    clockRemark = wallStart == nil ? "no date is known; times count from 1970-01-02" : remark
    facts = ExportHead.facts(
      results, of: log, analysis.profile, clock: wallStart == nil ? nil : remark)
  }

  /// The time of an instant since the start of the trace.
  func time(_ instant: Instant) -> Nanoseconds { max(0, instant.since(start)) }

  private static func facts(
    _ results: AnalysisResults, of log: String, _ profile: Profile, clock: String?
  ) -> [ExportDetail] {
    var facts = [
      ExportDetail("tracectl.headline", Headline(results).line),
      ExportDetail("tracectl.log", log),
      ExportDetail("tracectl.events", Int64(clamping: results.events)),
      ExportDetail("tracectl.gaps", Int64(results.gaps)),
      ExportDetail("tracectl.deaths", Int64(results.ended)),
    ]

    if let last = results.verdicts.last {
      facts.insert(ExportDetail("tracectl.verdict", last.text), at: 1)
    }
    if let clock { facts.append(ExportDetail("tracectl.clock", clock)) }
    return facts + profile.details
  }
}

extension Profile {
  /// What it states, each under its key.
  var details: [ExportDetail] {
    attributes.map { attribute in
      ExportDetail(
        ExportText.cut("tracectl.profile." + InertText.word(attribute.key)),
        InertText.line(attribute.value))
    }
  }
}
