import LifecycleModel
import TraceLog
import TraceReport
import TraceSources
import TraceText

/// Reports about ends of processes that lie in files.
struct ReportFiles {
  /// A report, and the file that it was read from.
  struct Entry {
    var path: String
    var report: TerminationReport
  }

  /// As much is looked at to know what a file is.
  static let sampleLength = 1 << 16
  private static let endings = [".ips", ".crash", ".json"]

  /// The reports, those of one incident once.
  private(set) var entries: [Entry] = []

  /// Reads the reports that were named: files, and what is in directories.
  init(_ names: [String], app: String?) throws {
    for name in names {
      if LogFinder.isDirectory(name) {
        try readDirectory(name, app)
      } else {
        for report in try Self.read(name, app) { add(report, name) }
      }
    }
  }

  private mutating func readDirectory(_ directory: String, _ app: String?) throws {
    let prefix = directory.hasSuffix("/") ? directory : directory + "/"
    let paths = LogFinder.names(in: directory).filter { name in
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

  /// What a file says, which must be a report.
  static func read(_ path: String, _ app: String?) throws -> [TerminationReport] {
    var settings = InputSettings()
    settings.console.app = app
    settings.isQuiet = true
    var input = try TraceInput(path, settings: settings)
    guard input.isReport else {
      throw CommandError.unreadable(
        "\(path): is no report about the end of a process; name an .ips, a .crash, a JetsamEvent or "
          + "a MetricKit payload")
    }

    var events: [Event] = []
    while try input.read(into: &events) {}
    return input.reports
  }

  private mutating func add(_ report: TerminationReport, _ path: String) {
    let entry = Entry(path: path, report: report)
    guard let index = entries.firstIndex(where: { $0.report.isSame(as: report) }) else {
      entries.append(entry)
      return
    }

    let known = entries[index]
    // An `.ips` says more than its translation to text: it has the ticks.
    let isBetter = report.form == .ips && known.report.form == .crashText
    if isBetter { entries[index] = entry }
    if known.path != path {
      Self.tellSame(isBetter ? known.path : path, entries[index].path)
    }
  }

  private static func tellSame(_ path: String, _ first: String) {
    Terminal.printError(
      "\(InertText.word(path)): tells of the same incident as \(InertText.word(first)), "
        + "which counts once")
  }

  /// The logs and reports of `paths`, with the reports of one incident once: an `.ips` says more than
  /// its translation to text.
  static func withoutSame(_ paths: [String]) -> [String] {
    var kept: [String: String] = [:]
    var same: [String: String] = [:]
    for path in paths {
      guard let incident = incident(of: path) else { continue }
      guard let known = kept[incident] else {
        kept[incident] = path
        continue
      }
      let isBetter = path.hasSuffix(".ips") && !known.hasSuffix(".ips")
      if isBetter { kept[incident] = path }
      same[isBetter ? known : path] = isBetter ? path : known
    }

    for path in paths { if let first = same[path] { tellSame(path, first) } }
    return paths.filter { same[$0] == nil }
  }

  /// What names the incident of the only report in a file; `nil` when the file is no such report.
  private static func incident(of path: String) -> String? {
    guard endings.contains(where: path.hasSuffix),
      ReportForm(LogFinder.head(of: path, sampleLength)[...]) != nil,
      let reports = try? read(path, nil), reports.count == 1
    else { return nil }
    return reports[0].incident?.lowercased()
  }
}
