import Foundation
import Testing

/// `--format`: several reports at once, into files that are whole or as they were.
@Suite struct ReportOptionsTests {
  private let scratch: ScratchFolder
  private let log: String

  init() throws {
    scratch = try ScratchFolder()
    log = try scratch.file("run.trace", "0s - profile hooks=work\n1s - gap ring-full 3\n").path
  }

  private func analyze(_ formats: String..., log: String? = nil) throws -> CommandRun {
    try CommandRun(
      ["analyze", "--fail-on", "never", log ?? self.log]
        + formats.flatMap { ["--format", $0] }, in: scratch.url)
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted() }
  }

  @Test func severalReportsAreWrittenAtOnce() throws {
    let run = try analyze("sarif=out.sarif", "text", "junit=out.xml")
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output == (try CommandRun("analyze", "--fail-on", "never", log).output))
    #expect(try files == ["out.sarif", "out.xml", "run.trace"])
  }

  @Test func aFileHoldsWhatStandardOutputWouldGet() throws {
    for form in ["text", "json", "sarif", "junit", "github", "gitlab", "xcode", "markdown"] {
      let printed = try analyze(form)
      #expect(printed.status == 0 && !printed.output.isEmpty)
      let file = try analyze("\(form)=out")
      #expect(file.status == 0 && file.output == "")
      #expect(try String(contentsOfFile: scratch.path("out"), encoding: .utf8) == printed.output)
      #expect(try analyze("\(form)=-").output == printed.output)
    }
  }

  @Test func theTextInAFileHasNoColors() throws {
    let run = try CommandRun(
      "analyze", "--color", "always", "--fail-on", "never", log, "--format",
      "text=\(scratch.path("a"))")
    #expect(run.status == 0)
    #expect(try !String(contentsOfFile: scratch.path("a"), encoding: .utf8).contains("\u{1b}"))
  }

  @Test func whatCannotBeMeantIsRefused() throws {
    for (formats, error) in [
      (["sarf"], "sarf is not a report format; did you mean sarif? Formats: text, json,"),
      (["gitlabb=x"], "did you mean gitlab?"),
      (["text", "json"], "only one of text and json can go to standard output; give the others"),
      (["text", "json=-"], "only one of text and json can go to standard output; give the others"),
      (["json=a", "sarif=./a"], "a is the target of two reports; give each its own file"),
      (["json="], "json= needs a file name; remove the =, or name a file"),
    ] {
      let run = try CommandRun(
        ["analyze", log] + formats.flatMap { ["--format", $0] }, in: scratch.url)
      #expect(run.status == 2 && run.errors.contains(error), "\(formats): \(run.errors)")
      #expect(run.output == "")
    }
    #expect(try files == ["run.trace"])
  }

  @Test func whatCannotBeWrittenIsThreeWithPathAndReason() throws {
    let folder = scratch.path("folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    for (path, reason) in [
      (scratch.path("none/out.json"), "No such file or directory"),
      (folder, "it is a directory"), (log + "/x", "Not a directory"),
    ] {
      // The log is not there: what can be known before it is read is said before.
      let run = try analyze("json=\(path)", log: "no-such-log")
      #expect(run.status == 3)
      #expect(run.errors == "tracectl: \(path): cannot be written: \(reason)\n")
    }
    #expect(try files == ["folder", "run.trace"])
  }

  @Test func oneFailureDoesNotTakeTheOthers() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let run = try analyze("json=/dev/full", "sarif=out.sarif", "text")
    #expect(run.status == 3)
    #expect(run.errors == "tracectl: /dev/full: cannot be written: No space left on device\n")
    #expect(try files == ["out.sarif", "run.trace"])
    #expect(run.output.contains("; 1 warning about"), "\(run.output)")
  }

  @Test func theLogIsNotReplacedByItsReport() throws {
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("link"), withDestinationPath: log)
    let before = try Data(contentsOf: URL(fileURLWithPath: log))
    for path in [log, scratch.path("link")] {
      let run = try analyze("json=\(path)")
      #expect(run.status == 2 && run.errors.contains("would overwrite one of its inputs"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: log)) == before)
  }

  @Test func aFailedAnalysisLeavesTheOldReport() throws {
    try scratch.file("out.json", "old")
    let broken = try scratch.file("broken.trace", "0s - profile\n1s main oops(\n").path
    #expect(try analyze("json=out.json", log: broken).status == 3)
    #expect(try String(contentsOfFile: scratch.path("out.json"), encoding: .utf8) == "old")
    #expect(try files == ["broken.trace", "out.json", "run.trace"])
  }

  @Test func aReportReplacesTheFileBehindALink() throws {
    let target = try scratch.file("target", "old")
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appendingPathComponent("link"), withDestinationURL: target)
    #expect(try analyze("gitlab=link").status == 0)
    #expect(try String(contentsOf: target, encoding: .utf8).hasPrefix("[\n"))
    let kind = try FileManager.default.attributesOfItem(atPath: scratch.path("link"))[.type]
    #expect(kind as? FileAttributeType == .typeSymbolicLink)
  }

  @Test func devicesAreWrittenAsTheyAre() throws {
    #expect(try analyze("json=/dev/null").status == 0)
    let kind = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
    #expect(kind as? FileAttributeType == .typeCharacterSpecial)
  }

  @Test func githubAppendsItsSummary() throws {
    let summary = try scratch.file("summary.md", "before\n").path
    let run = try CommandRun(
      ["analyze", "--fail-on", "never", "--format", "github", log],
      environment: ["GITHUB_STEP_SUMMARY": summary])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("::warning file="))

    let text = try String(contentsOfFile: summary, encoding: .utf8)
    let markdown = try analyze("markdown").output
    #expect(text == "before\n" + markdown)
    let none = try CommandRun(
      ["analyze", "--fail-on", "never", "--format", "text", log],
      environment: ["GITHUB_STEP_SUMMARY": summary])
    #expect(none.status == 0)
    #expect(try String(contentsOfFile: summary, encoding: .utf8) == text)
  }
}
