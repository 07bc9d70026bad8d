import Foundation
import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

@testable import TraceReport
@testable import TraceResults

/// What is written for other programs is what their schemas ask for, on every sample.
@Suite struct FormatValidationTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func files(_ form: String) throws -> [URL] {
    let files = try SampleReports.made.get().files(form)
    #expect(files.count >= 25)
    return files
  }

  /// Results that one log does not give: two logs, a baseline, a suppression, an unreadable log.
  private func mergedResults() throws -> AnalysisResults {
    let trace = try TraceNotation.parse(
      String(contentsOf: SampleTests.samples("traces", "trace")[0], encoding: .utf8))
    var analysis = Analyzer.analyze(trace)
    #expect(analysis.findings.count == 3)
    analysis.findings[2].suppression = Finding.Suppression(
      reason: SampleReports.hostile, place: "ci/\(SampleReports.hostile).yml:7")

    var results = AnalysisResults(analysis, of: SampleReports.hostile, trace.vocabulary)
    results.merge(AnalysisResults(analysis, of: "-", trace.vocabulary))
    let open = results.groups.indices.filter { results.groups[$0].examples[0].suppression == nil }
    for index in results.groups[open[0]].examples.indices {
      results.groups[open[0]].examples[index].baselineState = .known
    }
    results.groups[open[1]].examples[0].baselineState = .new
    results.merge(AnalysisResults(unreadable: .init(log: "/a b", error: SampleReports.hostile)))
    return results
  }

  @Test func sarifIsValid() throws {
    guard let schema = SchemaValidator.published("sarif-schema-2.1.0.json") else { return }
    let merged = try scratch.file(
      "merged.sarif", SARIFReport(mergedResults(), toolVersion: "1.0.0").text)
    let none = try scratch.file(
      "none.sarif", SARIFReport(AnalysisResults(), toolVersion: "1.0.0").text)
    guard
      let complaints = try SchemaValidator.complaints(
        about: files("sarif") + [merged, none], jsonSchema: schema)
    else { return }
    #expect(complaints == "")

    let text = try String(contentsOf: merged, encoding: .utf8)
    let broken = try scratch.file(
      "broken.sarif", text.replacing("\"unchanged\"", with: "\"known\""))
    let complaint = try SchemaValidator.complaints(about: [broken], jsonSchema: schema)
    #expect(complaint?.contains("'known' is not one of") == true, "the look sees nothing")
  }

  /// What is wrong but that a date is missing: none is invented where the log knows none.
  private static func junitComplaints(_ files: [URL], _ schema: URL) throws -> String? {
    try SchemaValidator.complaints(about: files, xmlSchema: schema)?.split(separator: "\n")
      .filter {
        !$0.contains("'timestamp' is required but missing") && !$0.hasSuffix(" fails to validate")
      }.joined(separator: "\n")
  }

  @Test func junitIsValid() throws {
    guard let schema = SchemaValidator.published("JUnit.xsd") else { return }
    let merged = try scratch.file(
      "merged.xml", JUnitReport(mergedResults(), of: SampleReports.hostile).text)
    let none = try scratch.file("none.xml", JUnitReport(AnalysisResults(), of: "").text)
    guard
      let complaints = try Self.junitComplaints(files("junit") + [merged, none], schema)
    else { return }
    #expect(complaints == "")

    let text = try String(contentsOf: merged, encoding: .utf8)
    let broken = try scratch.file(
      "broken.xml", text.replacing("<testsuites>", with: "<testsuites name=\"x\">"))
    let complaint = try SchemaValidator.complaints(about: [broken], xmlSchema: schema)
    #expect(complaint?.contains("attribute 'name' is not allowed") == true)
  }

  @Test func jsonIsWhatItsSchemaSays() throws {
    let schema = JSONSchemaReader.file
    guard let complaints = try SchemaValidator.complaints(about: files("json"), jsonSchema: schema)
    else { return }
    #expect(complaints == "")
    let text = try String(contentsOf: files("json")[0], encoding: .utf8)
    let broken = try scratch.file("broken.json", text.replacing("\"culprit\"", with: "\"guilty\""))
    let complaint = try SchemaValidator.complaints(about: [broken], jsonSchema: schema)
    #expect(complaint?.contains("'guilty' is not one of") == true)
  }

  @Test func theSchemaNamesEveryMemberThatIsWritten() throws {
    let schema = try JSONSchemaReader()
    for file in try files("json") {
      let report = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
      let unnamed = schema.unnamedMembers(of: report)
      #expect(unnamed == [], "\(file.lastPathComponent)")
    }
    let stranger: [String: Any] = ["findings": [["rule": "x", "colour": "red"]], "odd": 1]
    #expect(schema.unnamedMembers(of: stranger) == ["findings.colour", "odd"])
  }

  @Test func theSchemaAndTheReportHaveOneVersion() throws {
    let properties = try #require(JSONSchemaReader().schema["properties"] as? [String: Any])
    let version = try #require(properties["version"] as? [String: Any])
    #expect(version["const"] as? Int == AnalysisResults.schemaVersion)
  }

  @Test func manyLogsGoIntoEveryForm() throws {
    let sample = SampleTests.samples("traces", "trace")[0]
    let notation = try String(contentsOf: sample, encoding: .utf8)
    try FileManager.default.createDirectory(
      at: scratch.url.appendingPathComponent("logs"), withIntermediateDirectories: false)
    try scratch.file("logs/a b.trace", notation)
    try scratch.file("logs/b.trace", notation)
    try scratch.file("logs/c.trace", "0s - profile mode=app\n1s main note\n")
    try scratch.file("logs/d.trace", "0s - profile\n1s main oops(\n")

    let forms = ["text", "json", "sarif", "junit", "github", "gitlab", "markdown"]
    let formats = forms.flatMap { ["--format", "\($0)=out.\($0)"] }
    let run = try CommandRun(["analyze", "-v", "logs"] + formats, in: scratch.url)
    #expect(run.status == 1 && run.output == "" && run.errors == "")
    func text(_ name: String) throws -> String {
      try String(contentsOfFile: scratch.path(name), encoding: .utf8)
    }
    #expect(
      try text("out.text").hasPrefix(
        "logs/a b.trace: killed by the watchdog (0x8badf00d); 1 error (task-leak-at-suspend), 2"))
    #expect(try text("out.text").contains("\n\n3 logs: 2 with findings"))
    #expect(try text("out.json").contains("\"log\" : \"logs/d.trace\""))
    #expect(try text("out.sarif").contains("\"uri\": \"logs/a%20b.trace\""))
    #expect(try text("out.sarif").contains("\"executionSuccessful\": false"))
    #expect(try text("out.junit").contains(" name=\"4 logs\" "))
    #expect(try text("out.junit").contains(" errors=\"1\" "))
    #expect(try text("out.github").contains("::error file=logs/d.trace,title="))
    #expect(try text("out.github").contains("(2 findings in 2 logs)"))
    #expect(try text("out.gitlab").contains("(2 findings in 2 logs)"))
    #expect(
      try text("out.markdown").hasPrefix(
        "### tracectl: 2 processes ended: 2 × killed by the watchdog (0x8badf00d); 2 errors, 4 warnings; 1 log could not be read\n"
      ))

    if let schema = SchemaValidator.published("sarif-schema-2.1.0.json") {
      let file = scratch.url.appendingPathComponent("out.sarif")
      let complaints = try SchemaValidator.complaints(about: [file], jsonSchema: schema)
      #expect(complaints ?? "" == "")
    }

    if let schema = SchemaValidator.published("JUnit.xsd") {
      let file = scratch.url.appendingPathComponent("out.junit")
      let complaints = try Self.junitComplaints([file], schema)
      #expect(complaints ?? "" == "")
    }
  }

  /// GitLab publishes no schema; this one is what its page says.
  @Test func gitlabIsValid() throws {
    let schema = CommandRun.root.appendingPathComponent(
      "Tests/TracectlTests/Schemas/gitlab-code-quality.schema.json")
    let merged = try scratch.file("merged.gitlab", GitLabReport(results: mergedResults()).text)
    let none = try scratch.file("none.gitlab", GitLabReport(results: AnalysisResults()).text)
    guard
      let complaints = try SchemaValidator.complaints(
        about: files("gitlab") + [merged, none], jsonSchema: schema)
    else { return }
    #expect(complaints == "")

    let text = try String(contentsOf: merged, encoding: .utf8)
    for (old, new, words) in [
      ("\"critical\"", "\"fatal\"", "'fatal' is not one of"),
      ("\"begin\": ", "\"begin\": -", "is less than the minimum of 1"),
      ("\"fingerprint\"", "\"print\"", "'fingerprint' is a required property"),
      ("\"path\": \"", "\"path\": \"./", "./"),
      ("\"lines\"", "\"line\"", "is not valid under any of the given schemas"),
    ] {
      let broken = text.replacing(old, with: new)
      #expect(broken != text)
      let file = try scratch.file("broken.gitlab", broken)
      let complaint = try SchemaValidator.complaints(about: [file], jsonSchema: schema)
      #expect(complaint?.contains(words) == true, "\(new): \(complaint ?? "")")
    }
  }

  /// Where the log is a console's text, the line that a report names is the one that its events say.
  @Test func findingsInConsoleTextLeadToItsLines() throws {
    let sample = CommandRun.root.appendingPathComponent("samples/console/two-deaths.log")
    let text = try String(contentsOf: sample, encoding: .utf8)
    try scratch.file("run.log", text)

    // What the system waited for explains the kill, and is what the finding is about.
    let request =
      try #require(
        text.components(separatedBy: "\n").firstIndex {
          $0.contains("Sending scene action [Logical Background]")
        }) + 1

    let run = try CommandRun(
      "analyze", "--app", "Notes", "run.log", "--fail-on", "never", "--format", "sarif=out.sarif",
      "--format", "gitlab=out.gitlab", "--format", "github", in: scratch.url)
    #expect(run.output.contains("::error file=run.log,line=\(request),title=tracectl%3A death"))
    let sarif = try String(
      contentsOf: scratch.url.appendingPathComponent("out.sarif"), encoding: .utf8)
    #expect(sarif.contains("\"startLine\": \(request)"))

    let gitlab = try String(
      contentsOf: scratch.url.appendingPathComponent("out.gitlab"), encoding: .utf8)
    #expect(gitlab.contains("\"begin\": \(request)"))

    // A binary log that was made of it has no lines, whatever its events say.
    _ = try CommandRun(
      "record", "--source", "console", "--app", "Notes", "run.log", "-o", "run.bin", in: scratch.url
    )
    let binary = try CommandRun(
      "analyze", "run.bin", "--fail-on", "never", "--format", "github", in: scratch.url)
    #expect(binary.output.contains("::error file=run.bin,title="), "\(binary.errors)")
  }

  /// Where the log is a text, the line that a report names is the one that says the event.
  @Test func linesOfATextAreThoseOfItsEvents() throws {
    let trace = SampleTests.samples("traces", "trace")[0]
    let notation = try String(contentsOf: trace, encoding: .utf8)
    // Comments, blank lines, lines of other times, other line ends: an event stays in its line.
    let shuffled =
      notation.split(separator: "\n", omittingEmptySubsequences: false).reversed()
      .joined(separator: "\r\n\r\n# a comment\r\n")

    for (name, text) in [("a.trace", notation), ("b.trace", shuffled)] {
      let log = try scratch.file(name, text)
      let lines = text.replacing("\r\n", with: "\n").split(
        separator: "\n", omittingEmptySubsequences: false)
      let run = try CommandRun(
        "analyze", log.path, "--fail-on", "never", "--format", "sarif=out.sarif", "--format",
        "gitlab=out.gitlab", "--format", "github", in: scratch.url)
      #expect(run.status == 0, "\(run.errors)")
      let json = try JSONSerialization.jsonObject(
        with: Data(contentsOf: scratch.url.appendingPathComponent("out.sarif")))
      let places = Self.places(json)
      #expect(places.count > 10)
      for (line, event) in places {
        let stands = try TraceNotation.parse(String(lines[line - 1]))
        #expect(try stands.events.count == 1 && stands == TraceNotation.parse(event), "\(event)")
      }
      let results = ((json as? [String: Any])?["runs"] as? [[String: Any]])?[0]["results"]
      let first = try #require((results as? [[String: Any]])?.first)
      let region = Self.region((first["locations"] as? [[String: Any]])?[0])
      #expect(places.contains { $0.line == region })
      let gitlab = try JSONSerialization.jsonObject(
        with: Data(contentsOf: scratch.url.appendingPathComponent("out.gitlab")))
      let begins = (gitlab as? [[String: Any]] ?? []).compactMap {
        (($0["location"] as? [String: Any])?["lines"] as? [String: Int])?["begin"]
      }
      #expect(begins.first == region && !begins.contains(1))
      #expect(run.output.contains(",line=\(try #require(region)),title="), "\(run.output)")
    }
  }

  private static func region(_ location: [String: Any]?) -> Int? {
    let physical = location?["physicalLocation"] as? [String: Any]
    return (physical?["region"] as? [String: Any])?["startLine"] as? Int
  }

  /// The steps of all flows: a line, and the event in notation.
  private static func places(_ json: Any?) -> [(line: Int, event: String)] {
    if let list = json as? [Any] { return list.flatMap(places) }
    guard let object = json as? [String: Any] else { return [] }
    guard object["executionOrder"] != nil else { return object.values.flatMap(places) }
    let location = object["location"] as? [String: Any]
    let message = (location?["message"] as? [String: Any])?["text"] as? String
    guard let line = region(location),
      let event = message?.split(separator: ": ", maxSplits: 1).last
    else { return [] }
    return [(line, String(event))]
  }

  @Test func aBinaryLogHasNoLines() throws {
    let index = try #require(SampleReports.made.get().names.firstIndex(of: "leaked-task.yml"))
    let text = try String(contentsOf: files("sarif")[index], encoding: .utf8)
    #expect(text.contains("\"codeFlows\"") && !text.contains("\"region\""))
  }

  @Test func gitlabHasWhatItsPageAsksFor() throws {
    var count = 0
    for file in try files("gitlab") {
      let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
      let entries = try #require(json as? [[String: Any]])
      var prints: Set<String> = []
      for entry in entries {
        let texts = ["description", "check_name", "fingerprint"].map { entry[$0] as? String ?? "" }
        #expect(texts.allSatisfy { !$0.isEmpty })
        #expect(prints.insert(texts[2]).inserted, "a fingerprint comes twice")
        let severity = try #require(entry["severity"] as? String)
        #expect(["info", "minor", "major", "critical", "blocker"].contains(severity))
        let location = try #require(entry["location"] as? [String: Any])
        #expect(location["path"] is String)
        #expect((location["lines"] as? [String: Int])?["begin"] ?? 0 >= 1)
        count += 1
      }
    }
    #expect(count > 20)
  }

  @Test func everySampleSaysTheSameInEveryForm() throws {
    let reports = try SampleReports.made.get()
    for name in reports.names {
      func json(_ form: String) throws -> Any {
        let index = try #require(reports.names.firstIndex(of: name))
        return try JSONSerialization.jsonObject(with: Data(contentsOf: reports.files(form)[index]))
      }
      func rules(_ findings: Any?) -> [String] {
        (findings as? [[String: Any]] ?? []).flatMap {
          [$0["rule"] as? String ?? ""] + rules($0["dependents"])
        }
      }

      let expected = rules((try json("json") as? [String: Any])?["findings"])
      let runs = (try json("sarif") as? [String: Any])?["runs"] as? [[String: Any]]
      let results = runs?.first?["results"] as? [[String: Any]] ?? []
      #expect(results.compactMap { $0["ruleId"] as? String } == expected, "\(name)")
      let entries = try #require(try json("gitlab") as? [[String: Any]])
      #expect(Set(entries.compactMap { $0["check_name"] as? String }) == Set(expected), "\(name)")

      for form in ["junit", "markdown", "github"] {
        let index = try #require(reports.names.firstIndex(of: name))
        let text = try String(contentsOf: reports.files(form)[index], encoding: .utf8)
        #expect(expected.allSatisfy { text.contains($0) }, "\(name) as \(form)")
      }
    }
  }
}
