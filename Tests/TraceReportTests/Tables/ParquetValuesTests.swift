import Testing

@testable import TraceReport

/// The bytes of Parquet's pages, against examples of its documents.
@Suite struct ParquetValuesTests {
  private func bytes(_ write: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    write(&bytes)
    return bytes
  }

  /// Both examples stand in Parquet's `Encodings.md`.
  @Test func differencesArePackedAsTheDocumentHasIt() {
    let rising = bytes { $0.appendDeltas([1, 2, 3, 4, 5]) }
    #expect(rising == [0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0])
    let mixed = bytes { $0.appendDeltas([7, 5, 3, 1, 2, 3, 4, 5]) }
    #expect(mixed == [0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0, 0, 0])
  }

  @Test func noneAndOneHaveNoBlock() {
    #expect(bytes { $0.appendDeltas([]) } == [0x80, 1, 4, 0, 0])
    #expect(bytes { $0.appendDeltas([-3]) } == [0x80, 1, 4, 1, 5])
  }

  /// The numbers from 0 to 7 of three bits each, as Parquet's document packs them.
  @Test func theLeastBitComesFirst() {
    let packed = bytes { $0.appendPacked([0, 1, 2, 3, 4, 5, 6, 7], width: 3) }
    #expect(packed == [0b1000_1000, 0b1100_0110, 0b1111_1010])
  }

  @Test(arguments: 1...64) func allWidthsArePackedAsBitByBit(width: Int) {
    let numbers = (0..<75).map { UInt64(truncatingIfNeeded: $0 &* 0x9e37_79b9_7f4a_7c15) }
      .map { $0 >> UInt64(64 - width) }
    var slow = [UInt8](repeating: 0, count: (75 * width + 7) / 8)
    for (index, number) in numbers.enumerated() {
      for bit in 0..<width where number >> UInt64(bit) & 1 == 1 {
        slow[(index * width + bit) / 8] |= 1 << UInt8((index * width + bit) % 8)
      }
    }
    let packed = bytes { $0.appendPacked(numbers.map { Int64(bitPattern: $0) }, width: width) }
    #expect(packed == slow)
  }

  @Test func oneValueIsARun() {
    #expect(bytes { $0.appendRunOrPacked([5, 5, 5], width: 8) } == [6, 5])
    #expect(bytes { $0.appendRunOrPacked([1, 2], width: 8) } == [3, 1, 2, 0, 0, 0, 0, 0, 0])
  }

  @Test func aPageSaysWhichRowsHaveAValue() {
    var chunk = TableChunk(.durations)
    for value in [nil, 3, nil] as [Int64?] { chunk.columns[1].add(value) }
    var values = ParquetValues()
    values.write(chunk.columns[1])
    #expect(values.nullCount == 2 && values.encoding == .deltas)
    #expect(values.page == [2, 0, 0, 0, 3, 0b010, 0x80, 1, 4, 1, 6])
    #expect(values.bounds?.least == [3, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func structsAreThriftsCompactOnes() {
    let inner = ThriftWriter.structure { $0.integer32(1, -1) }
    let written = ThriftWriter.structure { writer in
      writer.integer64(2, 150)
      writer.boolean(3, true)
      writer.bytes(5, "ab".utf8)
      writer.structures(6, count: 16, (0..<16).flatMap { _ in inner })
    }
    let end = [[UInt8]](repeating: [0x15, 1, 0], count: 16).joined() + [0]
    #expect(written == [0x26, 0xac, 2, 0x11, 0x28, 2, 0x61, 0x62, 0x19, 0xfc, 16] + end)
  }
}
