import LifecycleModel
import TestTime
import Testing
import TraceSources
import TraceText
import Traces

/// Random damage to reports of every form: no trap, no end that is not in them, and memory and time that
/// do not grow.
@Suite(.tags(.nightly)) struct ReportMutationTests {
  /// Reports that state a death, of as many as they say.
  private static let deaths: [String] = [
    ReportText.ips, ReportText.crash, ReportText.header + "\n" + ReportText.crash,
    ReportText.jetsam(
      ReportText.entry("Notes", "frontmost", reason: "per-process-limit"),
      ReportText.entry("Tunes", "suspended")),
    ReportText.body(#""termination" : {"code":11,"namespace":"SIGNAL"}"#, signal: "SIGSEGV"),
    "{\"diagnosticMetaData\":{\"terminationReason\":\"Namespace SIGNAL, Code 0xb\",\"pid\":4}}",
    ReportText.diagnostic(#""terminationCategory":"watchdog","signal":9"#),
    ReportText.jetsamTable(),
  ]

  /// Reports that tell of none.
  private static let others: [String] = [
    ReportText.header.replacing("309", with: "385")
      + "\n{\n\"procName\" : \"Notes\",\n\"pid\" : 4\n}",
    ReportText.jetsam(ReportText.entry("Notes", "active"), ReportText.entry("Tunes", "suspended")),
    """
    {"bug_type":"202","timestamp":"2026-10-19 23:49:02.00 +0100","name":"Notes"}
    Date/Time:        2026-10-19 23:46:29.268 +0100
    Command:          Notes
    PID:              412
    Event:            cpu usage
    Action taken:     none
    CPU:              90 seconds cpu time over 150 seconds
    """,
    """
    {"timeStampBegin":"2026-11-21 04:00:00 +0000","timeStampEnd":"2026-11-22 03:59:00 +0000",
    "hangDiagnostics":[{"hangDuration":"20 sec","diagnosticMetaData":{"osVersion":"iPhone OS 18.2"}}],
    "applicationExitMetrics":{"foregroundExitData":{"cumulativeAppWatchdogExitCount":1}}}
    """,
    """
    {"sdk":{"version":"9.9.0"},"breadcrumbs":[
    {"timestamp":"2026-11-21T10:00:00Z","category":"app.lifecycle","data":{"state":"foreground"}},
    {"timestamp":"2026-11-21T10:00:09Z","category":"app.lifecycle","data":{"state":"background"}}]}
    """,
    ReportText.diagnostic(#""hangDuration":"20 sec""#).replacing("\"crash\"", with: "\"hang\""),
    ReportText.jetsamTable().replacing("[per-process-limit]", with: "")
      .replacing("[highwater]", with: ""),
  ]

  private static func mutated(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...24, using: &random) where bytes.count > 2 {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<7, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + 40))
      case 4: bytes.insert(contentsOf: bytes[place...].prefix(60), at: place)
      case 5: bytes[place] = Array("{}[]\",:\\0\n".utf8).randomElement(using: &random) ?? 0
      default: if Int.random(in: 0..<8, using: &random) == 0 { bytes.removeSubrange(place...) }
      }
    }

    return bytes
  }

  /// Reads bytes in chunks; `nil` when they were refused.
  private func read(
    _ bytes: [UInt8], _ random: inout SeededGenerator, _ seed: UInt64
  ) -> (events: [Event], source: ReportSource)? {
    var source = ReportSource()
    var events: [Event] = []

    var start = 0
    do {
      while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 1...500, using: &random))
        try source.take(bytes[start..<end], into: &events)
        start = end
      }
      try source.finish(into: &events)
    } catch {
      #expect(error is SourceError, "seed \(seed)")
      return nil
    }
    return (events, source)
  }

  private func check(_ text: String, _ seed: UInt64, deaths: Int) {
    var random = SeededGenerator(seed: seed)
    let bytes = Self.mutated(text, &random)
    guard let (events, source) = read(bytes, &random, seed) else { return }

    let ends = events.filter { $0.verb == .kill || $0.verb == .exit }.count
    #expect(ends <= deaths, "seed \(seed): \(ends) ends of \(deaths)")
    #expect(ends == source.reports.filter(\.isDeath).count, "seed \(seed)")
    #expect(events.first?.verb == .profile, "seed \(seed)")
    #expect(
      zip(events, events.dropFirst()).allSatisfy { $0.instant <= $1.instant }, "seed \(seed)")
    let printed = print(events, source.vocabulary)
    #expect((try? TraceNotation.parse(printed)) != nil, "seed \(seed): \(printed)")
  }

  @Test(arguments: Nightly.seeds(60, all: 1000))
  func aDamagedReportTellsNoFurtherDeath(seed: UInt64) {
    for (index, text) in Self.deaths.enumerated() {
      // A piece that is doubled may hold a whole crash of a payload.
      check(text, seed * 16 + UInt64(index), deaths: (5...6).contains(index) ? 2 : 1)
    }
  }

  @Test(arguments: Nightly.seeds(60, all: 1000))
  func aDamagedReportOfNoDeathTellsNone(seed: UInt64) {
    for (index, text) in Self.others.enumerated() {
      check(text, seed * 16 + UInt64(index) + 1_000_000, deaths: 0)
    }
  }

  @Test func junkIsReadToTheEnd() {
    for seed in UInt64(0)..<100 {
      var random = SeededGenerator(seed: seed)
      let starts = ["{\"bug_type\":\"309\"}\n", "Incident Identifier: 1\n", "{\"rpages\":1,"]
      let junk = (0..<3000).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = read(Array(starts[Int(seed % 3)].utf8) + junk, &random, seed)
    }
  }

  @Test func nothingIsTooDeep() {
    let deep = "{\"bug_type\":\"309\",\"a\":" + String(repeating: "[{\"a\":", count: 100_000)
    var random = SeededGenerator(seed: 1)
    #expect(read(Array(deep.utf8), &random, 1) != nil)
  }
}
