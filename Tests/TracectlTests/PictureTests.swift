import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The README's picture is what the program prints; `UPDATE_SNAPSHOTS=1` draws it again.
@Suite struct PictureTests {
  private static let log = "samples/traces/slow-background.trace"

  /// The command, and what it prints.
  private func session() throws -> String {
    let run = try CommandRun(
      ["analyze", "--color", "always", Self.log], environment: ["COLUMNS": "102"])
    #expect(run.status == 1)
    return "\u{1b}[2m$\u{1b}[0m tracectl analyze \(Self.log)\n" + run.output.dropLast()
  }

  @Test func thePictureIsWhatTheProgramPrints() throws {
    let title =
      "tracectl says that the watchdog killed the app, and names the task that was not ended"
    let picture = TerminalPicture(try session(), title: title)
    let file = CommandRun.root.appendingPathComponent("docs/images/verdict.svg")
    try Snapshot.expect(picture.svg, at: file)
  }

  @Test func thePictureIsXMLThatSaysTheText() throws {
    let picture = TerminalPicture("a \u{1b}[1;31m<b> & \"c\"\u{1b}[0m  d", title: "\"a\" < b")
    let reader = TextReader()
    let parser = XMLParser(data: Data(picture.svg.utf8))
    parser.delegate = reader
    #expect(parser.parse())
    #expect(reader.texts == ["a", "<b> & \"c\"", "d"])
    #expect(reader.columns == [20, 36, 124])
    #expect(reader.colors.first == reader.colors.last && Set(reader.colors).count == 2)
  }

  /// Collects what stands in the `text` elements.
  private final class TextReader: NSObject, XMLParserDelegate {
    var texts: [String] = []
    var columns: [Double] = []
    var colors: [String] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String] = [:]
    ) {
      guard name == "text" else { return }
      texts.append("")
      columns.append(attributes["x"].flatMap(Double.init) ?? -1)
      colors.append(attributes["fill"] ?? "")
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
      guard !texts.isEmpty, !characters.allSatisfy(\.isNewline) else { return }
      texts[texts.count - 1] += characters
    }
  }
}
