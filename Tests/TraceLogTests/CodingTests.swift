import LifecycleModel
import Testing
import Traces

@testable import TraceLog

/// The primitive encodings: what is put is got, and what is cut off is damage.
@Suite struct CodingTests {
  /// Numbers of every length.
  private func numbers(_ seed: UInt64) -> [UInt64] {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    return [0, 1, 0x7f, 0x80, 0x3fff, 0x4000, .max, .max - 1, 1 << 63]
      + (0..<300).map { _ in random.next() >> UInt64.random(in: 0..<64, using: &random) }
  }

  private func read<Result>(
    _ bytes: [UInt8], _ body: (inout ByteSource) throws -> Result
  ) throws -> Result {
    try bytes.withUnsafeBytes { raw in
      var source = ByteSource(raw)
      return try body(&source)
    }
  }

  @Test(arguments: 0..<3) func varintsComeBack(seed: UInt64) throws {
    let numbers = numbers(seed)
    var sink = ByteSink()
    for number in numbers { sink.putVarint(number) }
    for number in numbers { sink.putVarint(zigzag(Int64(bitPattern: number))) }
    let read = try read(sink.bytes) { source in
      let plain = try numbers.map { _ in try source.getVarint() }
      let signed = try numbers.map { _ in unzigzag(try source.getVarint()) }
      #expect(source.rest.isEmpty)
      return (plain, signed)
    }
    #expect(read.0 == numbers && read.1 == numbers.map { Int64(bitPattern: $0) }, "seed \(seed)")
  }

