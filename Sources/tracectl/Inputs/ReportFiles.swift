import LifecycleModel
import TraceSources
import TraceText

/// Reports about ends of processes that lie in files, those of one incident once.
struct ReportFiles {
  /// A report, and the file that it was read from.
  typealias Entry = (path: String, report: TerminationReport)

  private static let endings = [".ips", ".crash", ".json"]

  /// The reports.
  private(set) var entries: [Entry] = []
  /// The files about an incident that another file describes better, or described before.
  private var doubles: Set<String> = []
  /// Where entries stand, by their incident in small letters, and by the number of their process.
  private var places: [String: [Int]] = [:]

  private init() {}

  /// Reads the reports that were named: files, and what is in directories.
  init(_ names: [String], app: String?) throws {
    for name in names {
      if LogFinder.isDirectory(name) {
        try readDirectory(name, app)
      } else {
        let reports = try Self.read(name, app)
        if reports.isEmpty {
          Terminal.printError(
            "\(InertText.word(name)): contains no report that can be joined to a log; analyze it alone"
          )
        }
        for report in reports { add(report, name) }
      }
    }
  }

  private mutating func readDirectory(_ directory: String, _ app: String?) throws {
    let prefix = directory.hasSuffix("/") ? directory : directory + "/"
    let paths = (LogFinder.names(in: directory) ?? []).filter { name in
      Self.endings.contains(where: name.hasSuffix)
    }.map { prefix + $0 }
    if paths.isEmpty {
      throw CommandError.unreadable(
        "\(directory): this directory contains no report; reports end in "
          + Self.endings.joined(separator: ", "))
    }

    for path in paths {
      do {
        for report in try Self.read(path, app) { add(report, path) }
      } catch let error as CommandError {
        // Those of other apps and of the device lie beside the one that is looked for.
        Terminal.printError("\(error)")
      }
    }
  }

  /// The reports in a file, which must be a report.
  static func read(_ path: String, _ app: String?) throws -> [TerminationReport] {
    var settings = InputSettings()
    settings.console.app = app
    settings.isQuiet = true
    var input = try TraceInput(path, settings: settings)
    guard input.isReport else {
      throw CommandError.unreadable(
        "\(path): is no report about the end of a process; name an .ips, a .crash, a JetsamEvent or "
          + "a MetricKit payload here, and a log before the option")
    }

    try input.forEach { _ in }
    return input.reports
  }

  private mutating func add(_ report: TerminationReport, _ path: String) {
    let entry = (path, report)
    guard let index = index(ofSame: report) else {
      for key in Self.keys(of: report) { places[key, default: []].append(entries.count) }
      entries.append(entry)
      return
    }

    let known = entries[index]
    let isBetter = report.tellsMore(than: known.report)
    if isBetter { entries[index] = entry }
    guard known.path != path else { return }

    let double = isBetter ? known.path : path
    doubles.insert(double)
    Terminal.printError(
      "\(InertText.word(double)): is about the same incident as "
        + "\(InertText.word(entries[index].path)), which counts once")
  }

  private func index(ofSame report: TerminationReport) -> Int? {
    let candidates = Self.keys(of: report).flatMap { places[$0] ?? [] }
    return candidates.first { entries[$0].report.isSame(as: report) }
  }

  private static func keys(of report: TerminationReport) -> [String] {
    [report.incident?.lowercased(), report.pid.map { "pid \($0)" }].compactMap(\.self)
  }

  /// The logs and reports of `paths`, with the reports of one incident once, and what the first bytes of the
  /// reports say.
  static func withoutSame(_ paths: [String]) -> (paths: [String], heads: [Entry]) {
    var files = ReportFiles()
    var heads: [Entry] = []
    for path in paths {
      let reports = reports(atHeadOf: path)
      heads += reports.map { (path, $0) }
      if reports.count == 1 { files.add(reports[0], path) }
    }
    return (
      paths.filter { !files.doubles.contains($0) },
      heads.filter { !files.doubles.contains($0.path) }
    )
  }

  /// What the first bytes of a file say of the reports in it, such as their incident; none when it is no report.
  private static func reports(atHeadOf path: String) -> [TerminationReport] {
    guard endings.contains(where: path.contains) else { return [] }
    let head = LogFinder.head(of: path, InputForm.sampleLength)
    guard ReportForm(head[...]) != nil else { return [] }
    var source = ReportSource()
    var events: [Event] = []
    try? source.take(head[...], into: &events)
    try? source.finish(into: &events)
    return source.reports
  }
}
