import Foundation
import Testing

/// What stands at the root of the repository and in `.github` fits the package.
@Suite struct RepositoryTests {
  private static let workflows = ["ci", "nightly", "release"]

  private func text(_ path: String) throws -> String {
    try String(contentsOf: CommandRun.root.appendingPathComponent(path), encoding: .utf8)
  }

  private func yaml(_ path: String) throws -> [String: Any] {
    try #require(try YAMLLoader.mapping(CommandRun.root.appendingPathComponent(path)), "\(path)")
  }

  private func jobs(_ workflow: String) throws -> [String: [String: Any]] {
    let content = try yaml(".github/workflows/\(workflow).yml")
    return try #require(content["jobs"] as? [String: [String: Any]])
  }

  /// The shell lines of a workflow.
  private func lines(_ workflow: String) throws -> [String] {
    try jobs(workflow).values.flatMap { job in
      let steps = job["steps"] as? [[String: Any]] ?? []
      return steps.compactMap { $0["run"] as? String }
    }
  }

  // MARK: The files

  @Test func noFileHasTheMarkersOfAMerge() throws {
    let run = try CommandRun(
      program: ["git", "grep", "-lE", "^(<{7}|>{7})( |$)"], in: CommandRun.root)
    #expect(run.output == "" && run.errors == "", "\(run.output)\(run.errors)")
  }

  // MARK: The version

  @Test func theChangelogHasTheVersionThatTheCommandSays() throws {
    let version = try CommandRun("--version").output.trimmingCharacters(in: .newlines)
    #expect(version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
    let releases = try text("CHANGELOG.md").matches(of: /\n## (\d+\.\d+\.\d+)/).map(\.1)
    #expect(releases.first == version[...])
    #expect(releases == releases.sorted { $0.compare($1, options: .numeric) == .orderedDescending })
  }

  @Test func theManifestLinesOfTheDocumentsNameTheVersionAndProducts() throws {
    let version = try CommandRun("--version").output.trimmingCharacters(in: .newlines)
    let manifest = try text("Package.swift")
    for file in MarkdownFile.all {
      for block in file.blocks {
        for match in block.text.matches(of: /from: "(\d+\.\d+\.\d+)", traits/) {
          #expect(match.1 == version[...], "\(file.path):\(block.line)")
        }
        for match in block.text.matches(of: /\.product\(name: "(\w+)", package: "tracectl"/) {
          #expect(manifest.contains(".library(name: \"\(match.1)\""), "\(file.path):\(block.line)")
        }
      }
    }
  }

  // MARK: The address

  /// Another address is written into the documents by `tools/regenerate`.
  @Test func theDocumentsNameTheAddressOfTheProject() throws {
    let address = try #require(
      try text("install.sh").firstMatch(of: /\nrepository=(\S+)\n/)?.1)
    let files =
      MarkdownFile.all.map(\.path) + ["samples/ci/workflow.yml", "samples/ci/gitlab-ci.yml"]
    let named = /(?:github\.com\/|uses: |--repo )([\w-]+\/tracectl)\b/
    var count = 0
    for file in files {
      for match in try text(file).matches(of: named) {
        count += 1
        #expect(match.1 == address, "\(file): run tools/regenerate")
      }
    }
    #expect(count > 4)
  }

  // MARK: The front page

  @Test func theReadmeIsShortAndHasTheTwoCommands() throws {
    let lines = try text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 120, "\(lines.count)")
    for command in ["tools/demo", "tools/test"] {
      #expect(lines.contains { $0.hasPrefix(command) })
    }
  }

  @Test func theDocumentsShowTheFiguresOfTheLastMeasurement() throws {
    func table(_ path: String, after title: String) throws -> Substring {
      let section = try #require(try text(path).split(separator: "\n## \(title)\n").last)
      return try #require(section.drop { $0 != "|" }.split(separator: "\n\n").first)
    }
    let shown = try table("docs/inside/speed.md", after: "In short")
    #expect(shown == (try table("tools/bench/RESULTS.md", after: "In short")))
    #expect(shown.split(separator: "\n").count > 4)
  }

  // MARK: The workflows

