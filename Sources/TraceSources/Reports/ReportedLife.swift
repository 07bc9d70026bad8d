import LifecycleModel

/// From when to when a process lived that a report is about, by the time of what the report becomes.
struct ReportedLife {
  let report: TerminationReport
  /// When the process began; the end where its age is not known.
  let start: Nanoseconds
  /// When it ended.
  let end: Nanoseconds

  /// The processes of a file of reports, in the order of their ends where all of them are known.
  ///
  /// One after another: a process that began before the end of the one before it begins with that end.
  static func all(of reports: [TerminationReport]) -> [ReportedLife] {
    guard reports.count > 1 else {
      return reports.map { ReportedLife(report: $0, start: 0, end: $0.age ?? 0) }
    }
    guard let sorted = sorted(reports), let origin = wallOrigin(of: reports) else {
      return reports.map { ReportedLife(report: $0, start: 0, end: 0) }
    }

    var last: Nanoseconds = 0
    return sorted.map { report in
      let end = max(last, (report.died ?? origin) - origin)
      defer { last = end }
      return ReportedLife(report: report, start: max(last, end - (report.age ?? 0)), end: end)
    }
  }

  /// The wall clock at the first start, or else the first end; `nil` when it is not known.
  static func wallOrigin(of reports: [TerminationReport]) -> Nanoseconds? {
    guard reports.count > 1 else {
      return reports.first.flatMap { report in
        guard let age = report.age, let launched = report.launched else { return report.died }
        // The process's own clock stands still while the device sleeps: the wall's is right at the end.
        let slept = (report.wallAge ?? age) - age
        return slept > .seconds(1) ? launched + slept : launched
      }
    }
    return sorted(reports)?.first.flatMap { report in report.died.map { $0 - (report.age ?? 0) } }
  }

  /// The reports in the order of their ends; `nil` when one of them does not say it.
  private static func sorted(_ reports: [TerminationReport]) -> [TerminationReport]? {
    guard reports.allSatisfy({ $0.died != nil }) else { return nil }
    return reports.enumerated().sorted { first, second in
      (first.element.died ?? 0, first.offset) < (second.element.died ?? 0, second.offset)
    }.map(\.element)
  }
}
