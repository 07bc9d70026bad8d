import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces

/// Where the severity of a finding depends on the profile or on the time that was taken.
@Suite struct RuleSeverityTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let rule: String
    let severity: Severity?
    let elapsed: Nanoseconds?
    let notation: String

    var testDescription: String { "\(rule): \(severity.map(\.rawValue) ?? "nothing")" }

    init(_ rule: String, _ severity: Severity?, elapsed: Nanoseconds? = nil, _ notation: String) {
      self.rule = rule
      self.severity = severity
      self.elapsed = elapsed
      self.notation = notation
    }

    static func busy(_ severity: Severity?, _ elapsed: Nanoseconds?, until end: String) -> Case {
      Case(
        "budget-main-blocked-foreground", severity, elapsed: elapsed,
        """
        0s - profile hooks=app-delegate,work
        1s main call applicationDidBecomeActive app
        2s main work.begin main-busy app
        \(end) main work.end main-busy app
        """)
    }

    /// A task that begins at the entry into the background, what becomes of it, and a return after a minute.
    static func held(_ severity: Severity?, _ attributes: String, _ lines: String...) -> Case {
      let notation =
        [
          "0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate",
          "2s main call applicationDidEnterBackground app",
          "2s main task.begin task:1 \"sync\" \(attributes)",
        ] + lines + ["62s main return applicationWillEnterForeground app"]
      return Case("budget-assertion-total", severity, notation.joined(separator: "\n"))
    }

    static func object(_ severity: Severity, port: Bool) -> Case {
      Case(
        "ident-notification-object", severity,
        """
        0s - profile port=\(port) hooks=app-notifications
        1s main notify UIApplication.didBecomeActiveNotification nil
        """)
    }

    /// GPU work after a callback that returns at 2.2 s: up to 50 ms later it may have been in flight.
    static func gpu(_ severity: Severity, at instant: String) -> Case {
      Case(
        "work-gpu-in-background", severity,
        """
        0s - profile mode=app hooks=app-delegate,work
        2s main call applicationDidEnterBackground app
        2.2s main return applicationDidEnterBackground app
        \(instant) main work gpu app "frame"
        """)
    }

    static func adoption(_ severity: Severity?, sdk: String) -> Case {
      Case(
        "launch-scene-adoption", severity,
        """
        0s - profile mode=app sdk=\(sdk) hooks=app-delegate,system
        1s main call applicationDidFinishLaunching app
        1.1s - kill app
        """)
    }

    static func activeTwice(_ severity: Severity, os: String) -> Case {
      Case(
        "active-alternates", severity,
        """
        0s - profile mode=app \(os) hooks=app-delegate,app-notifications
        1s main call applicationDidBecomeActive app
        3s main call applicationDidBecomeActive app
        """)
    }
  }

  static let cases: [Case] = [
    .busy(nil, nil, until: "2.249999999s"),
    .busy(.info, .milliseconds(250), until: "2.25s"),
    .busy(.info, .milliseconds(999), until: "2.999s"),
    .busy(.warning, .milliseconds(8999), until: "10.999s"),
    .busy(.error, .seconds(9), until: "11s"),
    .object(.warning, port: false),
    .object(.info, port: true),
    .adoption(nil, sdk: "18.3"),
    .adoption(.info, sdk: "18.4"),
    .adoption(.info, sdk: "26.2"),
    .adoption(.warning, sdk: "27"),
    .activeTwice(.warning, os: "os=12.1"),
    .activeTwice(.warning, os: ""),
    .activeTwice(.error, os: "os=13.0"),
    .held(nil, "handler=true", "20s main task.end task:1"),
    .held(.warning, "handler=true", "30s main task.end task:1"),
    .held(.error, "handler=true", "33s main task.end task:1"),
    .held(.error, "", "33s main task.end task:1"),
    .held(.info, "handler=true", "30.2s main task.expire task:1", "30.21s main task.end task:1"),
    .held(.info, "handler=true", "32.5s main task.expire task:1", "32.6s main task.end task:1"),
    .held(.error, "handler=true", "30.2s main task.expire task:1"),
    Case(
      "budget-resign", .warning, elapsed: .seconds(8),
      """
      0s - profile hooks=app-delegate
      1s main call applicationWillResignActive app
      9s main return applicationWillResignActive app
      """),
    .gpu(.warning, at: "2.249s"),
    .gpu(.error, at: "2.25s"),
    Case(
      "launch-first-frame", nil,
      """
      0s - profile hooks=work,system
      0s - process.start app launch=user
      19.599999999s main work frame app
      """),
    Case(
      "launch-first-frame", .warning, elapsed: .milliseconds(19_600),
      """
      0s - profile hooks=work,system
      0s - process.start app launch=user
      19.6s main work frame app
      """),
    Case(
      "launch-first-frame", nil,
      """
      0s - profile hooks=work,system
      0s - process.start app launch=user
      1s - suspend app
      31s - resume app
      32s main work frame app
      """),
  ]

  @Test(arguments: cases) func theSeverityIsThat(_ item: Case) throws {
    let rule = try #require(RuleRegistry.all.first { $0.description.id == item.rule })
    let findings = Analyzer.analyze(try TraceNotation.parse(item.notation), rules: [rule]).findings
    #expect(findings.map(\.severity) == (item.severity.map { [$0] } ?? []))
    if let elapsed = item.elapsed { #expect(findings.first?.elapsed == elapsed) }
  }

  /// A budget that passes its second limit stays as serious as somebody has said.
  @Test func whatIsSaidIsNotRaised() throws {
    var rule = try #require(
      RuleRegistry.all.first { $0.description.id == "budget-did-enter-background" })
    rule.severity = .info
    let trace = try TraceNotation.parse(
      """
      0s - profile hooks=app-delegate
      1s main call applicationDidEnterBackground app
      9s main return applicationDidEnterBackground app
      """)
    let findings = Analyzer.analyze(trace, rules: [rule]).findings
    #expect(findings.map(\.severity) == [.info])
  }

  /// A response that is late is found when the first of its times is over, and told with all it took.
  @Test(arguments: [
    ("3.9s", nil, nil), ("4s", Severity.warning, Nanoseconds.seconds(3)),
    ("10.9s", .warning, .milliseconds(9900)), ("12s", .error, .seconds(10)),
  ])
  func aLateResponseIsMoreSeriousWithTime(
    end: String, severity: Severity?, elapsed: Nanoseconds?
  ) throws {
    let pattern = RulePattern.every(
      .verbs(.dataDirty), then: .verbs(.dataSave), within: .seconds(10),
      warningFrom: .seconds(3), per: .label, says: "{label} took {elapsed} of {allowed}")
    let rule = ActiveRule(
      patternsOf: RuleDescription(
        id: "own-every", number: nil, topic: .own, summary: "", severity: .error, sources: [],
        why: "", remedy: "", limits: "", patterns: [pattern], examples: []))
    let trace = try TraceNotation.parse(
      """
      0s - profile hooks=data
      1s main data.dirty app "letter"
      \(end) main data.save app "letter"
      """)

    let findings = Analyzer.analyze(trace, rules: [rule]).findings
    #expect(findings.map(\.severity) == (severity.map { [$0] } ?? []))
    #expect(findings.first?.elapsed == elapsed)
  }

  /// A rule's own severity is the worst that it can give.
  @Test(arguments: RuleRegistry.all.map { $0.description.id }) func noFindingIsWorseThanItsRule(
    id: String
  ) throws {
    let rule = try #require(RuleRegistry.all.first { $0.description.id == id })
    var worst: Severity?
    for example in rule.description.examples {
      let notation = example.notation.replacing(String(RuleExample.mark), with: "")
      worst = [worst, Analyzer.analyze(try TraceNotation.parse(notation), rules: [rule]).worst]
        .compactMap(\.self).max()
    }
    #expect(try #require(worst) <= rule.description.severity)
  }
}

@Suite struct LaunchReasonTests {
  private func verdict(_ start: String, _ profile: String) throws -> Outcome {
    var stream = TraceStream(
      try TraceNotation.parse(
        """
        0s - profile \(profile) hooks=work,system
        0s - process.start app \(start)
        60s main work frame app
        """))
    let analysis = try Analyzer.analyze(&stream)
    return try #require(analysis.outcomes.first { $0.rule.id == "launch-first-frame" }).outcome
  }

  @Test func theProcessKnowsBetterThanTheProfile() throws {
    #expect(
      try verdict("launch=push", "launch=user")
        == .notApplicable("not for launches with launch=push"))
    #expect(try verdict("launch=user", "launch=push") == .violated)
    #expect(try verdict("", "launch=user") == .violated)
    #expect(
      try verdict("launch=unknown", "launch=user") == .cannotTell([.profileKeyMissing(.launch)]))
    #expect(try verdict("", "mode=app") == .cannotTell([.profileKeyMissing(.launch)]))
  }
}
