import LifecycleModel

/// What a file of reports holds: at most 256 of each kind.
struct ReportContents {
  private static let most = 256

  /// The reports about ends of processes.
  private(set) var reports: [TerminationReport] = []
  /// What is wrong with the app, and is no end that has a time.
  private(set) var warnings: [ReportWarning] = []
  /// What an SDK has noted; `nil` where the file is no SDK's.
  var noted: NotedLife?
  private var beside: [String] = []
  private var leftOut = 0
  /// Whether the rest of a file was not read, as it is too long.
  var isCut = false

  /// Notes beside the reports; the last ones state what is left out.
  var notes: [String] {
    var notes = beside
    if leftOut > 0 {
      notes.append(
        "\(leftOut) more reports are in the file; only the first \(Self.most) are read")
    }
    if isCut { notes.append("of the report, its first 64 MB are read") }
    return notes
  }

  init() {}

  /// What several pieces of one text hold together; of what SDKs have noted the first.
  init(_ pieces: [ReportContents]) {
    reports = pieces.flatMap(\.reports)
    beside = pieces.flatMap(\.notes)
    warnings = pieces.flatMap(\.warnings)
    noted = pieces.lazy.compactMap(\.noted).first
  }

  /// Takes the next report.
  mutating func add(_ report: TerminationReport) {
    if reports.count < Self.most { reports.append(report) } else { leftOut += 1 }
  }

  /// Takes a note about what is no end of a process.
  mutating func add(note: String) { if beside.count < Self.most { beside.append(note) } }

  /// Takes what is wrong with the app, in words.
  mutating func add(_ warning: SystemWarning, _ words: String) {
    if warnings.count < Self.most { warnings.append(ReportWarning(warning: warning, words: words)) }
  }
}

/// Something that a payload says is wrong with an app, in words.
struct ReportWarning: Hashable, Sendable {
  var warning: SystemWarning
  /// Its words; empty where it has none.
  var words: String
}

/// What the breadcrumbs of an SDK report.
struct NotedLife {
  /// What was noted, in order.
  var crumbs: [BreadcrumbReader.Crumb]
  /// The app and the device; the end that the SDK itself has seen, and when its report was made.
  var about: TerminationReport

  /// When the first thing was noted, nanoseconds since 1970; `nil` when nothing was.
  var first: Nanoseconds? { crumbs.first?.time ?? (about.isDeath ? about.died : nil) }

  /// When the process ended, or the last was noted: nothing is noted behind an end.
  var endTime: Nanoseconds {
    let last = crumbs.last?.time ?? 0
    return about.isDeath ? max(about.died ?? last, last) : last
  }
}

/// A form in JSON.
protocol JSONReportReader: JSONTaker {
  /// What was read.
  var contents: ReportContents { get }
}

/// A form of lines.
protocol LineReportReader {
  /// How many bytes of a line are read.
  static var longestLine: Int { get }
  /// Takes a line without the blanks at its end, and its number from 1.
  mutating func take(_ line: String, _ number: Int)
  /// What was read.
  var contents: ReportContents { get }
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
      var contents = reader.contents
      contents.isCut = json.isCut
      return contents
    }
  }

  /// Feeds the reader of a form of lines; `numbers` are theirs, where they are a piece of a longer text.
  static func lines<Reader: LineReportReader>(_ reader: Reader, numbers: [Int] = []) -> Self {
    let splitter = LineSplitter(numbers: numbers)
    var reader = reader
    func take(_ number: Int, _ line: LineSplitter.Line) {
      // A line of more than a megabyte is none of a report.
      guard let line else { return }
      reader.take(line.prefix(Reader.longestLine).trimmedEnd.text, number)
    }

    return Self {
      splitter.take($0, take)
    } finish: {
      splitter.finish(take)
      return reader.contents
    }
  }
}
