import Foundation
import Testing
import TraceRecorder

/// What the sample app says at its launch about the run before: the tables of the guide, executed.
@Suite struct LastRunTests {
  /// A row of a table: how the app ends, and what its next launch says.
  struct Row: Sendable, CustomTestStringConvertible {
    let ends: String
    let says: String
    var testDescription: String { ends }
  }

  private static let guide: [String] = {
    let file = CommandRun.root.appendingPathComponent("docs/in-your-app.md")
    return (try? String(contentsOf: file, encoding: .utf8))?.components(separatedBy: "\n") ?? []
  }()

  /// The cells of the rows of the table whose head begins with `head`.
  private static func table(_ head: String) -> [[String]] {
    guide.drop { !$0.hasPrefix("| \(head) |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
      .map { row in
        row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      }
  }

  private static let rows = table("ends").map { Row(ends: $0[0], says: $0[1]) }

  /// Runs a command of a row, in which the app is the one that was built.
  private static func run(_ command: Substring, in scratch: ScratchFolder) throws -> CommandRun {
    let words = command.split(separator: " ").map(String.init)
    let program = words.map { $0 == "note-taker" ? CommandRun.built($0) : $0 }
    return try CommandRun(program: program, in: scratch.url)
  }

  @Test func thereAreTenEnds() {
    #expect(Self.rows.count == 10)
    let kinds = Self.table("kind").map { $0[0].replacing("`", with: "") }
    let all = PreviousRun.Cause.Kind.allCases.map(\.rawValue)
    #expect(Set(kinds) == Set(all) && kinds.count == all.count)
  }

  @Test(arguments: rows) func theNextLaunchSaysIt(row: Row) throws {
    let scratch = try ScratchFolder()
    let commands = row.ends.split(separator: "`").enumerated()
      .filter { row.ends.hasPrefix("`") == ($0.offset % 2 == 0) }.map(\.element)
    if commands[0].hasPrefix("strace"), !CommandRun.machineHas("strace") { return }
    _ = try Self.run(commands[0], in: scratch)
    let next = try Self.run(commands.count > 1 ? commands[1] : "note-taker", in: scratch)
    let first = next.output.components(separatedBy: "\n").first ?? ""
    #expect(first == "last run: \(row.says); its log: flight.bin", "\(next.output)")
    #expect(next.output.contains("\n  the app was "))
  }

  @Test func theMemoryOfTheLastRunIsKnown() throws {
    let scratch = try ScratchFolder()
    _ = try Self.run("note-taker background", in: scratch)
    let next = try Self.run("note-taker", in: scratch).output
    #expect(next.contains(/it used [1-9][0-9]* MB of memory/), "\(next)")
  }
}
