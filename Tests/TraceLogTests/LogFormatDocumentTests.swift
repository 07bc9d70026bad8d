import LifecycleModel
import Platform
import Testing
import TraceText

@testable import TraceLog

/// Holds the format document against the code.
struct LogFormatDocumentTests {
  private static func document() throws -> String {
    let path = "\(#filePath)".replacing(
      "Tests/TraceLogTests/LogFormatDocumentTests.swift",
      with: "Sources/TraceLog/TraceLog.docc/LogFormat.md")
    let input = try LogInput(path: path)
    _ = try input.fill(1 << 20)
    return String(decoding: input.window, as: UTF8.self)
  }

  /// The lines between the two fences of the code block that opens with `fence`.
  private static func codeBlock(_ fence: String) throws -> [Substring] {
    let lines = try document().split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0 == "```\(fence)" })
    return Array(lines[(start + 1)...].prefix { $0 != "```" })
  }

  /// The example's bytes: what stands between the offset and the bar.
  private static func example() throws -> [UInt8] {
    try codeBlock("hexdump").flatMap { line in
      line.prefix { $0 != "|" }.dropFirst(4).split(separator: " ")
        .compactMap { UInt8($0, radix: 16) }
    }
  }

  private static let notation = """
    0s main call sceneWillConnect scene:1
    12ms main return sceneWillConnect scene:1
    """

  @Test func theExampleIsTheLogThatItSaysItIs() throws {
    var reader = try LogReader(bytes: LogFormatDocumentTests.example())
    #expect(try lines(reader.readAll()) == lines(TraceNotation.parse(Self.notation)))
    #expect(reader.damages.isEmpty)
    #expect(reader.identity == LogBench.identity)
  }

  @Test func theExampleIsWhatTheWriterWrites() throws {
    #expect(try LogBench(Self.notation).bytes == LogFormatDocumentTests.example())
  }

  @Test func everyLimitStandsInTheDocument() throws {
    let document = try LogFormatDocumentTests.document()
    let limits: [(String, Int)] = [
      ("maxFileHeaderBytes", LogFormat.maxFileHeaderBytes),
      ("maxBlockHeaderBytes", LogFormat.maxBlockHeaderBytes),
      ("maxEvents", LogFormat.maxEvents), ("maxCheckpointEvents", LogFormat.maxCheckpointEvents),
      ("maxWriters", LogFormat.maxWriters),
      ("maxCheckpointWriters", LogFormat.maxCheckpointWriters),
      ("maxWriterNameBytes", LogFormat.maxWriterNameBytes),
      ("maxTextBytes", LogFormat.maxTextBytes),
      ("maxAttributeTextBytes", LogFormat.maxAttributeTextBytes),
      ("maxAttributes", LogFormat.maxAttributes),
      ("maxUnknownVerbs", LogFormat.maxUnknownVerbs), ("maxPlainBytes", LogFormat.maxPlainBytes),
      ("maxTexts", LogFormat.maxTexts), ("maxLists", LogFormat.maxLists),
      ("maxListedAttributes", LogFormat.maxListedAttributes), ("fullWords", LogFormat.fullWords),
      ("maxDeflatedBytes", LogFormat.maxDeflatedBytes),
      ("maxMantissaBytes", LogFormat.maxMantissaBytes),
      ("fullTextBytes", LogFormat.fullTextBytes), ("maxSearchBytes", LogFormat.maxSearchBytes),
    ]

    for (name, value) in limits {
      #expect(document.contains("| `\(name)` | \(value) |"), "\(name) is \(value)")
    }
  }

  @Test func theHeadersAreAsLongAsTheDocumentSays() throws {
    let document = try LogFormatDocumentTests.document()
    #expect(document.contains("\(LogFormat.fileHeaderLength) bytes"))
    #expect(document.contains("| \(LogFormat.blockHeaderFixedLength) |"))
  }
}
