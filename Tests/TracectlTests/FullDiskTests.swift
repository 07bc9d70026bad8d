import Foundation
import LifecycleModel
import Testing
import TraceLog

/// A disk that fills up, and a folder that goes, while an app records.
@Suite struct FullDiskTests {
  private static let app = CommandRun.built("steady")

  @Test func anAppOutlivesAFullDisk() throws {
    // Ring 2 × (4 + 16) + 4 + 64 KiB, and a few KiB for the log.
    guard let disk = try SmallDisk("512k") else { return }

    let log = disk.folder.path("log.bin")
    let run = try CommandRun([
      "record", "-o", log, "--ring-size", "threads=2,records=1024,words=64K",
      "--", Self.app, "60000", "fill", disk.folder.path("filler"), "30000",
    ])

    // The app counts what it states; it ended by itself.
    #expect(run.status == 0 && run.output == "stated 60000\n")
    #expect(run.errors.contains("\(log): the disk is full"))
    #expect(run.errors.contains("\(log): writing resumed"))
    var reader = try LogReader(path: log)
    let trace = try reader.readAll()
    #expect(try VerifyReport(LogReader(path: log)).problems == [])

    let gaps = trace.events.compactMap { Gap($0, in: trace.vocabulary) }
    #expect(gaps.contains { $0.cause == GapCause.diskFull.rawValue })
    let lost = gaps.reduce(0) { $0 + ($1.count ?? 0) }
    #expect(Int(lost) + trace.events.count { $0.verb == .work } == 60_000)
  }

  @Test func aDiskThatStaysFullLeavesTheRingToTheReader() throws {
    guard let disk = try SmallDisk("512k") else { return }
    let log = disk.folder.path("log.bin")
    let record = [
      "record", "-o", log, "--ring-size", "threads=2,records=1024,words=64K",
      "--", Self.app, "60000", "fill", disk.folder.path("filler"),
    ]
    let run = try CommandRun(record)
    #expect(run.status == 3 && run.output == "stated 60000\n")
    #expect(run.errors.contains("run tracectl record --attach \(log)"))

    var reader = try LogReader(path: log)
    let before = try reader.readAll()
    // There is room again: the recording is ended, and nothing that was read is gone.
    try FileManager.default.removeItem(atPath: disk.folder.path("filler"))
    let attach = try CommandRun("record", "--attach", log)
    #expect(attach.status == 0, "\(attach.errors)")
    #expect(!FileManager.default.fileExists(atPath: log + ".ring"))
    reader = try LogReader(path: log)

    let after = try reader.readAll()
    #expect(after.events.count { $0.verb == .work } == before.events.count { $0.verb == .work })
    #expect(after.events.last?.verb == .exit)
    let lost = after.events.reduce(0) { $0 + (Gap($1, in: after.vocabulary)?.count ?? 0) }
    #expect(Int(lost) + after.events.count { $0.verb == .work } == 60_000)
  }

  @Test func aRingThatHasNoRoomIsAnErrorAtStart() throws {
    guard let disk = try SmallDisk("256k") else { return }
    let log = disk.folder.path("log.bin")
    let run = try CommandRun("record", "-o", log, "--", Self.app, "10")
    #expect(run.status == 3 && run.output == "")
    #expect(run.errors.contains("the disk is full"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.url.path) == [])
  }

  @Test func aFolderThatGoesIsAnError() throws {
    let scratch = try ScratchFolder()
    let folder = scratch.path("gone")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let log = folder + "/log.bin"
    let run = try CommandRun([
      "record", "-o", log, "--", Self.app, "60000", "remove", folder,
    ])
    #expect(run.status == 3 && run.output == "stated 60000\n")
    #expect(run.errors.contains("\(log): was removed or replaced during recording"))
    #expect(!run.errors.contains("writing resumed"))
    #expect(!FileManager.default.fileExists(atPath: folder))
  }
}
