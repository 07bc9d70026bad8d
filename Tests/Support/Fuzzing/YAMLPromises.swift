import Scenarios
import TraceConfiguration
import TraceText

/// What must hold for any text that is read as a configuration, as rules or as a scenario.
enum YAMLPromises {
  /// Reads text in each of the three ways.
  @MainActor static func check(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    try check(ConfigurationFiles.read(text: text))
    try check(ConfigurationFiles.readRules(text: text))
    do { _ = try Scenario(yaml: text) } catch let error as ScenarioError {
      try hold(InertText.isInert(error.description), "an error has control characters: \(error)")
    }
  }

  private static func check(_ result: ConfigurationFiles.Result) throws {
    for problem in result.problems {
      let line = problem.description.split(separator: "\n").joined()
      try hold(InertText.isInert(line), "a problem has control characters: \(problem)")
    }
  }
}
