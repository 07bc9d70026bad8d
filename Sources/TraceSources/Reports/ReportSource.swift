import LifecycleModel
import TraceText

/// Reads a report about the end of a process, in any form of ``ReportForm``, also a part of one; the
/// article `CrashReports` says what becomes of it.
///
/// Memory does not depend on the length of the report.
///
/// ```swift
/// import LifecycleModel
/// import TraceSources
///
/// /// What a crash report states about the end of a process, in a few words.
/// func ending(ofReport text: String) throws -> String? {
///   var source = ReportSource()
///   var events: [Event] = []
///   try source.take(Array(text.utf8)[...], into: &events)
///   try source.finish(into: &events)
///   return source.reports.first?.summary
/// }
/// ```
public struct ReportSource: TraceSource {
  /// The words that the events refer to.
  public let vocabulary = Vocabulary()
  /// What was counted.
  public private(set) var tally = SourceTally()
  /// What was read, once the input has ended: a report for each process that it is about.
  public private(set) var reports: [TerminationReport] = []
  /// The wall clock at instant 0: the launch, or else the death; `nil` when the report says neither.
  public private(set) var wallOrigin: Nanoseconds?

  private let app: String?
  private var head: [UInt8] = []
  /// The reader of the form; `nil` until it is known.
  private var reader: ReportReading?
  /// What the pieces contain that were read before.
  private var before: [ReportContents] = []
  /// The numbers of the lines of the piece that is read; empty where they are 1, 2, 3 ….
  private var numbers: [Int] = []

  /// Makes a source; `app` is the name of a process or a bundle, and refuses reports about others.
  public init(app: String? = nil) { self.app = app }

  /// Takes the next bytes; the chunks make no difference.
  public mutating func take(_ bytes: ArraySlice<UInt8>, into events: inout [Event]) throws {
    if let reader { return reader.take(bytes) }
    head += bytes
    if head.count >= ReportForm.sampleLength { try decide() }
  }

  /// Takes a whole report that is a piece of a longer text.
  public mutating func take(_ piece: Paste.Piece, into events: inout [Event]) throws {
    numbers = piece.numbers
    head = piece.bytes
    try decide(piece.report)
    if let reader { before.append(reader.finish()) }
    (reader, numbers) = (nil, [])
  }

  /// A report becomes events as a whole.
  public mutating func flush(into events: inout [Event]) {}

  /// A report becomes events as far as it was read.
  public mutating func forgetUnfinishedLine() {}

  /// Appends the events of what was read.
  ///
  /// Throws a ``SourceError`` when nothing of it is a report, or when it is about another app.
  public mutating func finish(into events: inout [Event]) throws {
    if reader == nil, before.isEmpty { try decide() }
    var narrator = ReportNarrator(vocabulary: vocabulary)
    try tell(ReportContents(before + [reader?.finish()].compactMap(\.self)), &narrator)

    var numbering = SequenceNumbering()
    for var event in narrator.events {
      numbering.number(&event, in: vocabulary)
      events.append(event)
    }
    tally.events = narrator.events.count
    tally.records = max(1, reports.count)
    tally.app = reports.first.flatMap { $0.process ?? $0.bundle }
  }

  // MARK: The form

  /// Begins the report by the form that its head shows, else by `known`.
  private mutating func decide(_ known: ReportForm? = nil) throws {
    guard let form = ReportForm(head[...]) ?? known else {
      throw SourceError(
        .unknownForm, expected: "a crash report, a JetsamEvent, a MetricKit payload or breadcrumbs",
        found: ReportForm.refused(head[...]) ?? SourceError.shown(head[...]),
        remedy: "save the whole report, beginning with its first line")
    }

    tally.form = form.rawValue
    let start = form == .crashText ? nil : ReportForm.jsonStart(head[...])
    var textStart: Int?
    switch form {
    case .ips: (reader, textStart) = ipsReader(at: start)
    case .crashText: reader = .lines(CrashTextReader(), numbers: numbers)
    case .jetsam where start == nil: reader = .lines(JetsamTableReader(app: app), numbers: numbers)
    case .jetsam: reader = .json(JetsamList(app: app, usualPage: 16_384))
    case .metricKit: reader = .json(MetricKitReader())
    case .ksCrash: reader = .json(KSCrashReader())
    case .diagnosticReport: reader = .json(DiagnosticReportReader())
    case .breadcrumbs: reader = .json(BreadcrumbReader())
    case .citedWords: reader = .lines(CitedWordsReader(), numbers: numbers)
    }
    reader?.take(head[(textStart ?? start ?? 0)...])
    head = []
  }

