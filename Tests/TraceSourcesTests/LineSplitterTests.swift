import Testing

@testable import TraceSources

struct LineSplitterTests {
  private func lines(_ text: String, chunk: Int) -> [String] {
    let splitter = LineSplitter()
    var lines: [String] = []
    func keep(_ number: Int, _ line: LineSplitter.Line) {
      let text = line.map { String(decoding: $0, as: UTF8.self) }
      lines.append("\(number) \(text ?? "too long")")
    }

    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      splitter.take(bytes[start..<min(start + chunk, bytes.count)], keep)
    }

    splitter.finish(keep)
    return lines
  }

  @Test(arguments: [1, 2, 3, 100])
  func linesAreTheSameInEveryChunkSize(chunk: Int) {
    #expect(lines("a\nbc\n\nd", chunk: chunk) == ["1 a", "2 bc", "3 ", "4 d"])
  }

  @Test(arguments: [1, 2, 100])
  func carriageReturnsBelongToTheLineEnd(chunk: Int) {
    #expect(lines("a\r\nb\rc\r\n", chunk: chunk) == ["1 a", "2 b\rc"])
  }

  @Test(arguments: [1, 2, 100])
  func aByteOrderMarkIsDroppedAtTheStartOnly(chunk: Int) {
    #expect(lines("\u{feff}a\n\u{feff}b\n", chunk: chunk) == ["1 a", "2 \u{feff}b"])
  }

  @Test(arguments: [4096, 5_000_000])
  func aLineThatIsTooLongIsSaidAndTheNextIsRead(chunk: Int) {
    let long = String(repeating: "x", count: LineSplitter.maximumLength + 1)
    #expect(lines("a\n\(long)\nb\n", chunk: chunk) == ["1 a", "2 too long", "3 b"])
  }

  @Test func theLongestLineIsWhole() {
    let longest = String(repeating: "x", count: LineSplitter.maximumLength)
    #expect(lines("\(longest)\r\nb", chunk: 1 << 16) == ["1 \(longest)", "2 b"])
  }
}
