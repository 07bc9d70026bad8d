import LifecycleModel

/// Makes a trace as small as it can be so that a rule still finds in it what it found.
///
/// Delta debugging: parts are left out, in halves at first, as long as the finding stays, with the
/// same fingerprint. A call stays with its return, and work with its end: without it the trace would
/// show something else. What is left is the smallest in that none of these can be left out alone. No
/// rule finds anything in it that it did not find before.
///
/// ```swift
/// import LifecycleModel
/// import LifecycleRules
/// import TraceAnalysis
///
/// /// The fewest events in which the rule of a finding still finds it.
/// func smallestTrace(of finding: Finding, in trace: Trace) -> [Event]? {
///   guard let rule = RuleRegistry.all.first(where: { $0.description.id == finding.rule }),
///     let culprit = finding.culprit
///   else { return nil }
///   return TraceReducer(trace.vocabulary, rule: rule).reduce(trace.events, to: culprit)
/// }
/// ```
public struct TraceReducer {
  private let vocabulary: Vocabulary
  /// The rule alone, and all of them.
  private let program, programOfAll: RuleProgram

  /// Makes a reducer for findings of `rule`, in traces of `vocabulary`; no rule of `program` finds
  /// more in the result than it found before.
  package init(
    _ vocabulary: Vocabulary, rule: ActiveRule, _ catalogue: Catalogue, _ program: RuleProgram
  ) {
    self.vocabulary = vocabulary
    self.program = RuleProgram(catalogue.applying([rule]))
    programOfAll = program
  }

  /// The events that are needed for the finding whose culprit is `culprit`; `nil` when the rule does
  /// not find it in `events`.
  ///
  /// The profiles stay. Events keep their instants and their sequences. Cost: some hundred analyses
  /// of `events` by one rule, fewer the shorter the result is.
  public func reduce(_ events: [Event], to culprit: Event) -> [Event]? {
    let wanted = fingerprints(of: culprit, events)
    guard !wanted.isEmpty else { return nil }

    let spans = TraceReducer.spans(events)
    let isFound: ([Span]) -> Bool = {
      fingerprints(of: culprit, TraceReducer.events($0)) == wanted
    }
    let reduced = TraceReducer.events(minimize(spans, isFound))
    let before = allFingerprints(events)
    if allFingerprints(reduced).isSubset(of: before) { return reduced }

    // What is left is found fault with by others: they are asked from the start.
    let isGood: ([Span]) -> Bool = {
      isFound($0) && allFingerprints(TraceReducer.events($0)).isSubset(of: before)
    }
    return TraceReducer.events(minimize(spans, isGood))
  }

  /// What makes the findings of the rule the same that name `culprit`; empty when it finds none.
  private func fingerprints(of culprit: Event, _ events: [Event]) -> Set<String> {
    var analyzer = program.analyzer(vocabulary)
    analyzer.observe(events)
    let found = analyzer.finish().allFindings.filter {
      $0.culprit?.writer == culprit.writer && $0.culprit?.sequence == culprit.sequence
        && $0.culprit?.instant == culprit.instant
    }
    return Set(found.map(\.fingerprint))
  }

  /// What all rules find.
  private func allFingerprints(_ events: [Event]) -> Set<String> {
    var analyzer = programOfAll.analyzer(vocabulary)
    analyzer.observe(events)
    return Set(analyzer.finish().allFindings.map(\.fingerprint))
  }
}

extension TraceReducer {
  /// Events that stay or go together, with their places in the trace.
  fileprivate struct Span {
    var events: [(place: Int, event: Event)]

    init(_ events: [(place: Int, event: Event)]) { self.events = events }

    var first: Int { events.first?.place ?? 0 }
    var isProfile: Bool { events.first?.event.verb == .profile }
  }

  fileprivate static func events(_ spans: [Span]) -> [Event] {
    spans.flatMap(\.events).ordered { $0.place < $1.place }.map(\.event)
  }

  /// The events, each beginning with its end where they nest as calls do.
  fileprivate static func spans(_ events: [Event]) -> [Span] {
    let closings: [Verb: Verb] = [
      .return: .call, .observed: .observe, .workEnd: .workBegin, .snapshotEnd: .snapshotBegin,
    ]
    var spans: [Span] = []
    var open: [Int] = []

    for (place, event) in events.enumerated() {
      let opener = closings[event.verb].flatMap { verb in
        open.lastIndex {
          let begun = spans[$0].events[0].event
          return begun.verb == verb && begun.name == event.name && begun.label == event.label
            && begun.subject == event.subject && begun.value == event.value
        }
      }
      if let opener {
        spans[open.remove(at: opener)].events.append((place, event))
      } else {
        if closings.values.contains(event.verb) { open.append(spans.count) }
        spans.append(Span([(place, event)]))
      }
    }
    return spans
  }

  /// Leaves out as many as can be, in ever smaller parts: at the end none can be left out alone.
  fileprivate func minimize(_ spans: [Span], _ isGood: ([Span]) -> Bool) -> [Span] {
    let profiles = spans.filter(\.isProfile)
    var rest = spans.filter { !$0.isProfile }
    var size = (rest.count + 1) / 2

    while size >= 1, !rest.isEmpty {
      var start = 0
      var wasSmaller = false
      while start < rest.count {
        let end = min(start + size, rest.count)
        let fewer = Array(rest[..<start] + rest[end...])
        if isGood(profiles + fewer) {
          rest = fewer
          wasSmaller = true
        } else {
          start = end
        }
      }
      if size == 1 && !wasSmaller { break }
      size = size == 1 ? 1 : (size + 1) / 2
    }
    return profiles + rest
  }
}