  /// A short number takes few bytes, whatever its sign.
  @Test(arguments: 0..<3) func varintsAreAsShortAsTheirNumbers(seed: UInt64) {
    for number in numbers(seed) {
      var sink = ByteSink()
      sink.putVarint(number)
      let bits = max(1, 64 - number.leadingZeroBitCount)
      #expect(sink.bytes.count == (bits + 6) / 7)
      let signed = Int64(bitPattern: number)
      #expect(
        zigzag(signed) == (signed < 0 ? 2 * (signed.magnitude - 1) + 1 : 2 * signed.magnitude))
    }
  }

  @Test func everyPrefixIsTooShort() throws {
    var sink = ByteSink()
    sink.putText("näïve ☂", limit: 100)
    sink.putVarint(.max)
    sink.put(UInt32(7))
    let bytes = sink.bytes
    func take(_ source: inout ByteSource) throws -> String {
      let text = try source.getText(limit: 100)
      return try "\(text) \(source.getVarint()) \(source.get(UInt32.self))"
    }
    #expect(try read(bytes, take) == "näïve ☂ 18446744073709551615 7")

    for length in 0..<bytes.count {
      #expect(throws: BlockDamage.self, "\(length)") {
        try read(Array(bytes.prefix(length)), take)
      }
    }
  }

  @Test func whatIsOverALimitIsDamage() throws {
    let endless = [UInt8](repeating: 0xff, count: 11)
    #expect(throws: BlockDamage.self) { try read(endless) { try $0.getVarint() } }
    var sink = ByteSink()
    sink.putVarint(9)
    #expect(try read(sink.bytes) { try $0.getCount(limit: 9, "too many") } == 9)
    #expect(throws: BlockDamage("too many")) {
      try read(sink.bytes) { try $0.getCount(limit: 8, "too many") }
    }
    #expect(throws: BlockDamage.self) { try read([1, 2]) { _ = try $0.take(-1) } }
    #expect(throws: BlockDamage.self) { try read([200, 1, 65]) { try $0.getText(limit: 300) } }
  }

  /// A text is cut between two characters, and says that it was.
  @Test(arguments: 0..<4) func aTextIsCutAtItsLimit(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let scalars = Array("aé☂😀\0\n".unicodeScalars)
    for _ in 0..<60 {
      var text = ""
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        text.unicodeScalars.append(scalars.randomElement(using: &random) ?? "a")
      }
      let limit = Int.random(in: 3...60, using: &random)
      let cut = text.cut(to: limit)
      #expect(cut.utf8.count <= limit, "seed \(seed)")
      if text.utf8.count <= limit {
        #expect(cut == text)
      } else {
        #expect(
          cut.hasSuffix("…") && text.unicodeScalars.starts(with: cut.unicodeScalars.dropLast()))
        #expect(cut.utf8.count > limit - 7, "seed \(seed): cut too short")
      }
    }
  }

  @Test(arguments: 0..<4) func deltasAreInTheirClasses(seed: UInt64) {
    var classes: [UInt64: UInt8] = [:]
    for delta in numbers(seed) where delta < 1 << 63 {
      let code = TimeClass.of(delta)
      let (base, width) = (TimeClass.base(code), TimeClass.width(code))
      #expect(code < TimeClass.absolute && base <= delta && delta - base < 1 << width, "\(delta)")
      classes[delta] = code
    }

    for magnitude in numbers(seed) where magnitude <= 1 << 63 {
      let code = ValueClass.of(magnitude)
      let (base, width) = (ValueClass.base(code), ValueClass.width(code))
      #expect(code <= ValueClass.largest && base <= magnitude, "\(magnitude)")
      #expect(magnitude - base < 1 << width, "\(magnitude)")
      // The sign says nothing about the size.
      #expect(ValueClass.base(code | ValueClass.sign) == base)
      #expect(ValueClass.width(code | ValueClass.sign) == width)
    }

    // The larger the delta, the larger its class.
    let ordered = classes.sorted { $0.key < $1.key }.map(\.value)
    #expect(ordered == ordered.sorted())
    #expect(TimeClass.width(TimeClass.absolute) == 64 && TimeClass.base(TimeClass.absolute) == 0)
  }

  @Test(arguments: 0..<10) func bitFieldsComeBack(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let fields = (0..<200).map { _ -> (value: UInt64, width: UInt64) in
      let width = UInt64.random(in: 0...64, using: &random)
      let value = random.next()
      return (width == 64 ? value : value & ((1 << width) - 1), width)
    }

    let memory = UnsafeMutableRawPointer.allocate(byteCount: 16 * fields.count, alignment: 8)
    defer { memory.deallocate() }
    var writer = MantissaWriter(memory)

    // What lies beyond the width is not written.
    for field in fields {
      let noise = field.width >= 64 ? 0 : random.next() << field.width
      writer.putWide(field.value | noise, field.width)
    }

    var reader = MantissaReader(memory)
    #expect(fields.allSatisfy { reader.takeWide($0.width) == $0.value }, "seed \(seed)")
    #expect(reader.byteCount == writer.byteCount)
    #expect(writer.byteCount == Int((fields.reduce(0) { $0 + $1.width } + 7) / 8))
  }

  @Test(arguments: 0..<10) func partsAreDeflatedAsOneStream(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let parts = (0..<Int.random(in: 1...5, using: &random)).map { part -> [UInt8] in
      let isNoise = part % 2 == 1
      return (0..<Int.random(in: 0...900, using: &random)).map { index in
        isNoise ? UInt8.random(in: 0...255, using: &random) : UInt8(index % 7)
      }
    }

    let whole = parts.flatMap { $0 }
    let (deflater, inflater) = (try Deflater(level: 6), try Inflater())
    var packed = [UInt8](
      repeating: 0, count: deflater.bound(whole.count, parts: parts.count))

    // A codec is used again for every block.
    for _ in 0..<2 {
      let buffers = parts.map { part in
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: part.count, alignment: 1)
        copy.copyBytes(from: part)
        return copy
      }
      defer { for buffer in buffers { buffer.deallocate() } }
      let count = packed.withUnsafeMutableBufferPointer { target in
        target.baseAddress.map {
          deflater.deflate(buffers.map { UnsafeRawBufferPointer($0) }, noise: 1..<2, to: $0)
        } ?? 0
      }
      let stream = Array(packed.prefix(count))
      #expect(try inflate(stream, whole.count, inflater) == whole, "seed \(seed)")
      // Another length, or another end, is damage and no trap.
      #expect(throws: BlockDamage.self) { try inflate(stream, whole.count + 1, inflater) }
      #expect(throws: BlockDamage.self) {
        try inflate(Array(stream.dropLast()), whole.count, inflater)
      }
      #expect(throws: BlockDamage.self) { try inflate(stream + [0], whole.count, inflater) }
    }
  }

  private func inflate(_ stream: [UInt8], _ count: Int, _ inflater: Inflater) throws -> [UInt8] {
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 1), alignment: 1)
    defer { target.deallocate() }
    try stream.withUnsafeBytes {
      try inflater.inflate($0, to: UnsafeMutableRawBufferPointer(rebasing: target[..<count]))
    }
    return Array(target.prefix(count))
  }
}
