import Foundation
import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

@testable import TraceReport
@testable import TraceResults

/// Words that a terminal, a browser, a build server or an editor would act on do nothing in any form.
@Suite struct InertFormatsTests {
  /// Each would do something somewhere, as it is.
  private static let active = [
    "\u{1b}[31m", "\r", "\n::error::x", "::set-output name=a::b", "::stop-commands::x", "\u{9b}2J",
    "</script>", "<img src=x onerror=alert(1)>", "]]>", "<![CDATA[", "-->", "</details>", "|",
    "`code`", "```", "[a](http://x.example)", "@octocat", "#1", "##[error]x", "##vso[task.x]",
    "%0A::error::y", "\u{7}", "\u{202e}gnp", "\u{2066}", "\u{2028}", "\u{7f}", "{0}", "&amp;", "'",
    "\\|", "\\`", "{label}",
  ]
  private static let hostile = active.joined(separator: " ")

  /// Results whose every text is hostile: names, labels, threads, attributes, the log's name, reasons.
  private static func results() throws -> (one: AnalysisResults, many: AnalysisResults) {
    let word = JSONTextQuoted.quoted(hostile.replacing("\\", with: "\\\\"))
    var bench = try FormatBench(
      """
      0s - profile mode=app os=18.2 hooks=work,app-delegate,tasks,resources,system extra=\(word)
      0s - process.start app launch=user
      1s main call applicationDidEnterBackground app
      2s \(word) work timer app \(word) \(word)=\(word)
      2s main acquire lock app \(word)
      4s \(word) task.begin task:1 \(word) handler=true
      40s - suspend app
      45s - gap \(word) 1 writer=\(word)
      50s - kill app reason=\(word) code=0xdead10cc
      """, log: hostile)

    let rules = Set(bench.analysis.findings.map(\.rule))
    #expect(rules.count >= 3, "\(rules)")
    for (index, rule) in rules.sorted().enumerated() where index % 2 == 0 {
      bench.accept(rule, hostile, at: hostile)
    }

    var results = bench.results
    results.merge(
      AnalysisResults(unreadable: .init(log: InertText.word(hostile), error: hostile)))
    return (bench.results, results)
  }

  /// Every form of the hostile results, by its name.
  private static func forms() throws -> [(form: String, text: String)] {
    let (one, results) = try results()
    return [
      ("text", TextReport(one).text), ("text", TextReport(results).text),
      ("json", try one.json), ("json", try results.json),
      ("sarif", SARIFReport(results, toolVersion: "1.0.0").text),
      ("junit", JUnitReport(results, of: hostile).text),
      ("github", GitHubReport(results: results).text),
      ("gitlab", GitLabReport(results: results).text),
      ("xcode", XcodeReport(results: results).text),
      ("markdown", MarkdownReport(results: results).text),
    ]
  }

  @Test func noFormHasAControlCharacterOrAnotherDirection() throws {
    for (form, text) in try Self.forms() {
      #expect(text.contains("octocat"), "\(form) shows the words")
      for scalar in text.unicodeScalars where scalar != "\n" {
        let category = scalar.properties.generalCategory
        #expect(
          category != .control && category != .lineSeparator
            && !scalar.properties.isBidiControl, "\(form): U+\(String(scalar.value, radix: 16))")
      }
    }
  }

  @Test func noFormHasAWorkflowCommandOfTheLogs() throws {
    for (form, text) in try Self.forms() {
      for line in text.split(separator: "\n") {
        #expect(!line.contains("##["), "\(form)")
        #expect(!line.contains("##vso["), "\(form)")
        let start = line.trimmingPrefix(while: \.isWhitespace)
        if form == "github" {
          let kinds = ["::error ", "::warning ", "::notice "]
          #expect(kinds.contains { start.hasPrefix($0) }, "\(line)")
          let head = start.dropFirst(2).components(separatedBy: "::")[0]
          let properties = head.split(separator: " ", maxSplits: 1)[1].split(separator: ",")
          #expect(
            properties.allSatisfy { $0.hasPrefix("file=") || $0.hasPrefix("title=") }, "\(head)")
        } else {
          #expect(!start.hasPrefix("::"), "\(form)")
        }
      }
    }
  }

  @Test func jsonFormsAreJSON() throws {
    for (form, text) in try Self.forms() {
      switch form {
      case "json", "sarif", "gitlab": _ = try JSON(text)
      default: break
      }
    }
  }

  @Test func theLogsNameComesThroughJSONAsItIs() throws {
    let results = try Self.results().many
    let run = try JSON(SARIFReport(results, toolVersion: "1.0.0").text)["runs"][0]
    let place = run["results"][0]["locations"][0]["physicalLocation"]
    let uri = try #require(place["artifactLocation"]["uri"].text)
    #expect(uri.removingPercentEncoding == Self.hostile)
    #expect(uri.allSatisfy { $0.isASCII && !" <>\"{}|\\^`".contains($0) })
    let report = try JSON(results.json)
    #expect(report["findings"][0]["log"].text == InertText.word(Self.hostile))
  }

  @Test func theXMLHasItsOwnMarkupOnly() throws {
    let text = try #require(try Self.forms().first { $0.form == "junit" }?.text)
    let names = Set(text.matches(of: #/<[/?]?([^ />?]*)/#).map { String($0.output.1) })
    let own: Set = [
      "xml", "testsuites", "testsuite", "properties", "property", "testcase", "failure", "skipped",
      "error", "system-out", "system-err",
    ]
    #expect(names == own, "\(names.symmetricDifference(own))")
    #expect(!text.contains("]]>"))
    let entities = Set(text.matches(of: #/&[^;]{0,6};?/#).map { String($0.output) })
    #expect(entities.isSubset(of: ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"]), "\(entities)")
  }

  /// Takes spans and blocks of code away, as a Markdown reader does: what is left may act.
  private func withoutCode(_ markdown: String) -> String {
    var isInBlock = false
    var rest: [Substring] = []
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInBlock.toggle()
      } else if !isInBlock {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        #expect(parts.count % 2 == 1, "a span of code is open: \(line)")
        rest.append(
          Substring(
            parts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element).joined()))
      }
    }

    #expect(!isInBlock)
    return rest.joined(separator: "\n")
  }

  @Test func inMarkdownAllOfItIsCode() throws {
    let text = try #require(try Self.forms().first { $0.form == "markdown" }?.text)
    let rest = withoutCode(text)
    for word in ["octocat", "<img", "</script>", "http", "]]>", "&amp;", "#1", "[a]"] {
      #expect(!rest.contains(word), "\(word)")
    }

    #expect(rest.components(separatedBy: "<details>").count > 3)
    #expect(
      rest.components(separatedBy: "<details>").count
        == rest.components(separatedBy: "</details>").count)

    // A row of a table has its four cells, or its three, or its two.
    for row in text.split(separator: "\n") where row.hasPrefix("| ") {
      let bars = row.count { $0 == "|" }
      #expect(bars == 5 || bars == 4 || bars == 3, "\(row)")
    }
  }

  @Test func theWordsOfARuleAreNotObeyedEither() throws {
    var results = try FormatBench(FormatBench.hole).results
    let index = try #require(results.rules.firstIndex { $0.rule.id == "lost-events" })
    results.rules[index].rule.summary = Self.hostile
    let markdown = MarkdownReport(results: results).text
    #expect(markdown.contains("octocat"))
    let rest = withoutCode(markdown)
    for word in ["octocat", "<img", "</script>", "http", "]]>", "&amp;", "#1", "[a]"] {
      #expect(!rest.contains(word), "\(word)")
    }
  }
}
