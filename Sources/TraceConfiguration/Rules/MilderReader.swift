import LifecycleModel
import TraceAnalysis
import YAMLReading

/// When a finding of a pattern is less serious.
enum MilderReader {
  /// Reads it into `pattern`; whether that went well.
  static func read(_ value: YAMLValue, _ pattern: inout RulePattern) -> Bool {
    guard let members = value.members(MappingSchema.milder),
      let severity = members["severity"]?.choice("a severity", Severity.self)
    else { return false }

    let ways = ["on-ports", "os", "after"].filter { members[$0] != nil }
    guard ways.count == 1 else {
      value.fail("expected one of the keys on-ports, os and after with \"severity\"")
      return false
    }
    guard let mitigation = mitigation(members) else { return false }

    pattern.milder = severity
    pattern.mitigation = mitigation
    return true
  }

  private static func mitigation(_ members: YAMLMembers) -> RulePattern.Mitigation? {
    if let ports = members["on-ports"] {
      guard ports.flag() == true else {
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

    guard let after = members["after"].flatMap({ ReadEvents($0) }) else { return nil }
    guard let within = members["within"] else {
      after.value.fail("expected the key \"within\" with \"after\"")
      return nil
    }
    return within.time().map { .recently(after.pattern, $0) }
  }
}
