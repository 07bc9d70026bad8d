import LifecycleModel
import TraceAnalysis
import TraceReport

/// Makes the pages of logs, one after another.
struct LogPages {
  let task: LogTask
  /// The options by which a command reads the same log.
  let logOptions: [String]
  /// The part of each log that is drawn.
  let window: WindowOptions
  /// About how many events a page draws at the most.
  let limit: Int

  /// The page of a log, and what was found.
  ///
  /// The log is read twice, and once more where not all of it can be drawn.
  func page(of log: String) throws -> (results: AnalysisResults, html: String) {
    try ByteInput.checkFile(log, "a page")
    var instants = StoryInstants(in: window.plainPart)
    let analyzed = try task.analyze(log) { instants.observe($1) }
    let (analysis, name) = (analyzed.analysis, analyzed.name)
    let results = analyzed.results(task.known, analyzed.clock)
    if analysis.eventCount == 0 {
      throw CommandError.unreadable("\(name): has no events; there is nothing to show")
    }

    let part = try window.part(by: analyzed.clock)
    guard let axis = instants.axis(.story, analysis, in: part),
      let html = try page(of: log, results, analysis, PagePart(on: axis, in: part))
    else { throw CommandError.usage("\(name): has no events\(window.inPart)") }
    return (results, html)
  }

  /// Draws as many events as the limit allows, and fewer where their texts are long; `nil` when there are
  /// none.
  private func page(
    of log: String, _ results: AnalysisResults, _ analysis: Analysis, _ part: PagePart
  ) throws -> String? {
    var (limit, part) = (limit, part)
    while true {
      let isLong = analysis.eventCount > UInt64(limit)
      part.stretches = isLong ? try stretches(of: log, results, part, limit) : nil
      let (page, size, count) = try draw(log, results, analysis, part)
      if size <= PageDrawing.byteLimit || limit < 1000 { return count > 0 ? page : nil }
      // The next page has a little less than it may have, if events are alike.
      let share = 0.9 * Double(PageDrawing.byteLimit) / Double(size)
      limit = Int(Double(min(count, limit)) * share)
    }
  }

  private func stretches(
    of log: String, _ results: AnalysisResults, _ part: PagePart, _ limit: Int
  ) throws -> [ClosedRange<UInt64>] {
    var input = try task.reopen(log)
    var selection = PageSelection(
      results, limit: limit, on: part.axis, in: part.window, input.vocabulary)
    try input.forEach { selection.observe($0) }
    return selection.finish()
  }

  /// The page, how large it is, and how many events it has; no page where it is much too large.
  private func draw(
    _ log: String, _ results: AnalysisResults, _ analysis: Analysis, _ part: PagePart
  ) throws -> (html: String, size: Int, count: Int) {
    var input = try task.reopen(log)
    var drawing = PageDrawing(results, analysis, part, input.vocabulary)
    var events: [Event] = []
    while try input.read(into: &events) {
      drawing.draw(events)
      if drawing.isTooLarge { return ("", 2 * PageDrawing.byteLimit, drawing.eventCount) }
    }
    let html = drawing.finish(commands(log))
    return (html, html.utf8.count, drawing.eventCount)
  }

  private func commands(_ log: String) -> PageCommands {
    func line(_ command: String, _ more: [String]) -> String {
      (["tracectl", command, log] + logOptions + more).map(ShellWord.quoted).joined(separator: " ")
    }
    return (
      moment: line("timeline", ["--at"]), part: line("report", ["--from", "A", "--to", "B"]),
      findings: line("export", ["--tables", "findings"])
    )
  }
}

/// The directory with the pages of many logs, beside the page that leads to them.
struct PageFolder {
  /// Its path.
  let path: String
  /// Its name, as the page beside it states it.
  let name: String

  /// Makes the directory `report` for a page `report.html`.
  init(of page: String) throws {
    let stem = page.hasSuffix(".html") ? String(page.dropLast(5)) : page + ".pages"
    path = stem
    name = String(stem.split(separator: "/").last ?? "report")
    try WholeFile.makeFolder(path)
  }

  private var taken: [String: Int] = [:]

  /// The name of the page of a log: that of the log, with a number where several have it.
  mutating func file(for log: String) -> String {
    let base = log.split(separator: "/").last.map(String.init) ?? "log"
    let count = (taken[base] ?? 0) + 1
    taken[base] = count
    return count == 1 ? "\(base).html" : "\(base).\(count).html"
  }
}
