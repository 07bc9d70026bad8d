/// Reads a sentence that somebody cites from a crash: it is worth a warning, and shows no death.
struct CitedWordsReader: LineReportReader {
  static let longestLine = 1024
  private(set) var contents = ReportContents()

  mutating func take(_ line: String, _ number: Int) { contents.add(.citedWords, line) }
}
