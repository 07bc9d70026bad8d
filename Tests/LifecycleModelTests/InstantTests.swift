import Testing
import Traces

@testable import LifecycleModel

/// Times, and how they are written.
@Suite struct InstantTests {
  /// Numbers of every size, the limits among them.
  private static func numbers(_ seed: UInt64) -> [Int64] {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var numbers: [Int64] = [
      .min, .min + 1, -1, 0, 1, 999, 1000, 1_000_000_000, .max - 1, .max,
    ]

    for _ in 0..<400 {
      let shift = Int64.random(in: 0..<64, using: &random)
      numbers.append(Int64(bitPattern: random.next()) >> shift)
    }

    // Round ones, as people write them.
    let units: [Int64] = [1, 1000, 1_000_000, 1_000_000_000]
    for _ in 0..<200 {
      let count = Int64.random(in: -9999...9999, using: &random)
      numbers.append(count * (units.randomElement(using: &random) ?? 1))
    }
    return numbers
  }

  private func parse(_ text: String) -> Nanoseconds? { InstantText.parse(ArraySlice(text.utf8)) }

  @Test(arguments: 0..<5) func whatIsPrintedIsRead(seed: UInt64) throws {
    for number in Self.numbers(seed) {
      let text = InstantText.print(number)
      #expect(parse(text) == number, "\(text)")
      // The largest unit that keeps it at 1 or more, and no digit for nothing.
      let digits = text.drop { $0 == "-" }.prefix { $0.isNumber || $0 == "." }
      #expect(number == 0 || !digits.hasPrefix("0"), "\(text)")
      #expect(!digits.contains(".") || !digits.hasSuffix("0"), "\(text)")
      if text.hasSuffix("ms") || text.hasSuffix("us") || text.hasSuffix("ns") {
        #expect(digits.prefix { $0 != "." }.count <= 3, "\(text)")
      }
    }
  }

  @Test(arguments: 0..<5) func whatIsRoundedIsClose(seed: UInt64) throws {
    for number in Self.numbers(seed) {
      let text = InstantText.rounded(number)
      let rounded = try #require(parse(text), "\(text)")
      let distance = Double(rounded) - Double(number)
      let allowed = max(Double(number.magnitude) / 2000, 0)
      #expect(abs(distance) <= min(allowed, 1e9), "\(number) as \(text)")
      #expect(number.magnitude >= 10_000_000_000_000 || text.count { $0.isNumber } <= 4, "\(text)")
    }
  }

  @Test func onlyTimesAreRead() {
    let read: [(String, Int64)] = [
      ("0s", 0), ("0ns", 0), ("1.5s", 1_500_000_000), ("007ms", 7_000_000), ("1.50us", 1_500),
      ("-2ms", -2_000_000), ("9223372036.854775807s", .max), ("-9223372036.854775808s", .min),
      ("-0s", 0),
    ]

    for (text, number) in read { #expect(parse(text) == number, "\(text)") }
    let refused = [
      "", "s", "-", "1", "1.s", ".5s", "1 s", "1,5s", "1m", "1S", "+1s", "--1s", "0.5ns",
      "1.0000000001s", "9223372036.854775808s", "-9223372036.854775809s", "1e3s", "1s ",
      "99999999999999999999s",
    ]
    for text in refused { #expect(parse(text) == nil, "\(text)") }
  }

  @Test(arguments: 0..<3) func timesStayWithin64Bits(seed: UInt64) {
    let numbers = Self.numbers(seed)
    for (one, other) in zip(numbers, numbers.reversed()) {
      let (start, end) = (Instant(nanoseconds: one), Instant(nanoseconds: other))
      let exact = Double(other) - Double(one)
      let span = end.since(start)
      if exact.magnitude < 9e18 {
        #expect(start.advanced(by: span) == end)
        #expect(end.advanced(by: -span) == start)
        #expect(one.adding(span) == other)
      }
      #expect(span.signum() == (one == other ? 0 : one < other ? 1 : -1))
      #expect((start < end) == (one < other))
    }

    #expect(Instant.distantFuture.since(.distantPast) == .max)
    #expect(Instant.distantPast.since(.distantFuture) == .min)
    #expect(Instant.distantFuture.advanced(by: 1) == .distantFuture)
    #expect(Instant.distantPast.advanced(by: -1) == .distantPast)
    #expect(Nanoseconds.max.adding(1) == .max && Nanoseconds.min.adding(-1) == .min)
    #expect(Nanoseconds.seconds(2) == 2 * Nanoseconds.milliseconds(1000))
  }
}
