import Foundation
import LifecycleModel
import Platform
import TraceLog
import TraceText

/// A small log that is whole: its files, and what was written into it.
struct SmallLog {
  /// The log's path in the folder in which it is damaged.
  static let name = "log.bin"

  /// A file of the log.
  struct File {
    let name: String
    let bytes: [UInt8]
    /// Where its blocks begin, and where the last one ends; none of a ring.
    var borders: [Int] = []
    /// The bytes of a ring that hold something.
    var used: [Range<Int>] = []

    var isRing: Bool { name.hasSuffix(RingFormat.pathEnding) }
    /// The bytes of the block at a place.
    func block(_ index: Int) -> ArraySlice<UInt8> { bytes[borders[index]..<borders[index + 1]] }
    /// How many blocks it has.
    var blockCount: Int { max(0, borders.count - 1) }
  }

  /// The log's own file, which is its head, the later parts in their order, and the ring.
  private(set) var files: [File]
  /// The lines of the events that were written.
  private(set) var written: [String]

  /// The log that `make` writes at the path that it is given, in an empty folder.
  ///
  /// It returns the events that it wrote, as they are told.
  init(_ make: (String) throws -> Trace) throws {
    let folder = try Folder()
    let path = folder.path(SmallLog.name)
    written = NumberedLines(try make(path)).lines
    files = try SmallLog.names.compactMap { name in
      guard let bytes = folder.bytes(name) else { return nil }
      let isRing = name.hasSuffix(RingFormat.pathEnding)
      return File(
        name: name, bytes: bytes, borders: isRing ? [] : try SmallLog.borders(bytes),
        used: isRing ? SmallLog.usedBytes(bytes) : [])
    }
  }

  /// The names that the files of a log can have: its own, the later parts, the ring.
  static let names =
    [name] + (2...20).map { "\(name).\($0)" } + [name + RingFormat.pathEnding]

  /// Which file is the newest part.
  var newest: Int { files.lastIndex { !$0.isRing } ?? 0 }

  /// How many bytes all files have.
  var byteCount: Int { files.reduce(0) { $0 + $1.bytes.count } }

  private static func borders(_ bytes: [UInt8]) throws -> [Int] {
    var reader = try LogReader(bytes: bytes)
    var (borders, events): ([Int], [Event]) = ([], [])
    while try reader.read(into: &events) {
      if reader.block != nil { borders.append(reader.offset) }
    }
    return borders + [bytes.count]
  }

  /// The ring's header, its words, and of each lane the header and the records up to its head.
  private static func usedBytes(_ bytes: [UInt8]) -> [Range<Int>] {
    func number(_ place: Int) -> Int {
      bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: place, as: UInt64.self)) }
    }
    typealias Place = RingFormat.Header
    let words = RingFormat.page + number(Place.wordsCapacity)
    let records = 16 * Int(bytes[Place.capacity])

    var used = [0..<320, RingFormat.page..<RingFormat.page + number(Place.wordsHead)]
    for lane in stride(from: words, to: bytes.count, by: RingFormat.page + records) {
      let first = lane + RingFormat.page
      let count = min(records, 16 * number(lane + RingFormat.Lane.head))
      used += [lane..<lane + 264, first..<first + count]
    }
    return used
  }
}

/// The lines of events as `tracectl dump --format ndjson --numbers` prints them.
struct NumberedLines {
  private(set) var lines: [String] = []

  init(_ trace: Trace) { add(trace.events, trace.vocabulary) }

  init() {}

  mutating func add(_ events: [Event], _ vocabulary: Vocabulary) {
    let printer = NDJSON.Printer(vocabulary: vocabulary)
    var bytes: [UInt8] = []
    for event in events {
      bytes.removeAll(keepingCapacity: true)
      printer.appendNumbered(event, to: &bytes)
      lines.append(String(decoding: bytes, as: UTF8.self))
    }
  }
}

/// A folder in memory that goes when its owner does.
final class Folder {
  let path: String
  private static let memory = "/dev/shm"

  init() throws {
    let parent = access(Folder.memory, W_OK) == 0 ? Folder.memory : "/tmp"
    path = "\(parent)/damage-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The content of a file; `nil` when there is none.
  func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path(name)).map { [UInt8]($0) }
  }

  /// Writes a file; one of `nil` is taken away.
  func write(_ name: String, _ bytes: [UInt8]?) throws {
    if let bytes { try Folder.write(path(name), bytes) } else { unlink(path(name)) }
  }

  /// Writes the file at a path.
  static func write(_ path: String, _ bytes: [UInt8]) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    guard descriptor >= 0, Platform.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw Violation("\(path): cannot be written")
    }
  }
}
