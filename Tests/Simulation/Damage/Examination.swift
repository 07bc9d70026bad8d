import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceLog
import TraceReport

/// Does with a log what `verify`, `analyze`, `dump`, `copy` and `report` do, and holds what they say
/// against what was written.
struct Examination {
  /// The readings that were repaired and analyzed, by hash.
  ///
  /// What follows from a reading is a function of it: of readings that are equal it is looked at once, and
  /// of those that come again at one in so many.
  struct Seen {
    private static let repeated = 50
    private var readings: Set<Int> = []
    private var count = 0

    /// Whether what follows from a reading is to be looked at.
    mutating func isNew(_ reading: Reading) -> Bool {
      count += 1
      return readings.insert(reading.hash).inserted || count % Seen.repeated == 0
    }
  }

  private let path: String
  /// What a reader said; `nil` of a log that cannot be read.
  private(set) var reading: Reading?
  private(set) var isWhole = false
  private(set) var complaints: [String] = []

  /// What a damage lets a reader do.
  enum Demand {
    /// To see that something is wrong, and to tell what is missing.
    case all
    /// To see nothing: the log ends where a block ended, or begins with a later part.
    case mayBeUnseen
    /// To take bits for events that were others: a ring has no checksums.
    case mayBeOthers
  }

  /// Examines the log at `path`.
  init(path: String, _ books: Books?, _ demand: Demand, _ seen: inout Seen) throws {
    self.path = path
    do {
      reading = try Reading(path: path)
      isWhole = try VerifyReport(path: path).isWhole
    } catch is LogError {
      return
    }

    guard let reading else { return }
    if let books {
      if demand != .mayBeOthers { complaints = books.complaints(reading) }
      if demand == .all { checkTold(reading, books) }
    }
    guard seen.isNew(reading) else { return }
    try repair(reading, demand)
    try report(reading, books)
  }

  /// A log that is damaged is not called clean: a gap tells the loss, or a line on standard error.
  ///
  /// A torn block that the ring has, too, is no loss.
  private mutating func checkTold(_ reading: Reading, _ books: Books) {
    if isWhole { complaints.append("verify calls it whole") }
    if reading.isToldApart || books.tellsLoss(reading) { return }
    if books.isShort(reading) { complaints.append("fewer events, and nobody tells it") }
    if !reading.damages.allSatisfy({ $0.kind == .tornTail }) {
      complaints.append("nobody tells the damage: \(reading.damages)")
    }
  }

  /// Makes a whole log of it, as `copy` does.
  private mutating func repair(_ reading: Reading, _ demand: Demand) throws {
    var reader = try LogReader(path: path)
    var events: [Event] = []
    let beginning = try LogBeginning(of: &reader, events: &events)
    var whole = WholeEvents(reader.vocabulary, after: beginning.part)
    let sink = MemoryLogSink()
    let identity = reader.identity ?? SmallLog.identity(0)
    let writer = try LogWriter(
      to: sink, vocabulary: reader.vocabulary, identity: identity, after: beginning)
    repeat { try writer.append(whole.take(events)) } while try reader.read(into: &events)
    try writer.close()

    let made = try VerifyReport(LogReader(bytes: sink.bytes))
    if !made.isWhole { complaints.append("the copy is not whole: \(made.problems[0])") }
    let repaired = try Reading(bytes: sink.bytes)
    // A changed ring may hold names that are longer than a log takes: they are cut.
    if repaired.lines != reading.lines, demand != .mayBeOthers {
      let pair = zip(repaired.lines + ["nothing"], reading.lines + ["nothing"])
      let first = pair.first { $0.0 != $0.1 }.map { "\($0.0) | \($0.1)" }
      complaints.append("the copy holds other events: \(first ?? "")")
    }
  }

  /// Analyzes it, and makes its page, as `analyze` and `report` do.
  private mutating func report(_ reading: Reading, _ books: Books?) throws {
    var reader = try LogReader(path: path)
    let vocabulary = reader.vocabulary
    var analyzer = RuleProgram.catalogue.analyzer(vocabulary)
    var instants = StoryInstants()
    var events: [Event] = []
    while try reader.read(into: &events) {
      analyzer.observe(events)
      instants.observe(events)
      analyzer.forgetUnusedWords()
    }

    let analysis = analyzer.finish()
    let results = AnalysisResults(analysis, of: SmallLog.name, vocabulary)
    let text = try ReportForm.text.report(results, ReportForm.Look(toolVersion: "0"))
    if books?.tellsLoss(reading) ?? false, !text.contains("\n  log      ") {
      complaints.append("analyze tells no loss: \(text.prefix(80))")
    }
    guard analysis.eventCount > 0, let axis = instants.axis(.story, analysis, in: nil) else {
      return
    }
    let page = try page(results, analysis, PagePart(on: axis, in: nil, stretches: nil))
    if !page.hasSuffix("</html>\n") { complaints.append("the page does not end") }
  }

  private func page(
    _ results: AnalysisResults, _ analysis: Analysis, _ part: PagePart
  ) throws -> String {
    var reader = try LogReader(path: path)
    var drawing = PageDrawing(results, analysis, part, reader.vocabulary)
    var events: [Event] = []
    while try reader.read(into: &events) { drawing.draw(events) }
    return drawing.finish((moment: "replay", part: "report", findings: "analyze"))
  }
}
