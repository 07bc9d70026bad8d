// Two rules that are written in Swift, applied beside the catalogue.
//
// swift run own-rule

import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

let rules = [ActiveRule(NoUploadInBackgroundRule.self), ActiveRule(SaveOftenRule.self)]

// The examples of a rule are its tests.
for rule in rules {
  let problems = rule.description.examples.flatMap { $0.problems(under: rule) }
  print("\(rule.description.id): \(problems.isEmpty ? "ok" : "\(problems)")")
}

let trace = try TraceNotation.parse(
  """
  0s - profile mode=app hooks=app-delegate,work,data
  1s main call applicationDidBecomeActive app
  2s main data.dirty app "letter"
  3s main data.dirty app "letter"
  4s main data.dirty app "list"
  5s main data.dirty app "plan"
  6s main data.save app "plan"
  7s main call applicationDidEnterBackground app
  7.1s main return applicationDidEnterBackground app
  9s main work network app "upload"
  """)
let analysis = Analyzer.analyze(trace, rules: RuleRegistry.all + rules)
for finding in analysis.allFindings where finding.rule.isOneOf(rules) {
  print("\(finding.severity.rawValue) \(finding.rule): \(finding.message)")
}

extension String {
  fileprivate func isOneOf(_ rules: [ActiveRule]) -> Bool {
    rules.contains { $0.description.id == self }
  }
}
