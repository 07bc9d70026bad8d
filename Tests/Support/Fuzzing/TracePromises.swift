import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// What must hold for every trace, wherever it comes from.
enum TracePromises {
  /// Holds a trace whose events are ordered and numbered against its notation and its NDJSON, and
  /// applies all rules to it.
  static func check(_ trace: Trace) throws {
    let notation = TraceNotation.print(trace)
    try hold(isInert(notation), "the notation has control characters: \(notation.debugDescription)")
    try hold(
      parsed(notation, TraceNotation.parse) == trace, "the notation is read otherwise:\n\(notation)"
    )

    let ndjson = NDJSON.print(trace)
    try hold(isInert(ndjson), "the NDJSON has control characters: \(ndjson.debugDescription)")
    try hold(parsed(ndjson, NDJSON.parse) == trace, "the NDJSON is read otherwise:\n\(ndjson)")
    analyze(trace.events, trace.vocabulary)
  }

  private static func parsed(_ text: String, _ parse: (String) throws -> Trace) throws -> Trace {
    do { return try parse(text) } catch {
      throw BrokenPromise(description: "what was printed cannot be read: \(error)\n\(text)")
    }
  }

  /// Holds single events against their lines, whatever their order and their numbers.
  static func check(_ events: some Sequence<Event>, _ vocabulary: Vocabulary) throws {
    let printer = TraceNotation.Printer(vocabulary: vocabulary)

    for event in events {
      let line = printer.line(event)
      try hold(isInert(line), "a line has control characters: \(line.debugDescription)")
      var read = try TraceNotation.parse(line: ArraySlice(line.utf8), in: vocabulary)
      read?.sequence = event.sequence
      let isSame =
        Trace(vocabulary: vocabulary, events: [read].compactMap(\.self))
        == Trace(vocabulary: vocabulary, events: [event])
      try hold(isSame, "a line is read otherwise: \(line)")
    }
  }

  /// Whether a line can say the event: its verb takes a name, and it has one, or neither.
  static func isSayable(_ event: Event) -> Bool {
    event.verb.takesName.map { $0 == (event.name != .none) } ?? true
  }

  /// Applies all rules.
  static func analyze(_ events: [Event], _ vocabulary: Vocabulary) {
    var analyzer = RuleProgram.catalogue.analyzer(vocabulary)
    analyzer.observe(events)
    _ = analyzer.finish()
  }

  /// Whether nothing in lines is for a terminal to act on.
  static func isInert(_ lines: String) -> Bool {
    lines.utf8.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
      InertText.isInert(String(Substring(line)))
    }
  }
}
