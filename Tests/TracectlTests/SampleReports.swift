import Foundation

/// Every sample's reports, in all forms for machines, made by one run of the command each.
struct SampleReports: Sendable {
  let names: [String]

  /// The report of a form of every sample.
  func files(_ form: String) -> [URL] {
    names.map { SampleReports.folder.appendingPathComponent("\($0).\(form)") }
  }

  /// A label, a thread and a file name that would break what is not escaped.
  static let hostile = "x\u{1b}[31m ]]><b>&\"'|`\u{202e}::error::##[x]{0} \u{7}"

  private static let hostileTrace = """
    0s - profile mode=app os=18.2 hooks=app-delegate,work
    1s main call applicationDidEnterBackground app
    2s "a\\u001b]]>" work timer app "x\\u001b[31m ]]><b>&'|`::error::##[x]{0}\\u0007" k="]]>"
    3s - gap "]]>&" 2
    """

  /// Records and plays the samples, and analyzes them; once for all tests.
  static let made = Result { try SampleReports() }

  private init() throws {
    let folder = SampleReports.folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(at: SampleReports.folder) }
    var logs: [(name: String, log: String)] = []
    for trace in SampleTests.samples("traces", "trace") {
      logs.append((trace.lastPathComponent, trace.path))
    }

    for (kind, ending) in [("console", "log"), ("scenarios", "yml")] {
      for sample in SampleTests.samples(kind, ending) {
        let log = folder.appendingPathComponent("\(sample.lastPathComponent).bin").path
        let words =
          kind == "console" ? ["record", "--source", "console", "--app", "Notes"] : ["simulate"]
        _ = try CommandRun(words + ["-o", log, "-q", sample.path])
        logs.append((sample.lastPathComponent, log))
      }
    }

    for app in ["crash-in-background", "hang", "many-threads"] {
      let log = folder.appendingPathComponent("\(app).bin").path
      _ = try CommandRun(["record", "-q", "-o", log, "--", CommandRun.built(app)])
      logs.append((app, log))
    }

    let hostile = folder.appendingPathComponent(
      SampleReports.hostile.replacingOccurrences(of: "/", with: "-"))
    try Data(SampleReports.hostileTrace.utf8).write(to: hostile)
    logs.append(("hostile", hostile.path))

    for (name, log) in logs {
      let forms = ["json", "sarif", "junit", "gitlab", "markdown", "github"]
      let formats = forms.flatMap {
        ["--format", "\($0)=\(folder.appendingPathComponent("\(name).\($0)").path)"]
      }
      let run = try CommandRun(["analyze", "-v", "--stats", "--fail-on", "never", log] + formats)
      if run.status != 0 || !run.output.isEmpty {
        throw Failure(description: "\(name): \(run.status) \(run.errors)\(run.output)")
      }
    }
    names = logs.map(\.name)
  }

  /// Where they lie for as long as the tests run.
  static let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("tracectl-tests-\(UUID().uuidString)")

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
