import Foundation
import Testing

/// What is no file is told as what it is, and nothing waits for it.
@Suite struct SpecialFileTests {
  private let scratch: ScratchFolder
  private static let trace = "0s - profile mode=app hooks=work\n1s main work timer app \"a\"\n"

  init() throws {
    scratch = try ScratchFolder()
    try scratch.file("run.trace", Self.trace)
    let record = try CommandRun(
      ["record", "--source", "trace", "-q", "-o", "log.bin", "run.trace"], in: scratch.url)
    #expect(record.status == 0, "\(record.errors)")
  }

  /// Each command, with a file that it reads called X.
  private static let readers = [
    "analyze X", "dump X", "verify X", "why X death", "timeline X", "timeline --changes X",
    "tail X",
    "report X", "export X --format perfetto", "diff X log.bin", "copy X --from 0s -o a.bin",
    "copy X log.bin -o a.bin", "copy --scrub X -o a.bin", "copy X -o a.bin", "baseline write X",
    "analyze X --baseline known.jsonl",
    "baseline prune X --baseline known.jsonl", "simulate X -o a.bin",
    "record --source trace X -o a.bin", "analyze log.bin --config X",
    "analyze log.bin --baseline X",
    "analyze log.bin --crash X", "query log.bin -f X",
    "export --tables all --format ndjson --files-from X",
    "config check X", "config check --config X", "explain --config X",
    "config show --config X", "explain death --config X",
  ]

  private func words(_ words: String, _ file: String) -> [String] {
    words.split(separator: " ").map { $0 == "X" ? file : String($0) }
  }

  private func run(_ words: String, _ file: String) throws -> CommandRun {
    try CommandRun(self.words(words, file), in: scratch.url)
  }

  @Test func noCommandReadsADeviceOrASocket() throws {
    try scratch.file("known.jsonl", "{\"schema\":\"tracectl-baseline\",\"version\":1}\n")
    try makeSocket("s")
    try FileManager.default.createDirectory(
      atPath: scratch.path("empty"), withIntermediateDirectories: false)

    for words in Self.readers {
      for (file, what) in [("/dev/zero", "is a device"), ("s", "is a socket")] {
        let run = try run(words, file)
        #expect([2, 3].contains(run.status), "\(words) \(file): \(run.status) \(run.errors)")
        #expect(run.errors.contains("\(file): \(what)"), "\(words): \(run.errors)")
        #expect(run.errors.contains("name a file"), "\(words): \(run.errors)")
      }
      let folder = try self.run(words, "empty")
      #expect([2, 3].contains(folder.status), "\(words): \(folder.status) \(folder.errors)")
      #expect(folder.errors.contains("directory"), "\(words): \(folder.errors)")
    }
  }

  private func makeSocket(_ name: String) throws {
    let script = """
      import os, socket
      socket.socket(socket.AF_UNIX).bind("\(name)")
      """
    let run = try CommandRun(program: ["python3", "-c", script], in: scratch.url)
    #expect(run.status == 0, "\(run.errors)")
  }

  /// All kinds of inputs are opened in these ways.
  @Test func nobodyWaitsForAPipeWithoutAWriter() throws {
    #expect(mkfifo(scratch.path("p"), 0o600) == 0)
    let ways = ["analyze X", "verify X", "explain --config X", "baseline write X"]
    let programs = ways.map { ["timeout", "30", CommandRun.command.path] + words($0, "p") }
    for (words, run) in zip(ways, try CommandRun.together(programs, in: scratch.url)) {
      #expect([2, 3].contains(run.status), "\(words): \(run.status)")
      let expected =
        "p: is a pipe that no program writes to; start that program first, or name a file"
      #expect(run.errors.contains(expected), "\(words): \(run.errors)")
    }
  }

  @Test func nobodyWaitsForAPipeWithoutAReader() throws {
    #expect(mkfifo(scratch.path("p"), 0o600) == 0)
    let run = try run("export log.bin --format perfetto -o X", "p")
    #expect(run.status == 3, "\(run.status)")
    #expect(run.errors.contains("p: is a pipe that no program reads"), "\(run.errors)")
    for words in ["copy log.bin --from 0s -o X", "record --source trace run.trace -o X"] {
      let log = try self.run(words, "p")
      #expect(
        log.status == 2 && log.errors.contains("p: is a pipe; write the log with -o -"), "\(log)")
    }
  }

  /// A program at the other end may be slow.
  @Test func aPipeThatIsWrittenIsRead() throws {
    let command = CommandRun.command.path
    for words in [
      "\(command) analyze <(sleep 0.2; cat log.bin)", "\(command) verify <(cat log.bin)",
      "\(command) dump <(cat run.trace)",
      "\(command) analyze --config <(echo 'strict: false') log.bin",
      "mkfifo p; (sleep 0.5; cat log.bin > p) & \(command) analyze p",
      "cat log.bin | \(command) dump /dev/stdin",
      "\(command) export log.bin --format perfetto -o >(cat >&2; true) && sleep 0.1",
      "\(command) dump log.bin > /dev/null; \(command) export log.bin --format perfetto -o /dev/stdout",
    ] {
      let run = try CommandRun(program: ["bash", "-c", words], in: scratch.url)
      #expect(run.status == 0 && !(run.output + run.errors).isEmpty, "\(words): \(run)")
    }
  }

  @Test func whatReadsALogTwiceTakesNoPipe() throws {
    let words = "\(CommandRun.command.path) timeline <(cat log.bin)"
    let run = try CommandRun(program: ["bash", "-c", words], in: scratch.url)
    #expect(run.status == 2 && run.errors.contains("must be a file, not a pipe"), "\(run)")
  }
}
