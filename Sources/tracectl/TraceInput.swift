import LifecycleModel
import TraceLog
import TraceSources

/// A trace that a command was pointed at: a binary log, notation or NDJSON, from a file or a pipe.
struct TraceInput: EventStream {
  private enum Form {
    case log(LogReader)
    case text(TextReading)
  }

  private var form: Form
  /// Keeps the descriptor open that a log is read from.
  private var input: ByteInput?

  /// Opens `path` (`-` is standard input) and finds out what it is by its first bytes.
  init(_ path: String, filter: BlockFilter = BlockFilter()) throws {
    let input = try ByteInput(path)
    guard case .bytes(let first) = try input.next() else {
      throw CommandError.unreadable("\(input.name): the file is empty; was anything recorded?")
    }
    if LogReader.isLog(first.prefix(64)) || first.contains(0) {
      try TraceInput.refuseWideText(input.name, first)
      do {
        form = .log(try TraceInput.reader(input, first, filter))
        self.input = input
        return
      } catch LogError.notALog(_, let looksLikeText) where looksLikeText && input.canBeReadAgain {
        // Text with a zero byte in it: its reader knows the line.
      } catch {
        throw CommandError.unreadable("\(error)")
      }
    }
    form = .text(try TextReading(input, first))
  }

  /// Throws for UTF-16, in which some tools redirect their output.
  static func refuseWideText(_ name: String, _ first: ArraySlice<UInt8>) throws {
    let start = Array(first.prefix(4))
    let isWide =
      start.starts(with: [0xff, 0xfe]) || start.starts(with: [0xfe, 0xff])
      || (start.count == 4 && start[1] == 0 && start[3] == 0 && start[0] != 0 && start[2] != 0)
    if isWide {
      throw CommandError.unreadable(
        "\(name): is UTF-16 text, expected UTF-8; convert it: iconv -f UTF-16 -t UTF-8")
    }
  }

  private static func reader(
    _ input: ByteInput, _ first: ArraySlice<UInt8>, _ filter: BlockFilter
  ) throws -> LogReader {
    if input.canBeReadAgain { return try LogReader(path: input.name, filter: filter) }
    return try LogReader(
      descriptor: input.descriptor, path: input.name, prefix: Array(first), filter: filter)
  }

  var vocabulary: Vocabulary {
    switch form {
    case .log(let reader): reader.vocabulary
    case .text(let reading): reading.source.vocabulary
    }
  }

  /// Whether it is a binary log.
  var isBinary: Bool { if case .log = form { true } else { false } }

  /// The lines of the events that were read; `nil` for a binary log, which has none.
  var lines: EventLines? {
    switch form {
    case .log: nil
    case .text(let reading): reading.source.lines
    }
  }

  /// The wall clock at the log's origin, in nanoseconds since 1970; `nil` when it is not known.
  var wallOrigin: Int64? {
    guard case .log(let reader) = form, let wall = reader.identity?.originWall, wall != 0 else {
      return nil
    }
    return wall
  }

  mutating func read(into events: inout [Event]) throws -> Bool {
    do {
      switch form {
      case .log(var reader):
        defer { form = .log(reader) }
        return try reader.read(into: &events)
      case .text(var reading):
        defer { form = .text(reading) }
        return try reading.read(into: &events)
      }
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError.unreadable("\(error)")
    }
  }
}

/// Notation or NDJSON, read whole, since its lines may stand in any order.
private struct TextReading {
  private let input: ByteInput
  private var first: ArraySlice<UInt8>
  var source: TextSource
  private var isAtEnd = false

  init(_ input: ByteInput, _ first: ArraySlice<UInt8>) throws {
    self.input = input
    self.first = first
    let text = first.starts(with: [0xef, 0xbb, 0xbf]) ? first.dropFirst(3) : first
    let start = text.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }
    let form = start == UInt8(ascii: "{") ? TextSource.Form.ndjson : .notation
    source = TextSource(form: form, order: try input.order(of: form), keepsLines: true)
  }

  mutating func read(into events: inout [Event]) throws -> Bool {
    events.removeAll(keepingCapacity: true)
    if isAtEnd { return false }
    isAtEnd = true
    do {
      try source.take(first, into: &events)
      reading: while true {
        switch try input.next() {
        case .bytes(let bytes): try source.take(bytes, into: &events)
        case .pause: continue
        case .end: break reading
        }
      }
      try source.finish(into: &events)
    } catch var error as SourceError {
      error.remedy =
        "correct the line; if this is a device's console text, record it first: "
        + "tracectl record --source console"
      throw CommandError.unreadable("\(input.name): \(error)")
    }
    return true
  }
}
