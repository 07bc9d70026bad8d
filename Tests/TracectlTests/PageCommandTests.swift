import Foundation
import Testing

/// `tracectl report`: pages for a browser.
@Suite struct PageCommandTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func page(_ name: String) throws -> String {
    try String(contentsOf: scratch.url.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func itWritesOnePage() throws {
    let sample = SampleTests.samples("traces", "trace")[0].path
    let run = try CommandRun("report", sample, "-o", scratch.path("report.html"))
    #expect(run.status == 0 && run.output == "", "\(run.errors)")
    let page = try page("report.html")
    #expect(page.hasPrefix("<!doctype html>\n") && page.hasSuffix("</script></body></html>\n"))
    #expect(
      page.contains(
        "<h1>Background task &quot;save&quot;, not ended after 33.5s in the background"))
    #expect(run.errors.hasSuffix("wrote \(scratch.path("report.html"))\n"))
  }

  /// A page takes the place of a page, and of no other file.
  @Test func whatIsNoPageIsNotReplaced() throws {
    let sample = SampleTests.samples("traces", "trace")[0].path
    try scratch.file("notes.html", "my notes")
    let run = try CommandRun("report", sample, "-o", scratch.path("notes.html"))
    #expect(run.status == 2 && run.errors.contains("is no page of tracectl"), "\(run.errors)")
    #expect(try page("notes.html") == "my notes")
    for _ in 0..<2 {
      #expect(try CommandRun("report", sample, sample, "-o", scratch.path("many")).status == 0)
    }
    #expect(try page("many.html").hasPrefix("<!doctype html>"))
  }

