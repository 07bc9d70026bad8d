import Testing
import Traces

@testable import TraceLog

/// What the deflater writes inflates to what it was made of, however the parts are told.
@Suite struct DeflaterTests {
  @Test(arguments: [1, 6, 9]) func whatIsWrittenIsRead(level: Int) throws {
    let deflater = try Deflater(level: level)
    for (name, bytes) in DeflaterTests.samples(seed: 1) {
      for noise in [0..<0, 0..<1] {
        let stream = DeflaterTests.deflate([bytes], noise: noise, deflater)
        #expect(try DeflaterTests.inflate(stream, bytes.count) == bytes, "\(name), noise \(noise)")
      }
    }
  }

  @Test func whatRepeatsBecomesShort() throws {
    let deflater = try Deflater(level: 6)
    let period = (0..<100).map { UInt8($0) }
    let bytes = Array((0..<200).flatMap { _ in period })
    #expect(DeflaterTests.deflate([bytes], deflater).count < 300)
    #expect(DeflaterTests.deflate([[UInt8](repeating: 7, count: 1 << 16)], deflater).count < 150)
    // The columns that are said to be noise are searched when one byte is most of them.
    let same = [UInt8](repeating: 0, count: 16_384)
    #expect(DeflaterTests.deflate([same], noise: 0..<1, deflater).count < 100)
  }

  @Test func whatIsNoiseBecomesHardlyLonger() throws {
    var random = SeededGenerator(seed: 5)
    let bytes = (0..<200_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let deflater = try Deflater(level: 6)
    let count = DeflaterTests.deflate([bytes], deflater).count
    #expect(count <= bytes.count + 800)
    #expect(count <= deflater.bound(bytes.count, parts: 1))
  }

  /// What is searched first of a part may lie behind its beginning; the part before is no place for it.
  @Test func aPartThatBeginsWithNoiseRepeatsNothingOfTheOneBefore() throws {
    var random = SeededGenerator(seed: 8)
    func noise(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }
    let zeros = [UInt8](repeating: 0, count: 30_000)
    let parts = [noise(150_000) + zeros, noise(1 << 16) + zeros, zeros + zeros + zeros + zeros]
    let stream = DeflaterTests.deflate(parts, noise: 1..<2, try Deflater(level: 6))
    let whole = parts.flatMap { $0 }
    #expect(try DeflaterTests.inflate(stream, whole.count) == whole)
  }

  @Test func shortPartsHaveNoCodesOfTheirOwn() throws {
    let deflater = try Deflater(level: 6)
    let parts = (0..<10).map { [UInt8($0), 1, 2] }
    #expect(DeflaterTests.deflate(parts, deflater).count < 60)
    #expect(DeflaterTests.deflate([[], []], deflater).count == 2)
  }

  // MARK: Samples

  private static func samples(seed: UInt64) -> [(name: String, bytes: [UInt8])] {
    var random = SeededGenerator(seed: seed)
    func bytes(_ count: Int, _ byte: (inout SeededGenerator) -> UInt8) -> [UInt8] {
      (0..<count).map { _ in byte(&random) }
    }
    func skewed(_ random: inout SeededGenerator) -> UInt8 {
      UInt8(UInt64.random(in: 1...UInt64.max, using: &random).leadingZeroBitCount)
    }

    let noise = bytes(40_000) { .random(in: .min ... .max, using: &$0) }
    let words = (0..<30).map { _ in
      bytes(.random(in: 3...300, using: &random)) { .random(in: 0...9, using: &$0) }
    }
    return [
      ("nothing", []), ("a byte", [9]), ("three bytes", [1, 1, 1]),
      ("one byte, often", [UInt8](repeating: 200, count: 70_000)),
      ("noise", noise), ("noise again, at the edge of the window", noise + noise[7000...]),
      ("skewed", bytes(65_535) { skewed(&$0) }), ("skewed, longer", bytes(200_000) { skewed(&$0) }),
      ("words", (0..<900).flatMap { _ in words.randomElement(using: &random) ?? [] }),
      ("all bytes", (0..<4096).map { UInt8(truncatingIfNeeded: $0) }),
    ]
  }

  private static func deflate(
    _ parts: [[UInt8]], noise: Range<Int> = 0..<0, _ deflater: Deflater
  ) -> [UInt8] {
    let whole = parts.flatMap { $0 }
    var packed = [UInt8](repeating: 0, count: deflater.bound(whole.count, parts: parts.count))
    let count = whole.withUnsafeBytes { bytes in
      var start = 0
      let buffers = parts.map { part in
        defer { start += part.count }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + part.count])
      }
      return packed.withUnsafeMutableBufferPointer { target in
        target.baseAddress.map { deflater.deflate(buffers, noise: noise, to: $0) } ?? 0
      }
    }
    return Array(packed.prefix(count))
  }

  private static func inflate(_ stream: [UInt8], _ count: Int) throws -> [UInt8] {
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 1), alignment: 1)
    defer { target.deallocate() }
    try stream.withUnsafeBytes {
      try Inflater().inflate($0, to: UnsafeMutableRawBufferPointer(rebasing: target[..<count]))
    }
    return Array(target.prefix(count))
  }
}
