import Foundation
import Testing

/// The action, the files in samples/ci and the packages do what they say, as far as that can be run without their hosts.
@Suite struct ContinuousIntegrationTests {
  private let scratch: ScratchFolder
  private static let findings = """
    0s - profile mode=app hooks=app-delegate,work
    1s main call applicationDidBecomeActive app
    1.1s main return applicationDidBecomeActive app
    2s main call applicationWillResignActive app
    2.1s main return applicationWillResignActive app
    3s main work timer app "poll"

    """

  init() throws {
    scratch = try ScratchFolder()
    let logs = scratch.url.appendingPathComponent("logs")
    try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
    try scratch.file("logs/app.trace", Self.findings)
  }

  private func yaml(_ path: String) throws -> [String: Any] {
    try #require(try YAMLLoader.mapping(CommandRun.root.appendingPathComponent(path)))
  }

  /// Runs a script with the built tracectl on the PATH.
  private func run(_ script: String, _ environment: [String: String]) throws -> CommandRun {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let built = CommandRun.command.deletingLastPathComponent().path
    return try CommandRun(
      program: ["bash", "-e", "-o", "pipefail", "-c", script], in: scratch.url,
      environment: environment.merging(["PATH": "\(built):\(path)"]) { $1 })
  }

  private func written(_ name: String) throws -> String {
    try String(contentsOfFile: scratch.path(name), encoding: .utf8)
  }

  @Test(.enabled(if: YAMLLoader.isThere)) func theActionFailsAnnotatesAndWritesItsFiles() throws {
    let action = try yaml("action.yml")
    let inputs = try #require(action["inputs"] as? [String: [String: Any]])
    let runs = try #require(action["runs"] as? [String: Any])
    let steps = try #require(runs["steps"] as? [[String: Any]])
    let step = try #require(steps.first)
    let script = try #require(step["run"] as? String)
    let path = try scratch.file("path")

    // What a runner sets, and the inputs' defaults in the place of their expressions.
    var environment = [
      "GITHUB_ACTION_PATH": CommandRun.root.path, "RUNNER_TEMP": scratch.url.path,
      "GITHUB_PATH": path.path, "GITHUB_STEP_SUMMARY": scratch.path("summary.md"),
    ]

    for (key, value) in step["env"] as? [String: String] ?? [:] {
      let input = try #require(value.firstMatch(of: /\$\{\{ inputs\.([a-z-]+) \}\}/)?.1)
      environment[key] = try #require(inputs[String(input)]?["default"] as? String)
    }

    let outcome = try run(script, environment)
    #expect(outcome.status == 1, "\(outcome)")
    // tracectl was there, so that nothing was installed.
    #expect(try written("path").isEmpty)
    #expect(outcome.output.hasPrefix("::warning file=logs/app.trace,"), "\(outcome)")
    #expect(try written("summary.md").contains("### tracectl: 1 warning"))

    // What a later step uploads.
    let kept = try #require(steps.last?["with"] as? [String: String])
    let reports = try #require(kept["path"])
    #expect(try written("\(reports)/tracectl.sarif").contains("\"version\": \"2.1.0\""))
    #expect(try written("\(reports)/tracectl.xml").contains("<testsuites>"))
    #expect(try written("\(reports)/tracectl.html").contains("<html"))

    // With a baseline of what is there the step passes.
    #expect(try run("tracectl baseline write logs", [:]).status == 0)
    environment["BASELINE"] = "tracectl-baseline.jsonl"
    let known = try run(script, environment)
    #expect(known.status == 0 && !known.output.contains("::warning"), "\(known)")
  }

  @Test(.enabled(if: YAMLLoader.isThere)) func theWorkflowUsesTheActionAsItIs() throws {
    let workflow = try yaml("samples/ci/workflow.yml")
    let inputs = try #require(try yaml("action.yml")["inputs"] as? [String: Any])
    let jobs = try #require(workflow["jobs"] as? [String: [String: Any]])
    let steps = try #require(jobs["lifecycle"]?["steps"] as? [[String: Any]])
    let uses = steps.filter { ($0["uses"] as? String)?.contains("/tracectl@") == true }
    #expect(uses.count == 2)
    for use in uses {
      let given = try #require(use["with"] as? [String: Any])
      for key in given.keys { #expect(inputs[key] != nil, "\(key)") }
    }
    let upload = try #require(steps.last?["with"] as? [String: String])
    #expect(upload["sarif_file"] == "tracectl-report/tracectl.sarif")
  }

  @Test(.enabled(if: YAMLLoader.isThere)) func theGitLabJobWritesWhatItsReportsName() throws {
    let job = try #require(try yaml("samples/ci/gitlab-ci.yml")["lifecycle"] as? [String: Any])
    let variables = try #require(job["variables"] as? [String: String])
    let lines =
      try #require(job["before_script"] as? [String]) + #require(job["script"] as? [String])
    let outcome = try run(lines.joined(separator: "\n"), variables)
    #expect(outcome.status == 1 && outcome.output.contains("fired while inactive"))
    let artifacts = try #require(job["artifacts"] as? [String: Any])
    let reports = try #require(artifacts["reports"] as? [String: String])
    #expect(reports.count == 2)
    for file in reports.values { #expect(try !written(file).isEmpty, "\(file)") }
  }

  @Test func packagesInstallRunAndGo() throws {
    let built = CommandRun.command.deletingLastPathComponent().path
    let script = CommandRun.root.appendingPathComponent("tools/check-packages").path
    let tried = try CommandRun(program: [script], environment: ["TRACECTL_BIN": built])
    #expect(tried.status == 0, "\(tried.errors)\n\(tried.output)")
    // What cannot be tried here is said.
    let skipped = tried.errors.split(separator: "\n").filter { $0.contains("SKIPPED") }
    for line in skipped { print(line) }
  }
}
