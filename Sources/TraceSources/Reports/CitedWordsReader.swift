/// Reads a sentence that somebody cites from a crash: it is worth a warning, and shows no death.
struct CitedWordsReader: LineReportReader {
  static let longestLine = 240
  private(set) var contents = ReportContents()

  mutating func take(_ line: String, _ number: Int) {
    // The mark of a heading, a list or a quotation is none of the words.
    contents.add(.citedWords, String(line.drop { "#*>-| \t".contains($0) }))
  }
}
