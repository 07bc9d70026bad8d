import ArgumentParser
import LifecycleModel
import TraceLog
import TraceRecorder

/// How a log lies on the disk: its parts, what is kept of them, and what a power failure may take.
struct LogOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Start a new part when the log reaches this size, such as 64M; after log.bin comes log.bin.2.",
      valueName: "size"), transform: Quantity.readSize)
  var maxSize: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Start a new part when the log reaches this age, such as 10m or 1h.", valueName: "time"),
    transform: Quantity.readTime)
  var maxAge: Nanoseconds?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      Flight recorder: keep the last 10m, or 64M, and remove older parts. Accepts one time and one \
      size.
      """,
      valueName: "time|size"), transform: Quantity.read)
  var keep: [Quantity] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      How often to force the log to disk. A power failure can lose data since the last time. Takes \
      a time such as 100ms, every-block, or none to leave it to the system.
      """,
      valueName: "policy"), transform: LogOptions.read(sync:))
  var sync: SyncPolicy?

  private static func read(sync text: String) throws -> SyncPolicy {
    if text == "none" { return .none }
    if text == "every-block" { return .everyBlock }
    if let time = Quantity(argument: text)?.time { return .interval(time) }
    throw ValidationError("it takes none, every-block or a time; \(Quantity.timeForm)")
  }

  mutating func validate() throws {
    if let size = ([maxSize] + keep.map(\.bytes)).compactMap(\.self).min(), size < 16_384 {
      throw ValidationError("a size is 16K or more, since a block can be that large")
    }
    if keep.filter({ $0.bytes != nil }).count > 1 || keep.filter({ $0.time != nil }).count > 1 {
      throw ValidationError("--keep takes one time and one size")
    }
  }

  /// Whether any was given.
  var isEmpty: Bool { maxSize == nil && maxAge == nil && keep.isEmpty && sync == nil }

  var limits: LogLimits {
    LogLimits(
      maxPartBytes: maxSize, maxPartAge: maxAge,
      keptBytes: keep.lazy.compactMap(\.bytes).first,
      keptAge: keep.lazy.compactMap(\.time).first)
  }
}

/// How large the ring beside the log is.
struct RingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The location of the ring file, if the log is on a network file system.",
      valueName: "file"), completion: .file())
  var ring: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      """
      How much the ring holds: threads=4 (app threads that can record at a time), records=65536 \
      (that each thread can buffer; a power of two, of 16 bytes each), words=1M (space for names and \
      labels); separated by commas, or repeated.
      """,
      valueName: "key=value", visibility: .hidden), transform: RingOptions.read)
  var ringSize: [[Size]] = []

  /// Sets a size of the ring.
  typealias Size = @Sendable (inout Drain.Options) -> Void

  /// Whether any was given.
  var isEmpty: Bool { ring == nil && ringSize.isEmpty }

  func apply(to options: inout Drain.Options) {
    options.ringPath = ring
    for set in ringSize.joined() { set(&options) }
  }

  private static func read(_ text: String) throws -> [Size] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { piece in
      let parts = piece.split(separator: "=", maxSplits: 1).map(String.init)
      let value = parts.dropFirst().first ?? ""
      switch parts.first {
      case "threads":
        let count = try WholeNumber.read(value)
        return { $0.threads = count }
      case "records":
        let count = try WholeNumber.read(value)
        return { $0.recordsPerThread = count }
      case "words":
        let bytes = try Quantity.readSize(value)
        return { $0.wordBytes = bytes }
      default: throw ValidationError("it takes threads=COUNT, records=COUNT or words=SIZE")
      }
    }
  }
}
