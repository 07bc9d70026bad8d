import Foundation
import Testing

/// Whatever is given to `analyze` is known by its first bytes.
@Suite struct InputFormTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private let trace = """
    0s - profile mode=app hooks=app-delegate,work
    10s main call applicationDidBecomeActive app
    11s main return applicationDidBecomeActive app

    """

  private let capture = """
    default\t10:00:00.000000+0200\tNotes\tDeactivation reason removed: 5; \
    deactivation reasons: 32 -> 0; animating
    default\t10:00:04.000000+0200\tNotes\tDeactivation reason added: 0; \
    deactivation reasons: 0 -> 1; animating
    default\t10:00:05.000000+0200\tNotes\tDeactivation reason added: 11; \
    deactivation reasons: 1 -> 2049; animating

    """

  private func run(_ arguments: String..., input: String = "") throws -> CommandRun {
    try CommandRun(arguments, input: input, in: scratch.url)
  }

  @Test func consoleTextIsImportedOnTheFly() throws {
    try scratch.file("capture.log", capture)
    let imported = try run("record", "--source", "console", "-o", "log.bin", "capture.log")
    #expect(imported.status == 0 && imported.errors.contains("Console.app copy, Notes, 3 lines"))
    let dump = try run("dump", "capture.log")
    #expect(dump.status == 0)
    #expect(try dump.output == run("dump", "log.bin").output)
    #expect(dump.output.contains("inactive->background app line=3"))

    let analysis = try run("analyze", "capture.log", "--format", "json")
    #expect(analysis.status == 0)
    #expect(analysis.output.contains("\"events\""))
    // From a pipe it is the same.
    #expect(try run("dump", "-", input: capture).output == dump.output)
  }

  @Test func anAppIsChosenWhereSeveralPrint() throws {
    let two = capture + capture.replacing("\tNotes\t", with: "\tTunes\t")
    try scratch.file("two.log", two)
    let several = try run("analyze", "-v", "two.log")
    #expect(several.status == 3 && several.errors.contains("pass --app"))
    #expect(try run("dump", "two.log", "--app", "Tunes").output.contains("line=6"))
    #expect(try run("analyze", "-v", "two.log", "--app", "Tunes").status == 0)
  }

  @Test(.enabled(if: CommandRun.machineHas("gzip"))) func gzipIsInflated() throws {
    try scratch.file("run.trace", trace)
    try scratch.file("capture.log", capture)
    _ = try run("record", "--source", "trace", "-o", "log.bin", "run.trace")
    for name in ["run.trace", "capture.log", "log.bin"] {
      let plain = try run("dump", name)
      let gzip = try CommandRun(program: ["gzip", "-k", name], in: scratch.url)
      #expect(gzip.status == 0)
      let inflated = try run("dump", name + ".gz")
      #expect(inflated.status == 0, "\(inflated.errors)")
      #expect(inflated.output == plain.output && !plain.output.isEmpty)
    }

    // Two members, one after the other, are one text.
    let bytes = try Data(contentsOf: scratch.url.appending(path: "run.trace.gz"))
    try (bytes + bytes).write(to: scratch.url.appending(path: "twice.gz"))
    #expect(try run("dump", "twice.gz").output.split(separator: "\n").count == 6)

    // Zeros are padding; what else follows may be a member that is damaged.
    try (bytes + Data(count: 700)).write(to: scratch.url.appending(path: "padded.gz"))
    #expect(try run("dump", "padded.gz").output.split(separator: "\n").count == 3)
    try (bytes + Data("more".utf8)).write(to: scratch.url.appending(path: "more.gz"))
    let more = try run("analyze", "-v", "more.gz")
    #expect(more.status == 3)
    #expect(
      more.errors.contains("more.gz: its compressed data is followed by something else; unpack"))
    let record = try run("record", "--source", "trace", "-o", "x.bin", "run.trace.gz")
    #expect(record.status == 3 && record.errors.contains("run.trace.gz: is compressed; unpack it"))

    // What is cut off or damaged is said, and what to do.
    try bytes.dropLast(12).write(to: scratch.url.appending(path: "cut.gz"))
    let cut = try run("analyze", "-v", "cut.gz")
    #expect(cut.status == 3)
    #expect(
      cut.errors.contains("cut.gz: its compressed data is truncated; unpack what is left"))
    var damaged = bytes
    damaged[damaged.count / 2] ^= 0xff
    try damaged.write(to: scratch.url.appending(path: "damaged.gz"))
    #expect(try run("analyze", "-v", "damaged.gz").status == 3)
  }

  @Test(arguments: [
    ("p.ips", "{\"bug_type\":\"210\",\"name\":\"kernel\"}\n{\n}\n", "a panic report"),
    ("s.ips", "{\"bug_type\":\"288\"}\n{\n  \"a\" : 1\n}\n", "a stackshot"),
    ("p.parquet", "PAR1abc", "a Parquet file"),
    ("z.zip", "PK\u{3}\u{4}abc", "a zip archive"),
    ("t.json", "{\"traceEvents\":[]}", "a Chrome trace"),
  ])
  func whatIsNotReadIsRefusedByItsName(name: String, text: String, what: String) throws {
    try scratch.file(name, text)
    for command in [["analyze"], ["dump"]] {
      let refused = try CommandRun(command + [name], in: scratch.url)
      #expect(refused.status == 3)
      #expect(
        refused.errors.hasPrefix("tracectl: \(name): is \(what)"), "\(refused.errors)")
      #expect(refused.errors.split(separator: "\n").count == 1)
    }
  }

  @Test(arguments: [
    ("a.ips", "{\"bug_type\":\"309\",\"name\":\"Notes\"}\n{\n  \"pid\" : 4\n}\n"),
    ("j.ips", "{\"bug_type\":\"298\"}\n{\n  \"processes\" : []\n}\n"),
    ("b.json", "{\n  \"procLaunch\" : \"2026-01-01\",\n  \"pid\" : 1\n}"),
    ("n.crash", "Incident Identifier: 1\nProcess: Notes [4]\n"),
    ("part.crash", "Application Specific Information:\nNotes[4] has active assertions\n"),
    ("m.json", "{\n \"crashDiagnostics\" : [ ]\n}"),
    ("s.json", "{\"breadcrumbs\":[{\"type\":\"x\"}]}"),
  ])
  func aReportIsReadAsATrace(name: String, text: String) throws {
    try scratch.file(name, text)
    let dump = try run("dump", name)
    #expect(dump.status == 0, "\(dump.errors)")
    #expect(dump.output.contains(" profile "))
    #expect(!dump.output.contains(" kill "))
  }

  @Test func aLogArchiveIsRefusedByItsName() throws {
    let path = scratch.url.appending(path: "phone.logarchive")
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    let refused = try run("analyze", "-v", "phone.logarchive")
    #expect(refused.status == 3)
    #expect(
      refused.errors.contains(
        "is a log archive; print it first: log show --archive phone.logarchive"))
  }

  @Test func answersCompleteWhatTheLogDoesNotSay() throws {
    try scratch.file("capture.log", capture)
    func profile(_ arguments: String...) throws -> String {
      try CommandRun(["analyze", "capture.log", "--verbose"] + arguments, in: scratch.url).output
    }
    #expect(try profile().contains("mode"))
    #expect(try profile("--profile", "mode=scene,os=18.2") != profile())
    try scratch.file("run.trace", trace)

    let contradicted = try run("analyze", "-v", "run.trace", "--profile", "mode=scene")
    #expect(
      contradicted.errors == "tracectl: run.trace: states mode=app itself; mode=scene is ignored\n")
    #expect(try contradicted.output == run("analyze", "-v", "run.trace").output)
    #expect(try run("analyze", "-v", "run.trace", "--profile", "os=eighteen").status == 2)
    try scratch.file(".tracectl.yml", "profile:\n  mode: scene\n  os: '18.2'\n")
    #expect(try profile() == profile("--config", "none", "--profile", "mode=scene,os=18.2"))
    try scratch.file(".tracectl.yml", "profile:\n  mode: window\n")
    #expect(try run("analyze", "-v", "capture.log").status == 2)
  }

  @Test func aPipeIsReadWhereItIsNamedAndSkippedInADirectory() throws {
    let folder = scratch.url.appending(path: "logs")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(trace.utf8).write(to: folder.appending(path: "run.trace"))
    #expect(mkfifo(folder.appending(path: "pipe.ndjson").path, 0o600) == 0)
    let directory = try run("analyze", "-v", "logs")
    #expect(directory.status == 0)
    #expect(
      directory.errors.contains("logs/pipe.ndjson: is not a regular file; name it to read it"))

    let script =
      "cat logs/run.trace > logs/pipe.ndjson & \(CommandRun.command.path) dump logs/pipe.ndjson"
    let named = try CommandRun(program: ["sh", "-c", script], in: scratch.url)
    #expect(named.status == 0)
    #expect(try named.output == run("dump", "logs/run.trace").output)
  }

  @Test func aNameThatIsNotUTF8IsSkippedWithItsReason() throws {
    let folder = scratch.url.appending(path: "logs")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(trace.utf8).write(to: folder.appending(path: "run.trace"))
    let name = Array("\(folder.path)/bad".utf8) + [0xff] + Array(".trace\0".utf8)
    let descriptor = name.withUnsafeBytes {
      $0.withMemoryRebound(to: CChar.self) { bytes in
        bytes.baseAddress.map { open($0, O_WRONLY | O_CREAT, 0o600) } ?? -1
      }
    }
    // Some file systems have no such names.
    guard descriptor >= 0 else { return }
    close(descriptor)
    let directory = try run("analyze", "-v", "logs")
    #expect(directory.status == 0)
    #expect(directory.errors.contains("has a name that is not UTF-8; rename it to read it"))
  }

  @Test func sizesAndTimesTakeTheirUsualForms() throws {
    try scratch.file("run.trace", trace)
    func status(_ options: String...) throws -> Int32 {
      let record = ["record", "--source", "trace", "--replace", "-o", "log.bin", "run.trace"]
      return try CommandRun(record + options, in: scratch.url).status
    }
    for size in ["64M", "64MB", "64MiB", "1.5G", "20000B", "64kB", "64m", "64k", "1.5g"] {
      #expect(try status("--max-size", size) == 0, "\(size)")
    }

    for time in ["90s", "10min", "10m", "1h30m", "2d", "500ms"] {
      #expect(try status("--max-age", time) == 0, "\(time)")
    }
    for wrong in ["64X", "M", "1h30", "10m64M", "0s", "-1s", ""] {
      #expect(try status("--max-age", wrong) == 2, "\(wrong)")
    }
  }

  @Test(.enabled(if: CommandRun.machineHas("python3")))
  func progressIsShownOnATerminalAlone() throws {
    let line =
      "{\"t\":%d,\"writer\":\"main\",\"verb\":\"work\",\"name\":\"timer\",\"subject\":\"app\"}\\n"
    let script = """
      import os, pty, subprocess, sys
      # Who reads the output lets it wait, so that the command takes long enough.
      words = '"$0" dump big.ndjson | (sleep 1; cat > /dev/null)'
      with open("big.ndjson", "w") as f:
        for i in range(120000): f.write('\(line)' % (i * 1000000))
      leader, follower = pty.openpty()
      run = subprocess.Popen(["sh", "-c", words, sys.argv[1]], stderr=follower)
      os.close(follower)
      text = b""
      while True:
        try: chunk = os.read(leader, 65536)
        except OSError: break
        if not chunk: break
        text += chunk
      run.wait()
      print(text.decode())
      """

    let shown = try CommandRun(
      program: ["python3", "-c", script, CommandRun.command.path], in: scratch.url)
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(
      shown.output.contains(#/reading big\.ndjson: [\d.]+ MB of \d+\.\d MB, \d+%, [\d.]+ [KM]B\/s/#)
    )

    // It takes itself away at the end.
    #expect(shown.output.hasSuffix("\r\u{1b}[K\n"))
    #expect(try run("dump", "big.ndjson").errors == "")
  }
}
