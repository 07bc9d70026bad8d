import LifecycleModel
import Testing
import Traces

@testable import TraceLog

/// libdeflate and zlib say the same of any stream that is one; where there is no libdeflate, zlib is asked
/// twice.
struct InflaterTests {
  private let zlib: Inflater
  private let fast: Inflater

  init() throws {
    zlib = try Inflater()
    fast = try Inflater(expecting: Libdeflate.worthwhileBytes)
  }

  /// What both make of `stream`; `nil` when it is damaged.
  private func inflated(_ stream: [UInt8], _ count: Int) -> (zlib: [UInt8]?, fast: [UInt8]?) {
    func bytes(
      _ inflate: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws -> Void
    ) -> [UInt8]? {
      var target = [UInt8](repeating: 0xA5, count: count + 16)
      let isWhole = stream.withUnsafeBytes { stream in
        target.withUnsafeMutableBytes { target in
          let room = UnsafeMutableRawBufferPointer(rebasing: target[..<count])
          return (try? inflate(stream, room)) != nil
        }
      }
      #expect(target.suffix(16).allSatisfy { $0 == 0xA5 }, "bytes behind the target were written")
      return isWhole ? Array(target.prefix(count)) : nil
    }
    return (bytes(zlib.inflateByZlib), bytes(fast.inflate))
  }

  private func deflated(_ plain: [UInt8], level: Int) throws -> [UInt8] {
    let deflater = Deflater(level: level)
    var packed = [UInt8](repeating: 0, count: deflater.bound(plain.count, parts: 1))
    let count = plain.withUnsafeBytes { plain in
      packed.withUnsafeMutableBufferPointer { target in
        target.baseAddress.map {
          deflater.deflate([plain], to: $0)
        } ?? 0
      }
    }
    return Array(packed.prefix(count))
  }

  private func plain(_ random: inout SeededGenerator) -> [UInt8] {
    let count = Int.random(in: 0...4_000, using: &random)
    let values = UInt8.random(in: 0...255, using: &random)
    return (0..<count).map { index in
      index % 3 == 0 ? UInt8(index / 40 % 256) : UInt8.random(in: 0...values, using: &random)
    }
  }

  @Test(arguments: UInt64(1)...60) func bothReadTheSame(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let plain = plain(&random)
    let stream = try deflated(plain, level: [0, 1, 6, 9][Int(seed % 4)])
    let whole = inflated(stream, plain.count)
    #expect(whole.zlib == plain && whole.fast == plain, "seed \(seed)")

    for _ in 0..<200 {
      var changed = stream
      var count = plain.count
      switch Int.random(in: 0...9, using: &random) {
      case 0: changed.removeLast(Int.random(in: 1...changed.count, using: &random))
      case 1: changed.append(.random(in: .min ... .max, using: &random))
      case 2: count += Int.random(in: 1...9, using: &random)
      case 3: count -= min(count, Int.random(in: 1...9, using: &random))
      // Most of what makes a stream hard stands at its beginning.
      case 4...6:
        let index = Int.random(in: 0..<min(40, changed.count), using: &random)
        changed[index] = .random(in: .min ... .max, using: &random)
      default:
        let index = Int.random(in: 0..<changed.count, using: &random)
        changed[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
      let read = inflated(changed, count)
      // Only zlib refuses codes that no compressor makes, such as one for a distance that there is not.
      #expect(
        read.zlib == nil || read.zlib == read.fast, "seed \(seed): \(changed) to \(count) bytes")
    }
  }

  @Test(arguments: UInt64(1)...20) func bothReadTheSameOfNoise(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let stream = (0..<Int.random(in: 1...90, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      let count = Int.random(in: 0...200, using: &random)
      let read = inflated(stream, count)
      #expect(
        read.zlib == nil || read.zlib == read.fast, "seed \(seed): \(stream) to \(count) bytes")
    }
  }

  @Test func checksumsAreThoseOfZlib() {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    bytes.withUnsafeBytes { bytes in
      for count in [0, 1, 7, 63, 4_097, 100_000] {
        let range = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        let library = Libdeflate.library(after: .max)
        #expect(checksum(range, library) == checksum(range))
      }
    }
  }

  /// A small log costs no look at the disk for a library.
  @Test func aSmallLogLoadsNoLibrary() {
    #expect(Libdeflate.library(after: Libdeflate.worthwhileBytes - 1) == nil)
  }
}
