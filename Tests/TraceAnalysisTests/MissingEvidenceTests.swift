import LifecycleModel
import Testing
import TraceAnalysis

/// Missing evidence never makes a violation: every violating example, with evidence taken away.
@Suite struct MissingEvidenceTests {
  static let violating = RuleCase.all.filter(\.example.isViolating)

  /// The rules that judge single events, or the words of the system, which a gap before or after them does not excuse; and that a
  /// task ended twice, since its number is not given again.
  private static let ofSingleEvents: Set = [
    "excl-app-callbacks-in-scene-mode", "ident-scene-object", "ident-app-object",
    "ident-main-thread", "launch-scene-adoption", "lost-events", "task-one-end",
    "task-missing-handler", "bgtask-expiration-set", "btr-not-a-clock", "pm-recorder-coverage",
    "death",
  ]

  private func findings(_ item: RuleCase, _ lines: [String]) throws -> [String] {
    Analyzer.analyze(try TraceNotation.parse(lines.joined(separator: "\n")), rules: [item.rule])
      .findings.map(\.message)
  }

  private func lines(_ item: RuleCase) -> [String] {
    item.example.notation.replacing(String(RuleExample.mark), with: "")
      .split(separator: "\n").map(String.init)
  }

  @Test(arguments: violating) func nothingIsFoundAcrossGaps(_ item: RuleCase) throws {
    if Self.ofSingleEvents.contains(item.rule.description.id) { return }
    let broken = lines(item).flatMap { line in
      line.contains(" profile ")
        ? [line] : [line, "\(line.split(separator: " ")[0]) - gap ring-full 1"]
    }
    #expect(broken.count > lines(item).count)
    #expect(try findings(item, broken) == [])
  }

  @Test(arguments: violating) func nothingIsFoundWithoutHooks(_ item: RuleCase) throws {
    if item.rule.description.needs.hooks.isEmpty { return }
    let blind = lines(item).map { line in
      line.split(separator: " ").filter { !$0.hasPrefix("hooks=") }.joined(separator: " ")
    }
    #expect(try findings(item, lines(item)) != [])
    #expect(try findings(item, blind) == [])
  }

  @Test(arguments: violating) func nothingIsFoundWhenNoProfileIsThere(_ item: RuleCase) throws {
    if item.rule.description.needs.hooks.isEmpty { return }
    #expect(try findings(item, lines(item).filter { !$0.contains(" profile ") }) == [])
  }
}
