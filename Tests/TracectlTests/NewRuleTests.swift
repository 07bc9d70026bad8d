import Foundation
import TestTime
import Testing

/// What the guide says about a new rule is enough: a copy of the tree gets one.
@Suite struct NewRuleTests {
  private static let rule = """
    import LifecycleModel
    import TraceAnalysis

    /// No frame is drawn while the app is in the background.
    struct WorkBrandNewRule: Rule {
      static let description: RuleDescription = .init(
        id: "work-brand-new",
        number: nil,
        topic: .work,
        summary: "no frame is drawn in the background",
        severity: .info,
        sources: [.s4],
        why: "Nobody sees it.",
        remedy: "Stop at didEnterBackground.",
        limits: "None are known.",
        patterns: [
          .never(.work(.frame), while: .subjectInBackground, says: "a frame was drawn since {since}")
        ],
        examples: [])
    }

    """

  /// Copies what lies at some paths of the tree, and writes the rule where the guide says.
  private func copy(_ paths: [String]) throws -> ScratchFolder {
    let guide = try String(
      contentsOf: CommandRun.root.appendingPathComponent("docs/inside/adding.md"), encoding: .utf8)
    let start = try #require(guide.range(of: "## A new rule"))
    let steps = guide[start.upperBound...].prefix(600)
    #expect(
      steps.contains(
        "`NameRule.swift` in the folder of its topic in `Sources/LifecycleRules/Rules`"))
    #expect(steps.contains("`tools/regenerate` writes the registry"))

    let scratch = try ScratchFolder()
    for path in paths {
      let target = URL(fileURLWithPath: scratch.path(path))
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: CommandRun.root.appendingPathComponent(path), to: target)
    }
    try Self.rule.write(
      toFile: scratch.path("Sources/LifecycleRules/Rules/Work/WorkBrandNewRule.swift"),
      atomically: true, encoding: .utf8)
    return scratch
  }

  private static let registry = "Sources/LifecycleRules/Registry/RuleRegistry+Generated.swift"

  private func regenerate(_ scratch: ScratchFolder) throws {
    let run = try CommandRun(program: [scratch.path("tools/regenerate"), "registry"])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func theRegistryTakesItIn() throws {
    let scratch = try copy(["Sources/LifecycleRules", "tools"])
    try regenerate(scratch)

    let before = try String(
      contentsOf: CommandRun.root.appendingPathComponent(Self.registry), encoding: .utf8)
    let after = try String(contentsOfFile: scratch.path(Self.registry), encoding: .utf8)
    let added = after.split(separator: "\n").difference(from: before.split(separator: "\n"))
    #expect(added.insertions.map(\.line) == ["    WorkBrandNewRule.self,"])
    #expect(added.removals.isEmpty)
  }

  @Test(.tags(.nightly), .enabled(if: Nightly.isOn, "it builds a package; tools/test --nightly"))
  func itBuildsWithTheModuleOfRulesAlone() throws {
    let entries = try FileManager.default.contentsOfDirectory(atPath: CommandRun.root.path)
    let scratch = try copy(entries.filter { !$0.hasPrefix(".") || $0.hasPrefix(".swift-format") })
    try regenerate(scratch)
    let built = try CommandRun(program: [
      "swift", "build", "--package-path", scratch.path(""), "--target", "LifecycleRules",
      "--disable-sandbox",
    ])
    #expect(built.status == 0, "\(built.output)\(built.errors)")
  }
}

extension CollectionDifference.Change where ChangeElement == Substring {
  fileprivate var line: Substring {
    switch self {
    case .insert(_, let element, _), .remove(_, let element, _): element
    }
  }
}
