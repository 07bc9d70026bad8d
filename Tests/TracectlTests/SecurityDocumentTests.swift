import Foundation
import Testing
import TraceText

/// What SECURITY.md says of characters and limits is what the code has.
@Suite struct SecurityDocumentTests {
  private let rows: [[String]]

  init() throws {
    let file = CommandRun.root.appendingPathComponent("SECURITY.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
    }
  }

  @Test func theTableOfCharactersIsThatOfTheCode() throws {
    for kind in HiddenCharacters.Kind.allCases {
      let ranges = HiddenCharacters.table.filter { $0.kind == kind }.map(\.characters)
      let texts = ranges.map { range in
        let (first, last) = (Self.hex(range.lowerBound), Self.hex(range.upperBound))
        return "U+" + (first == last ? first : "\(first)–\(last)")
      }
      let end = kind == .noncharacter ? ", and the last two of each plane" : ""
      let row = [kind.rawValue, kind.meaning, texts.joined(separator: ", ") + end]
      #expect(rows.contains(row), "SECURITY.md needs: | \(row.joined(separator: " | ")) |")
    }
    #expect(HiddenCharacters.table.count > 20)
  }

  private static func hex(_ scalar: UInt32) -> String {
    let digits = String(scalar, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// By what Unicode says: whatever shows nothing is in the table, or is an ordinary space.
  @Test func theTableHoldsAllThatShowsNothing() {
    for value in (0 as UInt32)...0x10_ffff {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let properties = scalar.properties
      let isHidden =
        properties.isDefaultIgnorableCodePoint || properties.isBidiControl
        || properties.isNoncharacterCodePoint
        || [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
      if isHidden {
        #expect(HiddenCharacters.kind(of: value) != nil, "U+\(Self.hex(value))")
      }
    }
  }

  @Test func theTableIsInOrder() {
    let ranges = HiddenCharacters.table.map(\.characters)
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
  }

  /// A figure, the beginning of its row, and where the code has it.
  private static let figures: [(row: String, figure: String, file: String, code: String)] = [
    (
      "events that are read", "10 for each byte", "tracectl/Inputs/WorkLimit",
      "eventsPerByte = 10"
    ),
    (
      "events that are read", "one for 2 bytes", "tracectl/Inputs/WorkLimit",
      "bytesPerPackedEvent = 2"
    ),
    ("events that are read", "250,000", "tracectl/Inputs/WorkLimit", "always = 250_000"),
    ("text that `dump`", "1000 times", "tracectl/Outputs/ExpansionLimit", "longest = 1000"),
    ("text that `dump`", "16 MiB", "tracectl/Outputs/ExpansionLimit", "always = 16 << 20"),
    ("a block of a log", "16,384 events", "TraceLog/Format/LogFormat", "maxEvents = 16 << 10"),
    ("a block of a log", "8 MiB", "TraceLog/Format/LogFormat", "maxPlainBytes = 8 << 20"),
    ("a text in a log", "65,535 bytes", "TraceLog/Format/LogFormat", "maxTextBytes = 65_535"),
    ("attributes of an event", "64", "TraceLog/Format/LogFormat", "maxAttributes = 64"),
    (
      "attributes of an event", "16 KiB", "TraceLog/Format/LogFormat",
      "maxAttributeTextBytes = 16 << 10"
    ),
    ("bytes in which a log", "1 MiB", "TraceLog/Format/LogFormat", "maxSearchBytes = 1 << 20"),
    ("a line of text", "1 MiB", "TraceSources/LineSplitter", "maximumLength = 1 << 20"),
    ("nested JSON", "64 levels", "TraceText/JSONReader", "maximumDepth = 64"),
    ("nested JSON", "32 in reports", "TraceSources/Reports/LooseJSON", "maximumDepth = 32"),
    ("a file of the configuration", "1 MiB", "YAMLReading/YAMLFile", "maximumBytes = 1 << 20"),
    ("a file of the configuration", "16 aliases", "YAMLReading/YAMLNode", "maximumAliases = 16"),
    ("a file of the configuration", "1000 levels", "YAMLReading/YAMLFault", "at most 1000 levels"),
    ("a baseline, a list", "256 MiB", "tracectl/Inputs/WholeFile", "limit: Int = 256 << 20"),
    ("things that are open", "16,384 spans", "LifecycleModel/OpenSpans", "most = 16_384"),
    ("things that are open", "256 scenes", "LifecycleModel/SceneTable", "most = 256"),
    ("texts in the tables", "64 MiB", "tracectl/Commands/QueryCommand", "textBytes = 64 << 20"),
    ("lanes of a picture", "1024", "TraceReport/Lanes/LaneFold", "laneLimit = 1024"),
    ("rows and time of a query", "8 MiB", "TraceQuery/Connection", "cacheBytes = 8 << 20"),
    (
      "rows and time of a query", "1 GiB a temporary file", "TraceQuery/TemporaryFiles",
      "mostBytes: Int64 = 1 << 30"
    ),
    ("unknown words", "100", "TraceAnalysis/Unknown/UnknownWords", "limit = 100"),
    (
      "findings that are alike", "20 examples", "TraceResults/Results/AnalysisResults",
      "examplesKept = 20"
    ),
    ("damages that are listed", "1000", "TraceLog/Files/LogReader", "keptDamages = 1000"),
    ("damages that are listed", "20 of them", "tracectl/Inputs/TraceInput", "told = 20"),
    ("events on a page", "1,000,000", "TraceReport/Page/PageDrawing", "eventLimit = 1_000_000"),
    ("events on a page", "8 MB", "TraceReport/Page/PageDrawing", "byteLimit = 8_000_000"),
    ("rows and time of a query", "10,000,000 rows", "TraceQuery/QueryLimits", "rows = 10_000_000"),
    (
      "rows and time of a query", "60 s", "TraceQuery/QueryLimits",
      "time: Nanoseconds = 60_000_000_000"
    ),
    ("rows and time of a query", "1 GiB", "TraceQuery/QueryLimits", "bytes: Int64 = 1 << 30"),
    ("waiting for the other end", "5 s", "Platform/FileOpening", "patience: Int32 = 5000"),
  ]

  @Test func theFiguresAreThoseOfTheCode() throws {
    var seen: Set<String> = []
    for (row, figure, file, code) in Self.figures {
      let told = try #require(rows.first { $0[0].hasPrefix(row) }, "no row: \(row)")
      #expect(told[1].contains(figure), "\(row): \(told[1])")
      let path = CommandRun.root.appendingPathComponent("Sources/\(file).swift")
      #expect(try String(contentsOf: path, encoding: .utf8).contains(code), "\(file): \(code)")
      seen.insert(told[0])
    }
    // Each row of the table has a figure here.
    let first = try #require(rows.firstIndex { $0[0] == "what" && $0[1] == "limit" })
    #expect(
      rows[(first + 1)...].prefix { $0.count == 3 }.allSatisfy {
        seen.contains($0[0]) || $0[0] == "---"
      })
  }
}
