import Foundation
import LifecycleModel
import TestTime
import Testing
import Traces

/// The reader that was written from the format's document, held against our own.
@Suite struct SecondReaderTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Runs the second reader over all logs at once; `nil`, and said, when the machine cannot.
  private func run(_ arguments: [String]) throws -> CommandRun? {
    let reader = CommandRun.root.appendingPathComponent("tools/read_log.py").path
    let run = try CommandRun(program: ["python3", reader] + arguments, in: scratch.url)
    guard run.status == 127 else { return run }
    print("skipped: python3 is not installed, so no second reader reads the logs")
    return nil
  }

  /// Expects that the second reader prints the same of each log; a log is a name and what we print.
  private func expectSame(_ logs: [(name: String, events: String)]) throws -> CommandRun? {
    guard let run = try run(["--numbers"] + logs.map(\.name)) else { return nil }
    let expected = unescaped(logs.map { "==> \($0.name) <==\n\($0.events)" }.joined())
    let output = unescaped(run.output)
    if output != expected {
      Issue.record("\(difference(expected, output)) \(run.errors.suffix(2_000))")
    }
    return run
  }

  /// Lines of JSON with the characters that stand escaped in them, which each reader chooses by itself.
  private func unescaped(_ text: String) -> [UInt16] {
    let short: [Character: UInt16] = ["b": 8, "t": 9, "n": 10, "f": 12, "r": 13]
    var units: [UInt16] = []
    var rest = text.utf16[...]
    while let unit = rest.popFirst() {
      guard unit == 0x5c, let letter = rest.popFirst() else {
        units.append(unit)
        continue
      }
      let digits = rest.prefix(4).map { String(UnicodeScalar($0) ?? " ") }.joined()
      if letter == 0x75, let code = UInt16(digits, radix: 16) {
        rest = rest.dropFirst(4)
        units.append(code)
      } else if let code = UnicodeScalar(letter).flatMap({ short[Character($0)] }) {
        units.append(code)
      } else {
        units += [0x5c, letter]
      }
    }
    return units
  }

  /// The first line in which they differ, and the log in which it stands; its name has its seed.
  private func difference(_ ours: [UInt16], _ theirs: [UInt16]) -> String {
    let (these, those) = (lines(ours), lines(theirs))
    let count = zip(these, those).prefix { $0 == $1 }.count
    let log = these.prefix(count + 1).last { $0.hasPrefix("==> ") } ?? ""
    func line(_ lines: [Substring]) -> Substring { lines.dropFirst(count).first ?? "nothing" }
    return "\(log)\nours:   \(line(these))\ntheirs: \(line(those))"
  }

  private func lines(_ units: [UInt16]) -> [Substring] {
    String(decoding: units, as: UTF16.self).split(separator: "\n")
  }

  @Test func everySampleIsReadAlike() throws {
    var logs: [(name: String, events: String)] = []
    func read(_ name: String) throws {
      let dump = try CommandRun(["dump", "--format", "ndjson", "--numbers", name], in: scratch.url)
      #expect(dump.status == 0 && !dump.output.isEmpty, "\(name): \(dump.errors)")
      logs.append((name, dump.output))
    }

    for folder in ["samples", "Tests"] {
      let files = FileManager.default.enumerator(
        at: CommandRun.root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
      for case let file as URL in try #require(files) where file.pathExtension == "trace" {
        let name = "\(logs.count)-\(file.lastPathComponent).bin"
        _ = try CommandRun(
          ["record", "--source", "trace", "-o", name, file.path], in: scratch.url)
        try read(name)
      }
    }
    for scenario in SampleTests.samples("scenarios", "yml") {
      let name = "\(scenario.lastPathComponent).bin"
      _ = try CommandRun(["simulate", "-o", name, "-q", scenario.path], in: scratch.url)
      try read(name)
    }
    #expect(logs.count >= 20)
    let run = try expectSame(logs)
    #expect(run?.status ?? 0 == 0 && run?.errors ?? "" == "")
  }

  @Test func whatDumpPrintsIsPrintedByteForByte() throws {
    _ = try CommandRun(
      [
        "record", "--source", "trace", "-o", "flight.bin",
        "\(CommandRun.root.path)/samples/ios-app/flight.trace",
      ],
      in: scratch.url)
    let dump = try CommandRun(
      ["dump", "--format", "ndjson", "--no-limit", "flight.bin"], in: scratch.url)
    #expect(dump.output.hasPrefix("{\"t\":"))
    #expect(try run(["flight.bin"])?.output ?? dump.output == dump.output)
  }

  @Test(.tags(.nightly)) func everyGeneratedLogIsReadAlike() throws {
    let logs = try Nightly.seeds(300, all: 1_000).map { seed in
      let log = try GeneratedLog(seed: seed, path: scratch.path("\(seed).bin"))
      return ("\(seed).bin", log.events)
    }
    let run = try expectSame(logs)
    #expect(run?.status ?? 0 == 0 && run?.errors ?? "" == "")
  }

  @Test(.tags(.nightly)) func everyDamagedLogIsReadAlike() throws {
    var logs: [(name: String, events: String)] = []
    for seed in Nightly.seeds(70, all: 200) {
      let path = scratch.path("\(seed).bin")
      _ = try GeneratedLog(seed: seed, path: path)
      var random = SeededGenerator(seed: seed)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      // A bit of the file header behind the magic, of a block's header or of a payload.
      let place = Int.random(in: 8..<bytes.count, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      try bytes.write(to: URL(fileURLWithPath: path))
      logs.append(("\(seed).bin", try GeneratedLog.read(path)))
    }
    #expect(logs.contains { $0.events.contains("corrupt-block") })
    let run = try expectSame(logs)
    #expect(run?.status ?? 0 == 0 && run?.errors.contains(" is lost: ") ?? true)
  }

  @Test func whatIsNoLogIsRefused() throws {
    try scratch.file("text.bin", "0s main note \"x\"\n")
    try scratch.file("empty.bin")
    guard let run = try run(["text.bin", "empty.bin", "missing.bin"]) else { return }
    #expect(run.status == 3 && run.output.split(separator: "\n").count == 3)
    #expect(run.errors.contains("text.bin: it is no log\nempty.bin: it is no log\nmissing.bin: "))
    #expect(try self.run([])?.status == 2)
  }
}
