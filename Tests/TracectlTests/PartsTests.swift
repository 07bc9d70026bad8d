import Foundation
import Testing

/// A log in parts, as the command writes, reads and verifies it.
@Suite struct PartsTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    var random = UInt64(7)
    let lines = (0..<20_000).map { line in
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return "\(line)ms main note \"\(random >> 33)\"\n"
    }
    try scratch.file("long.trace", "0s - profile mode=app\n" + lines.joined())
  }

  private func run(_ arguments: String..., input: String = "") throws -> CommandRun {
    try CommandRun(arguments, input: input, in: scratch.url)
  }

  private func record(_ limit: String...) throws -> CommandRun {
    try CommandRun(
      ["record", "--source", "trace", "-o", "p.bin", "long.trace"] + limit, in: scratch.url)
  }

  private func sizes() throws -> [Int] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
      .filter { $0.hasPrefix("p.bin") }
      .map { try Data(contentsOf: scratch.url.appending(path: $0)).count }
  }

  @Test func anImportKeepsTheLastBytes() throws {
    let recorded = try record("--keep", "32K")
    let size = try sizes().reduce(0, +)
    #expect(size > 16_384 && size < 49_152)
    let events = try run("dump", "p.bin", "--only", "note").output.split(separator: "\n")
    #expect(events.last?.hasPrefix("19.999s") == true && events.count < 20_000)
    #expect(
      recorded.errors.hasSuffix(
        " 20001 events → p.bin, \(size) bytes with the last \(events.count) events\n"),
      "\(recorded.errors)")

    let verified = try run("verify", "p.bin")
    #expect(verified.status == 0 && verified.output.hasPrefix("\(events.count) events in "))
    let gaps = try run("dump", "p.bin", "--only", "gap").output
    #expect(gaps.contains("gap           rotated \(20_001 - events.count)"), "\(gaps)")
  }

  @Test func anImportIsCutIntoPartsInTime() throws {
    let recorded = try record("--max-size", "16K")
    let sizes = try sizes()
    #expect(sizes.count > 4 && sizes.allSatisfy { $0 < 32_768 }, "\(sizes)")
    #expect(recorded.errors.hasSuffix("→ p.bin, \(sizes.reduce(0, +)) bytes\n"))
    #expect(try run("verify", "p.bin").output.hasPrefix("20001 events in "))
  }

  @Test func whatTheLimitsRemovedIsSaid() throws {
    _ = try record("--max-size", "16K")
    let whole = try run("verify", "p.bin").output
    #expect(!whole.contains("removed"))
    #expect(try record("--keep", "64K", "--replace").status == 0)
    let verified = try run("verify", "p.bin")
    let left = try run("dump", "p.bin").output.split(separator: "\n").count {
      !$0.contains(" gap ") && !$0.contains(" profile ")
    }
    #expect(verified.output.contains(", \(20_001 - left) before them removed, whole\n"))
  }

  @Test(arguments: [
    ["export", "p.bin", "--format", "perfetto", "-o", "p.bin.4"],
    ["report", "p.bin", "-o", "p.bin.2"],
    ["analyze", "p.bin", "--format", "json=p.bin.3"],
    ["query", "p.bin", "--view", "calls", "-o", "p.bin.4"],
    ["copy", "p.bin", "--from", "1s", "-o", "p.bin.4"],
    ["export", "p.bin", "--format", "perfetto", "-o", "./p.bin.ring"],
  ])
  func noOutputTakesThePlaceOfAPartOrOfTheRing(arguments: [String]) throws {
    _ = try record("--max-size", "16K")
    let run = try CommandRun(arguments, in: scratch.url)
    #expect(run.status == 2 && run.errors.contains("input"), "\(run)")
    #expect(try self.run("verify", "p.bin").status == 0)
  }

  @Test func aRecordingIsNotReplacedByAnother() throws {
    try scratch.file("a.trace", "0s - profile mode=app\n1s main note \"a\"\n")
    #expect(try run("record", "--source", "trace", "-o", "a.bin", "a.trace").status == 0)
    // The recorder waits for more, until somebody has tried, and taken its file away.
    let script = """
      "$0" record --source trace -q -o live.bin - < pipe & exec 3> pipe; cat a.trace >&3
      while [ ! -s live.bin ]; do :; done
      "$0" copy a.bin -o live.bin --replace; echo $?
      "$0" export a.bin --format csv -o live.bin; echo $?
      rm live.bin; exec 3>&-; wait $!; echo $?
      """

    let shell = try CommandRun(
      program: ["sh", "-c", "mkfifo pipe; \(script)", CommandRun.built("tracectl")],
      in: scratch.url)
    #expect(shell.output == "2\n2\n3\n", "\(shell)")
    #expect(shell.errors.contains("live.bin: is being recorded; choose another -o\n"))
    #expect(shell.errors.contains("live.bin: was removed or replaced during recording; "))
  }

  @Test func aReplacedLogTakesItsRingAlong() throws {
    _ = try record()
    try scratch.file("p.bin.ring", "none")
    #expect(try run("verify", "p.bin").status == 1)
    #expect(
      try run("copy", "p.bin", "-o", "r.bin").errors.contains("ring: its header: expected a ring")
    )
    #expect(try record("--replace").status == 0)
    #expect(try run("verify", "p.bin").status == 0)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("p.bin.ring")))
  }

  @Test func anEmptyFileIsNoPreviousRecording() throws {
    try scratch.file("log.bin", "")
    let recorded = try run("record", "--source", "trace", "long.trace")
    #expect(recorded.status == 0 && recorded.errors.hasSuffix(" bytes\n"), "\(recorded)")
  }

  /// Such a link may wait in a folder for all.
  @Test(.enabled(if: geteuid() == 0, "SKIPPED: only root can give a link to another user"))
  func aLinkOfAnotherUserIsNotFollowed() throws {
    for target in ["there.bin", "dangling.bin"] {
      let link = scratch.path("link.bin")
      unlink(link)
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: scratch.path(target))
      #expect(lchown(link, 65_534, 65_534) == 0)
      if target == "there.bin" { try scratch.file(target, "") }
      for command in [["record", "--source", "trace", "long.trace"], ["record"]] {
        let app = command.count == 1 ? ["--", "true"] : []
        let run = try CommandRun(command + ["-o", link, "--replace"] + app, in: scratch.url)
        #expect(run.status == 3 && run.errors.contains("is a link of another user"), "\(run)")
      }
      let there = FileManager.default.fileExists(atPath: scratch.path(target))
      #expect(there == (target == "there.bin"))
    }
  }

  @Test func aLostPartIsNamed() throws {
    _ = try record("--max-size", "16K")
    try FileManager.default.removeItem(atPath: scratch.path("p.bin.2"))
    let verified = try run("verify", "p.bin")
    #expect(verified.status == 1 && verified.output.hasSuffix("not whole: 1 problem\n"))
    #expect(
      verified.output.hasPrefix(
        "damage in part 2 at byte 0: a missing part: p.bin.2 is missing; expected a part of the log\n"
      ), "\(verified.output)")

    let analysis = try run("analyze", "-v", "p.bin")
    #expect(analysis.errors == "tracectl: p.bin.2 is missing, so events are missing here\n")
    #expect(!analysis.output.contains("were removed"))
    #expect(try run("dump", "p.bin").output.contains("0s        -     profile"))
    try scratch.file("p.bin.2", "junk")
    #expect(
      try run("verify", "p.bin").output.contains("p.bin.2 is not readable as a part of this log"))
  }

  @Test(arguments: ["verify", "analyze", "dump"])
  func aMissingHeadIsReported(command: String) throws {
    _ = try record("--max-size", "64K")
    try FileManager.default.removeItem(atPath: scratch.path("p.bin"))
    for reason in ["it is missing", "it is empty"] {
      let run = try run(command, "p.bin")
      #expect(
        (run.output + run.errors).contains("p.bin, the head of the log, is lost: \(reason)"),
        "\(run)")
      try scratch.file("p.bin")
    }
    #expect(try run("analyze", "-v", "--strict", "--fail-on", "never", "p.bin").status == 4)
  }

  // MARK: What is cut, or changed on its way

  @Test(arguments: [1, 4, 7, 8, 20])
  func theFirstBytesOfALogAreALog(count: Int) throws {
    _ = try record()
    try Data(contentsOf: scratch.url.appending(path: "p.bin")).prefix(count)
      .write(to: scratch.url.appending(path: "cut.bin"))
    let verified = try run("verify", "cut.bin")
    #expect(
      verified.output.contains(
        "damage at byte 0: an unfinished block: the log ends in its file header"),
      "\(verified)")
    let told = "events missing: the log ends in the middle of a block"
    #expect(try run("analyze", "-v", "cut.bin").output.contains(told))
  }

  @Test func notationOfWindowsIsText() throws {
    try scratch.file("dos.trace", "0s - profile mode=app\r\n1s main note \"x\"\r\n")
    let verified = try run("verify", "dos.trace")
    #expect(
      verified.status == 3 && verified.errors.contains("dos.trace: is text; only a binary log"))
  }

  @Test(.enabled(if: CommandRun.machineHas("gzip"))) func aDamagedGzipIsNoBadLine() throws {
    #expect(try CommandRun(program: ["gzip", "-k", "long.trace"], in: scratch.url).status == 0)
    let whole = try Data(contentsOf: scratch.url.appending(path: "long.trace.gz"))
    for cut in [30, 400, whole.count / 2, whole.count - 20] {
      try whole.prefix(cut).write(to: scratch.url.appending(path: "cut.gz"))
      let run = try run("analyze", "-v", "cut.gz")
      #expect(run.status == 3 && run.errors.contains("its compressed data is truncated"), "\(run)")
    }
    for place in [200, 3_000, whole.count / 2, whole.count - 6] {
      var bytes = whole
      bytes[place] ^= 0x10
      try bytes.write(to: scratch.url.appending(path: "flipped.gz"))
      let run = try run("analyze", "-v", "flipped.gz")
      #expect(run.status == 3 && run.errors.contains("its compressed data is damaged"), "\(run)")
    }
  }

  // MARK: Limits that are none

  @Test(arguments: ["-1", "0", "1e3", "99999999999999999999", "", "64X", "--replace"])
  func theFormOfALimitIsNamed(value: String) throws {
    for option in ["--keep", "--max-size", "--max-age"] {
      let run = try record(option, value)
      #expect(run.status == 2, "\(run)")
      #expect(run.errors.hasPrefix("Error: The value '\(value)' is invalid for '\(option)"))
      let form = option == "--max-age" ? "a time" : "a size"
      #expect(run.errors.contains("\(form) is a positive number with a unit, such as"))
    }
    let sync = try record("--sync", value)
    #expect(sync.status == 2 && sync.errors.contains("it takes none, every-block or a time"))
  }

  @Test(arguments: ["-3", "1.5", "many", "99999999999999999999"])
  func theFormOfACountIsNamed(value: String) throws {
    let jobs = try run("analyze", "-v", "--jobs", value, "long.trace")
    #expect(jobs.status == 2 && jobs.errors.contains("it takes a whole number, such as 4"))
    #expect(jobs.errors.hasPrefix("Error: The value '\(value)' is invalid for '--jobs <count>'"))
    #expect(
      try record("--ring-size", "threads=\(value)").errors.contains("a whole number, such as 4"))
    #expect(
      try record("--ring-size", "words=\(value)").errors.contains("a size is a positive number"))
    #expect(
      try record("--ring-size", value).errors.contains("it takes threads=COUNT, records=COUNT"))
  }
}
