import Foundation
import Testing
import LifecycleRules
import TraceAnalysis

@testable import TraceConfiguration

/// The schema names every key that the reader knows, and no other.
@Suite struct SchemaTests {
  private func schema() throws -> [String: Any] {
    let data = Data(ConfigurationSchema().text.utf8)
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// For a shape, how a mapping with one key is put into a configuration.
  private struct Place: Sendable {
    let shape: String
    /// A configuration in which `KEY` stands for the key.
    let template: String

    func text(_ key: String) -> String { template.replacing("KEY", with: key) }
  }

  private static let places: [Place] = [
    Place(shape: "budget", template: "budgets: [{KEY: {z: 1}}]"),
    Place(shape: "suppression", template: "suppressions: [{KEY: {z: 1}}]"),
    Place(shape: "answers", template: "profile: {KEY: {z: 1}}"),
    Place(shape: "output", template: "output: {KEY: {z: 1}}"),
    Place(shape: "setting", template: "rules: {task-count: {KEY: {z: 1}}}"),
    Place(shape: "rule", template: "patterns: [{KEY: {z: 1}}]"),
    Place(shape: "part", template: "patterns: [{parts: [{KEY: {z: 1}}]}]"),
    Place(shape: "profile", template: "patterns: [{profile: {KEY: {z: 1}}}]"),
    Place(shape: "example", template: "patterns: [{clean: {KEY: {z: 1}}}]"),
    Place(shape: "event", template: "patterns: [{never: {KEY: {z: 1}}}]"),
    Place(shape: "between", template: "patterns: [{never: suspend, between: {KEY: {z: 1}}}]"),
    Place(shape: "state", template: "patterns: [{never: suspend, while: {KEY: {z: 1}}}]"),
    Place(
      shape: "inside", template: "patterns: [{never: suspend, while: {inside: {KEY: {z: 1}}}}]"),
    Place(shape: "milder", template: "patterns: [{never: suspend, milder: {KEY: {z: 1}}}]"),
  ]

  private func isUnknown(_ text: String, _ key: String) -> Bool {
    ConfigurationFiles.read(text: text).problems.contains {
      $0.message.hasPrefix("expected a key of ") && $0.message.contains("found \"\(key)\"")
    }
  }

  @Test func itNamesWhatTheReaderKnows() throws {
    let schema = try schema()
    let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
    #expect(Set(definitions.keys) == Set(Self.places.map(\.shape)))
    let places = Self.places + [Place(shape: "", template: "KEY: {z: 1}")]
    var count = 0

    for place in places {
      let shape = place.shape
      let definition = shape.isEmpty ? schema : definitions[shape]
      let properties = try #require(definition?["properties"] as? [String: Any], "\(shape)")
      for key in properties.keys {
        #expect(!isUnknown(place.text(key), key), "\(shape): \(key)")
        count += 1
      }
      #expect(isUnknown(place.text("zzz"), "zzz"), "\(shape)")
      #expect(definition?["additionalProperties"] as? Bool == false, "\(shape)")
    }
    #expect(count > 90)
  }

  @Test func itKnowsTheRules() throws {
    let text = ConfigurationSchema().text
    for rule in RuleRegistry.all { #expect(text.contains("\"\(rule.description.id)\"")) }
  }
}
