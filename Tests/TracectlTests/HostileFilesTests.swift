import Foundation
import TestTime
import Testing

/// Small files that once took minutes, gigabytes or a terminal, which lie beside the package and not in it.
@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: HostileFiles.folder.path),
    "SKIPPED: the files that hurt are not there: ../shared/data/hostile"))
struct HostileFilesTests {
  /// With the statuses that they may end with; the first one is tried by day too.
  private static let commands: [(words: [String], statuses: Set<Int32>)] = [
    (["analyze"], [0, 1, 3]), (["verify"], [0, 1, 3]), (["dump"], [0, 3]),
    (["baseline", "write", "-o", "known.jsonl"], [0, 3]),
  ]

  /// How long they take is measured by `tools/bench`, where nothing else takes the time.
  @Test(.tags(.nightly)) func eachIsReadOrRefused() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: HostileFiles.folder.path)
      .sorted()
      .filter { !$0.hasSuffix(".md") && !$0.hasSuffix(".py") }
    #expect(files.count > 5)
    for file in files {
      for (words, statuses) in Self.commands.prefix(Nightly.count(1, all: Self.commands.count)) {
        let scratch = try ScratchFolder()
        let run = try CommandRun(
          words + [HostileFiles.folder.appendingPathComponent(file).path], in: scratch.url)
        let context = "\(words.joined(separator: " ")) \(file)"
        #expect(statuses.contains(run.status), "\(context): \(run.status) \(run.errors)")
        #expect(run.output.utf8.count < 20 << 20, "\(context)")
        let isInert = run.output.unicodeScalars.allSatisfy { $0.value >= 32 || $0 == "\n" }
        #expect(isInert, "\(context): a control character reaches the terminal")
      }
    }
  }
}

private enum HostileFiles {
  static let folder = CommandRun.root.deletingLastPathComponent()
    .appendingPathComponent("shared/data/hostile")
}