  /// The policy names the script and the style of the page by their hashes, and nothing else.
  @Test(.enabled(if: CommandRun.machineHas("openssl")))
  func thePolicyAllowsThePartsOfThePageAlone() throws {
    let sample = SampleTests.samples("traces", "trace")[0].path
    #expect(try CommandRun("report", sample, "-o", scratch.path("report.html")).status == 0)
    #expect(try CommandRun("report", sample, sample, "-o", scratch.path("index.html")).status == 0)

    for name in ["report.html", "index.html"] {
      let html = try page(name)
      let policy = try #require(html.firstMatch(of: /Policy" content="([^"]*)"/)).output.1
        .replacing("&#39;", with: "'")
      let parts = html.matches(of: /<(script|style)>([\s\S]*?)<\/(?:script|style)>/)
      #expect(parts.count == 2)
      for part in parts {
        let hash = try CommandRun(
          program: ["sh", "-c", "openssl dgst -sha256 -binary | openssl base64"],
          input: String(part.output.2)
        ).output.filter { $0 != "\n" }
        #expect(
          policy.contains("\(part.output.1)-src 'sha256-\(hash)';"),
          "the \(part.output.1) has the hash \(hash); run tools/page")
      }
      #expect(policy.hasPrefix("default-src 'none';"))
      #expect(policy.matches(of: /-src '/).count == 3)
      #expect(policy.contains("require-trusted-types-for 'script'; trusted-types 'none'"))
    }
  }

  /// The page embeds what `tools/page` makes of the files in `Sources/CPage`.
  @Test(.enabled(if: CommandRun.machineHas("python3"))) func theEmbeddedPartsAreNotStale() throws {
    let check = try CommandRun(program: ["python3", "tools/page", "--check"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
  }

  /// Equal logs give equal bytes.
  @Test func itWritesTheSamePageAgain() throws {
    let sample = SampleTests.samples("traces", "trace")[0].path
    for name in ["one.html", "two.html"] {
      #expect(try CommandRun("report", sample, "-o", scratch.path(name)).status == 0)
    }
    #expect(try page("one.html") == page("two.html"))
  }

  /// No page is larger than the article `PageFormat` says.
  @Test func pagesAreSmall() throws {
    // The page has the log's path, which is short here.
    for folder in ["traces", "console"] {
      for sample in SampleTests.samples(folder, "trace") {
        try expectSmallPage("samples/\(folder)/\(sample.lastPathComponent)")
      }
    }
  }

  private func expectSmallPage(_ sample: String) throws {
    let run = try CommandRun("report", sample, "-o", scratch.path("page.html"))
    #expect(run.status == 0, "\(run.errors)")
    let page = try page("page.html")
    let count = page.matches(of: #/(\d+) events?, /#).first.flatMap { Int($0.output.1) } ?? 0
    #expect(page.utf8.count <= 64 * 1024 + 7 * count, "\(sample): \(page.utf8.count)")
  }

  // MARK: A part of a run

  @Test func aPartOfARunIsAPage() throws {
    let sample = SampleTests.samples("traces", "trace")[0].path
    let output = ["-o", scratch.path("part.html")]
    let run = try CommandRun(["report", sample, "--from", "1s", "--to", "12s"] + output)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try page("part.html").contains("This page draws the run from 1s to 12s, and "))

    let outside = try CommandRun(["report", sample, "--from", "5000s"] + output)
    #expect(outside.status == 2 && outside.errors.contains("has no events between --from and --to"))
    let backwards = try CommandRun(["report", sample, "--from", "5s", "--to", "4s"] + output)
    #expect(backwards.status == 2 && backwards.errors.contains("swap them"))
  }

  @Test func aPageOfSomeEventsSaysHowToSeeTheOthers() throws {
    let ticks = (0..<500).map { "\($0)s main work timer app \"tick\"" }
    let log = try scratch.file("a.trace", ticks.joined(separator: "\n") + "\n").path
    let run = try CommandRun("report", log, "--events", "100", "-o", scratch.path("a.html"))
    #expect(run.status == 0, "\(run.errors)")
    let words = try page("a.html").firstMatch(
      of: #/(\d+) of 500 events are drawn; <code>tracectl report ([^<]*)<\/code>/#)
    let drawn = try #require(words.flatMap { Int($0.output.1) })
    #expect((20...100).contains(drawn))
    #expect(words?.output.2.hasSuffix("a.trace --from A --to B") == true)

    let whole = try CommandRun("report", log, "-o", scratch.path("a.html"))
    #expect(whole.status == 0)
    #expect(try !page("a.html").contains("are drawn"))
    let none = try CommandRun("report", log, "--events", "0", "-o", scratch.path("a.html"))
    #expect(none.status == 2 && none.errors.contains("--events takes a number of events from 1 on"))
  }

  /// A page is no larger than a page may be, however long the texts of the log are.
  @Test func longTextsMakeNoLargePage() throws {
    var generator = SystemRandomNumberGenerator()
    let lines = (0..<40_000).map { tick in
      let text = (0..<60).map { _ in String(UInt32.random(in: 0 ... .max, using: &generator)) }
      return "\(tick)s main work timer app \"\(text.joined())\""
    }
    let log = try scratch.file("a.trace", lines.joined(separator: "\n") + "\n").path
    let run = try CommandRun("report", log, "-o", scratch.path("a.html"))
    #expect(run.status == 0, "\(run.errors)")
    let page = try page("a.html")
    #expect(page.utf8.count <= 8_000_000 && page.contains("of 40000 events are drawn"))
  }

  @Test func manyLogsGetAPageEachAndOneThatLeadsToThem() throws {
    try scratch.file("a.trace", "1s main work timer app\n")
    try scratch.file("b.trace", "nonsense\n")
    try FileManager.default.createDirectory(
      at: scratch.url.appendingPathComponent("more"), withIntermediateDirectories: false)
    try scratch.file("more/a.trace", "2s main work timer app\n")
    let run = try CommandRun(
      "report", scratch.path("a.trace"), scratch.path("b.trace"), scratch.path("more/a.trace"),
      "-o",
      scratch.path("all.html"))
    #expect(run.status == 3 && run.errors.contains("is in no format"), "\(run.errors)")

    let index = try page("all.html")
    #expect(
      index.contains("href=\"all/a.trace.html\"") && index.contains("href=\"all/a.trace.2.html\""))
    #expect(
      index.contains("is in no format that tracectl reads"),
      "an unreadable log is told with its reason")
    #expect(try page("all/a.trace.html").contains("id=\"data\""))
    #expect(try page("all/a.trace.2.html").contains("id=\"data\""))
  }

  /// A task has another number in each run.
  @Test func aTaskThatLeaksInManyLogsIsOneIssueWithLinksToThem() throws {
    for run in 1...4 {
      try scratch.file(
        "\(run).trace",
        """
        0s - profile mode=app hooks=app-delegate,system,tasks launch=user
        0s - process.start app pid=\(run) launch=user
        \(run)s main task.begin task:\(run) "sync" handler=true
        10s main call applicationDidEnterBackground app
        10s main return applicationDidEnterBackground app
        \(40 + run)s - kill app code=0x8badf00d namespace=SPRINGBOARD reason=x

        """)
    }
    let run = try CommandRun(
      ["report", "1.trace", "2.trace", "3.trace", "4.trace", "-o", "all.html"], in: scratch.url)
    #expect(run.status == 0, "\(run.errors)")

    let index = try page("all.html")
    let issues = index.components(separatedBy: "<tr ").dropFirst()
      .filter { $0.contains("&quot;sync&quot;") }
    #expect(issues.count == 1, "\(issues)")
    let issue = try #require(issues.first)
    #expect(issue.contains("<td data-name=\"times\" data-value=\"4\">4</td>"), "\(issue)")
    for run in 1...4 { #expect(issue.contains("<a href=\"all/\(run).trace.html#finding=")) }
  }

  @Test func whatCannotBeDoneIsSaid() throws {
    let log = try scratch.file("a.trace", "1s main work timer app\n").path
    let overwriting = try CommandRun("report", log, "-o", log)
    #expect(overwriting.status == 2 && overwriting.errors.contains("would overwrite"))
    let empty = try scratch.file("empty.trace", "").path
    let nothing = try CommandRun("report", empty, "-o", scratch.path("a.html"))
    #expect(nothing.status == 3, "\(nothing.errors)")
    let folder = try CommandRun("report", log, "-o", scratch.url.path)
    #expect(folder.status == 3 && folder.errors.contains("it is a directory"))
  }
}
