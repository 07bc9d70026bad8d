import LifecycleModel
import LifecycleRules
import Testing
import TraceText

@testable import TraceAnalysis
@testable import TraceReport
@testable import TraceResults

/// What a comparison of runs says, in each of its forms.
@Suite struct RunComparisonTests: ComparesLives {
  private static let orders = DocumentedOrders(RuleRegistry.all)

  private func side(_ notations: String...) throws -> DiffSide {
    var side = DiffSide()
    for (number, notation) in notations.enumerated() {
      let trace = try TraceNotation.parse(notation)
      var collector = EpisodeCollector(trace.vocabulary, Self.orders, into: side.episodes)
      collector.observe(trace.events)
      side.episodes = collector.finish()

      let analysis = Analyzer.analyze(trace)
      let results = AnalysisResults(analysis, of: "run-\(number)", trace.vocabulary)
      side.add(results, of: "run-\(number)", analysis)
    }
    return side
  }

  private func compare(_ first: String, _ second: String) throws -> RunComparison {
    RunComparison(try side(first), try side(second), Self.orders)
  }

  // MARK: Text

  /// As much as can be is in both, in order.
  @Test(arguments: [
    ("abcde", "axcye", [" a", "-b", "+x", " c", "-d", "+y", " e"]), ("aa", "aaa", nil),
    ("", "", []), ("a", "b", ["-a", "+b"]),
  ])
  func episodesStandSideBySide(first: String, second: String, expected: [String]?) {
    func example(_ names: String) -> EpisodeExample {
      EpisodeExample(
        tokens: names.map { EventToken(.work, String($0)) }, offsets: names.map { _ in 0 },
        alike: 1, all: 1, start: .origin)
    }

    let text = EpisodeText("turn", example(first), example(second)).text
    let lines = text.split(separator: "\n").dropFirst(4).map { "\($0.prefix(1))\($0.suffix(1))" }
    if let expected { #expect(lines == expected) } else { #expect(lines.count == 3) }
  }

  @Test func whatIsSlowerSaysHowMuchOfItsLimitItTakes() throws {
    let comparison = try compare(life(), life(background: 100))
    #expect(
      comparison.rows.map(\.text) == [
        "turn active→inactive→background: call applicationDidEnterBackground app: 10ms → 100ms "
          + "(medians of 8 and 8), 2 % of its 5s; p 9e-04"
      ])
    let text = comparison.text()
    #expect(
      text.hasPrefix(
        """
        1 certain difference
        A  run-0: 57 events, 32 episodes
        B  run-0: 57 events, 32 episodes


        """))
    #expect(text.contains("Chance does not explain\n  slower  turn active→inactive→background"))
    #expect(!text.contains("May be chance"))
  }

  @Test func whatComesMoreOftenSaysHowOften() throws {
    let comparison = try compare(life(timers: ["a-1"]), life(timers: ["a-1", "a-2", "a-3"]))
    #expect(
      comparison.rows.map(\.text) == [
        "stay active: work timer app \"a-#\": 1 → 3 times an episode; p 5e-04"
      ])
  }

  @Test func oneRunEachIsSaidWhereChanceMayExplain() throws {
    let one = life().split(separator: "\n").prefix(8).joined(separator: "\n")
    let other = one + "\n40s main note app \"late\""
    let text = (try compare(one, other)).text()
    #expect(text.hasPrefix("no difference that chance does not explain\n"))
    #expect(text.contains("May be chance (one run each: take more)\n  new     stay background: "))
  }

  @Test(arguments: [
    (1, "1"), (0.96, "1"), (0.3, "0.3"), (0.0951, "0.1"), (0.04, "0.04"), (0.0022, "0.002"),
    (9.6e-5, "1e-04"), (2.835e-6, "3e-06"), (4e-12, "4e-12"), (1e-20, "< 1e-15"), (0, "< 1e-15"),
  ])
  func probabilitiesAreShort(p: Double, text: String) {
    #expect(ProbabilityText.of(p) == text)
  }

  // MARK: Findings and ends

  private static let late = "990s main work timer app \"late\""

  @Test func aNewFindingIsARegression() throws {
    let comparison = try compare(ended, life(last: [Self.late]))
    let found = comparison.findings.filter { $0.rule == "work-timer-while-inactive" }
    #expect(found.map(\.change) == ["new"])
    #expect(comparison.isRegression(slowerBy: 0.2, findingsFrom: .warning))
    #expect(!comparison.isRegression(slowerBy: 0.2, findingsFrom: nil))
    let back = try compare(life(last: [Self.late]), ended)
    #expect(!back.isRegression(slowerBy: 0.2, findingsFrom: .info))
    #expect(back.text().contains("gone        warning work-timer-while-inactive"))
  }

  /// A rule that lacked a hook in A cannot say that its finding is new in B.
  @Test func aFindingThatTheOtherCouldNotJudgeIsNotNew() throws {
    let blind = life(
      timers: [], hooks: "app-delegate,system", last: ["995s - exit app status=0"])
    let comparison = try compare(blind, life(timers: [], last: [Self.late]))
    let found = comparison.findings.filter { $0.rule == "work-timer-while-inactive" }
    #expect(found.map(\.change) == ["cannot-tell"])
    #expect(!comparison.isRegression(slowerBy: 0.2, findingsFrom: .info))
    #expect(comparison.text().contains("; A lacks the evidence to judge it"))
  }

  @Test func differentEndsAreToldFirst() throws {
    let killed = life(last: ["995s - kill app code=0x8badf00d namespace=SPRINGBOARD"])
    let crashed = life(last: ["995s - exit app signal=SIGSEGV"])
    let text = (try compare(killed, crashed)).text()
    #expect(text.hasPrefix("A and B died in different ways: A killed by the watchdog"))
    #expect(text.contains("; B crashed with SIGSEGV"))
  }

  /// A run whose end is in its log, and is no fault.
  private var ended: String { life(last: ["995s - exit app status=0"]) }
  private let killed = "995s - kill app code=0x8badf00d namespace=SPRINGBOARD"

  /// What nobody recorded is no life without a death: neither way round is anything better or worse.
  @Test func anEndThatIsNotInItsLogIsNeitherBetterNorWorse() throws {
    let dead = life(last: [killed])
    let start = life().split(separator: "\n").prefix(8).joined(separator: "\n")
    for open in [
      life(), start, "0s - profile mode=app hooks=app-delegate,work\n1s - gap ring-full 9",
    ] {
      let (there, back) = (try compare(open, dead), try compare(dead, open))
      #expect(
        there.deaths.map(\.change) == ["cannot-tell"]
          && back.deaths.map(\.change) == ["cannot-tell"])
      #expect(!there.isRegression(slowerBy: 0.2, findingsFrom: .info))
      #expect(!back.findings.contains { $0.change == "gone" })

      #expect(there.text().hasPrefix("B died: killed by the watchdog (0x8badf00d)"))
      #expect(there.text().contains("; A's end is not in its log"))
      #expect(back.text().hasPrefix("A died: killed by the watchdog (0x8badf00d)"))
      #expect(back.text().contains("; not seen: B's log ends before"))
      #expect(
        there.github.hasPrefix("::notice title=tracectl%3A the ends of the runs cannot")
      )
      #expect(back.markdown.contains("B's end is not in its log"))
      #expect(try there.json.contains("\"openEnds\" : 1") && there.notTold.count == 2)
    }
  }

  /// An end that is seen on both sides is compared, and so is a finding in a stretch that both show.
  @Test func whatBothLogsShowIsCompared() throws {
    let worse = try compare(ended, life(last: [killed]))
    #expect(worse.deaths.map(\.change) == ["new"] && worse.notTold.isEmpty)
    #expect(worse.text().hasPrefix("B died, A did not: killed by the watchdog"))
    #expect(worse.isRegression(slowerBy: 0.2, findingsFrom: nil))

    let early = try compare(
      life(last: [Self.late]), life(last: ["1000s main work timer app \"x\""]))
    #expect(early.findings.contains { $0.message.contains("late") && $0.change == "gone" })
  }

  /// What was not recorded is a fault of the recording, and no fault of the app.
  @Test func missingEventsAreNoRegression() throws {
    let comparison = try compare(ended, life() + "\n990s - gap ring-full 9")
    #expect(!comparison.isRegression(slowerBy: 0.2, findingsFrom: .info))
    #expect(comparison.text().contains("events are missing: 0 gaps in A, 1 gap in B"))
  }

  /// A gap behind the end may hide another process.
  @Test func aGapBehindAnEndLeavesTheEndOpen() throws {
    let comparison = try compare(ended + "\n996s - gap ring-full 9", life(last: [killed]))
    #expect(comparison.deaths.map(\.change) == ["cannot-tell"])
  }

  @Test func runsWithoutTheirEndsDoNotCount() throws {
    let dead = life(last: [killed])
    let some = RunComparison(try side(ended, life()), try side(dead, life(), dead), Self.orders)
    #expect(some.deaths.map(\.change) == ["new"])
    #expect(some.deaths[0].a == .init(having: 0, all: 1))
    #expect(some.deaths[0].b == .init(having: 2, all: 2))

    let none = RunComparison(try side(life(), life()), try side(dead, ended), Self.orders)
    #expect(none.deaths.map(\.change) == ["cannot-tell"])
    #expect(
      none.text().hasPrefix(
        "killed by the watchdog (0x8badf00d): in 1 run of B; the ends of A are not in its logs"))
  }

  @Test func manyRunsSayInHowMany() throws {
    let killed = life(last: [killed])
    let comparison = RunComparison(
      try side(ended, ended, ended), try side(killed, killed, ended), Self.orders)
    #expect(comparison.deaths.map(\.a) == [.init(having: 0, all: 3)])
    #expect(comparison.deaths.map(\.b) == [.init(having: 2, all: 3)])
    let text = comparison.text()
    #expect(text.contains(": in 0 of 3 runs → in 2 of 3") && text.contains("A  3 runs: "))
  }

  /// What is new the one way round is gone the other way round, and a row is about the same.
  @Test func theOtherWayRoundIsTheMirrorImage() throws {
    let changed = life(timers: ["tock"], background: 90, last: [Self.late, killed])
    let (there, back) = (try compare(ended, changed), try compare(changed, ended))
    let mirrored = ["new": "gone", "gone": "new", "slower": "faster", "faster": "slower"]
    #expect(there.deaths.map(\.change) == ["new"] && back.deaths.map(\.change) == ["gone"])
    #expect(there.findings.contains { $0.change == "new" } && there.rows.count >= 3)

    for (one, other) in zip(there.findings, back.findings) {
      #expect(one.fingerprint == other.fingerprint && one.a == other.b && one.b == other.a)
      #expect(mirrored[one.change] ?? one.change == other.change)
    }
    for (one, other) in zip(there.rows, back.rows) {
      #expect(one.event == other.event && one.kind == other.kind && one.p == other.p)
      #expect(
        mirrored[one.change.rawValue] ?? one.change.rawValue == other.change.rawValue,
        "\(one.text), \(other.text)")
      #expect(one.a == other.b && one.b == other.a && one.shift == other.shift.map { -$0 })
    }
  }

  // MARK: What the runs do not share

  @Test func otherSystemsAreTold() throws {
    let comparison = try compare(life(), life().replacing("os=18.2", with: "os=26.1"))
    #expect(comparison.isSame)
    #expect(comparison.text().contains("os differs: 18.2 → 26.1"))
  }

  @Test func hooksThatOneSideLacksAreTold() throws {
    let comparison = RunComparison(
      try side(life()), try side(life()), Self.orders,
      shown: ([.appDelegate, .work], [.appDelegate, .tasks]))
    let text = comparison.text()
    #expect(text.contains("work is not compared: B does not record it"))
    #expect(text.contains("tasks is not compared: A does not record it"))
  }

  // MARK: Other forms

  /// Nothing that a log says is obeyed by a terminal, a page or a build server.
  @Test func hostileWordsAreShownAndNotObeyed() throws {
    let hostile = "\u{1b}[m`|%::error::x"
    let comparison = try compare(life(), life(timers: ["tick", hostile]))
    let forms = [
      comparison.text(), comparison.markdown, comparison.github,
      try comparison.json,
    ]

    for form in forms { #expect(InertText.isInert(form.replacing("\n", with: " ")), "\(form)") }
    #expect(forms[1].split(separator: "\n").filter { $0.hasPrefix("| new | `") }.count == 1)
    #expect(!forms[1].contains("[m`|"))
    #expect(forms[2].split(separator: "\n").count == comparison.rows.count)
    #expect(forms[2].contains("%25::error"))
  }

  @Test func theSameComparisonGivesTheSameBytes() throws {
    let comparison = try compare(life(), life(timers: ["tick", "tock"], background: 90))
    let again = try compare(life(), life(timers: ["tick", "tock"], background: 90))
    #expect(try comparison.json == again.json)
    #expect(comparison.text() == again.text())
  }
}
