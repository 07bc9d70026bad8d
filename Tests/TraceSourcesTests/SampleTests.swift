import Foundation
import Testing
import TraceSources

/// Each sample has the trace that it becomes beside it; `UPDATE_SNAPSHOTS=1` writes it anew.
struct SampleTests {
  static let names = ["healthy-cycle", "lost-line", "two-deaths"]

  @Test(arguments: names)
  func aSampleBecomesTheTraceBesideIt(name: String) throws {
    let told = try Captures.told("\(name).log", in: Captures.samples).joined(separator: "\n") + "\n"
    let expected = Captures.samples.appending(path: "\(name).trace")
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try told.write(to: expected, atomically: true, encoding: .utf8)
    }
    #expect(try told == String(contentsOf: expected, encoding: .utf8))
  }

  @Test(arguments: names)
  func aSampleIsTheSameByteByByte(name: String) throws {
    let bytes = try Captures.bytes("\(name).log", in: Captures.samples)
    #expect(
      try notation(of: bytes, ConsoleSource(), chunk: 1) == notation(of: bytes, ConsoleSource()))
  }

  @Test(arguments: names)
  func aSampleCutAtAnyLineIsReadToItsEnd(name: String) throws {
    let bytes = try Captures.bytes("\(name).log", in: Captures.samples)
    for end in bytes.indices where bytes[end] == 0x0a {
      // Only an end before the app's first word is an error.
      do { _ = try notation(of: bytes[..<end], ConsoleSource()) } catch {
        #expect((error as? SourceError)?.code == .appNotFound)
      }
    }
  }
}
