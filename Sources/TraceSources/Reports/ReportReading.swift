import LifecycleModel

/// What a file of reports holds.
struct ReportContents {
  /// The reports about ends of processes.
  var reports: [TerminationReport] = []
  /// Notes beside the reports.
  var notes: [String] = []
  /// What an SDK has noted; `nil` where the file is no SDK's.
  var noted: NotedLife?
}

/// The first reports and notes of one file, and the number of the reports left out.
struct ReportPile {
  private static let most = 256
  var reports: [TerminationReport] = []
  private var notes: [String] = []
  private var leftOut = 0

  /// Takes the next report.
  mutating func add(_ report: TerminationReport) {
    if reports.count < Self.most { reports.append(report) } else { leftOut += 1 }
  }

  /// Takes a note about what is no end of a process.
  mutating func add(note: String) { if notes.count < Self.most { notes.append(note) } }

  /// The reports and the notes, and how many reports are left out.
  var contents: ReportContents {
    let note = "\(leftOut) more reports are in the file; the first \(Self.most) are told"
    return ReportContents(reports: reports, notes: leftOut > 0 ? notes + [note] : notes)
  }
}

/// What the breadcrumbs of an SDK report.
struct NotedLife {
  /// What was noted, in order.
  var crumbs: [BreadcrumbReader.Crumb]
  /// The app and the device.
  var about: TerminationReport
  /// The end that the SDK itself has seen; `nil` where it saw none.
  var end: Termination?
  /// When the report of that end was made, nanoseconds since 1970; `nil` when it does not say it.
  var reported: Nanoseconds?

  /// When the first thing was noted, nanoseconds since 1970; `nil` when nothing was.
  var first: Nanoseconds? { crumbs.first?.time ?? (end == nil ? nil : reported) }

  /// When the process ended, or the last was noted: nothing is noted behind an end.
  var endTime: Nanoseconds {
    let last = crumbs.last?.time ?? 0
    return end == nil ? last : max(reported ?? last, last)
  }
}

/// Reads one form of report, chunk by chunk.
protocol ReportReading {
  /// Takes the next bytes; the chunks make no difference.
  mutating func take(_ bytes: ArraySlice<UInt8>)
  /// What was read, once the text has ended.
  mutating func finish() -> ReportContents
}

/// A form in JSON.
protocol JSONReportReader: LooseJSONHandler {
  /// What was read.
  mutating func contents() -> ReportContents
}

/// A form of lines.
protocol LineReportReader {
  /// How many bytes of a line are read.
  static var longestLine: Int { get }
  /// Takes a line without the blanks at its end, and its number from 1.
  mutating func take(_ line: String, _ number: Int)
  /// What was read.
  func contents() -> ReportContents
}

/// Feeds the reader of a form in JSON.
struct JSONReportReading<Reader: JSONReportReader>: ReportReading {
  private var json = LooseJSON()
  private var reader: Reader

  init(_ reader: Reader) { self.reader = reader }

  mutating func take(_ bytes: ArraySlice<UInt8>) { json.take(bytes, &reader) }

  mutating func finish() -> ReportContents {
    json.finish(&reader)
    return reader.contents()
  }
}

/// Feeds the reader of a form of lines.
final class LineReportReading<Reader: LineReportReader>: ReportReading {
  private let splitter = LineSplitter()
  private var reader: Reader
  /// The number of lines before the first one.
  private let linesBefore: Int

  init(_ reader: Reader, linesBefore: Int = 0) {
    (self.reader, self.linesBefore) = (reader, linesBefore)
  }

  func take(_ bytes: ArraySlice<UInt8>) {
    splitter.take(bytes) { number, line in take(line, number) }
  }

  func finish() -> ReportContents {
    splitter.finish { number, line in take(line, number) }
    return reader.contents()
  }

  private func take(_ line: LineSplitter.Line, _ number: Int) {
    let bytes = line.kept.prefix(Reader.longestLine).trimmedEnd
    reader.take(bytes.text, linesBefore + number)
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
