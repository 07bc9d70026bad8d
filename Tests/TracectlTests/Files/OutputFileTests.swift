import Foundation
import Testing

/// Files that commands write are whole, their owner's alone, and where they were wanted.
@Suite struct OutputFileTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    let trace =
      "0s - profile mode=app hooks=work,resources\n1s main acquire lock app \"a\"\n2s - suspend app\n"
    try scratch.file("run.trace", trace)
    try scratch.file("life.yml", "actions:\n  - 0s: launch\n  - 3s: home\n")
    let record = try run("record --source trace -q -o log.bin run.trace")
    #expect(record.status == 0, "\(record.errors)")
  }

  @discardableResult
  private func run(_ words: String) throws -> CommandRun {
    try CommandRun(words.split(separator: " ").map(String.init), in: scratch.url)
  }

  private func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path(name))
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private func names(_ folder: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.path(folder)).sorted()
  }

  /// Each output that takes a name, called X.
  private static let writers = [
    "analyze log.bin --format json=X", "report log.bin -o X",
    "export log.bin --format perfetto -o X",
    "query log.bin --view deaths -o X", "query log.bin --save X",
    "diff log.bin log.bin --format markdown=X",
    "baseline write log.bin --baseline X",
    "copy log.bin --from 0s -o X",
    "copy log.bin log.bin -o X", "copy --scrub log.bin -o X", "copy log.bin -o X",
    "simulate life.yml -o X",
    "record --source trace run.trace -o X",
  ]

  @Test func eachIsItsOwnersAlone() throws {
    let before = try names()
    for words in Self.writers {
      let run = try run(words.replacing("X", with: "new"))
      #expect([0, 1].contains(run.status), "\(words): \(run.errors)")
      #expect(try mode("new") == 0o600, "\(words)")
      #expect(try names() == (before + ["new"]).sorted(), "\(words) leaves something")
      try FileManager.default.removeItem(atPath: scratch.path("new"))
    }
    let sample = CommandRun.root.appendingPathComponent("samples/traces/slow-background.trace").path
    let folders = [
      "analyze \(sample) --reduce reduced", "export log.bin --tables all --format csv -o tables",
      "explain --config none --pages pages",
    ]
    for words in folders {
      let run = try run(words)
      #expect([0, 1].contains(run.status), "\(words): \(run.errors)")
      let folder = words.split(separator: " ").last.map(String.init) ?? ""
      let made = try names(folder)
      #expect(!made.isEmpty)
      for name in made { #expect(try mode("\(folder)/\(name)") == 0o600, "\(folder)/\(name)") }
    }
    #expect(try run("config init").status == 0)
    #expect(try mode(".tracectl.yml") == 0o600)
  }

  @Test func whatIsReplacedKeepsItsMode() throws {
    try scratch.file("old.json", "old")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: scratch.path("old.json"))
    #expect(try run("analyze log.bin --format json=old.json").status == 0)
    #expect(try mode("old.json") == 0o644)

    #expect(try run("copy log.bin --from 0s -o copy.bin").status == 0)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: scratch.path("copy.bin"))
    #expect(try run("copy log.bin --from 0s -o copy.bin --replace").status == 0)
    #expect(try mode("copy.bin") == 0o640)
  }

  /// A link that was named is followed; one that waits where only the folder was named is replaced.
  @Test func aLinkIsFollowedWhereItWasNamed() throws {
    let files = FileManager.default
    try scratch.file("far.csv", "old")
    try files.createSymbolicLink(atPath: scratch.path("near.csv"), withDestinationPath: "far.csv")
    #expect(try run("export log.bin --tables events --format csv -o near.csv").status == 0)
    #expect(try files.destinationOfSymbolicLink(atPath: scratch.path("near.csv")) == "far.csv")
    #expect(try String(contentsOfFile: scratch.path("far.csv"), encoding: .utf8).contains("lock"))

    try scratch.file("victim", "old")
    try files.createDirectory(atPath: scratch.path("t"), withIntermediateDirectories: false)
    try files.createSymbolicLink(
      atPath: scratch.path("t/events.csv"), withDestinationPath: "../victim")
    #expect(try run("export log.bin --tables all --format csv -o t").status == 0)
    #expect(try String(contentsOfFile: scratch.path("victim"), encoding: .utf8) == "old")
    #expect(throws: (any Error).self) {
      try files.destinationOfSymbolicLink(atPath: scratch.path("t/events.csv"))
    }
  }

  @Test func aLongNameIsNoHindrance() throws {
    let name = String(repeating: "n", count: 251) + ".csv"
    #expect(try run("export log.bin --format perfetto -o \(name)").status == 0)
    #expect(try mode(name) == 0o600)
  }

  @Test func afterAFailureNothingIsLeft() throws {
    try scratch.file("old.csv", "old")
    let before = try names()
    try scratch.file("torn.trace", "0s - profile mode=app\n1s main note\nno line\n")
    #expect(try run("export torn.trace --format perfetto -o old.csv").status == 3)
    #expect(try run("copy torn.trace --from 0s -o new.bin").status == 3)
    #expect(try names() == (before + ["torn.trace"]).sorted())
    #expect(try String(contentsOfFile: scratch.path("old.csv"), encoding: .utf8) == "old")
  }

  @Test func onAFullDiskNothingIsLeft() throws {
    guard let disk = try SmallDisk("40k") else { return }
    let made = try run("simulate life.yml --days 60 -o long.bin")
    #expect(made.status == 0, "\(made.errors)")
    for words in [
      "export long.bin --format perfetto -o X/a.perfetto", "report long.bin -o X/a.html",
    ] {
      let run = try run(words.replacing("X", with: disk.folder.url.path))
      #expect(run.status == 3 && run.errors.contains("No space left on device"), "\(run)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.url.path) == [])
    }
  }
}
