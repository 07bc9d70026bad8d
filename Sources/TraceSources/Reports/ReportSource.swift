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
/// /// What a crash report says of the end of a process, in a few words.
/// func ending(ofReport text: String) throws -> String? {
///   var source = ReportSource()
///   var events: [Event] = []
///   try source.take(Array(text.utf8)[...], into: &events)
///   try source.finish(into: &events)
///   return source.reports.first?.summary
/// }
/// ```
public struct ReportSource: TraceSource {
  /// The reader of a form, with what it has read.
  private enum Reader {
    case undecided
    case json(LooseJSON, CrashJSONReader)
    case text(LineSplitter, CrashTextReader)
    case jetsam(LooseJSON, JetsamReader)
    case metricKit(LooseJSON, MetricKitReader)
    case breadcrumbs(LooseJSON, BreadcrumbReader)
  }

  /// The words that the events refer to.
  public let vocabulary = Vocabulary()
  /// What was counted.
  public private(set) var tally = SourceTally()
  /// What was read, once the input has ended: a report for each process that it tells of.
  public private(set) var reports: [TerminationReport] = []
  /// The wall clock at instant 0: the launch, or else the death; `nil` when the report says neither.
  public private(set) var wallOrigin: Nanoseconds?

  private let app: String?
  private var head: [UInt8] = []
  private var reader = Reader.undecided

  /// Makes a source; `app` is the name of a process or a bundle, and refuses reports about others.
  public init(app: String? = nil) { self.app = app }

  /// Takes the next bytes; the chunks make no difference.
  public mutating func take(_ bytes: ArraySlice<UInt8>, into events: inout [Event]) throws {
    guard case .undecided = reader else { return feed(bytes) }
    head += bytes
    if head.count >= ReportForm.sampleLength { try decide() }
  }

  /// A report is told as a whole.
  public mutating func flush(into events: inout [Event]) {}

  /// A report is told as far as it was read.
  public mutating func forgetUnfinishedLine() {}

