#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import TraceRecorder

  /// Where the logs of an app lie, and what the system says of its deaths.
  struct TraceFiles: Sendable {
    private let directory: URL
    private static let name = "flight.bin"
    /// The end of the names of kept reports.
    private static let report = ".mx.json"
    /// The beginning of the names of files with the number of an installation.
    private static let installation = "installation-"
    /// So many reports are kept.
    private static let mostReports = 16

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

    /// The path of the log.
    var log: String { directory.appendingPathComponent(TraceFiles.name).path }

    /// Goes on with the log, in a part of its own for this process.
    func open(statesBoot: Bool = true) throws -> Recorder {
      try makeDirectory()
      var options = Drain.Options()
      options.statesBoot = statesBoot
      // Nothing but a failing system takes what is in the ring, and syncing is writing: see `LifecycleTracing.look`.
      options.sync = .none
      return try Recorder.open(log: log, options: options)
    }

    /// The number of this installation, in 16 hexadecimal digits; it is made when there is none.
    ///
    /// Each app has one of its own, also where a group of apps shares the directory. `nil` when the number
    /// cannot be read or kept, as before the first unlock: a log never has one that the next log has not.
    func installation(of app: String) -> String? {
      let digits = Set("0123456789abcdef")
      let file = directory.appendingPathComponent(TraceFiles.installation + app)
      if FileManager.default.fileExists(atPath: file.path) {
        guard let bytes = try? Data(contentsOf: file) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        if text.count == 16, digits.isSuperset(of: text) { return text }
      }

      let number = String(UInt64.random(in: .min ... .max), radix: 16)
      let text = String(repeating: "0", count: 16 - number.count) + number
      do {
        try makeDirectory()
        try Data(text.utf8).write(to: file, options: TraceFiles.writing)
      } catch {
        return nil
      }
      return text
    }

    #if canImport(Darwin)
      private static let writing: Data.WritingOptions = [.atomic, .noFileProtection]
      private static var unprotected: [FileAttributeKey: Any]? {
        [.protectionKey: FileProtectionType.none]
      }
    #else
      private static let writing: Data.WritingOptions = .atomic
      private static var unprotected: [FileAttributeKey: Any]? { nil }
    #endif

    /// Makes the directory, unless it is there, without protection, and keeps it out of backups.
    ///
    /// A file of a protected directory is protected, and cannot even be made before the first unlock.
    private func makeDirectory() throws {
      let manager = FileManager.default
      try manager.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: TraceFiles.unprotected)
      if let unprotected = TraceFiles.unprotected {
        try? manager.setAttributes(unprotected, ofItemAtPath: directory.path)
      }
      keepOutOfBackups()
    }

    /// The log, all its parts, the ring with what is not in it yet, and the reports.
    func all(withRing: Bool = true) throws -> [URL] {
      try named { name in
        let isRing = name == TraceFiles.name + ".ring"
        return (name.hasPrefix(TraceFiles.name) || name.hasSuffix(TraceFiles.report))
          && (withRing || !isRing)
      }
    }

    /// Removes all that is kept, the numbers of installations too; nothing is no error.
    func erase() throws {
      guard FileManager.default.fileExists(atPath: directory.path) else { return }
      let numbers = try named { $0.hasPrefix(TraceFiles.installation) }
      for file in try all() + numbers { try FileManager.default.removeItem(at: file) }
    }

    private func named(_ isMeant: (String) -> Bool) throws -> [URL] {
      try FileManager.default.contentsOfDirectory(
        at: directory, includingPropertiesForKeys: nil
      ).filter { isMeant($0.lastPathComponent) }
        .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// Keeps a report beside the log, named by when it came and by the process that it is about; the oldest
    /// ones go.
    func keep(report: Data, at now: Date = Date()) {
      let process = TraceFiles.process(of: report).map { "-\($0)" } ?? ""
      var time = Int(now.timeIntervalSince1970 * 1000)
      func file() -> URL {
        directory.appendingPathComponent("report-\(time)\(process)\(TraceFiles.report)")
      }
      // Several come at once.
      while FileManager.default.fileExists(atPath: file().path) { time += 1 }
      try? report.write(to: file(), options: TraceFiles.writing)

      let all = (try? named { $0.hasSuffix(TraceFiles.report) }) ?? []
      for old in all.dropLast(TraceFiles.mostReports) {
        try? FileManager.default.removeItem(at: old)
      }
    }

    /// The process that a payload's first crash is about; systems before iOS 17 do not say it.
    private static func process(of report: Data) -> Int? {
      let payload = try? JSONSerialization.jsonObject(with: report) as? [String: Any]
      let crashes = payload?["crashDiagnostics"] as? [[String: Any]]
      let data = crashes?.first?["diagnosticMetaData"] as? [String: Any]
      return (data?["pid"] as? NSNumber)?.intValue
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
