import Foundation
import LifecycleModel
import Testing
import TraceText

@testable import LifecycleRules
@testable import TraceAnalysis

/// The table of the article `KindsOfDeath` is what the program says.
@Suite struct DeathTableTests {
  private static let article = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/LifecycleRules/LifecycleRules.docc/KindsOfDeath.md")
  private static let marks = ("<!-- table -->\n", "<!-- end of table -->\n")

  /// How the notation tells of each kind of end.
  private static var ends: [String] {
    let known = DeathCauses.rows.compactMap { row -> String? in
      switch row.kind {
      case .code: "kill app code=\(row.word)"
      case .jetsam:
        row.number.map { "kill app namespace=JETSAM code=\(DeathCause.hex($0))" }
          ?? "kill app reason=\(row.word)"
      case .signal: "exit app signal=\(row.word)"
      case .namespace:
        DeathCauses.namespace(row.word) == nil ? nil : "kill app namespace=\(row.word) code=0x1"
      case .manner: nil
      case .word: "kill app reason=\(TraceNotation.isWord(row.word) ? row.word : "\"\(row.word)\"")"
      }
    }

    return known + [
      "kill app", "kill app code=0x1badbabe", "kill app namespace=JETSAM", "exit app status=0",
      "exit app status=1", "exit app exception=NSRangeException", "exit app reason=gone",
      "process.start app",
    ] + DeathCauses.stops.map { "kill app namespace=SIGNAL code=0x6 reason=\"\($0.phrases[0])\"" }
  }

  private static func analyze(_ end: String, inBackground: Bool) throws -> Analysis {
    Analyzer.analyze(
      try TraceNotation.parse(
        """
        0s - profile mode=app platform=ios os=18.2 background-modes=none hooks=app-delegate,system
        0s - process.start app launch=user
        1s main call applicationDidBecomeActive app
        1.1s main return applicationDidBecomeActive app

        """
          + (inBackground
            ? """
            5s main call applicationDidEnterBackground app
            5.1s main return applicationDidEnterBackground app

            """ : "") + "9s - \(end)"))
  }

  private static func row(_ end: String) throws -> String {
    let (seen, away) = (
      try analyze(end, inBackground: false), try analyze(end, inBackground: true)
    )
    let classes = [seen, away].map { $0.deaths.last?.deathClass.rawValue ?? "no death" }
    let found = seen.deaths.last?.finding == nil ? nil : seen.worst?.rawValue
    let status = (seen.worst ?? .info) >= .warning ? 1 : 0
    return "| `\(end)` | \(classes[0]) | \(classes[1]) | \(found ?? "–") | \(status) "
      + "| \(seen.deaths.last?.sentence ?? "–") | \(advice(end, seen.deaths.last)) |\n"
  }

  /// What the finding tells the developer to do; of what is no death, what the table says.
  private static func advice(_ end: String, _ death: DeathVerdict?) -> String {
    if let death { return death.advice }
    let code = end.split(separator: "=").last.map(String.init) ?? ""
    return DeathCauses.find(code).first?.advice ?? ""
  }

  @Test func theTableOfTheArticleIsWhatTheProgramSays() throws {
    var table = "| end | on the screen | in the background | finding | status | sentence "
    table += "| what to do |\n|---|---|---|---|---|---|---|\n"
    for end in Self.ends { table += try Self.row(end) }
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let start = try #require(text.range(of: Self.marks.0)?.upperBound)
    let end = try #require(text.range(of: Self.marks.1)?.lowerBound)

    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      try (text[..<start] + table + text[end...])
        .write(to: Self.article, atomically: true, encoding: .utf8)
    } else {
      #expect(text[start..<end] == table)
    }
  }

  @Test func eachKindOfDeathSaysWhatToDo() throws {
    for end in Self.ends {
      let death = try Self.analyze(end, inBackground: false).deaths.last
      let advice = Self.advice(end, death)
      #expect(advice.hasSuffix(".") && advice.count > 7, "\(end): \(advice)")
      #expect(!advice.contains("tracectl explain"), "\(end): \(advice)")
    }
  }

  @Test func thereAreSomeSixtyKindsOfDeath() {
    #expect(Self.ends.count >= 60)
    #expect(Set(Self.ends).count == Self.ends.count)
  }
}