  /// Tells what was read.
  ///
  /// Throws a ``SourceError`` when nothing of it is a report, or when it is about another app.
  public mutating func finish(into events: inout [Event]) throws {
    if case .undecided = reader { try decide() }
    var narrator = ReportNarrator(vocabulary: vocabulary)
    try close(&narrator)

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

  private mutating func decide() throws {
    guard let form = ReportForm(head[...]) else {
      throw SourceError(
        .unknownForm, expected: "a crash report, a JetsamEvent, a MetricKit payload or breadcrumbs",
        found: ReportForm.refused(head[...]) ?? SourceError.shown(head[...]),
        remedy: "save the whole report, beginning with its first line")
    }

    tally.form = form.rawValue
    let start = ReportForm.jsonStart(head[...]) ?? 0
    switch form {
    case .ips: reader = begun(at: start)
    case .crashText: reader = .text(LineSplitter(), CrashTextReader())
    case .jetsam: reader = .jetsam(LooseJSON(), JetsamReader(app: app))
    case .metricKit: reader = .metricKit(LooseJSON(), MetricKitReader())
    case .breadcrumbs: reader = .breadcrumbs(LooseJSON(), BreadcrumbReader())
    }
    let first = head[(form == .crashText ? 0 : textStart ?? start)...]
    head = []
    textStart = nil
    feed(first)
  }

  /// Where text begins behind a header in JSON.
  private var textStart: Int?

  /// The reader of an `.ips`, whose header may be followed by text.
  private mutating func begun(at start: Int) -> Reader {
    let header = head[start...].prefix { $0 != 0x0a }
    let body = head[header.endIndex...].drop { $0 <= 0x20 }
    let isWhole = header.contains(UInt8(ascii: "}"))
    let isJSON = body.first.map { [0x22, 0x5b, 0x60, 0x7b].contains($0) } ?? true
    if isJSON || !isWhole { return .json(LooseJSON(), CrashJSONReader()) }

    var (json, reader) = (LooseJSON(), CrashJSONReader())
    json.take(header, &reader)
    json.finish(&reader)
    var text = CrashTextReader()
    text.draft.report = reader.draft.report
    text.draft.bugType = reader.draft.bugType
    textStart = body.startIndex
    return .text(LineSplitter(), text)
  }

  private mutating func feed(_ bytes: ArraySlice<UInt8>) {
    // Moved out and not copied.
    var reader = Reader.undecided
    swap(&reader, &self.reader)
    defer { self.reader = reader }

    switch reader {
    case .undecided: break
    case .json(var json, var crash):
      reader = .undecided
      json.take(bytes, &crash)
      reader = .json(json, crash)
    case .text(var splitter, var crash):
      reader = .undecided
      splitter.take(bytes) { _, line in crash.take(line.kept) }
      reader = .text(splitter, crash)
    case .jetsam(var json, var jetsam):
      reader = .undecided
      json.take(bytes, &jetsam)
      reader = .jetsam(json, jetsam)
    case .metricKit(var json, var payload):
      reader = .undecided
      json.take(bytes, &payload)
      reader = .metricKit(json, payload)
    case .breadcrumbs(var json, var crumbs):
      reader = .undecided
      json.take(bytes, &crumbs)
      reader = .breadcrumbs(json, crumbs)
    }
  }

  // MARK: The end

  private mutating func close(_ narrator: inout ReportNarrator) throws {
    switch reader {
    case .undecided: break
    case .json(var json, var crash):
      json.finish(&crash)
      try tell([crash.finished()], &narrator)
    case .text(var splitter, var crash):
      splitter.finish { _, line in crash.take(line.kept) }
      try tell([crash.finished()], &narrator)
    case .jetsam(var json, var jetsam):
      json.finish(&jetsam)
      try tell([jetsam.finished()], &narrator)
    case .metricKit(var json, var payload):
      json.finish(&payload)
      payload.finish()
      try tell(payload.reports, &narrator)
      if payload.reports.isEmpty { narrator.beginNotes() }
      for note in payload.notes { narrator.append(note: note) }
    case .breadcrumbs(var json, var reader):
      json.finish(&reader)
      tell(reader.finished(), reader, &narrator)
    }
    reader = .undecided
  }

  private mutating func tell(
    _ reports: [TerminationReport], _ narrator: inout ReportNarrator
  ) throws {
    for report in reports { try refuseOther(report) }
    self.reports = reports
    if reports.count == 1 {
      wallOrigin = reports[0].age == nil ? reports[0].died : reports[0].launched ?? reports[0].died
    }
    narrator.tell(reports)
  }

  private mutating func tell(
    _ crumbs: [BreadcrumbReader.Crumb], _ reader: BreadcrumbReader,
    _ narrator: inout ReportNarrator
  ) {
    wallOrigin = crumbs.first?.time
    narrator.tell(crumbs, os: reader.os, isSimulator: reader.isSimulator)
    for note in reader.notes {
      narrator.append(note: note, (crumbs.last?.time ?? 0) - (crumbs.first?.time ?? 0))
    }
  }

  /// A report about another app than the one that is asked for is no evidence.
  private func refuseOther(_ report: TerminationReport) throws {
    guard let app, report.form != .jetsam, report.process != nil || report.bundle != nil else {
      return
    }
    if report.process == app || report.bundle == app { return }
    if let bundle = report.bundle, bundle.hasSuffix("." + app) { return }
    let names = [report.process, report.bundle].compactMap(\.self).map { InertText.word($0) }
    throw SourceError(
      .appNotFound, expected: "a report about \(InertText.word(app))",
      found: "one about \(names.joined(separator: ", "))",
      remedy: "pass --app \(names[0]), or name another report")
  }
}

extension LineSplitter.Line {
  /// The bytes of the line, or of its start.
  fileprivate var kept: ArraySlice<UInt8> {
    switch self {
    case .whole(let bytes): bytes
    case .tooLong(let start): start
    }
  }
}
