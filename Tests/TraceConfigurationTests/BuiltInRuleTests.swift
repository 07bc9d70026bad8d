import AnalysisTestSupport
import Foundation
import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis

@testable import TraceConfiguration

/// Built-in rules, written as YAML and read again, are the same rules.
@Suite struct BuiltInRuleTests {
  /// A rule of the catalogue that YAML can say.
  struct Sayable: CustomTestStringConvertible, Sendable {
    let rule: ActiveRule
    let yaml: String

    var testDescription: String { rule.description.id }

    static let all = RuleRegistry.all.compactMap { rule in
      RuleText(rule).yaml.map { Sayable(rule: rule, yaml: $0) }
    }
  }

  private func copy(_ sayable: Sayable) throws -> OwnRule {
    let result = ConfigurationFiles.readRules(text: sayable.yaml)
    #expect(result.errors == [], "\(sayable.yaml)")
    return try #require(result.configuration.ownRules.first)
  }

  @Test func mostPatternsCanBeSaid() {
    let ofPatternsAlone = RuleRegistry.all.filter {
      $0.interests.isEmpty && !$0.description.patterns.isEmpty && !$0.isJudgedByCode
    }
    #expect(Sayable.all.count >= ofPatternsAlone.count - 4, "\(Sayable.all.count)")
    #expect(Sayable.all.count > 30)
  }

  @Test(arguments: Sayable.all) func theCopyFindsTheSameInItsExamples(_ sayable: Sayable) throws {
    let copy = try copy(sayable)
    #expect(copy.description.examples.count == sayable.rule.description.examples.count)
    #expect(copy.failures == [])
    #expect(copy.description.needs.hooks == sayable.rule.description.needs.hooks)
    #expect(copy.description.alternativeNeeds == sayable.rule.description.alternativeNeeds)
  }

  /// The culprits, severities and sentences, and whether there is a doubt.
  private func told(_ trace: Trace, _ rule: ActiveRule) -> [String] {
    let analysis = Analyzer.analyze(trace, rules: [rule])
    return analysis.allFindings.map { "\($0.ordinal) \($0.severity) \($0.message)" }
      + ["doubt \(analysis.hasDoubts), \(analysis.outcomes[0].checks) checks"]
  }

  @Test func theCopyFindsTheSameInChangedExamples() throws {
    let copies = try Dictionary(
      uniqueKeysWithValues: Sayable.all.map { ($0.rule.description.id, try copy($0).active) })
    var count = 0
    var violations = 0

    for mutant in try NotationMutants.all() {
      guard let copy = copies[mutant.rule.description.id] else { continue }
      let original = told(mutant.mutant.trace, mutant.rule)
      #expect(told(mutant.mutant.trace, copy) == original, "\(mutant.rule.description.id)")
      count += 1
      if original.count > 1 { violations += 1 }
    }
    #expect(count > 500 && violations > 100, "\(count), \(violations)")
  }

  /// A fuzzer's finding: an end of a line in single quotes is a space.
  @Test(
    arguments: [
      #"a\n# b"#, #"tab\tand \"quotes\" and \\"#, #"\u2028\u0085"#, #"two  spaces"#,
      #"\nlong enough for several lines of a paragraph, which is longer than ninety characters are: \n end"#,
    ])
  func textsOfARuleAreReadAsTheyWereWritten(text: String) throws {
    let yaml = """
      patterns:
      - id: own
        summary: "\(text)"
        why: "\(text)"
        remedy: "\(text)"
        never: work network
        says: "\(text)"
        clean: |
          0s - profile mode=scene
        violating: |
          0s - profile mode=scene
          1s main work network
      """
    let read = ConfigurationFiles.readRules(text: yaml)
    try #require(read.errors.isEmpty, "\(read.errors)")
    let rule = try #require(read.configuration.ownRules.first)
    let written = try #require(RuleText(rule.active).yaml)
    let again = try #require(
      ConfigurationFiles.readRules(text: written).configuration.ownRules.first)
    #expect(again.active.description.summary == rule.active.description.summary)
    #expect(again.active.description.why == rule.active.description.why)
    #expect(RuleText(again.active).yaml == written)
  }

  @Test func everyRuleSaysWhatItMeans() {
    for rule in RuleRegistry.all {
      let meaning = RuleMeaning(rule)
      #expect(meaning.english.contains(rule.description.summary))
      if rule.description.patterns.isEmpty {
        #expect(meaning.english.contains("All of it is written in code"))
        #expect(RuleText(rule).yaml == nil && !RuleText(rule).unsayable.isEmpty)
      } else {
        #expect(meaning.automaton.contains("FOUND"), "\(rule.description.id)")
      }
    }
  }
}
