import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// Changes of the clean examples of the rules: a line dropped, doubled, exchanged with the next.
///
/// What the documents say of them is the second evaluator's word, so only rules without code have
/// any.
public enum NotationMutants {
  /// A changed example of a rule.
  public struct Case {
    /// The rule.
    public let rule: ActiveRule
    /// The changed example.
    public let mutant: Mutant
  }

  /// Every change of every clean example.
  public static func all() throws -> [Case] {
    try RuleRegistry.all.flatMap { rule -> [Case] in
      let description = rule.description
      guard rule.interests.isEmpty, !rule.isJudgedByCode else { return [] }
      return try description.examples.filter { !$0.isViolating }.flatMap { example in
        let trace = try TraceNotation.parse(example.notation)
        return changes(trace).map { family, changed in
          let isViolated = !ReferenceEvaluator(changed).culprits(of: description).isEmpty
          return Case(
            rule: rule,
            mutant: Mutant(
              trace: changed, family: family, behaviour: "a line of an example",
              label: isViolated ? .violation([description.id]) : .equivalent("the rule is kept")))
        }
      }
    }
  }

  private static func changes(_ trace: Trace) -> [(String, Trace)] {
    func changed(_ change: (inout [Event]) -> Void) -> Trace {
      var changed = trace
      change(&changed.events)
      changed.orderAndNumber()
      return changed
    }

    // The profile stays.
    return trace.events.indices.dropFirst().flatMap { index -> [(String, Trace)] in
      var all = [
        ("drop", changed { $0.remove(at: index) }),
        ("duplicate", changed { $0.insert($0[index], at: index) }),
      ]
      if index + 1 < trace.events.count {
        let swapped = changed { events in
          let (first, second) = (events[index].instant, events[index + 1].instant)
          events.swapAt(index, index + 1)
          events[index].instant = first
          events[index + 1].instant = second
        }
        all.append(("swap", swapped))
      }
      return all
    }
  }
}
