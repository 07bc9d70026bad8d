import Platform
import TraceReport

/// How long the output may be that a log expands to: a small log can say gigabytes.
struct ExpansionLimit {
  /// So many times as long as the log its output may be.
  private static let longest = 1000
  /// So many bytes are written of any log.
  private static let always = 16 << 20

  /// The log, or what several logs are called.
  let path: String
  /// Whether there is no limit.
  var isOff = false
  /// How to ask for a part of it.
  let advice: String

  /// Throws when `count` bytes are much longer than `logBytes`, the bytes of the log that say them; `nil`
  /// of a text, which is as long as what it says.
  func check(_ count: Int, of logBytes: Int?) throws {
    guard !isOff, let logBytes else { return }
    let limit = ExpansionLimit.longest(of: logBytes)
    guard count > limit else { return }
    throw CommandError.unreadable(
      "\(path): the \(CountText.of(logBytes, "byte")) of this log expand to over \(limit >> 20) MiB, "
        + "and the output stops here; \(advice), or all with --no-limit")
  }

  /// How many bytes files have together.
  static func bytes(of paths: [String]) -> Int {
    paths.reduce(0) { $0 + (FileStatus($1)?.size ?? 0) }
  }

  /// The longest output of so many bytes of logs.
  static func longest(of logBytes: Int) -> Int {
    let (product, overflow) = logBytes.multipliedReportingOverflow(by: longest)
    return overflow ? .max : max(product, always)
  }
}
