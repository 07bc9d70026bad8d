import CBench
import Foundation
import Logging

// A line of swift-log in a file, written at once, as apps do that want it after a crash.
struct FileHandler: LogHandler {
  let file: FileHandle
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let time = bench_nanoseconds()
    file.write(Data("\(time) \(event.level) \(event.message) \(event.metadata ?? [:])\n".utf8))
  }
}

let path = CommandLine.arguments[1]
FileManager.default.createFile(atPath: path, contents: nil)
guard let file = FileHandle(forWritingAtPath: path) else { fatalError("\(path) cannot be written") }
nonisolated(unsafe) let logger = Logger(label: "bench") { _ in FileHandler(file: file) }
var (median, most) = (0.0, 0.0)
bench_percentiles(
  { logger.info("timer", metadata: ["scene": "1", "label": "autosave"]) }, nil, &median, &most)
print("fact\t\(median)\t\(most)")
