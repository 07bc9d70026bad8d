import Foundation
import LifecycleModel
import Testing
import TraceSources
import TraceText

/// Whatever mail, forums and tools put around a text, it says the same.
@Suite struct PasteMutationTests {
  private static let inputs = [
    "crash-last-exception-backtrace.crash", "crash-locked-file-named.crash", "cpu-fatal-206.ips",
    "ios27-no-scenes.ips", "console-locked-files.log", "console-cpu-fatal-trigger.log",
    "kernel-lines-two-blanks.log", "task-not-ended-in-prose.txt", "gpu-in-background.log",
    "scene-delegate-not-loaded.log",
  ]

  /// A way in which texts are changed on their way.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (String) -> String

    init(_ name: String, _ apply: @escaping @Sendable (String) -> String) {
      (testDescription, self.apply) = (name, apply)
    }

    /// A change of each line, with its number from 1.
    static func lines(
      _ name: String, _ change: @escaping @Sendable (Int, Substring) -> String
    ) -> Change {
      Change(name) { text in
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().map { change($0 + 1, $1) }.joined(separator: "\n")
      }
    }
  }

  private static let prose =
    "When I open the app from the widget it goes away.\nIt happens daily.\n\n"

  static let changes: [Change] = [
    Change("a byte order mark") { "\u{feff}" + $0 }, .lines("CR LF") { $1 + "\r" },
    .lines("a quotation") { "> \($1)" }, .lines("a quotation of a quotation") { "> > \($1)" },
    .lines("a quotation without a blank") { ">\($1)" },
    Change("a fence") { prose + "```\n\($0)\n```\n\nAny idea?\n" },
    Change("a fence with a language") { prose + "```text\n\($0)\n```\nthanks" },
    Change("another fence") { prose + "~~~\n\($0)\n~~~\n" },
    Change("prose around it") { prose + $0 + "\n\nWhat can I do?\n" },
    Change("much prose before it") { String(repeating: prose, count: 140) + $0 },
    .lines("blanks before each line") { $1.isEmpty ? "" : "    \($1)" },
    .lines("a tab before each line") { "\t\($1)" },
    Change("HTML") { html($0) },
    Change("quotes as entities") { $0.replacing("\"", with: "&quot;") },
    Change("typographic quotes") { $0.replacing("\"", with: "”") },
    Change("no-break spaces") { $0.replacing("  ", with: "\u{a0} ") },
    Change("nothing but no-break spaces") { $0.replacing(" ", with: "\u{a0}") },
    .lines("numbers with a colon") { "\($0): \($1)" },
    .lines("numbers with a bar") { "  \($0) | \($1)" },
    .lines("numbers with a tab") { "\($0)\t\($1)" },
    Change("breaks at 76 columns") { broken($0, at: 76) },
    Change("breaks at 100 columns") { broken($0, at: 100) },
    Change("cuts at 80 columns") { cut($0, 80) },
    .lines("colours") { "\u{1b}[32m\($1)\u{1b}[0m" },
    .lines("a tool's time") { "2026-01-26T00:25:\(10 + $0 % 50).1234567Z \($1)" },
    .lines("backquotes") { $1.isEmpty ? "" : "`\($1)`" },
    .lines("blanks at the end") { "\($1)   " },
    Change("dashes around it") { "----- report -----\n\($0)\n-----\n" },
    Change("a title in brackets") { "[iOS] The app crashes\n\n" + $0 },
    Change("a title with a time") { "[2026-01-12 10:00:00] the app is gone\n\n" + $0 },
    Change("a link above it") { "[this post](https://example.com/1) says:\n\n" + $0 },
    Change("a title in quotation marks") { "\"It crashes\" is all I know:\n\n" + $0 },
    Change("a heading") { "## [Bug]: crash\n\n### Log\n" + $0 },
    Change("a folded part") { "<details><summary>Log</summary>\n\n\($0)\n</details>\n" },
    Change("marks of another wiki") { "{code}\n\($0)\n{code}\n" },
  ]

  @Test(arguments: changes) func itSaysTheSame(_ change: Change) throws {
    for name in Self.inputs {
      let bytes = try Captures.bytes(
        name, in: Captures.package.appending(path: "Tests/Inputs/pastes"))
      let text = String(decoding: bytes, as: UTF8.self)
      let plain = try said(by: text)
      #expect(!plain.isEmpty)
      #expect(try said(by: change.apply(text)) == plain, "\(name)")
    }
  }

  /// What the pieces of a text say: its ends and warnings in notation, without time, line, process and place in code,
  /// which stands at the end of long lines.
  private func said(by text: String) throws -> [String] {
    let paste = Paste(Array(text.utf8)[...])
    let console = paste.pieces.first { $0.report == nil }
    var (events, words): ([Event], [String]) = ([], [])
    if let console {
      var source = ConsoleSource(numbers: console.numbers)
      try source.take(console, into: &events)
      try source.finish(into: &events)
      words += Self.words(events, source.vocabulary)
    }

    let reports = paste.pieces.filter { $0.report != nil }
    if !reports.isEmpty {
      events = []
      var source = ReportSource()
      for piece in reports { try source.take(piece, into: &events) }
      try source.finish(into: &events)
      words += Self.words(events, source.vocabulary)
    }
    return words
  }

  private static func words(_ events: [Event], _ vocabulary: Vocabulary) -> [String] {
    events.compactMap { event in
      let said = vocabulary.attributes(event.attributes)
      guard [.kill, .exit].contains(event.verb) || said[.warning] != nil else { return nil }
      let kept = said.filter {
        ![AttributeKey.line, .pid, .reason, .at].map(\.rawValue).contains($0.key)
      }
      return "\(event.verb) \(kept.map { "\($0.key)=\($0.value)" })"
    }
  }

  // MARK: Changes

  private static func html(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  private static func broken(_ text: String, at width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var (lines, last): ([String], String) = ([], "")
      for word in line.split(separator: " ") {
        if !last.isEmpty, last.count + 1 + word.count > width {
          lines.append(last)
          last = String(word)
        } else {
          last += (last.isEmpty ? "" : " ") + word
        }
      }
      return (lines + [last]).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private static func cut(_ text: String, _ width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var (rest, parts): (Substring, [Substring]) = (line, [])
      repeat {
        parts.append(rest.prefix(width))
        rest = rest.dropFirst(width)
      } while !rest.isEmpty
      return parts.joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
