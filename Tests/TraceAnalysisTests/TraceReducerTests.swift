import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

@Suite struct TraceReducerTests {
  private static func trace(_ notation: String) throws -> Trace {
    try TraceNotation.parse(notation.replacing(" ◀", with: ""))
  }

  private static func findings(_ trace: Trace, _ rule: ActiveRule) -> [Finding] {
    Analyzer.analyze(trace, rules: [rule]).findings
  }

  @Test func everyViolatingExampleIsReducedAndStillFound() throws {
    var counts: [Int] = []
    for rule in RuleRegistry.all {
      for example in rule.description.examples where example.isViolating {
        let trace = try Self.trace(example.notation)
        for finding in Self.findings(trace, rule) {
          let context: Comment = "\(rule.description.id): \(example.title)"
          let culprit = try #require(finding.culprit)
          let reduced = try #require(
            TraceReducer(trace.vocabulary, rule: rule).reduce(trace.events, to: culprit), context)
          #expect(reduced.count <= trace.events.count, context)
          counts.append(reduced.count)
          // What is left, written down and read again, still shows it.
          let text = TraceNotation.print(Trace(vocabulary: trace.vocabulary, events: reduced))
          let again = try TraceNotation.parse(text)
          let found = Self.findings(again, rule).compactMap(\.culprit)
          #expect(
            found.contains { $0.instant == culprit.instant && $0.verb == culprit.verb }, context)
        }
      }
    }

    let median = counts.sorted()[counts.count / 2]
    #expect(counts.count >= 100 && median <= 8, "median \(median) of \(counts.count)")
  }

  @Test func whatHasNothingToDoWithItGoes() throws {
    var lines = ["0s - profile mode=scene hooks=scene-delegate,scene-notifications,work"]
    for second in 1...200 { lines.append("\(second)s main work timer scene:2 \"tick\"") }
    lines.append("50.1s main call sceneDidBecomeActive scene:1")
    lines.append("50.2s main return sceneDidBecomeActive scene:1")
    lines.append("150.1s main call sceneDidEnterBackground scene:1")
    lines.append("150.2s main return sceneDidEnterBackground scene:1")

    let trace = try Self.trace(lines.joined(separator: "\n"))
    let rule = try #require(
      RuleRegistry.all.first { $0.description.id == "resign-before-background" })
    let culprit = try #require(Self.findings(trace, rule).first?.culprit)
    let reduced = try #require(
      TraceReducer(trace.vocabulary, rule: rule).reduce(trace.events, to: culprit))
    #expect(reduced.map(\.verb) == [.profile, .call, .return, .call, .return])
    #expect(reduced[3] == culprit)
  }

  /// Without its return a callback would be what held the main thread to the end.
  @Test func aCallStaysWithItsReturn() throws {
    for rule in RuleRegistry.all {
      for example in rule.description.examples where example.isViolating {
        let trace = try Self.trace(example.notation)
        for finding in Self.findings(trace, rule) {
          let culprit = try #require(finding.culprit)
          let reduced = try #require(
            TraceReducer(trace.vocabulary, rule: rule).reduce(trace.events, to: culprit))
          let kept = Set(reduced)
          for (place, event) in trace.events.enumerated() where event.verb == .call {
            let end = trace.events[place...].first { other in
              other.verb == .return && other.name == event.name && other.subject == event.subject
            }
            guard let end else { continue }
            #expect(
              kept.contains(event) == kept.contains(end),
              "\(rule.description.id): \(example.title), #\(event.sequence)")
          }
          let again = Analyzer.analyze(
            Trace(vocabulary: trace.vocabulary, events: reduced), rules: [rule])
          #expect(again.allFindings.map(\.fingerprint).contains(finding.fingerprint))
        }
      }
    }
  }

  @Test func whatIsNotFoundIsNotReduced() throws {
    let trace = try Self.trace("0s - profile mode=scene hooks=scene-delegate\n1s main note \"x\"")
    let rule = try #require(RuleRegistry.all.first)
    #expect(
      TraceReducer(trace.vocabulary, rule: rule).reduce(trace.events, to: trace.events[1]) == nil)
  }

  @Test func theWindowOfALongProcessBeginsWithWhatWasTrue() throws {
    var lines = ["0s - profile mode=app hooks=app-delegate,app-notifications,work"]
    lines.append("1s main call applicationDidBecomeActive app")
    lines.append("1s main return applicationDidBecomeActive app")
    for number in 0..<(3 * FindingWindows.kept) {
      lines.append("\(2_000_000 + number)us main work timer app \"tick\"")
    }

    lines.append("90s main call applicationDidEnterBackground app")
    let trace = try Self.trace(lines.joined(separator: "\n"))
    let rule = try #require(
      RuleRegistry.all.first { $0.description.id == "resign-before-background" })
    let finding = try #require(Self.findings(trace, rule).first)
    let culprit = try #require(finding.culprit)
    var windows = FindingWindows([(0, finding)], trace.vocabulary)
    var found: [FindingWindows.Window] = []
    for start in stride(from: 0, to: trace.events.count, by: 1000) {
      found += windows.take(Array(trace.events[start..<min(start + 1000, trace.events.count)]))
    }

    found += windows.finish()
    #expect(found.count == 1 && found[0].culprit == culprit)
    #expect(found[0].events.count < 2 * FindingWindows.kept + 10)
    let reduced = TraceReducer(trace.vocabulary, rule: rule)
      .reduce(found[0].events, to: culprit)
    #expect(reduced?.map(\.verb) == [.profile, .call, .call])
  }
}
