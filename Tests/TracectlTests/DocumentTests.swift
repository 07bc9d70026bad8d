import Foundation
import LifecycleModel
import Testing
import TraceText

/// What the documents show is what the command does.
@Suite struct DocumentTests {
  /// A command that a document shows, with the output below it.
  struct Shown: Sendable {
    let command: String
    /// The lines of the output; a line of `…` stands for any lines.
    let output: [String]

    /// Whether it runs the sample app, and not tracectl.
    var isApp: Bool { command.hasPrefix("note-taker") }

    /// The lines as they are compared: in those of the app, numbers differ from run to run.
    private func plain(_ lines: [String]) -> [String] {
      isApp ? lines.map { $0.replacing(/[0-9][0-9.:]*(us|ms)?/, with: "0") } : lines
    }

    /// Whether these lines are what the document shows.
    func fits(_ printed: [String]) -> Bool {
      var rest = plain(printed)[...]
      let parts = plain(output).split(separator: "…", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        let starts = index == 0 ? 0...0 : 0...max(0, rest.count - part.count)
        let isLast = index == parts.count - 1
        let start = starts.first { start in
          let tail = rest.dropFirst(start)
          return tail.starts(with: part) && (!isLast || part.isEmpty || tail.count == part.count)
        }
        guard let start else { return false }
        rest = rest.dropFirst(start + part.count)
      }
      return output.last == "…" || rest.isEmpty
    }
  }

  /// The README and the guides, but for the tutorial, which runs an app in real time.
  static let documents = MarkdownFile.all.filter {
    $0.path == "README.md" || $0.path.wholeMatch(of: /docs\/(?!tutorial)[^\/]+\.md/) != nil
  }

  private static func sessions(of document: MarkdownFile) -> [Shown] {
    document.blocks.flatMap { block in
      ("\n" + block.text).components(separatedBy: "\n$ ").dropFirst().map { part in
        var lines = part.components(separatedBy: "\n")
        let command = lines.removeFirst()
        while lines.last == "" { lines.removeLast() }
        return Shown(command: command, output: lines)
      }
    }
  }

  @Test func theDocumentsShowSessions() {
    let sessions = Self.documents.flatMap(Self.sessions)
    let (apps, commands) = (sessions.filter(\.isApp), sessions.filter { !$0.isApp })
    #expect(commands.count >= 20)
    #expect(commands.filter { !$0.command.hasPrefix("tracectl ") }.map(\.command) == [])
    let ends = ["hang", "", "hang", "background", "", "crash", ""]
    #expect(apps.map(\.command) == ends.map { $0.isEmpty ? "note-taker" : "note-taker \($0)" })
    for document in ["README.md", "docs/getting-started.md", "docs/recording.md", "docs/ci.md"] {
      #expect(Self.documents.contains { $0.path == document && !Self.sessions(of: $0).isEmpty })
    }
  }

  @Test(arguments: documents) func itsSessionsAreReal(document: MarkdownFile) throws {
    let scratch = try ScratchFolder()
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appendingPathComponent("samples"),
      withDestinationURL: CommandRun.root.appendingPathComponent("samples"))

    for shown in Self.sessions(of: document) {
      let words = shown.command.split(separator: " ").dropFirst().map(String.init)
      let run =
        shown.isApp
        ? try CommandRun(program: [CommandRun.built("note-taker")] + words, in: scratch.url)
        : try CommandRun(words, in: scratch.url)
      if shown.command == "note-taker crash" {
        // What Swift prints of a crash differs from machine to machine.
        #expect(run.status > 128)
        continue
      }

      var printed = (run.errors + run.output).components(separatedBy: "\n")
      while printed.last == "" { printed.removeLast() }
      let text = printed.joined(separator: "\n")
      #expect(shown.fits(printed), "\(document.path): \(shown.command) prints\n\(text)")
    }
  }

  @Test func theTutorialIsReal() throws {
    let built = CommandRun.command.deletingLastPathComponent().path
    let script = CommandRun.root.appendingPathComponent("tools/half-hour").path
    let played = try CommandRun(program: [script], environment: ["TRACECTL_BIN": built])
    #expect(played.status == 0, "\(played.errors)\n\(played.output)")
  }

  @Test func theRulesOfTheDocumentsDoWhatTheySay() throws {
    let blocks = Self.documents.flatMap(\.blocks)
      .filter { $0.language == "yaml" && $0.text.hasPrefix("patterns:") }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let scratch = try ScratchFolder()
      try scratch.file("rule.yml", block.text)
      let run = try CommandRun("config", "check", "rule.yml", in: scratch.url)
      #expect(run.status == 0 && run.output.hasPrefix("ok "), "\(run.output)\(run.errors)")
    }
  }

  @Test func theConfigurationsOfTheDocumentsAreRight() throws {
    let blocks = Self.documents.flatMap(\.blocks)
      .filter { $0.language == "yaml" && $0.text.hasPrefix("rules:") }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let scratch = try ScratchFolder()
      try scratch.file(".tracectl.yml", block.text)
      try scratch.file(
        "tracectl-baseline.jsonl", "{\"schema\":\"tracectl-baseline\",\"version\":1}\n")
      let run = try CommandRun("config", "check", in: scratch.url)
      #expect(run.status == 0, "\(run.output)\(run.errors)")
    }
  }

  @Test func theExamplesOfTheEventsArticleAreTraces() throws {
    let article = CommandRun.root.appendingPathComponent(
      "Sources/LifecycleModel/LifecycleModel.docc/Events.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let blocks = text.components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 1 }.map(\.element)
    let notation = try #require(blocks.first { $0.contains("process.start app") })
    let trace = try TraceNotation.parse(notation)
    #expect(trace.events.count == 16)
    #expect(try TraceNotation.parse(TraceNotation.print(trace)) == trace)
    let lines = try #require(blocks.first { $0.contains("{\"t\":") })
    #expect(try NDJSON.parse(lines).events.count == 1)
  }

  @Test func theEventsArticleNamesEveryWord() throws {
    let article = CommandRun.root.appendingPathComponent(
      "Sources/LifecycleModel/LifecycleModel.docc/Events.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    for callback in Callback.allCases { #expect(text.contains("`\(callback.rawValue)`")) }
    for notification in LifecycleNotification.allCases {
      let name = try #require(notification.rawValue.split(separator: ".").last)
      #expect(text.contains("`\(name)`"))
    }

    for category in WorkCategory.allCases { #expect(text.contains("`\(category.rawValue)`")) }
    for resource in Resource.allCases { #expect(text.contains("`\(resource.rawValue)`")) }
    for hook in Hook.allCases { #expect(text.contains("`\(hook.rawValue)`")) }
  }
}
