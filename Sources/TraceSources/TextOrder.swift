import LifecycleModel
import TraceText

/// Looks how far the lines of a text stand from their place, before it is read.
///
/// Only the instants are read, which takes a fraction of the time of reading the lines.
public struct TextOrder {
  private let form: TextSource.Form
  private var splitter = LineSplitter()
  /// The latest instant of each stretch of lines: of the one that is read, of the one before it, and
  /// of all before that.
  private var (current, previous, earlier) = (
    Instant.distantPast, Instant.distantPast, Instant.distantPast
  )
  private var count = 0
  private var isNearby = true
  private var isOrdered = true

  /// Looks at text in `form`.
  public init(form: TextSource.Form) {
    self.form = form
  }

  /// Takes the next bytes; false when the rest makes no difference.
  public mutating func take(_ bytes: ArraySlice<UInt8>) -> Bool {
    var splitter = LineSplitter()
    swap(&splitter, &self.splitter)
    defer { self.splitter = splitter }
    splitter.take(bytes) { _, line in
      if case .whole(let bytes) = line, let instant = instant(of: bytes) { take(instant) }
    }
    return isNearby
  }

  /// How the text has to be read so that every line gets to its place.
  public mutating func finish() -> TextSource.Order {
    var splitter = splitter
    splitter.finish { _, line in
      if case .whole(let bytes) = line, let instant = instant(of: bytes) { take(instant) }
    }
    return isOrdered ? .inOrder : isNearby ? .nearby : .anywhere
  }

  private mutating func take(_ instant: Instant) {
    if count == TextSource.Order.reach {
      earlier = max(earlier, previous)
      (previous, current, count) = (current, .distantPast, 0)
    }
    count += 1
    // What lies two stretches back may have been handed out already.
    if instant < earlier { isNearby = false }
    if instant < max(current, previous, earlier) { isOrdered = false }
    current = max(current, instant)
  }

  /// The instant of a line; `nil` when it has none, or cannot be read.
  private func instant(of line: ArraySlice<UInt8>) -> Instant? {
    switch form {
    case .notation: return TraceNotation.instant(ofLine: line)
    case .ndjson: return NDJSON.instant(ofLine: line)
    }
  }
}
