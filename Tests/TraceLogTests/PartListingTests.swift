import Foundation
import LifecycleModel
import Testing

@testable import TraceLog

/// Which older parts lie beside a log, asked for many logs of one folder.
@Suite struct PartListingTests {
  private let folder: LogFolder
  private var path: String { folder.file("log.bin") }

  init() throws { folder = try LogFolder() }

  private func add(_ name: String) throws {
    try Data().write(to: URL(fileURLWithPath: folder.file(name)))
  }

  /// Says that the folder changed at this time.
  private func change(at time: Date) throws {
    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: folder.path)
  }

  private var numbers: [UInt32] { LogPartFinder.numbers(path) }

  @Test func onlyNumbersBehindTheLogsNameAreParts() throws {
    for name in ["log.bin.10", "log.bin.2", "log.bin.02", "log.bin.0", "log.bin.x"] {
      try add(name)
    }
    for name in ["other.bin.3", "log.bin.4.5", "log.bin", "log.bin.ring"] { try add(name) }
    #expect(numbers == [2, 10])
    #expect(LogPartFinder.numbers(folder.file("other.bin")) == [3])
    #expect(LogPartFinder.numbers(folder.file("log.bin.4")) == [5])
  }

  /// Thousands of logs in a folder do not list it thousands of times.
  ///
  /// One folder is remembered: where another test has another one listed meanwhile, it is tried again.
  @Test func aFolderThatDoesNotChangeIsReadOnce() throws {
    let past = Date(timeIntervalSince1970: 1_700_000_000)
    try add("log.bin.1")
    let isReadOnce = try (1...20).contains { attempt in
      try? FileManager.default.removeItem(atPath: folder.file("log.bin.2"))
      try change(at: past + Double(attempt))
      let isRead = numbers == [1]
      try add("log.bin.2")
      // Only a folder that says that it has not changed is not read again.
      try change(at: past + Double(attempt))
      return isRead && numbers == [1]
    }

    #expect(isReadOnce)
    try change(at: past)
    #expect(numbers == [1, 2])
  }

  /// A recorder adds parts while the log is read.
  @Test func aPartThatIsNewIsSeenAtOnce() throws {
    for number in 1...20 as ClosedRange<UInt32> {
      try add("log.bin.\(number)")
      #expect(numbers == Array(1...number))
    }
  }
}
