import LifecycleModel
import TraceText

/// An analyzer by one rule alone that takes all steps, for questions about that rule.
///
/// It is held by reference: an analyzer is large, and each type that holds one by value gets copying code of its own.
final class AskedRule {
  let rule: ActiveRule
  let printer: TraceNotation.Printer
  var analyzer: Analyzer

  /// Makes one for events of `vocabulary`; `rule` stands for those of the catalogue.
  init(_ vocabulary: Vocabulary, _ rule: ActiveRule, _ catalogue: Catalogue) {
    self.rule = rule
    printer = TraceNotation.Printer(vocabulary: vocabulary)
    analyzer = Analyzer(vocabulary, catalogue.applying([rule]))
    analyzer.looksAtAll = true
  }

  /// Whether the rule is in force under the profile that holds.
  var force: RuleNeeds.Force { analyzer.ledger.tallies[0].force }

  /// What the rule needs of a log, and whether it has it there.
  var needs: [Inquiry.Need] {
    let profile = analyzer.profile
    let needs = rule.description.needs(under: profile)
    let each =
      needs.profile.map { RuleNeeds(profile: [$0]) } + needs.hooks.map { RuleNeeds(hooks: [$0]) }

    return each.map { need in
      switch need.force(under: profile) {
      case .inForce: Inquiry.Need(need: need, missing: nil)
      case .doubt(let doubt): Inquiry.Need(need: need, missing: doubt.reason)
      case .notApplicable(let reason): Inquiry.Need(need: need, missing: reason)
      }
    }
  }

  /// Takes the next event; returns what the rule made of it, and why it cannot tell.
  func take(_ event: Event) -> (answer: RuleSurvey.Answer, doubts: [Doubt]) {
    let before = analyzer.ledger.tallies[0]
    analyzer.observe([event])
    let after = analyzer.ledger.tallies[0]
    return (after.count.answer(since: before.count), after.doubts(since: before))
  }
}
