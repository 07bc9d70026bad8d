import LifecycleModel
import Testing
import TraceSources
import TraceText
import Traces

/// Random damage to captures of every framing; a failure names the seed that repeats it.
struct FuzzTests {
  private let captures = ConsoleText.everyForm.map { Array($0.utf8) }

  /// Reads bytes in random chunks with random flushes; whatever comes out is in order and numbered.
  private func read(_ bytes: [UInt8], _ random: inout SeededGenerator, seed: UInt64) {
    var source = ConsoleSource()
    var events: [Event] = []
    var start = 0
    do {
      while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 1...200, using: &random))
        try source.take(bytes[start..<end], into: &events)
        if Int.random(in: 0..<20, using: &random) == 0 { try source.flush(into: &events) }
        start = end
      }
      try source.finish(into: &events)
    } catch {
      #expect(error is SourceError, "seed \(seed)")
    }

    #expect(
      zip(events, events.dropFirst()).allSatisfy { $0.instant <= $1.instant }, "seed \(seed)")
    let numbers = events.filter { $0.verb != .gap }.map(\.sequence)
    #expect(numbers == Array(1..<UInt64(numbers.count) + 1), "seed \(seed)")
    if let first = events.first { #expect(first.verb == .profile, "seed \(seed)") }
    let text = print(events, source.vocabulary)
    #expect((try? TraceNotation.parse(text)) != nil, "seed \(seed)")
  }

  @Test(arguments: 0..<10)
  func damagedCapturesAreReadToTheEnd(framing: Int) {
    for round in 0..<60 {
      let seed = UInt64(framing * 1000 + round)
      var random = SeededGenerator(seed: seed)
      var bytes = captures[framing]
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        default: bytes[place] = UInt8(ascii: "0") + UInt8.random(in: 0...9, using: &random)
        }
      }
      read(bytes, &random, seed: seed)
    }
  }

  @Test func linesInAnyOrderAreReadToTheEnd() {
    for seed in UInt64(5000)..<5250 {
      var random = SeededGenerator(seed: seed)
      let lines = captures.flatMap { $0.split(separator: 0x0a) }.shuffled(using: &random)
      read(Array(lines.joined(separator: [0x0a])), &random, seed: seed)
    }
  }

  @Test func junkIsReadToTheEnd() {
    for seed in UInt64(9000)..<9100 {
      var random = SeededGenerator(seed: seed)
      let junk = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }
      read(junk, &random, seed: seed)
    }
  }

  @Test func stampsFarApartAreNoTrap() throws {
    var random = SeededGenerator(seed: 1)
    var lines = ""
    for _ in 0..<3000 {
      let year = Int.random(in: 1970...2200, using: &random)
      lines += "\(year)-12-31 23:59:60.999 Df Notes[1:1] Deactivation reason added: 0; "
      lines += "deactivation reasons: 0 -> 1;\n"
    }
    #expect(try notation(of: lines).hasPrefix("0s        -     profile "))
  }
}
