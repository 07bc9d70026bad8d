import LifecycleModel

/// Which part of a rotated log a file is, and what the parts before it hold.
///
/// Each part is a log that can be read alone. The first has the log's own name; a later one has its
/// number behind it, such as `log.bin.3`. All have the log's id and its origin of time.
public struct LogPart: Hashable, Sendable {
  /// How far a writer had come.
  public struct WriterMark: Hashable, Sendable {
    /// The writer's name.
    public var name: String
    /// The sequence of its last event in the parts before.
    public var last: UInt64
  }

  /// The part's number, from 1.
  public var number: UInt32 = 1
  /// How many events the parts before hold.
  public var eventsBefore: UInt64 = 0
  /// The writers of the parts before, ordered by name.
  public var writers: [WriterMark] = []

  /// Makes a part; without arguments a log's first.
  package init(number: UInt32 = 1, eventsBefore: UInt64 = 0, writers: [WriterMark] = []) {
    (self.number, self.eventsBefore, self.writers) = (number, eventsBefore, writers)
  }

  /// Whether a process starts in the first block of the part at `path`.
  package static func beginsRun(_ path: String) throws -> Bool {
    var walk = try BlockWalk(LogInput(path: path))
    while true {
      switch try walk.next() {
      case .gaps, .lost: continue
      case .end: return false
      case .block(let header): return header.verbs & 1 << UInt64(Verb.processStart.code) != 0
      }
    }
  }

  /// `log.bin.3`, or `log.bin.3 to log.bin.9`.
  static func names(_ path: String, _ numbers: ClosedRange<UInt32>) -> String {
    let (first, last) = (
      LogPart.path(path, numbers.lowerBound), LogPart.path(path, numbers.upperBound)
    )
    return first == last ? first : "\(first) to \(last)"
  }

  /// The name of the file that a part of the log at `path` has, when it is not the first.
  package static func path(_ path: String, _ number: UInt32) -> String { "\(path).\(number)" }
}
