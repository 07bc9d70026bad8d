import Foundation
import LifecycleModel
import Testing
import TraceAnalysis

@testable import TraceConfiguration

/// What the article `Patterns` says is so.
@Suite struct PatternsArticleTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let text: String = {
    let file = root.appendingPathComponent(
      "Sources/TraceConfiguration/TraceConfiguration.docc/Patterns.md")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  /// The YAML blocks of the article.
  static let blocks = text.components(separatedBy: "```yaml\n").dropFirst()
    .compactMap { $0.components(separatedBy: "```").first }

  @Test func everyExampleIsARuleThatDoesWhatItSays() throws {
    #expect(Self.blocks.count >= 6)
    var forms: Set<String> = []
    for block in Self.blocks {
      let result = ConfigurationFiles.readRules(text: block)
      #expect(result.problems == [], "\(block)")
      let rule = try #require(result.configuration.ownRules.first)
      #expect(rule.failures == [], "\(rule.description.id)")
      for pattern in rule.description.patterns {
        forms.insert(Mirror(reflecting: pattern.form).children.first?.label ?? "")
      }
    }

    #expect(
      forms == [
        "always", "condition", "every", "window", "order", "budget", "balance", "count",
      ])
  }

  @Test func everyWordIsNamed() {
    for key in RuleKeys.names + PartKeys.names + EventKeys.names + MilderKeys.names {
      #expect(Self.text.contains("`\(key)`") || Self.text.contains("\(key):"), "\(key)")
    }
    for (word, _) in StateWords.plain { #expect(Self.text.contains("`\(word)`"), "\(word)") }
    for word in Scope.allCases { #expect(Self.text.contains("`\(word.rawValue)`")) }
    for word in DefaultMessage.placeholders { #expect(Self.text.contains("`{\(word)}`")) }
  }
}
