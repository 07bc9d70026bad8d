import Foundation
import TestTime
import Testing

/// What a recorder does for an app that does nothing: its calls of the system are counted by strace.
@Suite struct IdleRecorderTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Seconds until what the app has stated is in the log, and seconds that are looked at then.
  private static let settling = 15
  private static var watched: Int { Nightly.count(10, all: 60) }

  fileprivate struct Call {
    let name: String
    let time: Double
    let text: String
  }

  /// The app states some facts, and sleeps: once with a recorder of its own, and once recorded by the command.
  private func calls() throws -> [[Call]] {
    let life = String(Self.settling + Self.watched + 3)
    let record = [CommandRun.command.path, "record", "-q", "-o", scratch.path("log.bin"), "--"]
    let apps = [
      [CommandRun.built("quiet"), scratch.path("own.bin"), "idle", life],
      record + [CommandRun.built("quiet"), "-", "idle", life],
    ]
    let runs = try CommandRun.together(
      apps.indices.map {
        ["strace", "-f", "-ttt", "-o", scratch.path("calls\($0)")] + apps[$0]
      })
    guard runs.allSatisfy({ $0.status == 0 }) else {
      print("skipped: strace cannot trace here: \(runs.map(\.errors))")
      return []
    }
    #expect(runs.map(\.output) == ["idle\n", "idle\n"])
    return try runs.indices.map {
      try String(contentsOfFile: scratch.path("calls\($0)"), encoding: .utf8)
        .split(separator: "\n").compactMap { Call(line: $0) }
    }
  }

  @Test(
    .enabled(
      if: CommandRun.machineHas("strace"), "SKIPPED: there is no strace to count system calls"),
    .tags(.nightly))
  func anIdleRecorderWakesAtMostOnceInTenSecondsAndWritesNothing() throws {
    for all in try calls() { try expectIdle(all) }
  }

  private func expectIdle(_ all: [Call]) throws {
    let first = try #require(all.first)
    // The app is seen to record: what is synced and written before is what it has stated.
    let writes: Set = [
      "write", "pwrite64", "writev", "ftruncate", "fallocate", "msync", "fsync", "fdatasync",
    ]
    let begin = first.time + Double(Self.settling)
    #expect(all.contains { $0.time < begin && $0.name == "msync" })
    #expect(all.contains { $0.time < begin && $0.name == "write" })

    let idle = all.filter { $0.time >= begin && $0.time < begin + Double(Self.watched) }
    #expect(idle.filter { writes.contains($0.name) }.map(\.text) == [])
    let waits: Set = ["futex", "nanosleep", "clock_nanosleep", "poll", "ppoll", "epoll_wait"]
    let count = idle.count { waits.contains($0.name) }
    #expect(count <= Self.watched / 10, "\(idle.map(\.text))")
  }
}

extension IdleRecorderTests.Call {
  /// A line is a thread, a time and the call; `nil` of one that goes on with a call.
  fileprivate init?(line: Substring) {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard words.count == 3, let time = Double(words[1]), let end = words[2].firstIndex(of: "("),
      words[2].first?.isLetter == true
    else { return nil }
    (name, self.time, text) = (String(words[2][..<end]), time, String(words[2]))
  }
}
