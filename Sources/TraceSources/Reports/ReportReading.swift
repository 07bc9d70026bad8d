import LifecycleModel

/// What a file of reports holds.
struct ReportContents {
  /// The reports about ends of processes.
  var reports: [TerminationReport] = []
  /// Notes beside the reports.
  var notes: [String] = []
  /// What is wrong with the app, and is no end that has a time.
  var warnings: [ReportWarning] = []
  /// What an SDK has noted; `nil` where the file is no SDK's.
  var noted: NotedLife?
}

extension ReportContents {
  /// What several pieces of one text hold together; of what SDKs have noted the first.
  init(_ pieces: [ReportContents]) {
    reports = pieces.flatMap(\.reports)
    notes = pieces.flatMap(\.notes)
    warnings = pieces.flatMap(\.warnings)
    noted = pieces.lazy.compactMap(\.noted).first
  }
}

/// Something that a payload says is wrong with an app, in words.
struct ReportWarning: Hashable, Sendable {
  var warning: SystemWarning
  /// What it states; empty where it states nothing beside itself.
  var words: String
}

/// The first reports and notes of one file, and the number of the reports left out.
struct ReportPile {
  private static let most = 256
  var reports: [TerminationReport] = []
  private var notes: [String] = []
  private var warnings: [ReportWarning] = []
  private var leftOut = 0

  /// Takes the next report.
  mutating func add(_ report: TerminationReport) {
    if reports.count < Self.most { reports.append(report) } else { leftOut += 1 }
  }

  /// Takes a note about what is no end of a process.
  mutating func add(note: String) { if notes.count < Self.most { notes.append(note) } }

  /// Takes what is wrong with the app, in words.
  mutating func add(_ warning: SystemWarning, _ words: String) {
    if warnings.count < Self.most { warnings.append(ReportWarning(warning: warning, words: words)) }
  }

  /// The reports and the notes, and how many reports are left out.
  var contents: ReportContents {
    let note = "\(leftOut) more reports are in the file; the first \(Self.most) are told"
    return ReportContents(
      reports: reports, notes: leftOut > 0 ? notes + [note] : notes, warnings: warnings)
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

/// A form in JSON.
protocol JSONReportReader: JSONTaker {
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

/// Feeds the reader of a form, chunk by chunk.
struct ReportReading {
  /// Takes the next bytes; the chunks make no difference.
  let take: (ArraySlice<UInt8>) -> Void
  /// What was read, once the text has ended.
  let finish: () -> ReportContents

  /// Feeds the reader of a form in JSON.
  static func json(_ reader: some JSONReportReader) -> Self {
    var (json, reader) = (LooseJSON(), reader)
    return Self {
      json.take($0, &reader)
    } finish: {
      json.finish(&reader)
      var contents = reader.contents()
      if json.isCut { contents.notes.append("of the report, its first 64 MB are read") }
      return contents
    }
  }

  /// Feeds the reader of a form of lines; `numbers` are theirs, where they are a piece of a longer text.
  static func lines<Reader: LineReportReader>(_ reader: Reader, numbers: [Int] = []) -> Self {
    let splitter = LineSplitter(numbers: numbers)
    var reader = reader
    func take(_ number: Int, _ line: LineSplitter.Line) {
      reader.take(line.kept.prefix(Reader.longestLine).trimmedEnd.text, number)
    }

    return Self {
      splitter.take($0, take)
    } finish: {
      splitter.finish(take)
      return reader.contents()
    }
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
