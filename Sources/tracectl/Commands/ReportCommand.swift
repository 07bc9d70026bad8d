import ArgumentParser
import TraceReport
import TraceText

/// `tracectl report`: a log as one page for a browser.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a page for a browser: the verdict, a timeline, the findings, every event.",
    discussion: """
      The page is one file that loads nothing: it can be mailed, kept as an artifact of CI, or opened from the disk. It shows what was found with its evidence drawn into the timeline, what was true at any instant, and what ran while the app was not active. Without script, on paper and where a server forbids scripts, a picture and the lists tell the same.

        tracectl report log.bin -o report.html
        tracectl report log.bin --open
        tracectl report runs/ -o report.html
        tracectl report log.bin --from 12s --to 13s

      Of a very long run it draws the events around what was found, around gaps, ends and turns of the app, and of the rest the longest of each stretch; it says how many those are, and --from and --to draw all of a part.

      Given several logs or a directory, it makes a page that lists them, and beside it a directory with a page for each.
      """)

  @OptionGroup var logs: LogsArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The page to write.", valueName: "file"), completion: .file())
  var output = "report.html"

  @Flag(help: "Open the page in the browser.")
  var open = false

  @OptionGroup var window: WindowOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many events of a run to draw; those that matter most are drawn first. (default: 1000000)",
      valueName: "count", visibility: .hidden), transform: WholeNumber.read)
  var events: Int?

  @OptionGroup var baseline: BaselineOption

  @OptionGroup var strictness: StrictBaselineOption

  @OptionGroup(title: ReadingOptions.title) var reading: ReadingOptions

  func validate() throws {
    if output == "-" || output.isEmpty {
      throw ValidationError("--output takes the name of a file, such as report.html")
    }
    if let events, events < 1 {
      throw ValidationError("--events takes a number of events from 1 on, not \(events)")
    }
  }

  mutating func run() throws {
    let task = try reading.task(baseline)
    try strictness.check(task.known)
    let others = reading.inputs(task.team, baseline)

    let results: AnalysisResults
    let written: String
    let (one, many, _) = try logs.choice()
    if let one {
      let file = try target(output, inputs: others + [one])
      let page = try pages(task).page(of: one)
      try file.write(Array(page.html.utf8))
      (results, written) = (page.results, output)
    } else {
      written = output.contains(".") ? output : output + ".html"
      results = try write(many, others, task, to: written)
    }

    Terminal.printError("wrote \(InertText.word(written))")
    if open { try Browser.open(written) }
    if !results.unreadable.isEmpty { throw ExitStatus.unreadable }
    try strictness.check(results.comparison)
  }

  /// The file of a page, which replaces nothing but a page.
  private func target(_ path: String, inputs: [String]) throws -> ReportFile {
    let file = try ReportFile(path, inputs: inputs)
    let head = LogFinder.head(of: path, 4096)
    if !head.isEmpty, !PageFile.isPage(head) {
      throw CommandError.usage(
        "\(path): exists, and is no page of tracectl; name another file, or remove it")
    }
    return file
  }

  /// Makes pages of logs.
  private func pages(_ task: LogTask) -> LogPages {
    LogPages(
      task: task, logOptions: reading.words, window: window,
      limit: events ?? PageDrawing.eventLimit)
  }

  /// Writes a page for each log, and one that leads to them; returns what all logs show together.
  private func write(
    _ found: [String], _ inputs: [String], _ task: LogTask, to output: String
  ) throws -> AnalysisResults {
    var task = task
    let together = FoundTogether(found, task.settings)
    task.settings.reports += together.reports
    let (logs, pages) = (together.paths, pages(task))
    let index = try target(output, inputs: inputs + logs)
    var folder = try PageFolder(of: output)
    var pile = ResultsPile()
    var rows: [IndexPage.Row] = []

    for log in logs {
      let name = InertText.word(log)
      let file = folder.file(for: log)
      let target = try ReportFile(
        "\(folder.path)/\(file)", inputs: inputs + logs, isNamed: false)
      let page: (results: AnalysisResults, html: String)
      do {
        page = try pages.page(of: log)
      } catch let error as CommandError where error.status == .unreadable || !window.isEmpty {
        // A log of which nothing lies in the part is no reason to leave out the others.
        Terminal.printError(error.description)
        let reason = InertText.line(error.description)
        rows.append(IndexPage.Row(unreadable: reason, log: name))
        pile.add(AnalysisResults(unreadable: .init(log: name, error: reason)))
        continue
      }

      try target.write(Array(page.html.utf8))
      rows.append(IndexPage.Row(page.results, log: name, page: "\(folder.name)/\(file)"))
      pile.add(page.results)
    }

    var total = pile.total
    if let known = task.known { total.compare(with: known) }
    try index.write(Array(IndexPage(total, rows).html.utf8))
    return total
  }
}

/// The browser of the person before the screen.
enum Browser {
  /// The programs that open a file in it, on one system or another.
  private static let openers = ["xdg-open", "open"]

  /// Opens a file; it does not wait for the browser.
  static func open(_ path: String) throws {
    let opener = openers.first { (try? ChildProcess.check($0)) != nil }
    guard let opener else {
      throw CommandError.unreadable(
        "\(path): was written, but nothing here opens a browser: there is no \(openers.joined(separator: " and no ")); open the file yourself"
      )
    }
    _ = try ChildProcess([opener, path])
  }
}
