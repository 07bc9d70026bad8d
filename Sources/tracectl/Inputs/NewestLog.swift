import Platform
import TraceLog
import TraceText

/// The recording that a command takes when none was named.
enum NewestLog {
  /// The binary log in this directory that was written last, which standard error names.
  static func path() throws -> String {
    let names = Folder.names(in: ".") ?? []
    let logs = names.filter { $0.hasSuffix(".bin") && LogFinder.isBinaryLog($0) }
    // Of two that were written at once the name decides, so that the choice is always the same.
    let newest = logs.max { first, second in
      let times = (written(first), written(second))
      return times.0 == times.1 ? first > second : times.0 < times.1
    }

    guard let newest else {
      throw CommandError.usage(
        "there is no recording in this directory; name a log, or create one with tracectl record")
    }
    Terminal.printError("reading \(InertText.word(newest)), the newest recording here")
    return newest
  }

  /// When a log was last written, in its newest part, or in its ring: an app may have written into that alone.
  private static func written(_ path: String) -> Int64 {
    [path, LogPart.newestFile(beside: path) ?? path, path + RingFormat.pathEnding].map { path in
      var status = stat()
      return stat(path, &status) == 0 ? platform_modified(&status) : 0
    }.max() ?? 0
  }
}
