import LifecycleModel
import TraceText

extension RuleExample {
  /// What stands at the end of a line that a finding must name as its culprit.
  public static let mark: Character = "◀"

  /// Analyzes the example with `rule` alone; what is wrong with it, empty when nothing is.
  ///
  /// A violating example must give a finding at each marked line and at no other; a clean one must
  /// give none, and leave the rule in doubt when it is to be undecided.
  package func problems(under rule: ActiveRule, _ catalogue: Catalogue) -> [String] {
    let trace: Trace
    let marked: [Event]
    do {
      (trace, marked) = try parse()
    } catch {
      return ["\(error)"]
    }

    var analyzer = Analyzer(trace.vocabulary, catalogue.applying([rule]))
    let analysis = analyzer.analyze(trace)
    let found = analysis.findings.compactMap { finding in
      finding.culprit.map { (culprit: RuleExample.unnumbered($0), missing: finding.missing) }
    }
    let culprits = found.map(\.culprit)
    var problems: [String] = []
    if isUndecided && !analysis.hasDoubts { problems.append("the rule has no doubt") }
    if isViolating != !marked.isEmpty {
      problems.append(isViolating ? "no line is marked" : "a clean example has a marked line")
    }

    let printer = TraceNotation.Printer(vocabulary: trace.vocabulary)
    for event in marked where !culprits.contains(event) {
      problems.append("not found: \(printer.line(event))")
    }

    for (culprit, missing) in found where !marked.contains(culprit) {
      let awaited = missing.map { "; missing: \($0.words)" }.joined()
      problems.append("found, but not marked: \(printer.line(culprit))\(awaited)")
    }
    return problems
  }

  /// The trace of the example, and the events whose lines are marked, without their numbers.
  package func parse() throws -> (trace: Trace, marked: [Event]) {
    let lines = notation.split(separator: "\n", omittingEmptySubsequences: false)
      .map(RuleExample.splitMark)
    let trace = try TraceNotation.parse(lines.map(\.line).joined(separator: "\n"))
    var marked: [Event] = []
    for (line, isMarked) in lines where isMarked {
      if let event = try TraceNotation.parse(line: ArraySlice(line.utf8), in: trace.vocabulary) {
        marked.append(event)
      }
    }
    return (trace, marked)
  }

  package static func unnumbered(_ event: Event) -> Event {
    var event = event
    event.sequence = 0
    return event
  }

  private static func splitMark(_ text: Substring) -> (line: Substring, isMarked: Bool) {
    guard text.last == mark else { return (text, false) }
    let line = text.dropLast()
    return (line.last == " " ? line.dropLast() : line, true)
  }
}
