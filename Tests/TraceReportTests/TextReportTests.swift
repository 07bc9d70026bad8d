import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces

@testable import TraceReport
@testable import TraceResults

@Suite struct TextReportTests {
  /// The report of all rules, or of those with these ids.
  private func report(
    _ notation: String, rules ids: [String]? = nil, style: TextStyle = .plain
  ) throws -> String {
    let trace = try TraceNotation.parse(notation)
    let rules = RuleRegistry.all.filter { ids?.contains($0.description.id) ?? true }
    #expect(rules.count == ids?.count ?? rules.count)
    let results = AnalysisResults(
      Analyzer.analyze(trace, rules: rules), of: "log", trace.vocabulary)
    return TextReport(results, style: style).text
  }

  @Test func aFindingStandsWithItsEvidenceAndRemedy() throws {
    let text = try report(
      """
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      3s main call sceneDidEnterBackground scene:1
      """)
    #expect(
      text.hasPrefix(
        """
        1 error

        error resign-before-background (R11): scene:1 entered the background while active: \
        no sceneWillResignActive since 1s
            opens   main#1    1s        main  call          sceneDidBecomeActive scene:1
            missing           call sceneWillResignActive scene:1 or \
        notify UIScene.willDeactivateNotification scene:1, due after main#1 and before main#2
            culprit main#2    3s        main  call          sceneDidEnterBackground scene:1 ◀
            while   app active, scene foregroundActive

            rule     an active app or scene gets willResignActive before didEnterBackground or
                     didDisconnect
            why      UIKit takes an app or a scene to the background in two steps.
            remedy   Look for code that calls the delegate directly, or a UIKit port that maps the loss
                     of focus to sceneDidEnterBackground(_:), or closes windows without resigning them.
        """))
    #expect(text.contains("\n    more     tracectl explain R11\n"))
    #expect(
      text.hasSuffix(
        """
        Next
          tracectl explain R11                the rule, with examples
          tracectl dump --around main#2 LOG   the events around it

        """))
  }

  @Test func aCleanLogSaysWhatWasLookedAt() throws {
    let text = try report(
      """
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      2s main return sceneDidBecomeActive scene:1
      3.5s main call sceneWillResignActive scene:1
      4s main return sceneWillResignActive scene:1
      """,
      rules: [
        "active-alternates", "resign-before-background", "ident-main-thread",
        "work-timer-while-inactive", "work-gpu-in-background",
      ])

    #expect(text.hasPrefix("no findings: 3 of 5 rules could check\n"))
    #expect(text.contains("  5 events over 4s, no gaps\n"))
    #expect(
      text.contains(
        """
          2 of 5 rules lack evidence: the log has no app work such as timers and drawing (2 rules)
        """))
    #expect(text.contains("What happened\n  1s  active, for 3s\n  4s  inactive\n"))
  }

  @Test func whereDocumentsAndDevicesDisagreeThatIsTold() throws {
    let text = try report(
      """
      0s - profile mode=app hooks=app-delegate
      1s main call applicationDidBecomeActive app
      2s main call applicationDidEnterBackground app
      3s main call applicationWillEnterForeground app
      4s main call applicationDidEnterBackground app
      """, rules: ["order-foreground-implies-active"])

    #expect(
      text.contains("\n    but      The documentation says that the activation invariably follows"))
    let clean = try report("0s - profile hooks=work\n1s - gap ring-full 1", rules: ["lost-events"])
    #expect(!clean.contains("    but "))
  }

  @Test func itNamesEveryRule() throws {
    let text = try report(
      """
      0s - profile mode=scene hooks=scene-delegate
      1s main call sceneDidBecomeActive scene:1
      """,
      rules: ["ident-main-thread", "launch-scene-adoption", "work-gpu-in-background"])

    #expect(text.contains("  1 passed:\n    ident-main-thread\n"))
    #expect(
      text.contains(
        "  1 cannot tell: the log does not record work:\n    work-gpu-in-background\n"))
    #expect(
      text.contains(
        "  1 not checked: only for apps without scenes:\n    launch-scene-adoption\n"))
  }

  @Test func anEmptyTraceHasNothingToLookAt() throws {
    #expect(try report("").hasPrefix("no events: nothing to analyze\n"))
  }

  @Test func whatIsOpenAtTheEndIsTold() throws {
    let text = try report(
      """
      0s - profile hooks=tasks
      1s main task.begin task:1 "sync"
      91s main note
      """)
    #expect(
      text.contains(
        "At the end\n  open for 1min 30s  1s        main  task.begin    task:1 \"sync\"\n"))
  }

  @Test func ofManyScenesTheFirstAreTold() throws {
    let lines = (1...23).map { "\($0)s main call sceneWillConnect scene:\($0)" }
    let text = try report(
      (["0s - profile mode=scene hooks=scene-delegate"] + lines).joined(separator: "\n"))
    #expect(text.contains("  scene:20 is background\n  and 3 more scenes are connected\n"))
    #expect(!text.contains("scene:21 is"))
  }

  @Test func colorsOnlyFrameThePlainText() throws {
    let notation = "0s - profile hooks=work\n1s - gap ring-full 3 writer=main"
    let plain = try report(notation)
    var text = try report(notation, style: .colored)
    #expect(text != plain && text.contains("\u{1b}[1;33m"))
    for code in ["0", "1", "2", "32", "1;31", "1;33", "1;36"] {
      text = text.split(separator: "\u{1b}[\(code)m", omittingEmptySubsequences: false).joined()
    }
    #expect(text == plain)
  }

  @Test func whatIsKnownAndWhatIsAcceptedIsToldAndNotCounted() throws {
    var bench = try FormatBench.sample()
    func text() -> String { TextReport(bench.results).text }
    bench.compare("task-leak-at-suspend", .known)
    bench.compare("budget-did-enter-background", .new)
    bench.accept("work-timer-while-inactive", "by\ndesign", at: "t.yml:3")
    #expect(text().hasPrefix("killed by the watchdog (0x8badf00d); 1 warning; 1 accepted\n\n"))
    #expect(
      text().contains(
        "(3 times)\n    accepted by\\u000adesign (t.yml:3)\n\n"))

    // What is accepted is not proved, and not explained.
    #expect(!text().contains("opens   main#13 "))
    // What is known and has nothing new under it is not told in full.
    #expect(!text().contains("error task-leak-at-suspend"))
    bench.compare("budget-did-enter-background", .known)
    #expect(
      text().hasPrefix(
        "killed by the watchdog (0x8badf00d); no new findings; 1 accepted\n\n"))
  }

  @Test func aLineNeverBeginsWithACommandOfTheLogs() throws {
    let words = (0..<40).map { "word\($0) ::error::x" }.joined(separator: " ")
    let text = try report(
      """
      0s - profile mode=app hooks=app-delegate,system
      0s - process.start app launch=user
      1s - kill app code=0x9 reason="\(words)"
      """)

    #expect(text.contains(#":\u003aerror::x"#))
    for line in text.split(separator: "\n") {
      #expect(!line.trimmingPrefix(while: \.isWhitespace).hasPrefix("::"), "\(line)")
    }
  }

  /// Words that a terminal, a browser or a CI log would act on.
  static let hostile = "\u{1b}[31m\r\n::error::x\u{9b}2J</script>\u{7}"

  @Test func hostileWordsComeOutInert() throws {
    let word = JSONTextQuoted.quoted(Self.hostile)
    let text = try report(
      """
      0s - profile mode=\(word) hooks=work,app-delegate,tasks,\(word.dropFirst().dropLast())
      1s \(word) call applicationDidEnterBackground app
      2s \(word) work timer app \(word) \(word)=\(word)
      3s - note app \(word)
      4s - gap \(word) 1 writer=\(word)
      5s - kill app reason=\(word)
      """.replacing(",\(word.dropFirst().dropLast())", with: ""))

    #expect(!text.isEmpty)
    for scalar in text.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control, "U+\(scalar.value)")
    }
    #expect(!text.contains("\n::"))
  }

  @Test(arguments: 0..<60) func anyAnalysisCanBeTold(seed: UInt64) throws {
    var maker = ArbitraryTrace(seed: seed)
    let trace = maker.trace(count: 150)
    let results = AnalysisResults(Analyzer.analyze(trace), of: "log", trace.vocabulary)
    let text = TextReport(results).text
    for scalar in text.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control, "seed \(seed): U+\(scalar.value)")
    }
  }
}

/// A JSON string for a test's notation.
enum JSONTextQuoted {
  static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control || scalar == "\""
        ? "\\u" + String(String(scalar.value + 0x10000, radix: 16).dropFirst())
        : String(Character(scalar))
    }
    return "\"\(escaped.joined())\""
  }
}
