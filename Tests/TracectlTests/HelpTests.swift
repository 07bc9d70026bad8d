import Foundation
import Testing

/// What the command says of itself stands in snapshots.
@Suite struct HelpTests {
  private static let snapshots = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("Snapshots")

  @Test(arguments: [
    "", "record", "simulate", "analyze", "dump", "verify", "explain",
    "why", "timeline", "tail", "report", "export", "query", "diff", "copy",
    "baseline", "baseline write", "baseline prune",
    "config", "config init", "config check",
    "config show", "config schema",
  ])
  func helpIsAsReviewed(command: String) throws {
    let run = try CommandRun(command.split(separator: " ").map(String.init) + ["--help"])
    #expect(run.status == 0)
    let name = command.isEmpty ? "tracectl" : "tracectl-\(command.replacing(" ", with: "-"))"
    try Snapshot.expect(run.output, at: Self.snapshots.appendingPathComponent("\(name).txt"))
  }

  @Test func theCatalogueIsUpToDate() throws {
    let scratch = try ScratchFolder()
    let made = scratch.path("rules")
    #expect(try CommandRun("explain", "--config", "none", "--pages", made).status == 0)
    let written = CommandRun.root.appendingPathComponent("docs/reference/rules").path
    let names = try FileManager.default.contentsOfDirectory(atPath: made).sorted()
    #expect(try FileManager.default.contentsOfDirectory(atPath: written).sorted() == names)

    for name in names {
      let isSame = FileManager.default.contentsEqual(
        atPath: "\(made)/\(name)", andPath: "\(written)/\(name)")
      #expect(isSame, "docs/reference/rules/\(name) is stale: run tools/regenerate")
    }
    #expect(names.count > 80 && names.contains("README.md"))
  }

  @Test func theRegistryHoldsEveryRuleFile() throws {
    let folder = CommandRun.root.appendingPathComponent("Sources/LifecycleRules")
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: folder.appendingPathComponent("Rules").path)
    let files = paths.filter { $0.hasSuffix(".swift") }
    let rules = files.filter { $0.hasSuffix("Rule.swift") }
      .map { $0.split(separator: "/")[1].dropLast(6) }.sorted()
    let registry = try String(
      contentsOf: folder.appendingPathComponent("Registry/RuleRegistry+Generated.swift"),
      encoding: .utf8)
    let listed = registry.split(separator: "\n").filter { $0.hasSuffix("Rule.self,") }
      .map { $0.dropFirst(4).dropLast(6) }
    #expect(listed == rules, "the registry is stale: run tools/regenerate")
    #expect(files.count == rules.count, "a file in Rules is no rule")
  }

  @Test func everyRuleLiesInTheFolderOfItsTopic() throws {
    let folder = CommandRun.root.appendingPathComponent("Sources/LifecycleRules/Rules")
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
      let topic = try #require(text.firstMatch(of: /\n    topic: \.(\w+),/)?.1, "\(path)")
      #expect(path.split(separator: "/")[0].lowercased() == topic.lowercased(), "\(path)")
    }
  }
}
