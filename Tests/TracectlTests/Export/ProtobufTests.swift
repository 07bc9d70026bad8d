import Testing

@testable import TraceReport
@testable import TraceResults

/// The wire format, held against the examples of its documentation and against a reader of our own.
@Suite struct ProtobufTests {
  private func hex(_ message: ProtobufMessage) -> String {
    message.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }

  @Test func theExamplesOfTheDocumentationAreWrittenSo() {
    var number = ProtobufMessage()
    number.number(1, 150)
    #expect(hex(number) == "08 96 01")

    var text = ProtobufMessage()
    text.text(2, "testing")
    #expect(hex(text) == "12 07 74 65 73 74 69 6e 67")

    var nested = ProtobufMessage()
    nested.message(3) { $0.number(1, 150) }
    #expect(hex(nested) == "1a 03 08 96 01")
    var same = ProtobufMessage()
    same.message(3, number)
    #expect(hex(same) == hex(nested))

    var negative = ProtobufMessage()
    negative.number(1, -2)
    #expect(hex(negative) == "08 fe ff ff ff ff ff ff ff ff 01")
  }

  @Test func numbersOfEverySizeAreWrittenSo() {
    var message = ProtobufMessage()
    message.number(1, 0)
    message.number(1, 127)
    message.number(1, 128)
    message.number(60, UInt64.max)
    message.fixed(47, 0x0102_0304_0506_0708)
    #expect(
      hex(message) == "08 00 08 7f 08 80 01 e0 03 ff ff ff ff ff ff ff ff ff 01 "
        + "f9 02 08 07 06 05 04 03 02 01")
  }

  @Test(arguments: [0, 1, 126, 127, 128, 129, 300, 16_383, 16_384, 70_000])
  func aMessageOfAnyLengthStandsBehindIt(length: Int) throws {
    let text = String(repeating: "x", count: length)
    var message = ProtobufMessage()
    message.message(1) { outer in
      outer.number(7, 1)
      outer.message(2) { $0.text(3, text) }
      outer.number(8, 2)
    }
    message.number(9, 3)

    let read = try #require(ProtobufReader(message.bytes))
    #expect(read.fields.map(\.field) == [1, 9] && read.number(9) == 3)
    let outer = try #require(read.messages(1).first)
    #expect(outer.fields.map(\.field) == [7, 2, 8])
    #expect(outer.messages(2).first?.text(3) == text)
  }
}
