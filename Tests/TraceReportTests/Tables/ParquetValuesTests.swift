import Testing

@testable import TraceReport

/// The bytes of Parquet's pages, against examples of its documents.
@Suite struct ParquetValuesTests {
  private func bytes(_ write: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    write(&bytes)
    return bytes
  }

  private func deltas(_ values: [Int64]) -> [UInt8] {
    bytes { bytes in values.withUnsafeBufferPointer { bytes.appendDeltas($0) } }
  }

  private func packed(_ values: [UInt64], width: Int) -> [UInt8] {
    bytes { $0.appendPacked(count: values.count, width: width) { values[$0] } }
  }

  private func run(_ values: [UInt64], width: Int) -> [UInt8] {
    bytes { $0.appendRun(count: values.count, width: width) { values[$0] } }
  }

  /// The first example stands in Parquet's `Encodings.md`; the second has differences from 1 to 4.
  @Test func differencesArePackedAsTheDocumentHasIt() {
    let rising = deltas([1, 2, 3, 4, 5])
    #expect(rising == [0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0])
    let mixed = deltas([0, 1, 3, 6, 10])
    #expect(mixed == [0x80, 1, 4, 5, 0, 2, 2, 0, 0, 0, 0xe4, 0, 0, 0, 0, 0, 0, 0])
  }

  /// Nine differences, of which two differ: a byte each, so that zlib sees them repeat.
  @Test func differencesThatRepeatAreWholeBytes() {
    let bytes = deltas([0, 1, 4, 5, 8, 9, 12, 13, 16, 17])
    #expect(bytes.prefix(10) == [0x80, 1, 4, 10, 0, 2, 8, 0, 0, 0])
    let packed: [UInt8] = [0, 2, 0, 2, 0, 2, 0, 2, 0] + [UInt8](repeating: 0, count: 23)
    #expect(Array(bytes.dropFirst(10)) == packed)
  }

  @Test func noneAndOneHaveNoBlock() {
    #expect(deltas([]) == [0x80, 1, 4, 0, 0])
    #expect(deltas([-3]) == [0x80, 1, 4, 1, 5])
  }

  /// The numbers from 0 to 7 of three bits each, as Parquet's document packs them.
  @Test func theLeastBitComesFirst() {
    #expect(
      packed([0, 1, 2, 3, 4, 5, 6, 7], width: 3) == [0b1000_1000, 0b1100_0110, 0b1111_1010])
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
    #expect(packed(numbers, width: width) == slow)
  }

  @Test func oneValueIsARun() {
    #expect(run([5, 5, 5], width: 8) == [6, 5])
    #expect(run([1, 2], width: 8) == [3, 1, 2, 0, 0, 0, 0, 0, 0])
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
      writer.bytes(5, "ab".utf8)
      writer.structures(6, count: 16, (0..<16).flatMap { _ in inner })
    }
    let end: [UInt8] = (0..<16).flatMap { _ -> [UInt8] in [0x15, 1, 0] } + [0]
    #expect(written == [0x26, 0xac, 2, 0x38, 2, 0x61, 0x62, 0x19, 0xfc, 16] + end)
  }
}
