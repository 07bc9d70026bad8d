import Testing

@testable import LifecycleModel

@Suite struct TakenBytesTests {
  /// What was taken is not copied, and leaves no memory behind that grows with each time.
  @Test func takenBytesTakeTheirMemoryAlong() {
    var bytes: [UInt8] = []
    for round in 0..<1_000 {
      bytes += [UInt8](repeating: UInt8(round & 255), count: 40_000)
      let taken = bytes.takeAll()
      #expect(taken.count == 40_000 && taken.last == UInt8(round & 255))
      #expect(bytes.isEmpty && bytes.capacity == 0)
    }
  }
}