  @Test(.enabled(if: YAMLLoader.isThere), arguments: workflows) func aWorkflowIsWhole(name: String)
    throws
  {
    let content = try yaml(".github/workflows/\(name).yml")
    #expect(content["name"] as? String == name)
    // `on` without quotes is a truth value to YAML 1.1, as GitHub knows.
    #expect(content["on"] != nil || content["true"] != nil)
    #expect(content["permissions"] != nil)
    for (job, body) in try jobs(name) {
      let steps = body["steps"] as? [[String: Any]] ?? []
      #expect(body["uses"] != nil || body["runs-on"] != nil && !steps.isEmpty, "\(job)")
      #expect(steps.allSatisfy { ($0["uses"] == nil) != ($0["run"] == nil) }, "\(job)")
      for needed in body["needs"] as? [String] ?? [] { #expect(try jobs(name)[needed] != nil) }
    }
  }

  @Test(.enabled(if: YAMLLoader.isThere), arguments: workflows) func aWorkflowRunsWhatIsThere(
    name: String
  ) throws {
    let manifest = try text("Package.swift")
    for line in try lines(name) {
      for match in line.matches(of: /(?:^|\s)((?:tools|extras|\.ci)(?:\/[a-z-]+)+)/) {
        let path = CommandRun.root.appendingPathComponent(String(match.1)).path
        #expect(FileManager.default.isExecutableFile(atPath: path), "\(match.1)")
      }
      for filter in line.matches(of: /--filter '([^']+)'/) {
        for target in filter.1.split(separator: "|") {
          #expect(manifest.contains("name: \"\(target)\""), "\(target)")
        }
      }
      for scheme in line.matches(of: /-scheme (\w+)/) {
        #expect(manifest.contains(".library(name: \"\(scheme.1)\""), "\(scheme.1)")
      }
    }
  }

  /// A tag can be moved to other code; a commit cannot.
  @Test func actionsArePinnedToCommits() throws {
    let files =
      Self.workflows.map { ".github/workflows/\($0).yml" } + [
        "action.yml", "samples/ci/workflow.yml",
      ]
    var count = 0
    for file in files {
      // A user of our action decides whether to pin it.
      for use in try text(file).matches(of: /uses: (\S+)(.*)/)
      where !use.1.hasPrefix("./") && !use.1.contains("/tracectl@") {
        count += 1
        let isPinned = use.0.wholeMatch(of: /uses: [\w\/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+/) != nil
        #expect(isPinned, "\(file): \(use.0)")
      }
    }
    #expect(count > 20)
  }

  /// The job that may write to the repository leaves its key to no step but the one that needs it.
  @Test(.enabled(if: YAMLLoader.isThere)) func whatIsPublishedIsAttestedAndKeepsNoCredentials()
    throws
  {
    let publish = try #require(try jobs("release")["publish"])
    let permissions = try #require(publish["permissions"] as? [String: String])
    #expect(permissions == ["contents": "write", "id-token": "write", "attestations": "write"])
    let steps = try #require(publish["steps"] as? [[String: Any]])
    let uses = steps.compactMap { $0["uses"] as? String }
    #expect(uses.contains { $0.hasPrefix("actions/attest-build-provenance@") })

    for name in Self.workflows {
      for (job, content) in try jobs(name) {
        for step in content["steps"] as? [[String: Any]] ?? []
        where (step["uses"] as? String)?.hasPrefix("actions/checkout@") == true {
          let options = step["with"] as? [String: Any]
          #expect(options?["persist-credentials"] as? Bool == false, "\(name): \(job)")
        }
      }
    }
  }

  @Test(.enabled(if: YAMLLoader.isThere)) func theFormsOfIssuesAreWhole() throws {
    for name in ["capture-not-read", "wrong-verdict"] {
      let form = try yaml(".github/ISSUE_TEMPLATE/\(name).yml")
      let body = try #require(form["body"] as? [[String: Any]])
      #expect(form["name"] != nil && form["description"] != nil && !body.isEmpty)
      let ids = body.compactMap { $0["id"] as? String }
      #expect(ids.count == body.count && Set(ids).count == ids.count)
    }
    #expect(try yaml(".github/ISSUE_TEMPLATE/config.yml")["blank_issues_enabled"] != nil)
  }

  @Test(.enabled(if: YAMLLoader.isThere)) func thePackageIndexBuildsTheDocumentationOfAllLibraries()
    throws
  {
    let builder = try #require(try yaml(".spi.yml")["builder"] as? [String: Any])
    let configurations = try #require(builder["configs"] as? [[String: Any]])
    let targets = configurations.flatMap { $0["documentation_targets"] as? [String] ?? [] }
    let products = try text("Package.swift").matches(of: /\.library\(name: "(\w+)"/).map {
      String($0.1)
    }
    #expect(targets == products)
    for target in targets {
      let page = "Sources/\(target)/\(target).docc/\(target).md"
      #expect(try text(page).hasPrefix("# ``\(target)``\n"), "\(page)")
      #expect(try text(page).contains("## Topics\n"), "\(page)")
    }
  }
}
