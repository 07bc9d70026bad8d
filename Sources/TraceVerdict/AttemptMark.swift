import Platform

/// The note beside a log that a run of it is analyzed, or was: `flight.bin.verdict`, three lines of text.
///
/// It is on the disk before the analysis begins. Where the analysis ends the process, it stays, and the next launch
/// does not try the same run again.
struct AttemptMark: Equatable {
  /// The run: the log's id, and the name of its newest part.
  var run: String
  /// How many analyzed runs in a row ended like this one.
  var launches: Int
  /// What such ends have in common; empty for an end that is no fault, and until the analysis is over.
  var end: String

  init(run: String, launches: Int = 0, end: String = "") {
    (self.run, self.launches, self.end) = (run, launches, end)
  }

  /// Reads the mark at `path`; `nil` when there is none that is whole.
  init?(at path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)

    let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 4, let launches = Int(lines[1]) else { return nil }
    self.init(run: lines[0], launches: launches, end: lines[2])
  }

  /// Writes the mark at `path`, and waits until it survives a power failure; false when that fails.
  func store(at path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let bytes = Array("\(run)\n\(launches)\n\(end)\n".utf8)
    return write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
  }
}
