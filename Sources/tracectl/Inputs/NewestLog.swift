import Platform
import TraceLog
import TraceReport
import TraceText

/// What a command reads when no log was named.
enum NewestLog {
  /// Standard input, if something was redirected to it, or else the binary log in this directory that was written
  /// last, which standard error names.
  static func path() throws -> String {
    if let found = find() { return found }
    let others = (LogFinder.names(in: ".") ?? []).filter(LogFinder.isNamedAsLog)
    let example = others.first.map { ", such as \(ShellWord.quoted($0)) or this directory (.)" }
    throw CommandError.usage(
      "there is no binary recording in this directory; name a log\(example ?? ""), or create one with "
        + "tracectl record")
  }

  /// The same; `nil` where there is neither.
  static func find() -> String? {
    if isPiped { return "-" }
    let logs = (Folder.names(in: ".") ?? []).filter {
      $0.hasSuffix(".bin") && LogFinder.isBinaryLog($0)
    }
    // Of two that were written at once the name decides, so that the choice is always the same.
    let newest = logs.max { first, second in
      let times = (written(first), written(second))
      return times.0 == times.1 ? first > second : times.0 < times.1
    }

    if let newest {
      Terminal.printError("reading \(InertText.word(newest)), the newest recording here")
    }
    return newest
  }

  /// How long the writer of a pipe may take to begin, in milliseconds.
  private static let patience: Int32 = 200

  /// Whether standard input is a file with something in it, or a pipe into which somebody writes.
  ///
  /// A file of which somebody has read a part is the script of a shell, or a list that it goes through.
  private static var isPiped: Bool {
    guard let status = FileStatus(STDIN_FILENO) else { return false }

    switch status.kind {
    case .file: return status.size > 0 && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0
    case .pipe:
      var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      return poll(&request, 1, patience) > 0 && Int32(request.revents) & POLLIN != 0
    default: return false
    }
  }

  /// When a log was last written, in its newest part, or in its ring: an app may have written into that alone.
  private static func written(_ path: String) -> Int64 {
    [path, LogPartFinder.newestPart(beside: path) ?? path, path + RingFormat.pathEnding]
      .map { FileStatus($0)?.modified ?? 0 }.max() ?? 0
  }
}
