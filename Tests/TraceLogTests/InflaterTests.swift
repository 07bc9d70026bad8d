import LifecycleModel
import Testing
import Traces

@testable import TraceLog

/// A stream becomes what it was made of, or is refused; nothing is written behind the target.
struct InflaterTests {
  private let inflater: Inflater

  init() throws { inflater = try Inflater() }

  /// What becomes of `stream`; `nil` when it is damaged.
  private func inflated(_ stream: [UInt8], _ count: Int) -> [UInt8]? {
    var target = [UInt8](repeating: 0xA5, count: count + 16)
    let isWhole = stream.withUnsafeBytes { stream in
      target.withUnsafeMutableBytes { target in
        let room = UnsafeMutableRawBufferPointer(rebasing: target[..<count])
        return (try? inflater.inflate(stream, to: room)) != nil
      }
    }
    #expect(target.suffix(16).allSatisfy { $0 == 0xA5 }, "bytes behind the target were written")
    return isWhole ? Array(target.prefix(count)) : nil
  }

  private func deflated(_ plain: [UInt8], level: Int) throws -> [UInt8] {
    let deflater = try Deflater(level: level)
    var packed = [UInt8](repeating: 0, count: deflater.bound(plain.count, parts: 1))
    let count = plain.withUnsafeBytes { plain in
      packed.withUnsafeMutableBufferPointer { target in
        target.baseAddress.map { deflater.deflate([plain], to: $0) } ?? 0
      }
    }
    return Array(packed.prefix(count))
  }

  private func plain(_ random: inout SeededGenerator) -> [UInt8] {
    let count = Int.random(in: 0...4_000, using: &random)
    let values = UInt8.random(in: 0...255, using: &random)
    return (0..<count).map { (index: Int) -> UInt8 in
      index % 3 == 0 ? UInt8(index / 40 % 256) : UInt8.random(in: 0...values, using: &random)
    }
  }

  @Test(arguments: UInt64(1)...60) func whatIsNotTheStreamIsRefused(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let plain = plain(&random)
    let stream = try deflated(plain, level: [1, 3, 6, 9][Int(seed % 4)])
    #expect(inflated(stream, plain.count) == plain, "seed \(seed)")

    let few = Int.random(in: 1...9, using: &random)
    #expect(inflated(Array(stream.dropLast()), plain.count) == nil, "a byte is missing")
    #expect(inflated(stream + [0], plain.count) == nil, "there is a byte too much")
    #expect(inflated(stream, plain.count + few) == nil, "it is shorter than is said")
    if plain.count >= few {
      #expect(inflated(stream, plain.count - few) == nil, "it is longer than is said")
    }
  }

  /// What comes out is not known, but it is no more than was asked for, and the next stream is read as ever.
  @Test(arguments: UInt64(1)...60) func damageStaysInItsStream(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let plain = plain(&random)
    let stream = try deflated(plain, level: 6)
    for _ in 0..<100 {
      var changed = stream
      // Most of what makes a stream hard stands at its beginning.
      let end = Bool.random(using: &random) ? min(40, changed.count) : changed.count
      changed[Int.random(in: 0..<end, using: &random)] = .random(in: .min ... .max, using: &random)
      _ = inflated(changed, plain.count)
      let noise = (0..<90).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      _ = inflated(noise, 200)
    }
    #expect(inflated(stream, plain.count) == plain, "seed \(seed)")
  }
}
