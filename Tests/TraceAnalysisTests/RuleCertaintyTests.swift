import LifecycleModel
import Testing
import TraceText

@testable import LifecycleRules
@testable import TraceAnalysis

/// What the analyzer does for every rule that is code.
///
/// It refuses a finding that a gap may explain, clears the rule at the end of a process, and keeps
/// the words of what the rule remembers.
@Suite struct RuleCertaintyTests {
  /// Does what the label of a note says, by the note that came first in the process.
  private struct Probe: Rule {
    static let description: RuleDescription = .init(
      id: "probe", number: nil, topic: .resources, summary: "s", severity: .warning, sources: [],
      why: "w", remedy: "r", limits: "l", examples: [])
    static let interests: [EventPattern] = [.verbs(.note)]

    private var first: OpenEvent?
    private var count = 0

    mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
      defer { count += 1 }
      let known = first
      let fact = first ?? moment.state.nextFact(event)
      first = fact

      switch moment.vocabulary.text(event.label) {
      case "opener": findings.report(event, since: fact, says: "found")
      case "culprit": findings.report(fact, until: event, says: "found")
      case "ground":
        findings.report(moment.state.nextFact(event), restingOn: [fact], says: "found")
      case "log": findings.report(moment.state.nextFact(event), restingOn: [nil], says: "found")
      case "doubt": findings.report(event, since: fact, unless: .stateNotKnown, says: "found")
      case "regardless":
        findings.report(event, since: fact, regardlessOfGaps: "a test", says: "found")
      case "memory":
        let message = "\(known == nil ? "nothing" : "the first") and \(count)"
        findings.report(event, regardlessOfGaps: "a test", says: message)
      default: break
      }
    }

    mutating func keep(from last: Self) { count = last.count }
  }

  /// What the probe finds, or else why it cannot tell.
  private func answer(_ notation: String) throws -> [String] {
    let trace = try TraceNotation.parse("0s - profile hooks=app-delegate\n" + notation)
    let analysis = Analyzer.analyze(trace, rules: [ActiveRule(Probe.self)])
    return analysis.findings.map(\.message)
      + analysis.outcomes.flatMap { $0.doubts.map(\.doubt.reason) }
  }

  static let ways = [
    ("opener", true), ("culprit", true), ("ground", true), ("log", true), ("regardless", false),
  ]

  @Test(arguments: ways) func aFindingIsRefusedAcrossAGap(way: String, isRefused: Bool) throws {
    let found = try answer("1s main note \"x\"\n3s main note \"\(way)\"")
    #expect(found == ["found"])
    let across = try answer("1s main note \"x\"\n2s - gap ring-full 1\n3s main note \"\(way)\"")
    #expect(across == [isRefused ? Doubt.gap.reason : "found"])
  }

  /// A profile that is told anew may be another process's.
  @Test(arguments: ways)
  func aFindingIsRefusedAcrossADoubtfulBoundary(way: String, isRefused: Bool) throws {
    let across = try answer(
      "1s main note \"x\"\n2s - profile hooks=app-delegate\n3s main note \"\(way)\"")
    #expect(across == [isRefused ? Doubt.gap.reason : "found"])
  }

  @Test func aGapBeforeAllThatAFindingRestsOnIsNone() throws {
    let gap = "1s - gap ring-full 1\n2s main note \"x\"\n"
    #expect(try answer(gap + "3s main note \"opener\"") == ["found"])
    #expect(try answer(gap + "3s main note \"log\"") == [Doubt.gap.reason])
  }

  /// Which reason is told does not depend on the order in which a rule asks.
  @Test func aGapIsToldBeforeTheRulesOwnDoubt() throws {
    let doubted = try answer("1s main note \"x\"\n3s main note \"doubt\"")
    #expect(doubted == [Doubt.stateNotKnown.reason])
    let across = try answer("1s main note \"x\"\n2s - gap ring-full 1\n3s main note \"doubt\"")
    #expect(across == [Doubt.gap.reason])
  }

  @Test func aRuleForgetsTheProcessButForWhatItKeeps() throws {
    let before = try answer("1s main note \"x\"\n2s main note \"memory\"")
    #expect(before == ["the first and 1"])
    let after = try answer(
      "1s main note \"x\"\n2s - exit app status=0\n3s - process.start app\n4s main note \"memory\"")
    #expect(after == ["nothing and 1"])
  }

  /// However deep it lies in what a rule holds.
  @Test func theWordsOfWhatARuleRemembersAreFound() {
    struct Holder {
      var fact: OpenEvent?
      var table: [String: [(fact: OpenEvent, number: Int)]]
      var list = Remembered<OpenEvent>(4, beyond: .oldestGoes)
      var event: Event?
      var word: Symbol
    }
    #expect(VocabularyUse.seesProperties)
    let vocabulary = Vocabulary()
    func event(_ label: String) -> Event {
      Event(
        instant: .origin, writer: .main, verb: .note, subject: .app,
        label: vocabulary.symbol(label),
        attributes: vocabulary.attributes([Attribute(.kind, "of \(label)")]))
    }
    func fact(_ label: String) -> OpenEvent { LifecycleState().nextFact(event(label)) }

    var holder = Holder(
      fact: fact("a fact"), table: ["key": [(fact("in a table"), 1)]], event: event("an event"),
      word: vocabulary.symbol("a word"))
    holder.list.append(fact("in a list"))
    _ = event("of nobody")

    var use = VocabularyUse()
    use.add(wordsIn: holder)
    vocabulary.forget(except: use)
    // Four labels, four lists of attributes, one word.
    #expect(vocabulary.heldCount == 9)
    #expect(vocabulary.text(holder.word) == "a word")
  }

  /// A datum is saved three times, and between the times more words come than are held.
  @Test func aRuleNamesWhatItRemembersAfterALongTime() throws {
    let rule = try #require(
      RuleRegistry.all.first { $0.description.id == "data-not-only-on-lifecycle" })
    let vocabulary = Vocabulary()
    var analyzer = Analyzer(vocabulary, rules: [rule])
    var now: Nanoseconds = 0

    func see(_ verb: Verb, _ name: Symbol = .none, _ label: String = "") {
      now += 1_000_000
      analyzer.observe([
        Event(
          instant: Instant(nanoseconds: now), writer: .main, verb: verb, name: name, subject: .app,
          label: label.isEmpty ? .none : vocabulary.symbol(label))
      ])
      analyzer.forgetUnusedWords()
    }

    let hooks = vocabulary.attributes([Attribute(.hooks, "app-delegate,data")])
    analyzer.observe([Event(instant: .origin, writer: .system, verb: .profile, attributes: hooks)])
    see(.return, Callback.applicationWillResignActive.symbol)
    for round in 0..<3 {
      see(.dataDirty, .none, "the draft")
      see(.dataSave, .none, "the draft")
      for number in 0..<70_000 { see(.work, WorkCategory.ui.symbol, "label \(round) \(number)") }
    }
    #expect(vocabulary.heldCount < 150_000)
    #expect(
      analyzer.finish().findings.map(\.message) == [
        "\"the draft\" was saved 3 times, always as the app left the foreground"
      ])
  }
}
