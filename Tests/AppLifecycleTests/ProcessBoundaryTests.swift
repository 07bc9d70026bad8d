import AnalysisTestSupport
import Foundation
import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import Traces

/// Lives of several processes, of which a log shows any of the hooks and has gaps: whatever it leaves
/// out, what behaves is clean.
@MainActor @Suite struct ProcessBoundaryTests {
  @Test func whateverIsRecordedOfSeveralProcessesIsClean() throws {
    var processes = 0
    for seed in RandomSessionTests.seeds {
      var session = try RandomSession(seed: seed)
      session.run()
      let trace = try session.app.trace()
      processes += trace.events.count { $0.verb == .processStart }
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<3 {
        let hooks = Set(Hook.allCases.filter { _ in generator.oneIn(2) })
        let gaps = Int.random(in: 0...3, using: &generator)
        let shown = trace.showing(hooks, gaps: gaps, &generator)
        let found = Analyzer.analyze(shown).allFindings.filter { $0.rule != "lost-events" }
        let told = found.map { "\($0.rule): \($0.message)" }
        #expect(told == [], "seed \(seed), \(hooks.map(\.rawValue).sorted()), \(gaps) gaps")
        if !found.isEmpty { return }
      }
    }
    #expect(processes > RandomSessionTests.seeds.count)
  }
}

extension Trace {
  /// The trace as a recorder of `hooks` has it that loses some runs of events.
  fileprivate func showing(
    _ hooks: Set<Hook>, gaps: Int, _ generator: inout SeededGenerator
  ) -> Trace {
    let recorded = hooks.contains(.system) ? hooks.union([.process]) : hooks
    var shown = events.compactMap { event -> Event? in
      if event.verb == .profile { return withHooks(hooks, event) }
      let hook = EventPattern.Alternative(event.verb, event.name).hook
      return hook.map(recorded.contains) ?? true ? event : nil
    }

    for _ in 0..<gaps where shown.count > 20 {
      let start = Int.random(in: 1..<shown.count - 10, using: &generator)
      let count = Int.random(in: 1...9, using: &generator)
      let lost = shown[start..<start + count]
      // What is known of the app itself is no event that a ring loses.
      if lost.contains(where: { $0.verb == .profile }) { continue }
      var gap = Event(
        instant: shown[start].instant, writer: .system, verb: .gap,
        name: GapCause.ringFull.symbol, subject: .none)
      gap.value = Int64(count)
      shown.replaceSubrange(start..<start + count, with: [gap])
    }

    var trace = self
    trace.events = shown
    return trace
  }

  private func withHooks(_ hooks: Set<Hook>, _ event: Event) -> Event {
    let words = Hook.allCases.filter(hooks.contains).map(\.rawValue).joined(separator: ",")
    var event = event
    event.attributes = vocabulary.attributes(
      vocabulary.attributes(event.attributes).map {
        $0.key == AttributeKey.hooks.rawValue ? Attribute(.hooks, words) : $0
      })
    return event
  }
}
