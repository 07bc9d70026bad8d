import Foundation
import LifecycleModel
import Testing
import TraceText

/// What the documents show is what the command does.
@Suite struct DocumentTests {
  /// A command that a document shows, with the output below it.
  struct Shown: CustomTestStringConvertible, Sendable {
    let command: String
    /// The lines of the output; a last line of `…` leaves the rest out.
    let output: [String]

    var testDescription: String { command }

    /// Whether it runs the sample app, and not tracectl.
    var isApp: Bool { command.hasPrefix("note-taker") }
  }

  /// The commands in the fenced blocks of the README.
  static let sessions: [Shown] = {
    let file = CommandRun.root.appendingPathComponent("README.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    var sessions: [Shown] = []
    for (index, block) in text.components(separatedBy: "```").enumerated() where index % 2 == 1 {
      for part in ("\n" + block).components(separatedBy: "\n$ ").dropFirst() {
        var lines = part.components(separatedBy: "\n")
        let command = lines.removeFirst()
        while lines.last == "" { lines.removeLast() }
        sessions.append(Shown(command: command, output: lines))
      }
    }
    return sessions
  }()

  @Test func theReadmeShowsASession() {
    #expect(Self.sessions.count >= 3)
    let (apps, commands) = (Self.sessions.filter(\.isApp), Self.sessions.filter { !$0.isApp })
    #expect(commands.allSatisfy { $0.command.hasPrefix("tracectl ") && !$0.output.isEmpty })
    #expect(apps.map(\.command) == ["note-taker crash", "note-taker"])
  }

  @Test func theReadmesSessionsAreReal() throws {
    let scratch = try ScratchFolder()
    try FileManager.default.createSymbolicLink(
      at: scratch.url.appendingPathComponent("samples"),
      withDestinationURL: CommandRun.root.appendingPathComponent("samples"))
    for shown in Self.sessions {
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
      if shown.output.last == "…" {
        let kept = shown.output.dropLast()
        #expect(Array(printed.prefix(kept.count)) == Array(kept), "\(shown.command)")
      } else {
        #expect(printed == shown.output, "\(shown.command)")
      }
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
