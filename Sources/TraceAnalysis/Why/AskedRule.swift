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
}
