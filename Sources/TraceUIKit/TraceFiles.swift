#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import TraceRecorder

  /// Where the logs of an app lie.
  struct TraceFiles {
    private let directory: URL
    private static let name = "flight.bin"

    /// Logs in `directory`; `nil` is `tracectl` in Application Support, which is the app's own.
    init(_ directory: URL?) throws {
      if let directory {
        self.directory = directory
      } else {
        let support = try FileManager.default.url(
          for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        self.directory = support.appendingPathComponent("tracectl", isDirectory: true)
      }
    }

    /// Goes on with the log, in a part of its own for this process.
    func open() throws -> Recorder {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      keepOutOfBackups()
      return try Recorder.open(log: directory.appendingPathComponent(TraceFiles.name).path)
    }

    /// The log, its older parts, and the ring with what is not in it yet.
    func all() throws -> [URL] {
      try FileManager.default.contentsOfDirectory(
        at: directory, includingPropertiesForKeys: nil
      ).filter { $0.lastPathComponent.hasPrefix(TraceFiles.name) }
        .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private func keepOutOfBackups() {
      #if canImport(Darwin)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        var url = directory
        try? url.setResourceValues(values)
      #endif
    }
  }
#endif
