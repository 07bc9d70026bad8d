import LifecycleModel
import LifecycleRules
import Testing
import TraceAnalysis
import TraceText

@testable import TraceReport
@testable import TraceResults

@Suite struct TimelinePictureTests {
  private static let life = """
    0s - profile mode=app hooks=app-delegate,tasks,resources,process,work
    0s - process.start app pid=7
    1s main call applicationDidBecomeActive app
    1.5s main return applicationDidBecomeActive app
    2s main work timer app "tick"
    4s main task.begin task:1 "sync"
    5s main call applicationWillResignActive app
    5.5s main return applicationWillResignActive app
    6s main call applicationDidEnterBackground app
    7s main return applicationDidEnterBackground app
    8s main task.end task:1 "sync"
    9s main acquire lock app "a"
    10s - kill app code=0xdead10cc
    """

  private func picture(
    _ notation: String, _ kind: TimeAxis.Kind = .clock, width: Int = 77, ink: PictureInk = .ascii,
    in window: ClosedRange<Instant>? = nil, style: TextStyle = .plain
  ) throws -> [String] {
    let trace = try TraceNotation.parse(notation)
    let analysis = Analyzer.analyze(trace)
    var instants = StoryInstants()
    instants.observe(trace.events)
    let axis = try #require(instants.axis(kind, analysis, in: window))
    let results = AnalysisResults(analysis, of: "x", trace.vocabulary)
    var drawing = TimelineDrawing(
      results, on: axis, trace.vocabulary, width: width, ink, style)
    drawing.draw(trace.events)
    return drawing.finish()
  }

  /// 60 columns for 10 s: six a second.
  @Test func barsStandWhereTheyAreOnTheClock() throws {
    let lines = try picture(Self.life)
    func row(_ title: String) -> String {
      lines.first { $0.hasPrefix(title) }.map { String($0.dropFirst(17)) } ?? ""
    }

    // Active from 1 s to 5.5 s, when applicationWillResignActive has returned: columns 6 to 32; inactive
    // to 6 s; then in the background.
    #expect(row("App") == "      = active ==================~~~. background ...........")
    #expect(row("System") == "[ process 7 " + String(repeating: "-", count: 47) + "x")
    #expect(row("Main thread") == "      [-]                     [-]   [----]")
    #expect(
      row("Background tasks") == String(repeating: " ", count: 24) + "[ \"sync\" --------------]")
    #expect(row("Held") == String(repeating: " ", count: 54) + "[----x")
    #expect(row("Work: timer") == String(repeating: " ", count: 12) + "'")
    #expect(lines.contains { $0.hasSuffix("kill 0xdead10cc ^") && $0.count == 17 + 60 })
  }

  /// Numbers with two digits are told apart, however many lie in one place.
  @Test func numbersOfFindingsStandApart() throws {
    let many = (0..<30).map { "\(9_000 + $0)ms main work timer app \"t\($0)x\"" }
    let lines = try picture(
      Self.life.replacing("10s - kill", with: many.joined(separator: "\n") + "\n20s - kill"))
    let row = try #require(lines.first { $0.hasPrefix("Findings") })
    let numbers = row.dropFirst(17).split(separator: " ").compactMap { Int($0) }
    #expect(!numbers.isEmpty && numbers.allSatisfy { (1...35).contains($0) }, "\(row)")
    #expect(Set(numbers).count == numbers.count)
  }

  @Test func findingsAreNumberedWhereTheirCulpritsAre() throws {
    let lines = try picture(Self.life)
    let flags = try #require(lines.first { $0.hasPrefix("Findings") })
    // The lock was taken at 9 s; the call that blocked the main thread began at 5 s.
    #expect(flags.count == 17 + 54 + 1 && flags.last == "1")
    #expect(flags.dropFirst(17).prefix(31).last == "2")
    #expect(lines.contains { $0.hasPrefix("  1 error death") })
  }

  @Test func aPartIsDrawnByItself() throws {
    let window = Instant(nanoseconds: .seconds(5))...Instant(nanoseconds: .seconds(7))
    let lines = try picture(Self.life, in: window)
    #expect(lines[0].dropFirst(17).hasPrefix("5s") && lines[0].hasSuffix("7s"))
    #expect(!lines.contains { $0.hasPrefix("Held") || $0.contains("kill") })
    #expect(lines.contains { $0.hasPrefix("Main thread      [ applicat") })
    #expect(lines.last == "  1 finding outside this part")
  }

  @Test func aShortStateDoesNotHideALongOne() throws {
    let lines = try picture(
      """
      0s - process.start app pid=7
      0s main state notRunning->inactive app
      0.001s main state inactive->active app
      10s - exit app status=0
      """)
    let app = try #require(lines.first { $0.hasPrefix("App") })
    #expect(app.dropFirst(17).first == "=")
  }

  @Test func noLineIsWiderThanThePicture() throws {
    for width in [50, 63, 100, 200] {
      let lines = try picture(Self.life, .story, width: width, ink: .unicode)
      let drawn = lines.prefix { !$0.hasPrefix("  1 ") }
      #expect(drawn.allSatisfy { $0.count <= width })
    }
  }

  @Test func textOfTheLogIsInert() throws {
    let lines = try picture(
      """
      0s main acquire lock app "\u{1b}[31mred\u{202e}"
      10s main release lock app "\u{1b}[31mred\u{202e}"
      """)
    #expect(lines.allSatisfy { line in line.unicodeScalars.allSatisfy { $0.value >= 0x20 } })
  }

  @Test func coloursMarkStatesAndWhatDied() throws {
    let lines = try picture(Self.life, style: .colored)
    #expect(lines.contains { $0.contains("\u{1b}[32m= active") })
    #expect(lines.contains { $0.contains("\u{1b}[1;31m[----x") })
  }
}
