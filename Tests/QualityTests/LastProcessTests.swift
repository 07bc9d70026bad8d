import AnalysisTestSupport
import LifecycleModel
import LifecycleRules
import TestTime
import Testing
import TraceAnalysis
import TraceLog
import TraceText
import Traces

@testable import TraceResults

/// The last process of a log, analyzed alone as an app does at its next launch, ends as it does in the whole log.
///
/// `LAST_PROCESS_LIVES` in the environment says how many lives.
@MainActor @Suite(.tags(.nightly)) struct LastProcessTests {
  private static let seeds = Nightly.seeds(100, all: 2000, variable: "LAST_PROCESS_LIVES")

  /// A life of two processes at least: a session that is cut anywhere, behind another one.
  private func life(_ seed: UInt64) throws -> Trace {
    var session = try RandomSession(seed: seed)
    session.run()
    let trace = try session.trace()
    var generator = SeededGenerator(seed: seed)
    guard let start = trace.events.lastIndex(where: { $0.verb == .processStart }) else {
      return trace
    }

    var life = trace
    let isCut = generator.oneIn(2)
    if isCut, start + 2 < trace.events.count {
      let end = Int.random(in: start + 2..<trace.events.count, using: &generator)
      life.events = Array(trace.events[..<end])
      let last = life.events.last { $0.writer == .system }?.sequence ?? 0
      life.events.append(
        UnseenEnd(process: nil, openCallbacks: []).event(
          sequence: last &+ 1, at: life.events[end - 1].instant, in: life.vocabulary))
    }
    return life
  }

  /// The events of the last process, behind the profile that its recorder states.
  private func lastProcess(of trace: Trace) -> [Event] {
    guard var start = trace.events.lastIndex(where: { $0.verb == .processStart }) else {
      return trace.events
    }
    while start > 0, trace.events[start - 1].verb == .profile { start -= 1 }
    var events = Array(trace.events[start...])
    if events.first?.verb != .profile,
      let profile = trace.events[..<start].last(where: { $0.verb == .profile })
    {
      events.insert(profile, at: 0)
    }
    return events
  }

  /// The same as the newest part of a log, read as an app reads it.
  private func analysis(
    ofPart events: [Event], behind before: ArraySlice<Event>, _ vocabulary: Vocabulary
  ) throws -> AnalysisResults {
    var prefix = LogPrefix(LogBeginning(), vocabulary)
    for event in before { prefix.pass(event) }
    let sink = MemoryLogSink()
    let writer = try LogWriter(
      to: sink, vocabulary: vocabulary, identity: .imported(originWall: nil),
      after: prefix.beginning())
    try writer.append(events)
    try writer.close()

    var reader = try LogReader(bytes: sink.bytes)
    reader.leaveOutBeginning()
    let analysis = try Analyzer.analyze(&reader)
    return AnalysisResults(analysis, of: "log", reader.vocabulary)
  }

  /// In what the verdicts on the process that began at an instant differ.
  private func differences(
    _ alone: AnalysisResults, _ whole: AnalysisResults, from start: Instant?
  ) -> [String] {
    let ends = [alone, whole].map { $0.verdicts.last { $0.process.start == start } }
    guard let one = ends[0], let other = ends[1] else {
      return ends[0] == nil && ends[1] == nil ? [] : ["whether it ended"]
    }

    let pairs = [
      ("how it ended", one.phrase, other.phrase),
      ("the class", one.class.rawValue, other.class.rawValue),
      ("the cause", one.explanation ?? "", other.explanation ?? ""),
      ("the certainty", one.certainty.rawValue, other.certainty.rawValue),
      ("the advice", one.advice, other.advice),
    ]
    return pairs.filter { $0.1 != $0.2 }.map(\.0)
  }

  @Test func itsEndIsTheSame() throws {
    var kinds: [String: Int] = [:]
    var followers = 0
    for seed in Self.seeds {
      let life = try life(seed)
      let own = lastProcess(of: life)
      let before = life.events.dropLast(own.count)
      let whole = AnalysisResults(Analyzer.analyze(life), of: "log", life.vocabulary)
      let alone = try analysis(ofPart: own, behind: before, life.vocabulary)
      if before.contains(where: { $0.verb == .processStart }) { followers += 1 }
      let start = own.first { $0.verb == .processStart }?.instant
      let differences = differences(alone, whole, from: start)
      for kind in differences { kinds[kind, default: 0] += 1 }
      #expect(differences == [], "seed \(seed)")
    }
    print("lives \(Self.seeds.count), with earlier processes \(followers), differences \(kinds)")
    #expect(followers > Self.seeds.count / 4)
  }
}
