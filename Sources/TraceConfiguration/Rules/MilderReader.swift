import LifecycleModel
import TraceAnalysis
import YAMLReading

/// When a finding of a pattern is less serious.
enum MilderReader {
  /// Reads it into `pattern`; whether that went well.
  static func read(_ value: YAMLValue, _ pattern: inout RulePattern) -> Bool {
    guard let members = value.members(MappingSchema.milder) else { return false }
    let severity = members["severity"]?.choice("a severity", Severity.self)
    let ways = ["on-ports", "os", "after"].filter { members[$0] != nil }
    guard ways.count == 1 else {
      value.fail("expected one of the keys on-ports, os and after with \"severity\"")
      return false
    }
    if let within = members["within"], members["after"] == nil {
      within.fail("expected the key \"after\" with \"within\"")
      return false
    }
    guard let mitigation = mitigation(members), let severity else { return false }

    pattern.milder = severity
    pattern.mitigation = mitigation
    return true
  }

  private static func mitigation(_ members: YAMLMembers) -> RulePattern.Mitigation? {
    if let ports = members["on-ports"] {
      guard ports.scalar == "true" else {
        ports.expected("true")
        return nil
      }
      return .port
    }

    if let os = members["os"] {
      let bounds = os.scalar?.split(separator: ".").compactMap { Int($0) } ?? []
      guard let first = bounds.first, let last = bounds.last, bounds.count <= 2, first <= last
      else {
        os.expected("major versions such as 11..12")
        return nil
      }
      return .osMajor(first...last)
    }

    let after = members["after"].flatMap { ReadEvents($0) }
    guard let within = members["within"] else {
      members["after"]?.fail("expected the key \"within\" with \"after\"")
      return nil
    }
    let time = within.time()
    guard let after, let time else { return nil }
    return .recently(after.pattern, time)
  }
}
