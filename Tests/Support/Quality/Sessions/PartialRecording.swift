import LifecycleModel
import TraceAnalysis
import Traces

/// A trace as a recorder leaves it that hears of some things alone and loses some of those.
public enum PartialRecording {
  /// A trace with `always` and some more of its hooks, drawn by lot, and up to three gaps.
  ///
  /// The profile says which hooks are left. A gap may swallow the end of a process, or its beginning.
  public static func some(
    of trace: Trace, always: Set<Hook> = [], _ generator: inout SeededGenerator
  ) -> Trace {
    let hooks = Hook.allCases.filter { !generator.oneIn(3) || always.contains($0) }
    return losing(
      Int.random(in: 0...3, using: &generator), of: keeping(Set(hooks), of: trace), &generator)
  }

  /// A trace with what these hooks record, and those that they imply; `extra` is said by its profiles
  /// too.
  public static func keeping(
    _ hooks: Set<Hook>, of trace: Trace, saying extra: [Attribute] = []
  ) -> Trace {
    let recorded = hooks.contains(.system) ? hooks.union([.process]) : hooks
    var kept = Trace(vocabulary: trace.vocabulary)
    let words = Hook.allCases.filter(hooks.contains).map(\.rawValue).joined(separator: ",")
    for var event in trace.events {
      if event.verb == .profile {
        let said = trace.vocabulary.attributes(event.attributes)
          .filter { $0.key != AttributeKey.hooks.rawValue }
        event.attributes = trace.vocabulary.attributes(
          said + [Attribute(.hooks, words)] + extra)
      } else if let hook = EventPattern.Alternative(event.verb, event.name).hook,
        !recorded.contains(hook)
      {
        continue
      }
      kept.events.append(event)
    }

    kept.orderAndNumber()
    return kept
  }

  /// A trace without some runs of events, each told by a gap.
  private static func losing(
    _ count: Int, of trace: Trace, _ generator: inout SeededGenerator
  ) -> Trace {
    var lossy = trace
    for _ in 0..<count where lossy.events.count > 2 {
      let first = Int.random(in: 1..<lossy.events.count, using: &generator)
      let longest = min(40, lossy.events.count - first)
      var run = first..<(first + Int.random(in: 1...longest, using: &generator))
      // The profile is said before anything can be lost, and what was lost once is lost.
      if let kept = run.first(where: { [.profile, .gap].contains(lossy.events[$0].verb) }) {
        run = first..<kept
      }
      guard let lost = run.first else { continue }
      var gap = Event(
        instant: lossy.events[lost].instant, writer: .system, verb: .gap,
        name: GapCause.ringFull.symbol)
      gap.value = Int64(run.count)
      lossy.events.replaceSubrange(run, with: [gap])
    }

    lossy.orderAndNumber()
    return lossy
  }
}
