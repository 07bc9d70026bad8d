import CBench
import Logging

/// A line in a file, written at once, as apps do that want it after a crash.
struct FileHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    fputs("\(bench_nanoseconds()) \(event.level) \(event.message) \(event.metadata ?? [:])\n", file)
    fflush(file)
  }
}

nonisolated(unsafe) let file = fopen(CommandLine.arguments[1], "w")
let logger = Logger(label: "bench") { _ in FileHandler() }
var (median, most) = (0.0, 0.0)
bench_percentiles(
  { logger.info("timer", metadata: ["scene": "1", "label": "autosave"]) }, nil, &median, &most)
print("fact\t\(median)\t\(most)")
