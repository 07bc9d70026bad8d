import Foundation
import Fuzzing
import TestTime
import Testing
import Traces

@testable import TraceLog

/// The fuzzers' targets without a fuzzer: with their seeds, and with these changed at random.
@MainActor @Suite(.tags(.nightly)) struct FuzzTargetTests {
  private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func seeds(_ target: FuzzTarget) throws -> [[UInt8]] {
    try FuzzSeeds(samples: ["samples", "Tests/Inputs"].map(root.appendingPathComponent)).inputs(
      for: target)
  }

  @Test(arguments: FuzzTarget.allCases) func seedsKeepThePromises(target: FuzzTarget) throws {
    let seeds = try seeds(target)
    #expect(!seeds.isEmpty)
    for seed in seeds {
      #expect(throws: Never.self) { try target.run(seed) }
    }
  }

  @Test(arguments: FuzzTarget.allCases) func changedSeedsKeepThePromises(
    target: FuzzTarget
  ) throws {
    let seeds = try seeds(target)
    for number in Nightly.seeds(10, all: 1000) {
      var random = SeededGenerator(seed: number)
      let seed = try #require(seeds.randomElement(using: &random))
      let input = target.mutate(seed, most: seed.count + 64, seed: number) { bytes, most in
        changed(bytes, most, &random)
      }
      #expect(throws: Never.self, "seed \(number)") { try target.run(input) }
    }
  }

  /// What is changed behind the checksums is read, and not refused for them.
  @Test func mostChangedLogsFitTheirChecksums() throws {
    let log = try #require(seeds(.log).first)
    let whole = try (UInt64(0)..<64).filter { seed in
      let same = FuzzTarget.log.mutate(log, most: log.count, seed: seed) { bytes, _ in bytes }
      // Its headers alone: what a payload holds is changed on purpose.
      var walk = try BlockWalk(LogInput(bytes: same, path: "memory"))
      while try walk.nextHeader() != nil {}
      return walk.damages.isEmpty
    }
    #expect(whole.count > 32, "\(whole)")
  }

  @Test func scriptAndWorkflowNameEachTarget() throws {
    let names = FuzzTarget.allCases.map(\.rawValue)
    let script = try text("tools/fuzz")
    let workflow = try text(".github/workflows/nightly.yml")
    #expect(script.contains("targets=\"\(names.joined(separator: " "))\""))
    #expect(workflow.contains("target: [\(names.joined(separator: ", "))]"))
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}

/// Some bytes changed, removed or doubled.
private func changed(
  _ bytes: [UInt8], _ most: Int, _ random: inout SeededGenerator
) -> [UInt8] {
  var bytes = bytes

  for _ in 0..<Int.random(in: 1...8, using: &random) where bytes.count > 8 {
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.removeSubrange(place..<min(bytes.count, place + 4))
    case 1: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
    case 2: bytes[place] = Array("\"\\{}<&:,#\0\n".utf8).randomElement(using: &random) ?? 0
    default: bytes[place] = .random(in: .min ... .max, using: &random)
    }
  }
  return Array(bytes.prefix(most))
}
