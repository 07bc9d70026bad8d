import LifecycleModel
import TraceAnalysis

/// What was broken in a mutant, told from the two traces alone and from no finding.
///
/// Two mutants have the same bug when the same change was made to the same kind of event: of the same
/// verb, name, label, kind of subject and thread, and with the same attributes but for numbers.
public struct PlantedBug: Hashable, Sendable {
  /// The change, and what was changed.
  public let description: String

  /// What a mutant of `clean` has.
  public init(_ mutant: Mutant, of clean: Trace) {
    let before = clean.events.map { PlantedBug.shape($0, clean.vocabulary) }
    let after = mutant.trace.events.map { PlantedBug.shape($0, mutant.trace.vocabulary) }
    description =
      "\(mutant.family) \(mutant.behaviour): "
      + (PlantedBug.exchanged(before, after) ?? PlantedBug.moved(before, after)
        ?? PlantedBug.delayed(clean, mutant.trace, after) ?? "nothing")
  }

  /// What is in one trace alone.
  private static func exchanged(_ before: [String], _ after: [String]) -> String? {
    var counts: [String: Int] = [:]
    for shape in before { counts[shape, default: 0] -= 1 }
    for shape in after { counts[shape, default: 0] += 1 }
    let changes = counts.filter { $0.value != 0 }.map { "\($0.value > 0 ? "+" : "-")\($0.key)" }
    return changes.isEmpty ? nil : changes.sorted().joined(separator: "; ")
  }

  /// The first events that stand in another order.
  private static func moved(_ before: [String], _ after: [String]) -> String? {
    zip(before, after).first { $0 != $1 }.map { "\($1) before \($0)" }
  }

  /// The first event that comes later.
  private static func delayed(_ clean: Trace, _ mutant: Trace, _ shapes: [String]) -> String? {
    zip(clean.events, mutant.events).enumerated().first { $1.0.instant != $1.1.instant }
      .map { "\(shapes[$0.offset]) late" }
  }

  private static func shape(_ event: Event, _ vocabulary: Vocabulary) -> String {
    let numbered: Set<String> = ["session", "pid", "from", "to", "line"]
    let thread = event.writer == .system ? "-" : event.writer == .main ? "main" : "thread"
    let attributes = vocabulary.attributes(event.attributes).filter { !numbered.contains($0.key) }
      .map { "\($0.key)=\($0.value)" }
    return
      ([
        thread, vocabulary.word(of: event.verb), vocabulary.text(event.name),
        "\(event.subjectKind)", vocabulary.text(event.label),
      ] + attributes).filter { !$0.isEmpty }.joined(separator: " ")
  }
}