  /// The reader of an `.ips`, and where text begins behind its header; `nil` where none does.
  private func ipsReader(at start: Int?) -> (ReportReading, textStart: Int?) {
    let header = head[(start ?? 0)...].prefix { $0 != 0x0a }
    let body = head[header.endIndex...].drop { $0 <= 0x20 }
    let isWhole = header.contains("}")
    let isJSON = body.first.map { [0x22, 0x5b, 0x60, 0x7b].contains($0) } ?? true
    if isJSON || !isWhole { return (.json(CrashJSONReader()), nil) }

    var (json, reader) = (LooseJSON(), CrashJSONReader())
    json.take(header, &reader)
    json.finish(&reader)
    var text = CrashTextReader()
    text.draft.report = reader.draft.report
    text.draft.bugType = reader.draft.bugType
    let before = head[..<body.startIndex].count { $0 == 0x0a }
    let behind = numbers.isEmpty ? [before + 1] : Array(numbers.dropFirst(before))
    return (.lines(text, numbers: behind), body.startIndex)
  }

  // MARK: The end

  private mutating func tell(
    _ contents: ReportContents, _ narrator: inout ReportNarrator
  ) throws {
    if let noted = contents.noted, contents.reports.isEmpty {
      wallOrigin = noted.first
      narrator.tell(noted, notes: contents.notes)
    } else {
      reports = Self.withoutCopies(try wanted(contents.reports))
      wallOrigin = ReportedLife.wallOrigin(of: reports)
      narrator.tell(reports)
      if contents.reports.isEmpty { narrator.beginNotes() }
      let last = narrator.events.last?.instant.nanoseconds ?? 0
      for note in contents.notes { narrator.append(note: note, last) }
      if contents.noted != nil {
        narrator.append(note: "the breadcrumbs that stand beside the reports are passed over", last)
      }
      for warning in contents.warnings { narrator.append(warning, last) }
    }
  }

  /// The reports about the app that is asked for; throws when all are about others.
  private func wanted(_ reports: [TerminationReport]) throws -> [TerminationReport] {
    let list = reports.filter { refusal(of: $0) == nil }
    if list.isEmpty, let first = reports.first, let refusal = refusal(of: first) { throw refusal }
    return list
  }

  /// The reports, of copies of one incident the one that contains most.
  private static func withoutCopies(_ reports: [TerminationReport]) -> [TerminationReport] {
    var list: [TerminationReport] = []
    for report in reports {
      guard let index = list.firstIndex(where: report.isSame) else {
        list.append(report)
        continue
      }
      if report.tellsMore(than: list[index]) { list[index] = report }
    }
    return list
  }

  /// A report about another app than the one that is asked for is no evidence.
  private func refusal(of report: TerminationReport) -> SourceError? {
    guard let app, report.form != .jetsam, report.process != nil || report.bundle != nil,
      report.process != app, report.bundle != app, report.bundle?.hasSuffix("." + app) != true
    else { return nil }
    let names = [report.process, report.bundle].compactMap(\.self).map { InertText.word($0) }
    return SourceError(
      .appNotFound, expected: "a report about \(InertText.word(app))",
      found: "one about \(names.joined(separator: ", "))",
      remedy: "pass --app \(names[0]), or name another report")
  }
}
